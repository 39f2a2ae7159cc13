import { z } from 'zod';
import type { JsonSchema } from '../../data/schema/response.ts';
import { LISTS_SCHEMA } from '../cms/fields.ts';
import { configSchema } from '../config/config.ts';
import { DEALS_COLUMNS, FIELDS, PRODUCT_COLUMNS } from '../feed/fields.ts';
import { KINDS } from '../feed/kinds.ts';

const schemaLink = (what: string) =>
  z.string().max(2_000).optional().describe(`the JSON Schema of this ${what}; not read`);

/** The fields of a line of NDJSON of the `deals` adapter. The rows of CSV have the same fields, as texts. */
const dealFields = Object.fromEntries(
  DEALS_COLUMNS.map((field): [string, z.ZodType] => {
    const { kind, need, description, example } = FIELDS[field];
    const schema = need === 'always' ? KINDS[kind].json : KINDS[kind].json.nullish();
    return [field, schema.meta({ description, examples: [example] })];
  }),
);

/** The formats with a JSON Schema. */
const FORMATS = {
  configuration: { title: 'catalogue.json, the configuration of a build', schema: configSchema },
  catalogue: {
    title: 'An export of the `catalogue` adapter',
    schema: z.object({ $schema: schemaLink('file'), ...LISTS_SCHEMA.shape }),
  },
  deal: {
    title: 'A line of NDJSON of the `deals` adapter',
    schema: z
      .object({ $schema: schemaLink('line'), ...dealFields })
      .meta({ anyOf: PRODUCT_COLUMNS.map((name) => ({ required: [name] })) }),
  },
};

export type SchemaFormat = keyof typeof FORMATS;

export const SCHEMA_FORMATS = Object.keys(FORMATS) as readonly SchemaFormat[];

export function jsonSchemaFile(format: SchemaFormat): string {
  return `${format}.schema.json`;
}

/**
 * The JSON Schema (2020-12) of a format, for editors: keys, types and descriptions. Only a build checks what a schema
 * cannot express, such as which settings belong together.
 */
export function createJsonSchema(format: SchemaFormat): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(FORMATS[format].schema, {
    target: 'draft-2020-12',
    io: 'input',
    // Custom checks describe themselves in `meta`.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { examples } = z.globalRegistry.get(zodSchema) ?? {};
      // zod drops the examples of a value with a custom check.
      if (examples !== undefined) jsonSchema.examples ??= examples as typeof jsonSchema.examples & object;
    },
  });
  return { $schema, $id: jsonSchemaFile(format), title: FORMATS[format].title, ...schema };
}
