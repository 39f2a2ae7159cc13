import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Notice } from '../../data/report/notice.ts';
import type { SourceReport } from '../../data/report/report.ts';
import { findPackageRoot } from '../../data/package-root.ts';
import { createJsonSchema, jsonSchemaFile, SCHEMA_FORMATS } from './json-schema.ts';

/** A source of a new configuration. */
export interface NewSource {
  readonly list: 'cms' | 'feeds';
  readonly adapter: string;
  readonly name: string;
  /** Its part of the configuration. */
  readonly text: string;
  /** Where its files go, relative to the configuration, and what they are; absent for a table that is there. */
  readonly place?: { readonly folder: string; readonly what: string };
}

const INIT_FOLDER = join(findPackageRoot(), 'build/init');

/** A source as its template has it. @param given its name, by default the usual one for the adapter */
export function planSource(list: NewSource['list'], adapter: string, given?: string): NewSource {
  const template = readFileSync(join(INIT_FOLDER, 'templates', list, `${adapter}.json`), 'utf8').trimEnd();
  // Each begins with what its files are, and has them in a folder of its name.
  const [, what = '', usual = ''] = /^\{\n {2}\/\/ (.*)\n[^]*?"name": "(.*)"/.exec(template) ?? [];
  const name = given ?? usual;
  const text = template.replace(`"name": "${usual}"`, `"name": "${name}"`).replace(`/${usual}/`, `/${name}/`);
  return { list, adapter, name, text, place: { folder: `${list}/${name}`, what } };
}

const HEAD = `// What deals build reads and publishes. An editor that knows JSON Schema explains every setting;
// data/spec/inputs.md of the program says how to begin. A line that begins with // is not read.
`;

/** The text of a configuration that reads these sources. */
export function writeConfig(sources: readonly NewSource[]): string {
  const write = (wanted: NewSource['list']): string => {
    const texts = sources.filter(({ list }) => list === wanted).map(({ text }) => text.replaceAll(/^/gm, '    '));
    return texts.length === 0 ? '[]' : `[\n${texts.join(',\n')}\n  ]`;
  };
  return `${HEAD}{
  "$schema": "./schema/configuration.schema.json",
  "store": "dist/catalogue",
  "cms": ${write('cms')},
  "feeds": ${write('feeds')}
}
`;
}

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
export function planNewFiles(sources: readonly NewSource[]): readonly NewFile[] {
  const schemas = SCHEMA_FORMATS.map(
    (format): NewFile => ({
      path: `schema/${jsonSchemaFile(format)}`,
      content: `${JSON.stringify(createJsonSchema(format), undefined, 2)}\n`,
      kind: 'schema',
    }),
  );
  const site = sources.find(({ list, adapter }) => list === 'cms' && CMS_EXAMPLES.includes(adapter));
  const feed = sources.find(({ list, adapter }) => list === 'feeds' && adapter === FEED_EXAMPLE);
  const shown = site === undefined ? [] : [site, ...(feed === undefined ? [] : [feed])];
  const examples = shown.flatMap(({ adapter, place }) =>
    readExamples(adapter).map(
      ({ name, content }): NewFile => ({ path: posix.join(place?.folder ?? '', name), content, kind: 'example' }),
    ),
  );
  return [...schemas, ...examples];
}

function readExamples(adapter: string): readonly { readonly name: string; readonly content: string }[] {
  const folder = join(INIT_FOLDER, 'examples', adapter);
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
