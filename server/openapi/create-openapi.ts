import { ENDPOINT_GROUPS } from '../../data/query/endpoint.ts';
import { REQUEST_HEADERS } from '../../data/query/header.ts';
import { createComponentSchemas } from '../../data/schema/answer.ts';
import { HEALTH_SCHEMAS } from '../../data/schema/health.ts';
import type { ServerSettings } from '../settings.ts';
import { describeHeaders, describeProblemExamples } from './describe-answers.ts';
import { describeEndpoints } from './describe-endpoints.ts';
import { describeParameters } from './describe-parameters.ts';
import { describeSite, SITE_GROUPS } from './describe-site.ts';
import { writeIntroduction } from './introduction.ts';
import { pointTo, type Json } from './reference.ts';

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
    tags: Object.entries({ ...ENDPOINT_GROUPS, ...SITE_GROUPS }).map(([name, description]) => ({ name, description })),
    paths: { ...describeEndpoints(), ...describeSite() },
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: `${REQUEST_HEADERS['x-api-key'].meaning}. The operator makes keys, with a beginning and an end if need be.`,
        },
      },
      parameters: describeParameters(settings),
      headers: describeHeaders(),
      examples: describeProblemExamples(),
      schemas: describeSchemas(),
    },
  };
}

function describeSchemas(): Json {
  const schemas: Readonly<Record<string, Json>> = {
    ...createComponentSchemas((name) => pointTo('schemas', name)),
    Live: HEALTH_SCHEMAS.live,
    Ready: HEALTH_SCHEMAS.ready,
    NotReady: HEALTH_SCHEMAS.noSnapshot,
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, openSchema(schema)]));
}

/** What names a schema on its own, and has no meaning within the document. */
const NAMING_KEYS: ReadonlySet<string> = new Set(['$schema', '$id']);

/** A schema for those who read answers: keys may be added within v1 (D20), so nobody is told to refuse them. */
function openSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openSchema);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !NAMING_KEYS.has(key) && (key !== 'additionalProperties' || inner !== false))
      .map(([key, inner]) => [key, openSchema(inner)]),
  );
}
