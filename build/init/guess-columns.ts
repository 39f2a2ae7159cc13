import { resolve } from 'node:path';
import { DATE_FORMATS, parseForeignDate, type DateFormat } from '../feed/dates.ts';
import {
  ALLOWANCE_COLUMNS,
  FEED_FIELDS,
  fieldsOfKind,
  NUMBER_FIELDS,
  PRODUCT_COLUMNS,
  REQUIRED_COLUMNS,
  usualHeaders,
  type FeedField,
} from '../feed/fields.ts';
import { foldName } from '../source/nearest-name.ts';
import { HashedFile } from '../source/open-file.ts';
import { findDelimiter, parseCsv, type Delimiter } from '../source/parse-csv.ts';
import { peekFirst, readTextLines } from '../source/text-lines.ts';

/** The settings of a feed of the adapter `csv`, as far as its file tells them. */
export interface GuessedColumns {
  readonly settings: { readonly columns: Readonly<Record<string, ColumnRule>>; readonly [setting: string]: unknown };
  /** The required fields that no column is known to fill. */
  readonly missing: readonly string[];
  /** The columns that fill no field. */
  readonly left: readonly string[];
}

/** The name of a column, or how its values are read. */
type ColumnRule = string | { readonly column: string; readonly [setting: string]: unknown };

interface Table {
  readonly delimiter: Delimiter;
  readonly headerLine: number;
  /** The first texts of each column that are not blank, by its name. */
  readonly samples: ReadonlyMap<string, readonly string[]>;
}

const MAX_BYTES = 4_000_000_000;
const SAMPLE_ROWS = 200;

/** A report may have a title and a date above its table. */
const MAX_HEADER_LINE = 10;

/** Of a feed that is not ours, `productId` is not the id of a product of the catalogue. */
const FIELDS = FEED_FIELDS.filter((field) => field !== 'productId');

const MONEY_FIELDS = fieldsOfKind('amount');

const BRAND_HEADERS = ['brand', 'make', 'manufacturer'];

/** What may stand before or after a number; nothing else is removed: the `p` of `2999p` is none of them. */
const AFFIXES: Readonly<Partial<Record<FeedField, RegExp>>> = {
  ...Object.fromEntries(
    MONEY_FIELDS.map((field) => [
      field,
      /^(?:[£€$]|gbp|eur|usd|monthly|pcm|pm|(?:per |a |\/ ?|p\/)?(?:month|mth|mo|m))$/i,
    ]),
  ),
  contractMonths: /^(?:-months?|-?(?:mths?|mos?|m))$/i,
  callMinutes: /^(?:minutes?|mins?)$/i,
  textMessages: /^(?:texts?|sms|messages?)$/i,
};

const AROUND_NUMBER = /^([^0-9]*)[0-9](?:[0-9.,' ]*[0-9])?([^0-9]*)$/;
const UNLIMITED = /^(?:unlimited|unltd|unlim|∞)[^0-9]*$/i;

/** No plan has so many gigabytes. */
const MIN_MEGABYTES = 500;

const STOCK_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:in.?stock|available)$/i, 'true'],
  [/^(?:out.?of.?stock|sold.?out|unavailable)$/i, 'false'],
];

/**
 * Guesses which columns of a table fill which fields, by the usual headers of each field, and how they write their values.
 *
 * @throws {SourceError} when the file is not a table, or cannot be read
 */
export async function guessColumns(path: string): Promise<GuessedColumns> {
  const { delimiter, headerLine, samples } = await readTableStart(path);
  const columnOf = assignColumns(samples);
  const samplesOf = (...fields: readonly FeedField[]): readonly string[] =>
    fields.flatMap((field) => samples.get(columnOf.get(field) ?? '') ?? []);
  const decimal = findDecimalSign(samplesOf(...MONEY_FIELDS));
  const [dates = DATE_FORMATS[0]] = findDateFormats(samplesOf('validFrom', 'validTo'));
  const brand = findBrandColumn(samples, samplesOf('productName'));
  const columns: Record<string, ColumnRule> = {};
  for (const [field, name] of columnOf) columns[field] = describeColumn(field, name, samplesOf(field), decimal);
  const productColumn = columnOf.get('productName');
  if (brand !== undefined && productColumn !== undefined) columns['productName'] = `{${brand}} {${productColumn}}`;
  const used = new Set([...columnOf.values(), brand]);
  const missing: string[] = [...REQUIRED_COLUMNS, ...ALLOWANCE_COLUMNS].filter((field) => !columnOf.has(field));
  if (!PRODUCT_COLUMNS.some((field) => columnOf.has(field))) missing.push('productName');
  return {
    settings: {
      ...(delimiter !== ',' && { delimiter }),
      ...(decimal !== '.' && { decimal }),
      ...(dates !== DATE_FORMATS[0] && { dates }),
      ...(headerLine !== 1 && { headerLine }),
      columns,
    },
    missing,
    left: [...samples.keys()].filter((name) => !used.has(name)),
  };
}

/** The usual headers of a field, its own name first, folded. */
function usualHeadersOf(field: FeedField): readonly string[] {
  return [field, ...usualHeaders(field)].map(foldName);
}

