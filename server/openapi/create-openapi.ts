import { ENDPOINT_GROUPS, ENDPOINTS, type Endpoint } from '../../data/query/endpoint.ts';
import { PREFLIGHT_HEADERS, REQUEST_HEADERS } from '../../data/query/header.ts';
import { GRACE_SECONDS, MAX_TARGET_BYTES } from '../../data/query/parameter.ts';
import { createComponentSchemas } from '../../data/schema/response.ts';
import type { ServerSettings } from '../settings.ts';
import { describeParameters, referToParameters } from './describe-parameters.ts';
import { describeHeaders, describeResponses, pointTo, type Json } from './describe-responses.ts';

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
          description: `${REQUEST_HEADERS['x-api-key'].meaning}. The operator makes keys; a key may have a start and an end date.`,
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
