import { fixMojibake } from '../../source/clean-text.ts';
import { SourceError } from '../../source/errors.ts';
import { FormatCheck } from '../../source/format-check.ts';
import { parseJsonObject, splitJsonLines, type JsonLine } from '../../source/json.ts';
import type { OpenedFile } from '../../source/open-file.ts';
import type { ReadResult } from '../../source/record.ts';
import { peekFirst, readTextLines } from '../../source/text-lines.ts';
import { excluded, fieldErrorNotice, noticeAt, type FeedContext } from '../deal/adapter.ts';
import {
  findDealsColumns,
  isDealsColumn,
  noteUnknownColumn,
  REQUIRED_COLUMNS,
  type DealsColumn,
} from '../deal/fields.ts';
import { readDeal, type FieldReader } from '../deal/read-deal.ts';
import { readTable } from './read-table.ts';

/** The fields whose numbers must be whole, since they identify something. */
const ID_COLUMNS: readonly DealsColumn[] = ['dealId', 'productId', 'gtin', 'retailer', 'network', 'gift'];
/** The texts for people. */
const TEXT_COLUMNS: ReadonlySet<DealsColumn> = new Set([
  'productName',
  'retailer',
  'network',
  'contractName',
  'cashbackType',
  'gift',
]);

/** The limit for the keys of one line, and for the unknown keys of a file. */
const MAX_KEYS = 1_000;

/**
 * Our own feed of deals: CSV with a header, columns in any order, or NDJSON with the same names. A file that starts with
 * `{` is NDJSON.
 */
export async function* readDeals(file: OpenedFile, context: FeedContext): AsyncGenerator<readonly ReadResult[]> {
  const { first, all } = await peekFirst(readTextLines(file));
  const isJson = first?.toString('utf8').trimStart().startsWith('{') === true;
  yield* isJson ? readJsonDeals(file, context, all) : readCsvDeals(file, context, all);
}

function readCsvDeals(
  file: OpenedFile,
  context: FeedContext,
  lines: AsyncIterable<Buffer>,
): AsyncGenerator<readonly ReadResult[]> {
  return readTable(file, lines, {
    readHeader: (names, line) => findDealsColumns(file, context, names, line),
    readRow: (cells, columns, line) => {
      const fields = createFieldReader((field) => {
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
): AsyncGenerator<readonly ReadResult[]> {
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
): ReadResult {
  const place = { source: file.source, file: file.path, line };
  const values = parseJsonObject(text);
  check.take(
    (key) => values?.has(key) === true,
    () => text,
  );
  if (values === undefined) {
    return excluded(noticeAt(place, 'malformed-record', { expected: 'a JSON object', found: text.slice(0, 80) }));
  }
  if (values.size > MAX_KEYS) {
    const facts = { expected: `at most ${MAX_KEYS} keys`, found: `${values.size}` };
    return excluded(noticeAt(place, 'malformed-record', facts));
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
  if (fault !== undefined) return excluded(fieldErrorNotice(place, fault, otherFaults));
  // Objects have been rejected above.
  const fields = createFieldReader((field) => (values.get(field) ?? '') as string | number | boolean);
  return readDeal(place, fields, context);
}

function tooManyKeys(file: OpenedFile, line: number): SourceError {
  const message = `${file.path}:${line}: expected at most ${MAX_KEYS} keys that are not read, got more; check that the right adapter is configured`;
  return new SourceError({ code: 'source-malformed', source: file.source, file: file.path, line, message });
}

function createFieldReader(read: (field: DealsColumn) => string | number | boolean): FieldReader {
  return {
    get: (field) => {
      if (!isDealsColumn(field)) return undefined;
      const value = read(field);
      if (typeof value !== 'string') {
        // A number beyond the safe integers is no longer what was written.
        const isId = typeof value === 'number' && ID_COLUMNS.includes(field) && !Number.isSafeInteger(value);
        if (isId) return { text: undefined, found: String(value), value, expected: 'a text or a whole number' };
        return { text: String(value), found: String(value), value };
      }
      const found = value.trim();
      if (found === '') return undefined;
      return { text: TEXT_COLUMNS.has(field) ? fixMojibake(found) : found, found };
    },
    isFilled: (field) => {
      const value = isDealsColumn(field) ? read(field) : '';
      return typeof value !== 'string' || value.trim() !== '';
    },
    nameOf: (field) => field,
  };
}