async function readTableStart(path: string): Promise<Table> {
  const file = new HashedFile({ source: 'file', path, absolutePath: resolve(path) }, MAX_BYTES);
  const { first, all } = await peekFirst(readTextLines(file));
  const lines = (first?.toString('utf8') ?? '').split('\n', MAX_HEADER_LINE);
  const known = lines.map((line) => countKnown(line.split(findDelimiter(line))));
  const headerIndex = Math.max(0, known.indexOf(Math.max(...known)));
  const delimiter = findDelimiter(lines[headerIndex] ?? '');
  const rows: (readonly string[])[] = [];
  for await (const batch of parseCsv(file, all, delimiter)) {
    rows.push(...batch.flatMap((row) => (row.kind === 'cells' && row.line > headerIndex ? [row.cells] : [])));
    if (rows.length > SAMPLE_ROWS) break;
  }
  const [header = [], ...others] = rows.slice(0, SAMPLE_ROWS + 1);
  const texts = (position: number): readonly string[] =>
    others.map((cells) => (cells[position] ?? '').trim()).filter((text) => text !== '');
  const samples = new Map(header.map((name, position) => [name.trim(), texts(position)]));
  // The settings cannot name a blank column, or one with braces, which join columns.
  for (const name of samples.keys()) if (name === '' || /[{}]/.test(name)) samples.delete(name);
  return { delimiter, headerLine: headerIndex + 1, samples };
}

function countKnown(cells: readonly string[]): number {
  const known = new Set(FIELDS.flatMap(usualHeadersOf));
  return cells.filter((cell) => known.has(foldName(cell))).length;
}

/** The column of each field. One that is usual for two fields goes to the one that has no other. */
function assignColumns(samples: Table['samples']): ReadonlyMap<FeedField, string> {
  const columnOf = new Map<FeedField, string>();
  const free = new Set(samples.keys());
  const claimants = (name: string): readonly FeedField[] =>
    FIELDS.filter((field) => !columnOf.has(field) && usualHeadersOf(field).includes(foldName(name)));
  // The second time, a field that has found its column claims no other.
  for (const field of [...FIELDS, ...FIELDS]) {
    if (columnOf.has(field)) continue;
    const unclaimed = [...free].filter((name) => claimants(name).length === 1);
    const column = usualHeadersOf(field)
      .flatMap((header) => unclaimed.filter((name) => foldName(name) === header))
      .find((name) => isPlausible(field, samples.get(name) ?? []));
    if (column === undefined) continue;
    columnOf.set(field, column);
    free.delete(column);
  }
  // Half a cashback is none.
  if (!columnOf.has('cashbackType')) columnOf.delete('cashbackValue');
  if (!columnOf.has('cashbackValue')) columnOf.delete('cashbackType');
  return columnOf;
}

/** Whether the texts of a column can be those of a field that may have no others. */
function isPlausible(field: FeedField, samples: readonly string[]): boolean {
  if (NUMBER_FIELDS.includes(field)) {
    return samples.length === 0 || samples.some((text) => /[0-9]/.test(text) || UNLIMITED.test(text));
  }
  if (field === 'dealId') return new Set(samples).size === samples.length;
  if (field === 'dealType') return samples.every((text) => /^[a-z][a-z0-9-]*$/.test(text));
  if (field === 'validFrom' || field === 'validTo') return findDateFormats(samples).length > 0;
  const isLink = field === 'dealLink' || field === 'productImage';
  return !isLink || samples.every((text) => /^https?:/i.test(text));
}

/** The name of a column, or a rule for the values that need one. */
function describeColumn(field: FeedField, column: string, samples: readonly string[], decimal: string): ColumnRule {
  const affixes = new Set(
    samples.flatMap((text) => AROUND_NUMBER.exec(text)?.slice(1) ?? []).map((text) => text.trim()),
  );
  const strip = [...affixes].filter((text) => AFFIXES[field]?.test(text)).toSorted((a, b) => b.length - a.length);
  // The sign that groups digits may come in a later row.
  if (MONEY_FIELDS.includes(field)) strip.push(decimal === '.' ? ',' : '.');
  const isMegabytes =
    field === 'dataGb' && (/mb\W*$/i.test(column) || samples.some((text) => Number(text) >= MIN_MEGABYTES));
  const values = Object.fromEntries(samples.flatMap((text) => describeMeaning(field, text)));
  const rule = {
    ...(strip.length > 0 && { strip }),
    ...(isMegabytes && { unit: 'MB' }),
    ...(Object.keys(values).length > 0 && { values }),
  };
  return Object.keys(rule).length === 0 ? column : { column, ...rule };
}

function describeMeaning(field: FeedField, text: string): readonly (readonly [string, string])[] {
  if (ALLOWANCE_COLUMNS.includes(field)) {
    return UNLIMITED.test(text) && text.toLowerCase() !== 'unlimited' ? [[text, 'unlimited']] : [];
  }
  if (field !== 'inStock') return [];
  return STOCK_WORDS.filter(([words]) => words.test(text)).map(([, meaning]) => [text, meaning]);
}

function findDecimalSign(amounts: readonly string[]): '.' | ',' {
  const has = (pattern: RegExp): boolean => amounts.some((text) => pattern.test(text));
  return has(/,[0-9]{1,2}(?![0-9])/) && !has(/\.[0-9]{1,2}(?![0-9])/) ? ',' : '.';
}

function findDateFormats(samples: readonly string[]): readonly DateFormat[] {
  return DATE_FORMATS.filter((format) => samples.every((text) => parseForeignDate(text, format) !== undefined));
}

/** The column of the maker, where the names of the phones lack it. */
function findBrandColumn(samples: Table['samples'], names: readonly string[]): string | undefined {
  const column = [...samples.keys()].find((name) => BRAND_HEADERS.includes(foldName(name)));
  const brands = new Set((samples.get(column ?? '') ?? []).map((text) => text.toLowerCase()));
  const isInName = names.some((name) => [...brands].some((brand) => name.toLowerCase().startsWith(brand)));
  return isInName ? undefined : column;
}
