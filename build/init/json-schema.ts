import { z } from 'zod';
import type { JsonSchema } from '../../data/schema/response.ts';
import { ALLOWANCE_COLUMNS, PRODUCT_COLUMNS, REQUIRED_COLUMNS, type DealsColumn } from '../feed/fields.ts';
import { ENTITY_SCHEMAS, ENTITY_TYPES } from '../adapt/mapping/cms-fields.ts';
import { configSchema } from '../config/config.ts';

const textSchema = z.string().max(2_000);
/** Ids may be whole numbers. */
const idSchema = z.union([textSchema, z.int()]);
const amountSchema = z.union([z.string().regex(/^(?:-?[0-9]{1,9}(?:\.[0-9]{1,2})?)?$/), z.number()]);
const allowanceSchema = z.union([
  z.string().regex(/^(?:[Uu][Nn][Ll][Ii][Mm][Ii][Tt][Ee][Dd]|[0-9]{1,9}(?:\.[0-9]{1,9})?)?$/),
  z.number().min(0),
]);
const monthsSchema = z.union([z.string().regex(/^[0-9]{1,3}$/), z.int().min(1).max(120)]);
const urlSchema = z.string().max(2_000);
const switchSchema = z.union([z.boolean(), z.string().max(5), z.literal([0, 1])]);

/** The fields of our own feed: schema, description, example. */
const COLUMNS: Readonly<Record<DealsColumn, readonly [z.ZodType, string, unknown]>> = {
  dealId: [idSchema, 'unique per retailer, and the same from night to night', 'H-1042'],
  productId: [idSchema, 'the id of a product; this, `productName` or `gtin` is needed', '101'],
  productName: [textSchema, 'the name of the phone, with its storage', 'Google Pixel 9 128GB'],
  gtin: [idSchema, 'the bar code of the phone', '0840244706500'],
  condition: [textSchema, '`new` or `refurbished`; `new` if absent', 'new'],
  retailer: [idSchema, 'id, slug, name or alias', 'phonewright'],
  network: [idSchema, 'id, slug, name or alias', 'fernlink'],
  dealType: [textSchema, 'a lower-case word; `contract` if absent', 'contract'],
  contractName: [textSchema, 'the name of the plan', 'Fernlink 50GB'],
  contractMonths: [monthsSchema, '1 to 120', 24],
  dataGb: [
    allowanceSchema,
    'gigabytes a month, or `unlimited`; needed unless `missingAllowance` says what none means',
    50,
  ],
  callMinutes: [allowanceSchema, 'a month, or `unlimited`; needed as `dataGb` is', 'unlimited'],
  textMessages: [allowanceSchema, 'a month, or `unlimited`; needed as `dataGb` is', 'unlimited'],
  upfrontCost: [amountSchema, 'at most two decimals', 29.99],
  monthlyCost: [amountSchema, 'at most two decimals', 24],
  totalCost: [amountSchema, 'upfront + monthly x months if absent', 605.99],
  cashbackType: [textSchema, 'needs `cashbackValue`', 'Automatic Cashback'],
  cashbackValue: [amountSchema, 'needs `cashbackType`', 50],
  gift: [idSchema, 'id, slug or name of a gift, or a text', 'pebble-earbuds'],
  dealLink: [urlSchema, 'http or https', 'https://shop.example.com/d/1042'],
  productImage: [urlSchema, 'http or https', 'https://shop.example.com/d/1042.jpg'],
  validFrom: [textSchema, 'a day or an instant, inclusive', '2026-11-20'],
  validTo: [textSchema, 'a day or an instant, inclusive', '2026-11-30T22:00:00Z'],
  inStock: [switchSchema, '`true` or `false`, `yes` or `no`, `1` or `0`', true],
};

const shape = Object.fromEntries(
  Object.entries(COLUMNS).map(([name, [schema, description, example]]): [string, z.ZodType] => {
    const isRequired = (REQUIRED_COLUMNS as readonly string[]).includes(name);
    return [name, (isRequired ? schema : schema.nullish()).meta({ description, examples: [example] })];
  }),
);

/** A line of NDJSON of the `deals` adapter. The rows of CSV have the same fields, as texts. */
const dealLineSchema = z
  .object({ $schema: textSchema.optional().describe('the JSON Schema of this line; not read'), ...shape })
  .meta({ anyOf: PRODUCT_COLUMNS.map((name) => ({ required: [name] })) });

/** When an optional column is needed. */
export function describeNeed(column: string): string | undefined {
  if ((PRODUCT_COLUMNS as readonly string[]).includes(column)) return 'one of three';
  return (ALLOWANCE_COLUMNS as readonly string[]).includes(column) ? 'unless configured' : undefined;
}

/** The formats with a JSON Schema, with their titles. */
export const SCHEMA_FORMATS = {
  configuration: 'catalogue.json, the configuration of a build',
  catalogue: 'An export of the `catalogue` adapter',
  deal: 'A line of NDJSON of the `deals` adapter',
} as const;

export type SchemaFormat = keyof typeof SCHEMA_FORMATS;

const lists = Object.fromEntries(
  ENTITY_TYPES.map((list) => [list, z.array<z.ZodType>(ENTITY_SCHEMAS[list]).optional()]),
);

const catalogueSchema = z.object({
  $schema: z.string().max(2_000).optional().describe('the JSON Schema of this file; not read'),
  ...lists,
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
