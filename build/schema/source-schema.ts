import { z } from 'zod';
import { RECORD_LISTS, RECORD_SCHEMAS } from '../adapt/record-list.ts';
import { configSchema } from '../config.ts';
import { describeGateSettings } from '../gate/gate-setting-text.ts';
import { dealLineSchema } from './deal-line.ts';

/** The formats that people write for a build, each with what its JSON Schema is the schema of. */
export const SOURCE_FORMATS = {
  configuration: 'catalogue.json, the configuration of a build',
  catalogue: 'An export of the `catalogue` adapter',
  deal: 'A line of NDJSON of the `deals` adapter',
} as const;

export type SourceFormat = keyof typeof SOURCE_FORMATS;

export type JsonSchema = Readonly<Record<string, unknown>>;

const lists = Object.fromEntries(
  RECORD_LISTS.map((list) => [list, z.array<z.ZodType>(RECORD_SCHEMAS[list]).optional()]),
);

const catalogueSchema = z.object({
  $schema: z.string().max(2_000).optional().describe('the JSON Schema of this file; not read'),
  ...lists,
});

const SCHEMAS: Readonly<Record<SourceFormat, z.ZodType>> = {
  configuration: configSchema,
  catalogue: catalogueSchema,
  deal: dealLineSchema,
};

/** `catalogue.schema.json`: the JSON Schema of the format, in this folder. */
export function sourceSchemaFile(format: SourceFormat): string {
  return `${format}.schema.json`;
}

/**
 * The JSON Schema (2020-12) of a format, for editors: it knows the keys, their types and what they mean. What it cannot
 * say, such as which settings belong together, only a build says.
 */
export function createSourceSchema(format: SourceFormat): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(SCHEMAS[format], {
    target: 'draft-2020-12',
    io: 'input',
    // What is checked by code of ours says in its `meta` what it takes.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { examples } = z.globalRegistry.get(zodSchema) ?? {};
      // Left out by zod where a value is read by more than its type.
      if (examples !== undefined) jsonSchema.examples ??= examples as typeof jsonSchema.examples & object;
    },
  });
  const titled = { $schema, $id: sourceSchemaFile(format), title: SOURCE_FORMATS[format], ...schema };
  return format === 'configuration' ? withGateTexts(titled) : titled;
}

/** What each limit refuses is told by the gates themselves. */
function withGateTexts(schema: JsonSchema): JsonSchema {
  const { properties } = schema as { readonly properties: Readonly<Record<string, JsonSchema>> };
  const gates = properties['gates'] as JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> };
  const texts = describeGateSettings();
  const described = Object.entries(gates.properties).map(([name, setting]) => [
    name,
    { ...(texts[name] !== undefined && { description: texts[name] }), ...setting },
  ]);
  return { ...schema, properties: { ...properties, gates: { ...gates, properties: Object.fromEntries(described) } } };
}
