import { findNearestWord } from '../../data/query/edit-distance.ts';
import { fixMojibake } from '../source/clean-text.ts';
import { createSourceError, sourceMalformed, type SourceError } from '../source/errors.ts';
import { FormatCheck } from '../source/format-check.ts';
import { parseJsonObject, splitJsonLines, type JsonLine } from '../source/json.ts';
import { findNearestName } from '../source/nearest-name.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote } from '../source/quote.ts';
import type { ReadResult } from '../source/record.ts';
import { peekFirst, readTextLines } from '../source/text-lines.ts';
import { excluded, fieldErrorNotice, noticeAt, type FeedContext } from './adapter.ts';
import {
  ALLOWANCE_COLUMNS,
  DEALS_COLUMNS,
  isDealsColumn,
  PRODUCT_COLUMNS,
  REQUIRED_COLUMNS,
  type DealsColumn,
  type FieldReader,
} from './fields.ts';
import { readDeal } from './read-deal.ts';
import { readTable } from './read-table.ts';

/** The fields whose numbers must be whole, since they identify something. */
const ID_COLUMNS: readonly DealsColumn[] = ['dealId', 'productId', 'gtin', 'retailer', 'network', 'gift'];
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
  const location = { source: file.source, file: file.path, line };
  const values = parseJsonObject(text);
  check.take(
    (key) => values?.has(key) === true,
    () => text,
  );
  if (values === undefined) {
    return excluded(noticeAt(location, 'malformed-record', { expected: 'a JSON object', found: text.slice(0, 80) }));
  }
  if (values.size > MAX_KEYS) {
    const facts = { expected: `at most ${MAX_KEYS} keys`, found: `${values.size}` };
    return excluded(noticeAt(location, 'malformed-record', facts));
  }
  for (const key of values.keys()) {
    if (key === '$schema' || isDealsColumn(key) || unknownKeys.has(key)) continue;
    unknownKeys.add(key);
    if (unknownKeys.size > MAX_KEYS) throw tooManyKeys(file, line);
    noteUnknownColumn(file, context, key, [...values.keys()], line);
  }
  const [error, ...otherErrors] = [...values]
    .filter(([key, value]) => isDealsColumn(key) && typeof value === 'object' && value !== null)
    .map(([path, found]) => ({ path, expected: 'a text or a number', found }));
  if (error !== undefined) return excluded(fieldErrorNotice(location, error, otherErrors));
  // Objects have been rejected above.
  const fields = createFieldReader((field) => (values.get(field) ?? '') as string | number | boolean);
  return readDeal(location, fields, context);
}

function tooManyKeys(file: OpenedFile, line: number): SourceError {
  const expected = `at most ${MAX_KEYS} keys that are not read`;
  return sourceMalformed(file, line, `expected ${expected}, got more; check that the right adapter is configured`);
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
      return value !== '' && (typeof value !== 'string' || value.trim() !== '');
    },
    nameOf: (field) => field,
  };
}

/**
 * Notes an unknown column, with the one that was probably meant.
 *
 * @param names all columns: an existing one is suggested only for a misspelling of it
 */
function noteUnknownColumn(
  file: OpenedFile,
  context: FeedContext,
  name: string,
  names: readonly string[],
  line: number,
): void {
  const nearest =
    findNearestWord(name, DEALS_COLUMNS) ??
    findNearestName(
      name,
      DEALS_COLUMNS.filter((column) => !names.includes(column)),
    );
  context.note({
    code: 'unknown-column',
    source: file.source,
    file: file.path,
    line,
    field: name.slice(0, 80),
    expected: nearest === undefined ? `one of ${DEALS_COLUMNS.join(', ')}` : `perhaps ${nearest}`,
    ...(nearest !== undefined && { remedy: `if it should be read, call it ${quote(nearest)}` }),
  });
}

/**
 * The position of every column of the header.
 *
 * @throws {SourceError} `missing-column` with all that are missing, `source-malformed` for a repeated column.
 */
function findDealsColumns(
  file: OpenedFile,
  context: FeedContext,
  names: readonly string[],
  line: number,
): ReadonlyMap<DealsColumn, number> {
  const positions = new Map<DealsColumn, number>();
  for (const [position, name] of names.entries()) {
    if (!isDealsColumn(name)) {
      // A spreadsheet may save empty columns.
      if (name !== '') noteUnknownColumn(file, context, name, names, line);
    } else if (positions.has(name)) {
      throw sourceMalformed(file, line, `expected the column ${name} once, got it twice`);
    } else {
      positions.set(name, position);
    }
  }
  const missing: string[] = REQUIRED_COLUMNS.filter((name) => !positions.has(name));
  if (context.missingAllowance !== 'unlimited') {
    missing.push(...ALLOWANCE_COLUMNS.filter((name) => !positions.has(name)));
  }
  if (!PRODUCT_COLUMNS.some((name) => positions.has(name))) missing.push(PRODUCT_COLUMNS.join(' or '));
  if (missing.length > 0) {
    const wanted = missing.map((column) => describeMissing(column, names)).join(', ');
    const sentence = `expected the columns ${wanted}, got ${quote(names.join(','))}`;
    throw createSourceError('missing-column', file, line, sentence);
  }
  return positions;
}

/** `monthlyCost (perhaps "monthly")` */
function describeMissing(column: string, names: readonly string[]): string {
  // With another delimiter one name is the whole header.
  const unread = names.filter((name) => !isDealsColumn(name) && !/[,;|\t]/.test(name));
  const nearest = findNearestName(column, unread);
  return nearest === undefined ? column : `${column} (perhaps ${quote(nearest)})`;
}
