import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from 'zod';
import type { Notice } from '../../data/report/notice.ts';
import type { SourceReport } from '../../data/report/report.ts';
import type { JsonSchema } from '../../data/schema/response.ts';
import { findPackageRoot } from '../../data/package-root.ts';
import { LISTS_SCHEMA } from '../cms/fields.ts';
import { configSchema } from '../config/config.ts';
import { DEALS_COLUMNS, FIELDS, PRODUCT_COLUMNS } from '../feed/fields.ts';
import { KINDS } from '../feed/kinds.ts';
import type { TemplateSource } from './config-template.ts';

/** A file next to a new configuration. */
export interface NewFile {
  /** Relative to the configuration. */
  readonly path: string;
  readonly content: string;
  readonly kind: 'schema' | 'example';
}

/** One phone, its retailer, network and gift, as JSON and as spreadsheets; and two deals for it. */
const CMS_EXAMPLES: readonly string[] = ['catalogue', 'csv'];
const FEED_EXAMPLE = 'deals';

/** The JSON Schemas, and examples for a source in our own formats. Example deals need the example phone. */
export function planNewFiles(sources: readonly TemplateSource[]): readonly NewFile[] {
  const schemas = SCHEMA_FORMATS.map(
    (format): NewFile => ({
      path: `schema/${jsonSchemaFile(format)}`,
      content: `${JSON.stringify(createJsonSchema(format), undefined, 2)}\n`,
      kind: 'schema',
    }),
  );
  const site = sources.find(({ kind, adapter }) => kind === 'cms' && CMS_EXAMPLES.includes(adapter));
  const feed = sources.find(({ kind, adapter }) => kind === 'feed' && adapter === FEED_EXAMPLE);
  const shown = site === undefined ? [] : [site, ...(feed === undefined ? [] : [feed])];
  const examples = shown.flatMap(({ adapter, folder }) =>
    readExamples(adapter).map(
      ({ name, content }): NewFile => ({ path: posix.join(folder, name), content, kind: 'example' }),
    ),
  );
  return [...schemas, ...examples];
}

function readExamples(adapter: string): readonly { readonly name: string; readonly content: string }[] {
  const folder = join(findPackageRoot(), 'build/init/examples', adapter);
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, content: readFileSync(join(folder, name), 'utf8') }));
}

/** A notice for each file of a source that is still an example of `deals init`. */
export function listExampleNotices(sources: readonly Pick<SourceReport, 'name' | 'files'>[]): readonly Notice[] {
  const texts = [...CMS_EXAMPLES, FEED_EXAMPLE].flatMap(readExamples);
  const examples = new Set(texts.map(({ content }) => hash('sha256', content)));
  return sources.flatMap(({ name, files }) =>
    files
      .filter(({ sha256 }) => examples.has(sha256))
      .map(({ path }) => ({ code: 'example-file', source: name, file: path }) as const),
  );
}

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
