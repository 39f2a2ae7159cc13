import { findNearestWord } from '../../data/query/edit-distance.ts';
import type { Notice } from '../../data/report/notice.ts';
import { fixMojibake } from '../source/clean-text.ts';
import { sourceMalformed } from '../source/errors.ts';
import { FormatCheck } from '../source/format-check.ts';
import { checkColumns, findPositions, unknownColumn } from '../source/header.ts';
import { parseJsonObject, splitJsonLines, type JsonLine } from '../source/json.ts';
import { findNearestName } from '../source/nearest-name.ts';
import { fieldErrorNotice, noticeAt } from '../source/notice-at.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { SourceLocation } from '../source/record.ts';
import { peekFirst, readTextLines } from '../source/text-lines.ts';
import {
  ALLOWANCE_COLUMNS,
  DEALS_COLUMNS,
  FIELDS,
  PRODUCT_COLUMNS,
  REQUIRED_COLUMNS,
  usualHeaders,
  type FeedField,
} from './fields.ts';
import type { KindName } from './kinds.ts';
import { excluded, locationIn, type Excluded, type FeedContext, type RawDeal, type RawField } from './raw-deal.ts';
import { readTable } from './read-table.ts';

type Items = AsyncGenerator<readonly (RawDeal | Excluded)[]>;

/** Their numbers must be whole, since they identify something. */
const ID_KINDS: readonly KindName[] = ['id', 'gtin', 'reference'];
const REPAIRED_KINDS: readonly KindName[] = ['name', 'reference'];

const COLUMNS = DEALS_COLUMNS.map((field) => ({ field, kind: FIELDS[field].kind }));

/** The limit for the keys of one line, and for the unknown keys of a file. */
const MAX_KEYS = 1_000;

/**
 * Our own feed of deals: CSV with a header, columns in any order, or NDJSON with the same names. A file that starts with
 * `{` is NDJSON.
 */
export async function* readDeals(file: OpenedFile, context: FeedContext): Items {
  const { first, all } = await peekFirst(readTextLines(file));
  const isJson = first?.toString('utf8').trimStart().startsWith('{') === true;
  yield* isJson ? readJsonDeals(file, context, all) : readCsvDeals(file, context, all);
}

function readCsvDeals(file: OpenedFile, context: FeedContext, lines: AsyncIterable<Buffer>): Items {
  return readTable(file, lines, (names, headerLine) => {
    const columns = findDealsColumns(file, context, names, headerLine);
    return (cells, line) => readRawDeal(locationIn(file, line), (field) => cells[columns.get(field) ?? -1]);
  });
}

async function* readJsonDeals(file: OpenedFile, context: FeedContext, lines: AsyncIterable<Buffer>): Items {
  /** The unknown keys of the lines before. */
  const noted = new Set<string>();
  const check = new FormatCheck(file, REQUIRED_COLUMNS);
  for await (const batch of splitJsonLines(file, lines, check)) {
    yield batch.map((line) => readJsonDeal(file, context, line, noted, check));
  }
  check.finish();
}

function readJsonDeal(
  file: OpenedFile,
  context: FeedContext,
  { line, text }: JsonLine,
  noted: Set<string>,
  check: FormatCheck,
): RawDeal | Excluded {
  const location = locationIn(file, line);
  const values = parseJsonObject(text);
  check.take(
    (key) => values?.has(key) === true,
    () => text,
  );
  if (values === undefined || values.size > MAX_KEYS) {
    const facts =
      values === undefined
        ? { expected: 'a JSON object', found: text.slice(0, 80) }
        : { expected: `at most ${MAX_KEYS} keys`, found: `${values.size}` };
    return excluded(noticeAt(location, { code: 'malformed-record', ...facts }));
  }
  const names = [...values.keys()];
  for (const key of names.filter((each) => each !== '$schema' && !isDealsColumn(each) && !noted.has(each))) {
    noted.add(key);
    if (noted.size > MAX_KEYS) {
      const expected = `at most ${MAX_KEYS} keys that are not read`;
      throw sourceMalformed(file, line, `expected ${expected}, got more; check that the right adapter is configured`);
    }
    context.note(unknownDealsColumn(location, key, names));
  }
  const [error, ...otherErrors] = [...values]
    .filter(([key, value]) => isDealsColumn(key) && typeof value === 'object' && value !== null)
    .map(([path, found]) => ({ path, expected: 'a text or a number', found }));
  if (error !== undefined) return excluded(fieldErrorNotice(location, error, otherErrors));
  return readRawDeal(location, (field) => values.get(field));
}

function readRawDeal(location: SourceLocation, valueOf: (field: FeedField) => unknown): RawDeal {
  const fields: RawDeal['fields'] = {};
  for (const { field, kind } of COLUMNS) {
    const raw = readField(kind, valueOf(field));
    if (raw !== undefined) fields[field] = raw;
  }
  return { location, fields };
}

function readField(kind: KindName, value: unknown): RawField | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') {
    const found = String(value);
    // A number beyond the safe integers is no longer what was written.
    const isUnsafe = typeof value === 'number' && ID_KINDS.includes(kind) && !Number.isSafeInteger(value);
    return isUnsafe
      ? { text: undefined, found, value, expected: 'a text or a whole number' }
      : { text: found, found, value };
  }
  const found = typeof value === 'string' ? value.trim() : '';
  if (found === '') return undefined;
  return { text: REPAIRED_KINDS.includes(kind) ? fixMojibake(found) : found, found };
}

function isDealsColumn(name: string): name is FeedField {
  return Object.hasOwn(FIELDS, name) && FIELDS[name as FeedField].isForeign !== true;
}

/** The notice of a column that is not read. Of the columns that are there one is suggested only for a misspelling of it. */
function unknownDealsColumn(location: SourceLocation, name: string, names: readonly string[]): Notice {
  const absent = DEALS_COLUMNS.filter((column) => !names.includes(column));
  const nearest = findNearestWord(name, DEALS_COLUMNS) ?? findNearestName(name, absent, usualHeaders);
  return unknownColumn(location, name, nearest, `one of ${DEALS_COLUMNS.join(', ')}`);
}

/**
 * The position of every column of the header.
 *
 * @throws {SourceError} `missing-column`, or `source-malformed` for a repeated column.
 */
function findDealsColumns(
  file: OpenedFile,
  context: FeedContext,
  names: readonly string[],
  line: number,
): ReadonlyMap<FeedField, number> {
  const header = { file, names, line };
  const unread = names.filter((name) => !isDealsColumn(name));
  // A spreadsheet may save empty columns.
  for (const name of unread) {
    if (name !== '') context.note(unknownDealsColumn(locationIn(file, line), name, names));
  }
  const positions = findPositions(header, (name) => (isDealsColumn(name) ? name : undefined));
  const single = [...REQUIRED_COLUMNS, ...(context.missingAllowance === 'unlimited' ? [] : ALLOWANCE_COLUMNS)];
  const needed = [...single.map((name) => [name]), PRODUCT_COLUMNS];
  checkColumns(header, needed, (column) => names.includes(column), {
    remedy: 'name the columns so',
    unread,
    usualNames: usualHeaders,
    delimiter: [',', () => 'save the file with commas'],
  });
  return positions;
}
