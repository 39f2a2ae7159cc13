import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Notice } from '../../data/report/notice.ts';
import type { SourceReport } from '../../data/report/report.ts';
import { findPackageRoot } from '../../data/package-root.ts';
import type { TemplateSource } from './config-template.ts';
import { createJsonSchema, jsonSchemaFile, SCHEMA_FORMATS } from './json-schema.ts';

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
