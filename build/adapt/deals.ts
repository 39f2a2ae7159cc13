import { parsePence } from '../../data/record/money.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { SchemaFault } from '../source/schema-fault.ts';
import { splitJsonLines, type JsonLine } from '../source/split-json-lines.ts';
import { readTextLines } from '../source/text-lines.ts';
import type { FeedItem } from './adapter.ts';
import { parseAllowance } from './allowance-text.ts';
import { dealItem, type DealDraft } from './deal-item.ts';
import {
  findDealsColumns,
  isDealsColumn,
  noteUnknownColumn,
  PRODUCT_COLUMNS,
  type DealsColumn,
} from './deals-column.ts';
import type { FeedContext } from './feed-adapter.ts';
import { isGtin } from './gtin.ts';
import { faultNotice, leftOut, noticeAt, type RecordPlace } from './notice-place.ts';
import { readTable } from './read-table.ts';
import { isValidAt, MOMENT_FORMAT, parseMoment, type Moment } from './validity.ts';

const MEGABYTES_PER_GIGABYTE = 1_000;

const IN_STOCK: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/** The column of each field of the record that has another name there. */
const COLUMN_OF: Readonly<Record<string, DealsColumn>> = {
  key: 'dealId',
  'product.id': 'productId',
  'product.name': 'productName',
  'product.gtin': 'gtin',
  'product.condition': 'condition',
  'retailer[0]': 'retailer',
  'network[0]': 'network',
  link: 'dealLink',
};

/** The text of a field, trimmed; undefined when it is empty or absent. */
type FieldReader = (column: DealsColumn) => string | undefined;

/**
 * Our own feed of deals: CSV with a header row in any order of columns, or NDJSON with the same names. A file that
 * begins with `{` is NDJSON.
 */
export async function* readDeals(file: OpenedFile, context: FeedContext): AsyncGenerator<readonly FeedItem[]> {
  const lines = readTextLines(file);
  const first = await lines.next();
  const rest = first.done === true ? lines : prepend(first.value, lines);
  const isJson = first.done !== true && first.value.toString('utf8').trimStart().startsWith('{');
  yield* isJson ? readJsonDeals(file, context, rest) : readCsvDeals(file, context, rest);
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function readCsvDeals(
  file: OpenedFile,
  context: FeedContext,
  lines: AsyncIterable<Buffer>,
): AsyncGenerator<readonly FeedItem[]> {
  return readTable(file, lines, {
    readHeader: (names, line) => findDealsColumns(file, context, names, line),
    readRow: (cells, columns, line) => {
      const readField: FieldReader = (column) => {
        const position = columns.get(column);
        return position === undefined ? undefined : cells[position]?.trim() || undefined;
      };
      return readDeal({ source: file.source, file: file.path, line }, readField, context);
    },
  });
}

async function* readJsonDeals(
  file: OpenedFile,
  context: FeedContext,
  lines: AsyncIterable<Buffer>,
): AsyncGenerator<readonly FeedItem[]> {
  const unknownKeys = new Set<string>();
  for await (const batch of splitJsonLines(lines)) {
    yield batch.map((line) => readJsonDeal(file, context, line, unknownKeys));
  }
}

function readJsonDeal(
  file: OpenedFile,
  context: FeedContext,
  { line, text }: JsonLine,
  unknownKeys: Set<string>,
): FeedItem {
  const place = { source: file.source, file: file.path, line };
  const values = parseObject(text);
  if (values === undefined) {
    return leftOut(noticeAt(place, 'malformed-record', { expected: 'a JSON object', found: text.slice(0, 80) }));
  }
  for (const key of values.keys()) {
    if (isDealsColumn(key) || unknownKeys.has(key)) continue;
    unknownKeys.add(key);
    noteUnknownColumn(file, context, key, line);
  }
  const [fault, ...otherFaults] = [...values]
    .filter(([key, value]) => isDealsColumn(key) && typeof value === 'object' && value !== null)
    .map(([path, found]) => ({ path, expected: 'a text or a number', found }));
  if (fault !== undefined) return leftOut(faultNotice(place, fault, otherFaults));
  const readField: FieldReader = (column) => {
    // No object is left: a text, a number, a boolean or null.
    const value = values.get(column) as string | number | boolean | null | undefined;
    return String(value ?? '').trim() || undefined;
  };
  return readDeal(place, readField, context);
}

/** A Map, since a key `__proto__` of an object from outside is not to be looked up. */
function parseObject(text: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return new Map(Object.entries(value));
  } catch {
    return undefined;
  }
}

function readDeal(place: RecordPlace, readField: FieldReader, context: FeedContext): FeedItem {
  const faults: SchemaFault[] = [];
  const key = readField('dealId');
  const record = key === undefined ? place : { ...place, record: key };
  const fields = new FieldParser(readField, faults);

  const scope = checkScope(record, fields, context);
  if (scope !== undefined && faults.length === 0) return leftOut(scope);

  const allowances = readAllowances(fields, context);
  const draft: DealDraft = {
    key: fields.required('dealId', 'a text'),
    product: readProduct(fields),
    retailer: asList(fields.required('retailer', 'an id, slug, name or alias')),
    network: asList(fields.required('network', 'an id, slug, name or alias')),
    dealType: readField('dealType'),
    contractName: fields.required('contractName', 'a text'),
    contractMonths: fields.months('contractMonths'),
    ...allowances.values,
    upfrontPence: fields.requiredPence('upfrontCost'),
    monthlyPence: fields.requiredPence('monthlyCost'),
    statedTotalPence: fields.pence('totalCost'),
    gift: readField('gift'),
    link: fields.required('dealLink', 'an http or https URL'),
    productImage: readField('productImage'),
  };
  const notices: Notice[] = [];
  const cashback = readCashback(record, fields, notices);
  const [missing] = allowances.missing;
  if (missing !== undefined && faults.length === 0) {
    const expected = 'a number or unlimited';
    return leftOut(noticeAt(record, 'missing-allowance', { field: missing, expected }));
  }
  return dealItem(record, { ...draft, ...cashback }, faults, notices, (field) => COLUMN_OF[field] ?? field);
}

