import { z } from 'zod';
import type { JsonSchema } from '../../data/schema/response.ts';
import { DEALS_COLUMNS, FIELDS, PRODUCT_COLUMNS } from '../feed/fields.ts';
import { KINDS } from '../feed/kinds.ts';
import { LISTS_SCHEMA } from '../cms/fields.ts';
import { configSchema } from '../config/config.ts';

const textSchema = z.string().max(2_000);
const shape = Object.fromEntries(
  DEALS_COLUMNS.map((field): [string, z.ZodType] => {
    const { kind, need, description, example } = FIELDS[field];
    const schema = need === 'always' ? KINDS[kind].json : KINDS[kind].json.nullish();
    return [field, schema.meta({ description, examples: [example] })];
  }),
);

/** A line of NDJSON of the `deals` adapter. The rows of CSV have the same fields, as texts. */
const dealLineSchema = z
  .object({ $schema: textSchema.optional().describe('the JSON Schema of this line; not read'), ...shape })
  .meta({ anyOf: PRODUCT_COLUMNS.map((name) => ({ required: [name] })) });

/** The formats with a JSON Schema, with their titles. */
export const SCHEMA_FORMATS = {
  configuration: 'catalogue.json, the configuration of a build',
  catalogue: 'An export of the `catalogue` adapter',
  deal: 'A line of NDJSON of the `deals` adapter',
} as const;

export type SchemaFormat = keyof typeof SCHEMA_FORMATS;

const catalogueSchema = z.object({
  $schema: z.string().max(2_000).optional().describe('the JSON Schema of this file; not read'),
  ...LISTS_SCHEMA.shape,
});

const SCHEMAS: Readonly<Record<SchemaFormat, z.ZodType>> = {
  configuration: configSchema,
  catalogue: catalogueSchema,
  deal: dealLineSchema,
};

/** The path of a JSON Schema next to a new configuration: `schema/catalogue.schema.json`. */
export function schemaPath(format: SchemaFormat): string {
  return `schema/${jsonSchemaFile(format)}`;
}

/** The file name of a JSON Schema: `catalogue.schema.json`. */
export function jsonSchemaFile(format: SchemaFormat): string {
  return `${format}.schema.json`;
}

/**
 * The JSON Schema (2020-12) of a format, for editors: keys, types and descriptions. Only a build checks what a schema
 * cannot express, such as which settings belong together.
 */
export function createJsonSchema(format: SchemaFormat): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(SCHEMAS[format], {
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
  return { $schema, $id: jsonSchemaFile(format), title: SCHEMA_FORMATS[format], ...schema };
}
