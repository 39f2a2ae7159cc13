import type { Notice } from '../../data/report/notice.ts';
import { fixMojibake } from '../source/clean-text.ts';
import { fieldErrorNotice, locationIn, noticeAt, sourceMalformed } from '../source/errors.ts';
import { readJsonRecords } from '../source/json.ts';
import { findNearestName, unreadName } from '../source/nearest-name.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { Excluded, SourceLocation } from '../source/record.ts';
import { findColumns, readTable, type TableHeader } from '../source/table.ts';
import { peekFirst, readTextLines } from '../source/text-lines.ts';
import {
  DEALS_COLUMNS,
  FIELDS,
  findRequired,
  PRODUCT_COLUMNS,
  REQUIRED_COLUMNS,
  usualHeaders,
  type FeedField,
} from './fields.ts';
import type { KindName } from './kinds.ts';
import type { FeedContext, RawDeal, RawField } from './parse-deal.ts';

type Items = AsyncGenerator<readonly (RawDeal | Excluded)[]>;

/** Their numbers must be whole, since they identify something. */
const ID_KINDS: readonly KindName[] = ['id', 'gtin', 'reference'];
const REPAIRED_KINDS: readonly KindName[] = ['name', 'reference'];

/** The limit for the keys of one line, and for the unknown keys of a file. */
const MAX_KEYS = 1_000;

/**
 * Our own feed of deals: CSV with a header, columns in any order, or NDJSON with the same names. A file that starts with
 * `{` is NDJSON.
 */
export async function* readDeals(file: OpenedFile, context: FeedContext): Items {
  const { first, all } = await peekFirst(readTextLines(file));
  if (first?.toString('utf8').trimStart().startsWith('{') === true) {
    yield* readJsonDeals(file, context, all);
    return;
  }
  yield* readTable(file, all, (header) => {
    const positions = findDealsColumns(header, context);
    // Every column that was found is a field.
    const fields = [...positions.keys()] as FeedField[];
    const places = [...positions.values()];
    return (cells, location) => readRawDeal(location, fields, (_, column) => cells[places[column] as number]);
  });
}

function readJsonDeals(file: OpenedFile, context: FeedContext, lines: AsyncIterable<Buffer>): Items {
  /** The unknown keys of the lines before. */
  const noted = new Set<string>();
  return readJsonRecords(file, lines, REQUIRED_COLUMNS, (object) => new Map(Object.entries(object)), readLine);

  function readLine(values: ReadonlyMap<string, unknown>, location: SourceLocation): RawDeal | Excluded {
    const names = [...values.keys()];
    if (names.length > MAX_KEYS) {
      const facts = { expected: `at most ${MAX_KEYS} keys`, found: `${names.length}` };
      return { notice: noticeAt(location, { code: 'malformed-record', ...facts }) };
    }
    for (const key of names.filter((each) => each !== '$schema' && !isDealsColumn(each) && !noted.has(each))) {
      noted.add(key);
      if (noted.size > MAX_KEYS) {
        const expected = `at most ${MAX_KEYS} keys that are not read`;
        const sentence = `expected ${expected}, got more; check that the right adapter is configured`;
        throw sourceMalformed(file, location.line, sentence);
      }
      context.note(unknownDealsColumn(location, key, names));
    }
    const [error, ...otherErrors] = [...values]
      .filter(([key, value]) => isDealsColumn(key) && typeof value === 'object' && value !== null)
      .map(([path, found]) => ({ path, expected: 'a text or a number', found }));
    if (error !== undefined) return { notice: fieldErrorNotice(location, error, otherErrors) };
    return readRawDeal(location, DEALS_COLUMNS, (field) => values.get(field));
  }
}

function readRawDeal(
  location: SourceLocation,
  columns: readonly FeedField[],
  valueOf: (field: FeedField, column: number) => unknown,
): RawDeal {
  const fields: RawDeal['fields'] = {};
  columns.forEach((field, column) => {
    const raw = readField(FIELDS[field].kind, valueOf(field, column));
    if (raw !== undefined) fields[field] = raw;
  });
  return { location, fields };
}

function readField(kind: KindName, value: unknown): RawField | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') {
    const found = String(value);
    // A number beyond the safe integers is no longer what was written.
    const isUnsafe = typeof value === 'number' && ID_KINDS.includes(kind) && !Number.isSafeInteger(value);
    if (isUnsafe) return { text: undefined, found, value, expected: 'a text or a whole number' };
    return { text: found, found, value };
  }
  const found = typeof value === 'string' ? value.trim() : '';
  if (found === '') return undefined;
  return { text: REPAIRED_KINDS.includes(kind) ? fixMojibake(found) : found, found };
}

function isDealsColumn(name: string): name is FeedField {
  return Object.hasOwn(FIELDS, name) && FIELDS[name as FeedField].isForeign !== true;
}

/** The notice of a column that is not read, with the absent one that it may be. */
function unknownDealsColumn(location: SourceLocation, name: string, names: readonly string[]): Notice {
  const absent = DEALS_COLUMNS.filter((column) => !names.includes(column));
  const nearest = findNearestName(name, absent, usualHeaders);
  const expected = `one of ${DEALS_COLUMNS.join(', ')}`;
  return noticeAt(location, { code: 'unknown-column', ...unreadName(name, nearest, expected) });
}

/**
 * The position of every column of the header.
 *
 * @throws {SourceError} `missing-column`, or `source-malformed` for a repeated column.
 */
function findDealsColumns(header: TableHeader, context: FeedContext): ReadonlyMap<string, number> {
  const { file, line, names } = header;
  const needed = [...findRequired(context).map((name) => [name]), PRODUCT_COLUMNS];
  return findColumns(header, (name) => (isDealsColumn(name) ? name : undefined), needed, {
    remedy: 'name the columns so, with commas between them',
    usualNames: usualHeaders,
    onUnread: (name) => context.note(unknownDealsColumn(locationIn(file, line), name, names)),
  });
}
