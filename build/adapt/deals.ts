import { FormatCheck } from '../source/other-file.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { parseJsonObject } from '../source/parse-json-object.ts';
import { peekFirst } from '../source/peek-first.ts';
import { SourceError } from '../source/source-error.ts';
import { splitJsonLines, type JsonLine } from '../source/split-json-lines.ts';
import { readTextLines } from '../source/text-lines.ts';
import type { FeedItem } from './adapter.ts';
import {
  findDealsColumns,
  isDealsColumn,
  REQUIRED_COLUMNS,
  noteUnknownColumn,
  type DealsColumn,
} from './deals-column.ts';
import type { FeedContext } from './feed-adapter.ts';
import { faultNotice, leftOut, noticeAt } from './notice-place.ts';
import { readDeal, type DealFields } from './read-deal.ts';
import { repairText } from './repair-text.ts';
import { readTable } from './read-table.ts';

/** The fields that name something: a number in them is a whole one. */
const ID_FIELDS: readonly DealsColumn[] = ['dealId', 'productId', 'gtin', 'retailer', 'network', 'gift'];
/** What people read. */
const TEXTS: ReadonlySet<DealsColumn> = new Set([
  'productName',
  'retailer',
  'network',
  'contractName',
  'cashbackType',
  'gift',
]);

/** Keys of one line, and keys of the whole file that are not read. */
const MAX_KEYS = 1_000;

/**
 * Our own feed of deals: CSV with a header row in any order of columns, or NDJSON with the same names. A file that
 * begins with `{` is NDJSON.
 */
export async function* readDeals(file: OpenedFile, context: FeedContext): AsyncGenerator<readonly FeedItem[]> {
  const { first, all } = await peekFirst(readTextLines(file));
  const isJson = first?.toString('utf8').trimStart().startsWith('{') === true;
  yield* isJson ? readJsonDeals(file, context, all) : readCsvDeals(file, context, all);
}

function readCsvDeals(
  file: OpenedFile,
  context: FeedContext,
  lines: AsyncIterable<Buffer>,
): AsyncGenerator<readonly FeedItem[]> {
  return readTable(file, lines, {
    readHeader: (names, line) => findDealsColumns(file, context, names, line),
    readRow: (cells, columns, line) => {
      const fields = fieldsOf((field) => {
        const position = columns.get(field);
        return position === undefined ? '' : (cells[position] ?? '');
      });
      return readDeal({ source: file.source, file: file.path, line }, fields, context);
    },
  });
}

async function* readJsonDeals(
  file: OpenedFile,
  context: FeedContext,
  lines: AsyncIterable<Buffer>,
): AsyncGenerator<readonly FeedItem[]> {
  const unknownKeys = new Set<string>();
  const check = new FormatCheck(file, REQUIRED_COLUMNS);
  for await (const batch of splitJsonLines(file, lines, check)) {
    yield batch.map((line) => readJsonDeal(file, context, line, unknownKeys, check));
  }
  check.finish();
}

function readJsonDeal(
  file: OpenedFile,
  context: FeedContext,
  { line, text }: JsonLine,
  unknownKeys: Set<string>,
  check: FormatCheck,
): FeedItem {
  const place = { source: file.source, file: file.path, line };
  const values = parseJsonObject(text);
  check.take(
    (key) => values?.has(key) === true,
    () => text,
  );
  if (values === undefined) {
    return leftOut(noticeAt(place, 'malformed-record', { expected: 'a JSON object', found: text.slice(0, 80) }));
  }
  if (values.size > MAX_KEYS) {
    const facts = { expected: `at most ${MAX_KEYS} keys`, found: `${values.size}` };
    return leftOut(noticeAt(place, 'malformed-record', facts));
  }
  for (const key of values.keys()) {
    if (key === '$schema' || isDealsColumn(key) || unknownKeys.has(key)) continue;
    unknownKeys.add(key);
    if (unknownKeys.size > MAX_KEYS) throw tooManyKeys(file, line);
    noteUnknownColumn(file, context, key, [...values.keys()], line);
  }
  const [fault, ...otherFaults] = [...values]
    .filter(([key, value]) => isDealsColumn(key) && typeof value === 'object' && value !== null)
    .map(([path, found]) => ({ path, expected: 'a text or a number', found }));
  if (fault !== undefined) return leftOut(faultNotice(place, fault, otherFaults));
  // No object is left.
  const fields = fieldsOf((field) => (values.get(field) ?? '') as string | number | boolean);
  return readDeal(place, fields, context);
}

function tooManyKeys(file: OpenedFile, line: number): SourceError {
  const message = `${file.path}:${line}: expected at most ${MAX_KEYS} keys that are not read, got more; check that the right adapter is configured`;
  return new SourceError({ code: 'source-malformed', source: file.source, file: file.path, line, message });
}

function fieldsOf(read: (field: DealsColumn) => string | number | boolean): DealFields {
  return {
    cell: (field) => {
      if (!isDealsColumn(field)) return undefined;
      const value = read(field);
      if (typeof value !== 'string') {
        // A number that JSON cannot hold is no longer what was written.
        const isId = typeof value === 'number' && ID_FIELDS.includes(field) && !Number.isSafeInteger(value);
        if (isId) return { text: undefined, found: String(value), value, expected: 'a text or a whole number' };
        return { text: String(value), found: String(value), value };
      }
      const found = value.trim();
      if (found === '') return undefined;
      return { text: TEXTS.has(field) ? repairText(found) : found, found };
    },
    isFilled: (field) => {
      const value = isDealsColumn(field) ? read(field) : '';
      return typeof value !== 'string' || value.trim() !== '';
    },
    nameOf: (field) => field,
  };
}
