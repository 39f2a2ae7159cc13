import fastGlob from 'fast-glob';
import { basename, resolve } from 'node:path';
import {
  ALLOWANCE_COLUMNS,
  FEED_FIELDS,
  FIELDS,
  PRODUCT_COLUMNS,
  REQUIRED_COLUMNS,
  usualHeaders,
  type FeedField,
} from '../feed/fields.ts';
import { isSheet } from '../adapt/cms/csv.ts';
import { findNearestName, findUsualName } from '../source/nearest-name.ts';
import { openFile } from '../source/open-file.ts';
import { findDelimiter, parseCsv, type Delimiter } from '../source/parse-csv.ts';
import { readTextLines } from '../source/text-lines.ts';
import { CMS_TEMPLATES, FEED_TEMPLATES } from './source-templates.ts';

const MAX_BYTES = 100_000_000;

/** A first source configuration for a file that needs a mapping. */
export interface GuessedSource {
  /** The setting that the adapter needs. */
  readonly setting: 'columns' | 'mapping';
  readonly list: 'cms' | 'feeds';
  readonly source: Readonly<Record<string, unknown>>;
  /** What the user has to correct. */
  readonly instruction: string;
}

const NEEDED_FIELDS: readonly FeedField[] = [...REQUIRED_COLUMNS, ...ALLOWANCE_COLUMNS];

/**
 * Guesses a source for the adapters that need a mapping; undefined for the others. The columns of a table are found by
 * the usual names of each field.
 *
 * @throws {SourceError} when the file is not a table, or cannot be read
 */
export async function guessSource(adapter: string, path: string): Promise<GuessedSource | undefined> {
  const base = { name: 'file', adapter, files: [fastGlob.escapePath(basename(path))] };
  switch (adapter) {
    case 'csv':
      // `products.csv` is a sheet of a CMS, which needs no mapping.
      return isSheet(path) ? undefined : guessTable(path, base);
    case 'strapi':
    case 'contentful':
    case 'wordpress': {
      const { settings, guesses } = CMS_TEMPLATES[adapter];
      return { setting: 'mapping', list: 'cms', source: { ...base, ...settings }, instruction: `correct ${guesses}` };
    }
    default:
      return undefined;
  }
}

async function guessTable(path: string, base: object): Promise<GuessedSource> {
  const { delimiter, names } = await readHeader(path);
  const columns: Partial<Record<FeedField, unknown>> = {};
  const left = new Set(names.filter((name) => name !== '' && !/[{}]/.test(name)));
  const fields = new Set<FeedField>([...NEEDED_FIELDS, ...PRODUCT_COLUMNS, ...FEED_FIELDS]);
  // Usual headers first, so that no guess takes the column of another field.
  for (const find of [findUsualName, findNearestName]) {
    for (const field of fields) {
      const name = field in columns ? undefined : find(field, [...left], usualHeaders);
      if (name === undefined) continue;
      left.delete(name);
      columns[field] = FIELDS[field].kind === 'amount' ? { column: name, strip: ['£', ','] } : name;
    }
  }
  const missing: string[] = NEEDED_FIELDS.filter((field) => field !== 'retailer' && !(field in columns));
  if (!PRODUCT_COLUMNS.some((field) => field in columns)) missing.push('productName');
  const remarks = [
    ...(missing.length === 0 ? [] : [`no column was found for ${missing.join(', ')}`]),
    ...(left.size === 0 ? [] : [`not read: ${[...left].join(', ')}`]),
    ...('retailer' in columns ? [] : ['put your retailer in `constants`']),
  ];
  const { constants } = FEED_TEMPLATES.csv.settings;
  return {
    setting: 'columns',
    list: 'feeds',
    source: {
      ...base,
      ...(delimiter === ',' ? {} : { delimiter }),
      columns,
      ...('retailer' in columns ? {} : { constants }),
    },
    instruction: ['see that each field has the right column', ...remarks].join('; '),
  };
}

async function readHeader(path: string): Promise<{ readonly delimiter: Delimiter; readonly names: readonly string[] }> {
  const file = openFile({ source: 'file', path, absolutePath: resolve(path) }, MAX_BYTES);
  for await (const lines of readTextLines(file)) {
    const [header = ''] = lines.toString('utf8').split('\n', 1);
    const delimiter = findDelimiter(header);
    for await (const [row] of parseCsv(file, oneLine(header), delimiter)) {
      if (row?.kind === 'cells') return { delimiter, names: row.cells.map((cell) => cell.trim()) };
    }
    break;
  }
  return { delimiter: ',', names: [] };
}

async function* oneLine(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(`${text}\n`);
}
