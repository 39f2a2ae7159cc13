import { ENDPOINTS, type EndpointName, type ParameterName } from '../../data/query/endpoint.ts';
import { RESPONSE_HEADERS, type ResponseHeader } from '../../data/query/header.ts';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { responseComponent } from '../../data/schema/response.ts';

type Components = 'schemas' | 'parameters' | 'headers' | 'examples';

/** A part of the document, as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Where a component of the document stands. */
export function pointTo(components: Components, name: string): string {
  return `#/components/${components}/${name}`;
}

export function refer(components: Components, name: string): Json {
  return { $ref: pointTo(components, name) };
}

/** A text as a sentence. */
export function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export interface RouteOperation {
  readonly id: string;
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  /** Whether it needs no key. */
  readonly isOpen?: true;
  readonly parameters?: readonly Json[];
  readonly responses: Readonly<Record<string, Json>>;
}

/** A path outside the interface that is read by GET. */
export function describeOperation(operation: RouteOperation): Json {
  const { id, group, summary, description, isOpen, parameters, responses } = operation;
  return {
    get: {
      operationId: id,
      tags: [group],
      summary,
      description,
      ...(isOpen === undefined ? {} : { security: [] }),
      ...(parameters === undefined ? {} : { parameters }),
      responses,
    },
  };
}

/** Headers of every response. */
const ALWAYS: readonly ResponseHeader[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Vary',
];
/** Headers of every response to a valid key. */
const OF_KEY: readonly ResponseHeader[] = ['RateLimit-Policy', 'RateLimit'];

/** Further headers of a status. */
const OF_STATUS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Statuses that are decided before the key is checked, so they have no rate limit headers (D3). */
const BEFORE_KEY: ReadonlySet<number> = new Set([401, 405, 414]);

/** A response with or without a body. */
export function describeResponse(description: string, headers: readonly ResponseHeader[], content?: Json): Json {
  return {
    description,
    headers: referToHeaders([...ALWAYS, ...headers]),
    ...(content === undefined ? {} : { content }),
  };
}

/** The 200 and the 304 of a request of the interface. */
export function describeReadResponses(
  description: string,
  schema: Json,
  hasPages: boolean,
): Readonly<Record<string, Json>> {
  const both: readonly ResponseHeader[] = ['X-Snapshot', 'ETag', 'Cache-Control', ...OF_KEY];
  return {
    200: describeResponse(
      description,
      [...both, 'X-Total-Count', ...(hasPages ? (['Link'] as const) : []), 'Content-Encoding'],
      { 'application/json': { schema } },
    ),
    304: describeResponse('Nothing has changed since the answer whose `ETag` was sent; there is no body.', both),
  };
}

/** Whose requests get the error: of clients of the interface, of operators, or of all. */
type Audience = 'interface' | 'operator' | 'open';

/** The error responses with these codes, by status. */
export function describeErrorResponses(codes: readonly ProblemCode[], asked: Audience): Readonly<Record<string, Json>> {
  const statuses = [...new Set(codes.map((code): number => PROBLEMS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => PROBLEMS[code].status === status);
      const answer = describeResponse(
        ofStatus.map(describeProblem).join('\n'),
        [
          ...(asked === 'interface' ? (['X-Snapshot'] as const) : []),
          'Cache-Control',
          ...(OF_STATUS[status] ?? []),
          // The link to the first page.
          ...(asked === 'interface' && status === 410 ? (['Link'] as const) : []),
          ...(asked !== 'open' && !BEFORE_KEY.has(status) ? OF_KEY : []),
        ],
        {
          'application/problem+json': {
            schema: refer('schemas', responseComponent('problem')),
            examples: Object.fromEntries(ofStatus.map((code) => [code, refer('examples', code)])),
          },
        },
      );
      return [status, answer];
    }),
  );
}

/** Every header of an answer, by name. */
export function describeHeaders(): Readonly<Record<ResponseHeader, Json>> {
  return Object.fromEntries(
    Object.entries(RESPONSE_HEADERS).map(([name, { meaning, example }]) => [
      name,
      { description: asSentence(meaning), schema: { type: 'string' }, example },
    ]),
  ) as unknown as Readonly<Record<ResponseHeader, Json>>;
}

/** A body of every error, by code. */
export function describeProblemExamples(): Readonly<Record<ProblemCode, Json>> {
  return Object.fromEntries(
    Object.entries(PROBLEMS).map(([code, { title, status, cause: detail }]) => {
      const value = { type: `/problems/${code}`, title, status, detail, instance: REQUEST_ID, code, errors: [] };
      return [code, { summary: title, value }];
    }),
  ) as unknown as Readonly<Record<ProblemCode, Json>>;
}

const REQUEST_ID = RESPONSE_HEADERS['X-Request-Id'].example;

function describeProblem(code: ProblemCode): string {
  const { cause, cure } = PROBLEMS[code];
  return `- [\`${code}\`](/problems/${code}): ${cause} ${cure}`;
}

function referToHeaders(names: readonly ResponseHeader[]): Readonly<Record<string, Json>> {
  return Object.fromEntries([...new Set(names)].map((name) => [name, refer('headers', name)]));
}

/**
 * Which requests may get an error: all; those of the interface; those for one product; those outside the interface; those
 * of an endpoint that has one of the parameters.
 */
type Scope = 'anything' | 'interface' | 'product' | 'outside' | readonly ParameterName[];

const SCOPES: Readonly<Record<ProblemCode, Scope>> = {
  'unknown-path': 'outside',
  'unknown-product': 'product',
  'method-not-allowed': 'anything',
  'missing-key': 'interface',
  'invalid-key': 'interface',
  'expired-key': 'interface',
  'operator-only': 'outside',
  'rate-limited': 'interface',
  'invalid-request': 'interface',
  'unknown-parameter': 'interface',
  'repeated-parameter': ['filter', 'expand', 'fields', 'limit', 'sort', 'cursor'],
  // Broken percent-encoding is one, also where an endpoint has no parameters.
  'malformed-value': 'interface',
  'unknown-value': ['filter', 'expand', 'fields', 'limit', 'sort'],
  'out-of-range': ['filter', 'limit'],
  'incomplete-image-selection': ['fields'],
  'invalid-cursor': ['cursor'],
  'repeated-header': 'anything',
  'too-many-deals': ['limit'],
  'snapshot-expired': ['cursor'],
  'target-too-long': 'anything',
  'internal-error': 'anything',
  'no-snapshot': 'interface',
  'snapshot-not-yet': ['cursor'],
  overloaded: 'anything',
};

const CODES = Object.keys(SCOPES) as readonly ProblemCode[];

/** The errors that a request to an endpoint may get. */
export function listEndpointProblems(endpoint: EndpointName): readonly ProblemCode[] {
  const parameters: readonly ParameterName[] = ENDPOINTS.find(({ name }) => name === endpoint)?.parameters ?? [];
  return CODES.filter((code) => {
    const scope = SCOPES[code];
    if (scope === 'anything' || scope === 'interface') return true;
    if (scope === 'product') return endpoint === 'product';
    return typeof scope !== 'string' && scope.some((parameter) => parameters.includes(parameter));
  });
}

/** The errors of every request outside the interface, and `further` ones. */
export function listRouteProblems(...further: readonly ProblemCode[]): readonly ProblemCode[] {
  return CODES.filter((code) => SCOPES[code] === 'anything' || further.includes(code));
}
