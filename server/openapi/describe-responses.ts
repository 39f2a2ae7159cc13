import { describeField } from '../../data/field/field.ts';
import type { Endpoint, ParameterName } from '../../data/query/endpoint.ts';
import { RESPONSE_HEADERS, type ResponseHeader } from '../../data/query/header.ts';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { responseComponent } from '../../data/schema/response.ts';

type Components = 'schemas' | 'parameters' | 'headers';

/** A part of the document, as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Where a component of the document stands. */
export function pointTo(components: Components, name: string): string {
  return `#/components/${components}/${name}`;
}

export function refer(components: Components, name: string): Json {
  return { $ref: pointTo(components, name) };
}

/** Headers of every response. */
const ALWAYS: readonly ResponseHeader[] = [
  'X-Snapshot',
  'X-Request-Id',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Vary',
  'Cache-Control',
];
/** Headers of every response to a valid key. */
const OF_KEY: readonly ResponseHeader[] = ['RateLimit-Policy', 'RateLimit'];

/** Further headers of the response with an error. Before the key is checked, there are no headers about it (D3). */
const OF_ERROR: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  // The link to the first page.
  410: ['Link', ...OF_KEY],
  414: [],
  429: ['Retry-After', ...OF_KEY],
  503: ['Retry-After', ...OF_KEY],
};

/** Every response of an endpoint, by status. */
export function describeResponses(endpoint: Endpoint): Readonly<Record<string, Json>> {
  const { name, parameters } = endpoint;
  const schema = refer('schemas', responseComponent(name === 'product' ? 'products' : name));
  const both: readonly ResponseHeader[] = ['ETag', ...OF_KEY];
  const paging: readonly ResponseHeader[] = parameters.includes('cursor') ? ['Link'] : [];
  return {
    200: describeResponse(endpoint.response, [...both, 'X-Total-Count', ...paging, 'Content-Encoding'], {
      'application/json': { schema },
    }),
    304: describeResponse('Nothing has changed since the answer whose `ETag` was sent; there is no body.', both),
    ...describeErrors(CODES.filter((code) => isPossible(code, endpoint))),
  };
}

function describeErrors(codes: readonly ProblemCode[]): Readonly<Record<string, Json>> {
  const statuses = [...new Set(codes.map((code): number => PROBLEMS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => PROBLEMS[code].status === status);
      const content = { 'application/problem+json': { schema: refer('schemas', responseComponent('problem')) } };
      return [status, describeResponse(ofStatus.map(describeProblem).join('\n'), OF_ERROR[status] ?? OF_KEY, content)];
    }),
  );
}

function describeResponse(description: string, further: readonly ResponseHeader[], content?: Json): Json {
  return {
    description,
    headers: Object.fromEntries([...ALWAYS, ...further].map((name) => [name, refer('headers', name)])),
    ...(content === undefined ? {} : { content }),
  };
}

function describeProblem(code: ProblemCode): string {
  const { cause, cure } = PROBLEMS[code];
  return `- [\`${code}\`](/problems/${code}): ${cause} ${cure}`;
}

/** Every header of an answer, by name. */
export function describeHeaders(): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(RESPONSE_HEADERS).map(([name, { meaning, example }]) => [
      name,
      { description: describeField({ meaning }), schema: { type: 'string' }, example },
    ]),
  );
}

/** The errors of the interface; the others come from paths outside it. */
const CODES = (Object.keys(PROBLEMS) as ProblemCode[]).filter(
  (code) => code !== 'unknown-path' && code !== 'operator-only',
);

/** Errors that only an endpoint with one of these parameters gives; the others come from any. */
const OF_PARAMETERS: Readonly<Partial<Record<ProblemCode, readonly ParameterName[]>>> = {
  'repeated-parameter': ['filter', 'expand', 'fields', 'limit', 'sort', 'facets', 'cursor'],
  'unknown-value': ['filter', 'expand', 'fields', 'limit', 'sort', 'facets'],
  'out-of-range': ['filter', 'limit'],
  'incomplete-image-selection': ['fields'],
  'invalid-cursor': ['cursor'],
  'too-many-deals': ['limit'],
  'snapshot-expired': ['cursor'],
  'snapshot-not-yet': ['cursor'],
};

function isPossible(code: ProblemCode, { name, parameters }: Endpoint): boolean {
  if (code === 'unknown-product') return name === 'product';
  return OF_PARAMETERS[code]?.some((parameter) => parameters.includes(parameter)) ?? true;
}