/** What leaves the deal out by a rule, whatever else is wrong with it: stock first, then validity. */
function checkScope(place: RecordPlace, fields: FieldParser, { now }: FeedContext): Notice | undefined {
  const inStock = fields.inStock();
  const from = fields.moment('validFrom');
  const to = fields.moment('validTo');
  if (inStock === false) {
    return noticeAt(place, 'out-of-stock', { field: 'inStock', found: fields.shown('inStock') });
  }
  if (isValidAt(now, from, to)) return undefined;
  const hasBegun = isValidAt(now, from, undefined);
  const field = hasBegun ? 'validTo' : 'validFrom';
  const expected = `${hasBegun ? 'not before' : 'not after'} ${now.toISOString()}`;
  return noticeAt(place, 'not-valid-today', { field, found: fields.shown(field), expected });
}

function readProduct(fields: FieldParser): object {
  const [id, name, gtin] = [fields.text('productId'), fields.text('productName'), fields.text('gtin')];
  if (id === undefined && name === undefined && gtin === undefined) {
    fields.fault('productId', `one of ${PRODUCT_COLUMNS.join(', ')}`, undefined);
  }
  if (gtin !== undefined && !isGtin(gtin)) {
    fields.fault('gtin', '8, 12, 13 or 14 digits of which the last is the check digit', gtin);
  }
  return { id, feedIds: [], gtin, name, condition: fields.text('condition') ?? 'new' };
}

function readAllowances(
  fields: FieldParser,
  context: FeedContext,
): { readonly values: Partial<DealDraft>; readonly missing: readonly DealsColumn[] } {
  const missing: DealsColumn[] = [];
  const read = (column: DealsColumn, unit: number, expected: string): unknown => {
    const text = fields.text(column);
    if (text === undefined) {
      if (context.missingAllowance === 'unlimited') return 'unlimited';
      missing.push(column);
      return undefined;
    }
    return parseAllowance(text, unit) ?? fields.fault(column, expected, text);
  };
  const values = {
    dataMegabytes: read('dataGb', MEGABYTES_PER_GIGABYTE, 'gigabytes with at most three decimals, or unlimited'),
    callMinutes: read('callMinutes', 1, 'a whole number or unlimited'),
    textMessages: read('textMessages', 1, 'a whole number or unlimited'),
  };
  return { values, missing };
}

/** A cashback needs both its type and its amount; an amount of 0 is none. */
function readCashback(place: RecordPlace, fields: FieldParser, notices: Notice[]): Partial<DealDraft> {
  const cashbackType = fields.text('cashbackType');
  const cashbackPence = fields.pence('cashbackValue');
  if (cashbackPence === 0) return {};
  if (cashbackType !== undefined && cashbackPence !== undefined) return { cashbackType, cashbackPence };
  if (cashbackType !== undefined) {
    notices.push(
      noticeAt(place, 'half-cashback', { field: 'cashbackValue', expected: 'an amount', found: cashbackType }),
    );
  } else if (cashbackPence !== undefined) {
    const found = fields.shown('cashbackValue');
    notices.push(noticeAt(place, 'half-cashback', { field: 'cashbackType', expected: 'a type', found }));
  }
  return {};
}

function asList(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [text];
}

/** Reads the fields of one deal by their formats, and collects what does not follow them. */
class FieldParser {
  readonly #read: FieldReader;
  readonly #faults: SchemaFault[];

  constructor(read: FieldReader, faults: SchemaFault[]) {
    this.#read = read;
    this.#faults = faults;
  }

  text(column: DealsColumn): string | undefined {
    return this.#read(column);
  }

  shown(column: DealsColumn): string {
    return (this.#read(column) ?? '').slice(0, 80);
  }

  required(column: DealsColumn, expected: string): string | undefined {
    return this.#read(column) ?? this.fault(column, expected, undefined);
  }

  pence(column: DealsColumn): number | undefined {
    const text = this.#read(column);
    if (text === undefined) return undefined;
    return parsePence(text) ?? this.fault(column, 'an amount such as 29.99', text);
  }

  requiredPence(column: DealsColumn): number | undefined {
    return this.required(column, 'an amount such as 29.99') === undefined ? undefined : this.pence(column);
  }

  months(column: DealsColumn): number | undefined {
    const expected = 'a whole number of months, 1 to 120';
    const text = this.required(column, expected);
    if (text === undefined) return undefined;
    const months = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
    return months >= 1 && months <= 120 ? months : this.fault(column, expected, text);
  }

  moment(column: DealsColumn): Moment | undefined {
    const text = this.#read(column);
    if (text === undefined) return undefined;
    return parseMoment(text) ?? this.fault(column, MOMENT_FORMAT, text);
  }

  /** Undefined when the feed does not say. */
  inStock(): boolean | undefined {
    const text = this.#read('inStock');
    if (text === undefined) return undefined;
    return IN_STOCK.get(text.toLowerCase()) ?? this.fault('inStock', 'true or false', text);
  }

  fault(path: DealsColumn, expected: string, found: unknown): undefined {
    this.#faults.push({ path, expected, found });
    return undefined;
  }
}
