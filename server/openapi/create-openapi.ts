import { describeField } from '../../data/field/field.ts';
import { ENDPOINT_GROUPS, ENDPOINTS, type Endpoint, type ParameterName } from '../../data/query/endpoint.ts';
import { PREFLIGHT_HEADERS, REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from '../../data/query/header.ts';
import { GRACE_SECONDS, MAX_TARGET_BYTES } from '../../data/query/parameter.ts';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { createComponentSchemas, responseComponent } from '../../data/schema/response.ts';
import type { ServerSettings } from '../settings.ts';
import { describeParameters, pointTo, refer, referToParameters, type Json } from './describe-parameters.ts';

/** Of the interface, whose first number is that of the path; the second grows with what is added (D20). */
const VERSION = '1.0';

/**
 * The description of the interface as OpenAPI 3.1 (D19), from the tables and schemas that the parser and the writer use. It
 * depends on the settings of the server and not on the catalogue.
 */
export function createOpenApi(settings: ServerSettings): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mobile deals catalogue',
      version: VERSION,
      summary: 'Phones, their contract deals, and free gifts; read-only.',
      description: writeIntroduction(settings),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document was read.' }],
    security: [{ key: [] }],
    tags: Object.entries(ENDPOINT_GROUPS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      ENDPOINTS.map((endpoint) => [endpoint.path.replace('<id>', '{id}'), { get: describeEndpoint(endpoint) }]),
    ),
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: `${REQUEST_HEADERS['x-api-key']}. The operator makes keys; a key may have a start and an end date.`,
        },
      },
      parameters: describeParameters(),
      headers: describeHeaders(),
      schemas: openSchema(createComponentSchemas((name) => pointTo('schemas', name))),
    },
  };
}

/** Keys of a schema that have no meaning within the document. */
const NAMING_KEYS: ReadonlySet<string> = new Set(['$schema', '$id']);

/** A schema for clients: keys may be added within v1 (D20), so unknown keys are allowed. */
function openSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openSchema);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !NAMING_KEYS.has(key) && (key !== 'additionalProperties' || inner !== false))
      .map(([key, inner]) => [key, openSchema(inner)]),
  );
}

/** What holds for every request and response. */
function writeIntroduction({ maxDealsPerAnswer }: ServerSettings): string {
  return `A read-only catalogue of phones, their contract deals and the gifts that come with them.

## Asking

Every request under \`/deals/\` is a GET with a key in the header \`x-api-key\`. HEAD gets the same status and headers
without the body. OPTIONS gets 204 with \`Allow\`, needs no key, and from a page of an origin that the operator allows also
${PREFLIGHT_HEADERS.map((name) => `\`${name}\``).join(', ')}. The last slash of a path may be missing; the rest must be
as it is written here. Path and query together have at most ${MAX_TARGET_BYTES} bytes.

Brackets, braces, parentheses and commas may be sent as they are or percent-encoded, and \`+\` is a space. Spaces around
values do not count. No parameter is ignored: an unknown, repeated, empty or misspelled parameter is a 400 that lists every fault
of the request, with the word that was probably meant. A filter alone may be repeated, with another operator each time.
Of products, a limit of deals without \`expand=deals\` has no effect.

## Pages

A list of products or deals comes in pages. \`X-Total-Count\` is how many there are on all pages, and \`Link\` has the \`first\`,
\`prev\`, \`next\` and \`last\` one: follow them as they are. A walk through pages goes on in the snapshot it began with, for
${GRACE_SECONDS} seconds after a newer one, unless still another has come; then it gets 410 with a link to begin again. Gifts
and lists come whole.${
    maxDealsPerAnswer === undefined
      ? ''
      : ` An answer holds at most ${maxDealsPerAnswer} deals; \`limit=deals(n)\` asks for fewer.`
  }

## Answers

Money is text with two decimals in deals and a number in \`cheapestDeal\`. An allowance of 999999 is unlimited. What a
record lacks is absent, never null. Keys may be added; those there are stay what they are as long as the path says \`v1\`.

## Errors

Every refusal is \`application/problem+json\` (RFC 9457). \`code\` says what is wrong and never changes, \`detail\` says it in a
sentence, \`errors\` names every faulty parameter, \`type\` is a page that explains the code and what to do. All of them are
listed at [/problems/](/problems/).`;
}

function describeEndpoint(endpoint: Endpoint): Json {
  const { operation, group, summary, description, examples } = endpoint;
  return {
    operationId: operation,
    tags: [group],
    summary,
    description,
    parameters: referToParameters(endpoint),
    responses: describeResponses(endpoint),
    'x-examples': examples.map(([label, target]) => ({ summary: label, target })),
    // `BASE` is the address of the service, and `KEY` a key.
    'x-codeSamples': examples.map(([label, target]) => ({
      lang: 'Shell',
      label,
      source: `curl -g -H "x-api-key: $KEY" "$BASE${target}"`,
    })),
  };
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
function describeResponses(endpoint: Endpoint): Readonly<Record<string, Json>> {
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
function describeHeaders(): Readonly<Record<string, Json>> {
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
