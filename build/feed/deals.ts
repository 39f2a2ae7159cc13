import { findNearestWord } from '../../data/query/edit-distance.ts';
import { fixMojibake } from '../source/clean-text.ts';
import { createSourceError, sourceMalformed } from '../source/errors.ts';
import { findDelimiter } from '../source/parse-csv.ts';
import { FormatCheck } from '../source/format-check.ts';
import { parseJsonObject, splitJsonLines, type JsonLine } from '../source/json.ts';
import { findNearestName } from '../source/nearest-name.ts';
import { fieldErrorNotice, noticeAt } from '../source/notice-at.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote } from '../source/quote.ts';
import { peekFirst, readTextLines } from '../source/text-lines.ts';
import {
  ALLOWANCE_COLUMNS,
  DEALS_COLUMNS,
  FIELDS,
  fieldsOfKind,
  PRODUCT_COLUMNS,
  REQUIRED_COLUMNS,
  usualHeaders,
  type FeedField,
} from './fields.ts';
import { excluded, locationIn, type Excluded, type FeedContext, type RawDeal, type RawField } from './raw-deal.ts';
import { readTable } from './read-table.ts';

type Items = AsyncGenerator<readonly (RawDeal | Excluded)[]>;

/** The fields whose numbers must be whole, since they identify something. */
const ID_COLUMNS = fieldsOfKind('id', 'gtin', 'reference');
const REPAIRED_COLUMNS = fieldsOfKind('name', 'reference');

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
    return (cells, line) => readRawDeal(file, line, (field) => cells[columns.get(field) ?? -1]);
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
  if (values === undefined) {
    return excluded(noticeAt(location, 'malformed-record', { expected: 'a JSON object', found: text.slice(0, 80) }));
  }
  if (values.size > MAX_KEYS) {
    const facts = { expected: `at most ${MAX_KEYS} keys`, found: `${values.size}` };
    return excluded(noticeAt(location, 'malformed-record', facts));
  }
  const isUnknown = (key: string): boolean => key !== '$schema' && !isDealsColumn(key) && !noted.has(key);
  for (const key of [...values.keys()].filter(isUnknown)) {
    noted.add(key);
    if (noted.size > MAX_KEYS) {
      const expected = `at most ${MAX_KEYS} keys that are not read`;
      throw sourceMalformed(file, line, `expected ${expected}, got more; check that the right adapter is configured`);
    }
    noteUnknownColumn(file, context, key, [...values.keys()], line);
  }
  const [error, ...otherErrors] = [...values]
    .filter(([key, value]) => isDealsColumn(key) && typeof value === 'object' && value !== null)
    .map(([path, found]) => ({ path, expected: 'a text or a number', found }));
  if (error !== undefined) return excluded(fieldErrorNotice(location, error, otherErrors));
  return readRawDeal(file, line, (field) => values.get(field));
}

function readRawDeal(file: OpenedFile, line: number, valueOf: (field: FeedField) => unknown): RawDeal {
  const fields: RawDeal['fields'] = {};
  for (const field of DEALS_COLUMNS) {
    const raw = readField(field, valueOf(field));
    if (raw !== undefined) fields[field] = raw;
  }
  return { location: locationIn(file, line), fields };
}

function readField(field: FeedField, value: unknown): RawField | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') {
    // A number beyond the safe integers is no longer what was written.
    const isUnsafe = typeof value === 'number' && ID_COLUMNS.includes(field) && !Number.isSafeInteger(value);
    const found = String(value);
    return isUnsafe
      ? { text: undefined, found, value, expected: 'a text or a whole number' }
      : { text: found, found, value };
  }
  const found = typeof value === 'string' ? value.trim() : '';
  if (found === '') return undefined;
  return { text: REPAIRED_COLUMNS.includes(field) ? fixMojibake(found) : found, found };
}

function isDealsColumn(name: string): name is FeedField {
  return Object.hasOwn(FIELDS, name) && FIELDS[name as FeedField].isForeign !== true;
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
  const absent = DEALS_COLUMNS.filter((column) => !names.includes(column));
  const nearest = findNearestWord(name, DEALS_COLUMNS) ?? findNearestName(name, absent, usualHeaders);
  context.note({
    code: 'unknown-column',
    ...locationIn(file, line),
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
): ReadonlyMap<FeedField, number> {
  const positions = new Map<FeedField, number>();
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
  const needed = [...REQUIRED_COLUMNS, ...(context.missingAllowance === 'unlimited' ? [] : ALLOWANCE_COLUMNS)];
  const missing: string[] = needed.filter((name) => !positions.has(name));
  if (!PRODUCT_COLUMNS.some((name) => positions.has(name))) missing.push(PRODUCT_COLUMNS.join(' or '));
  if (missing.length === 0) return positions;
  const delimiter = names.length === 1 ? findDelimiter(names[0] ?? '') : ',';
  const wanted = missing.map((column) => describeMissing(column, names)).join(', ');
  const sentence =
    delimiter === ','
      ? `expected the columns ${wanted}, got ${quote(names.join(','))}`
      : `expected columns with "," between them, got ${quote(delimiter)}; save the file with commas`;
  throw createSourceError('missing-column', file, line, sentence);
}

/** `monthlyCost (perhaps "monthly")` */
function describeMissing(column: string, names: readonly string[]): string {
  // With another delimiter one name is the whole header.
  const unread = names.filter((name) => !isDealsColumn(name) && !/[,;|\t]/.test(name));
  const nearest = findNearestName(column, unread, usualHeaders);
  return nearest === undefined ? column : `${column} (perhaps ${quote(nearest)})`;
}
