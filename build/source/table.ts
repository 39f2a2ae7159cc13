import { z } from 'zod';
import { locationIn, noticeAt, sourceMalformed, truncatedRecord, SourceError } from './errors.ts';
import { checkIsTable, checkTableEnd } from './format-check.ts';
import { findNearestName, type UsualNames } from './nearest-name.ts';
import type { OpenedFile } from './open-file.ts';
import { quote } from './quote.ts';
import type { Excluded, SourceLocation } from './record.ts';
import { countSigns, peekFirst } from './text-lines.ts';

/** No row of a feed comes near it: a longer row of several lines has a quote that stays open. */
const MAX_ROW_BYTES = 1_000_000;

/** The longest format has some 90. */
const MAX_COLUMNS = 1_000;

/** A spreadsheet saves some below its table. A blank row costs as much as any, for one byte of a file. */
const MAX_BLANK_ROWS = 200_000;

/** What is made of the rows of a batch is in memory together, and V8 copies it whenever it collects. */
const BATCH_ROWS = 100;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

const DELIMITERS = [',', ';', '|', '\t'] as const;

export type Delimiter = (typeof DELIMITERS)[number];

/** The settings of a table. */
export const DELIMITER_SCHEMA = z.enum(DELIMITERS);
export const HEADER_LINE_SCHEMA = z.number().int().min(1).max(1_000).default(1);

/** The most frequent delimiter of a header; of several the first in `DELIMITERS`. */
export function findDelimiter(header: string): Delimiter {
  const count = (sign: Delimiter): number => header.split(sign).length;
  return DELIMITERS.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/** The names of the columns of a table, trimmed. */
export interface TableHeader {
  readonly file: OpenedFile;
  readonly line: number;
  readonly names: readonly string[];
}

/** Reads a row that has as many cells as the header. */
type ReadRow<Item> = (cells: readonly string[], location: SourceLocation) => Item;

interface TableLayout {
  /** `any`: the most frequent one of the header. */
  readonly delimiter?: Delimiter | 'any';
  /** The line of the header; lines above it are not read. */
  readonly headerLine?: number;
  /** Excel leaves out empty cells at the end of a row; an editor may have typed beyond the last column. */
  readonly isSpreadsheet?: boolean;
}

/**
 * Reads the text lines of a CSV file (RFC 4180) with a header: quotes doubled within quotes, `\` an ordinary character.
 * Blank rows are skipped.
 *
 * @param readHeader finds columns; throws a SourceError when one is missing
 * @throws {SourceError} when the file has no header, ends within its last row, has a quoted cell that does not end before
 * a delimiter or line end (the rows after its first quote cannot be trusted), or cannot be read to its end.
 */
export async function* readTable<Item>(
  file: OpenedFile,
  lines: AsyncIterable<Buffer>,
  readHeader: (header: TableHeader) => ReadRow<Item>,
  layout: TableLayout = {},
): AsyncGenerator<readonly (Item | Excluded)[]> {
  const { delimiter = ',', headerLine = 1, isSpreadsheet = false } = layout;
  const { first, all } = await peekFirst(lines);
  const start = first?.toString('utf8') ?? '';
  // Lines above the header may be anything, so they are not checked.
  if (headerLine === 1) checkIsTable(file, start);
  const sign = delimiter === 'any' ? findDelimiter(start.split('\n', headerLine)[headerLine - 1] ?? '') : delimiter;
  let width = 0;
  let readRow: ReadRow<Item> | undefined;
  let last: CsvRow | undefined;
  for await (const batch of parseRows(file, all, sign)) {
    last = batch.at(-1) ?? last;
    const items: (Item | Excluded)[] = [];
    for (const row of batch) {
      if (row.line < headerLine) continue;
      if (readRow !== undefined) {
        items.push(readCells(row, readRow));
        continue;
      }
      const header = toHeader(file, row);
      width = header.names.length;
      readRow = readHeader(header);
    }
    if (items.length > 0) yield items;
  }
  if (readRow === undefined) {
    const found = headerLine === 1 ? 'an empty file' : 'the end of the file';
    throw sourceMalformed(file, headerLine, `expected a row that names the columns, got ${found}`);
  }
  if (last !== undefined && (last.hasStrayQuote || last.cells.length !== width))
    checkTableEnd(file, last.line, last.cells.join(sign));

  function readCells({ line, cells, hasStrayQuote, isOpen }: CsvRow, read: ReadRow<Item>): Item | Excluded {
    const location = locationIn(file, line);
    if (hasStrayQuote) {
      const expected = 'quotes only around a whole cell, doubled inside it';
      const found = 'a quote inside a cell that does not begin with one';
      return { notice: noticeAt(location, { code: 'malformed-record', expected, found }) };
    }
    if (cells.length === width) return read(cells, location);
    if (isOpen && cells.length < width) throw truncatedRecord(file, line, `a row of ${width} cells`);
    if (isSpreadsheet && cells.slice(width).every((cell) => cell.trim() === '')) {
      return read([...cells, ...Array<string>(width).fill('')].slice(0, width), location);
    }
    const facts = { expected: `${width} cells`, found: `${cells.length} cells` };
    return { notice: noticeAt(location, { code: 'column-count', ...facts }) };
  }
}

function toHeader(file: OpenedFile, { line, cells }: CsvRow): TableHeader {
  if (cells.length > MAX_COLUMNS) {
    const sentence = `expected at most ${MAX_COLUMNS} columns, got ${cells.length}; check the delimiter and the line ends of the file`;
    throw sourceMalformed(file, line, sentence);
  }
  return { file, line, names: cells.map((cell) => cell.trim()) };
}

/** A row, at the 1-based line where it starts. */
interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** A quote stands within an unquoted cell: where the cells end is unknown. */
  readonly hasStrayQuote: boolean;
  /** The last row of a file without a final line end: the file may end within it. */
  readonly isOpen: boolean;
}

/** The rows of a table in batches, blank ones left out, with any number of cells. */
async function* parseRows(
  file: OpenedFile,
  lines: AsyncIterable<Buffer>,
  delimiter: Delimiter,
): AsyncGenerator<readonly CsvRow[]> {
  let line = 1;
  let blankRows = 0;
  /** The beginning of a row with a quote that the lines so far do not close. */
  let open: Buffer = Buffer.alloc(0);
  for await (const chunk of lines) {
    const bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    let rows: CsvRow[] = [];
    let start = 0;
    while (start < bytes.length) {
      const { cells, hasStrayQuote, end } = splitRow(bytes, start, delimiter.charCodeAt(0));
      const isLong = (end ?? bytes.length) - start > MAX_ROW_BYTES;
      if (isLong && (end === undefined || cells.some((cell) => cell.includes('\n')))) {
        throw quoteNotClosed(file, line);
      }
      if (end === undefined) break;
      if (cells.some((cell) => cell !== '' && cell.trim() !== '')) {
        rows.push({ line, cells, hasStrayQuote, isOpen: end > bytes.length });
      } else if (++blankRows > MAX_BLANK_ROWS) {
        const expected = `at most ${MAX_BLANK_ROWS} rows without any text`;
        throw sourceMalformed(file, line, `expected ${expected}, got more; have the feed written again`);
      }
      line += 1;
      for (const cell of cells) line += countSigns(cell, '\n');
      start = end;
      if (rows.length < BATCH_ROWS) continue;
      yield rows;
      rows = [];
    }
    open = bytes.subarray(start);
    if (rows.length > 0) yield rows;
  }
  if (open.length > 0) throw quoteNotClosed(file, line);
}

interface SplitRow {
  readonly cells: readonly string[];
  readonly hasStrayQuote: boolean;
  /** Where the next row begins, after the line feed that this one ends in or lacks; undefined when a quote stays open. */
  readonly end: number | undefined;
}

/** The row at `start`. Each cell is decoded alone: as parts of a longer text they would keep all of it in memory. */
function splitRow(bytes: Buffer, start: number, delimiter: number): SplitRow {
  const cells: string[] = [];
  let hasStrayQuote = false;
  for (let at = start; ; at++) {
    const isQuoted = bytes[at] === QUOTE;
    const from = isQuoted ? at + 1 : at;
    at = isQuoted ? findClosingQuote(bytes, from) : findCellEnd(bytes, from, delimiter);
    const text = at === from ? '' : bytes.toString('utf8', from, at);
    if (!isQuoted) {
      hasStrayQuote ||= text.includes('"');
      cells.push(text);
    } else {
      if (bytes[at++] !== QUOTE || findCellEnd(bytes, at, delimiter) !== at)
        return { cells, hasStrayQuote, end: undefined };
      cells.push(text.includes('"') ? text.replaceAll('""', '"') : text);
    }
    if (at >= bytes.length || bytes[at] === LINE_FEED) return { cells, hasStrayQuote, end: at + 1 };
  }
}

/** The delimiter, line feed or end of the bytes after an unquoted cell. */
function findCellEnd(bytes: Buffer, from: number, delimiter: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== delimiter && bytes[at] !== LINE_FEED) at++;
  return at;
}

/** A doubled quote is part of the cell. Beyond the end of the bytes when there is none. */
function findClosingQuote(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] !== QUOTE || bytes[at + 1] === QUOTE)) at += bytes[at] === QUOTE ? 2 : 1;
  return at;
}

function quoteNotClosed(file: OpenedFile, line: number): SourceError {
  const expected = 'every quoted cell of the row to end in a quote before a delimiter or line end';
  const sentence = `expected ${expected}, got a quote that stays open; double the quotes within it, or close it`;
  return sourceMalformed(file, line, sentence);
}

/**
 * The position of each column that `columnOf` knows.
 *
 * @throws {SourceError} `source-malformed` for a repeated column; what `checkColumns` throws
 */
export function findColumns(
  header: TableHeader,
  columnOf: (name: string) => string | undefined,
  needed: readonly (readonly string[])[],
  options: Omit<ColumnOptions, 'unread'> & {
    readonly onUnread?: (name: string, positions: ReadonlyMap<string, number>) => void;
  },
): ReadonlyMap<string, number> {
  const { file, line, names } = header;
  const positions = new Map<string, number>();
  for (const [position, name] of names.entries()) {
    const column = columnOf(name);
    if (column !== undefined && positions.has(column)) {
      throw sourceMalformed(file, line, `expected the column ${quote(column)} once, got it twice`);
    }
    if (column !== undefined) positions.set(column, position);
  }
  const unread = names.filter((name) => columnOf(name) === undefined);
  checkColumns(header, needed, (column) => positions.has(column), { ...options, unread });
  // A spreadsheet may save empty columns.
  for (const name of unread) if (name !== '') options.onUnread?.(name, positions);
  return positions;
}

interface ColumnOptions {
  readonly remedy: string;
  /** The columns that are not read, among which a missing one may be. */
  readonly unread?: readonly string[];
  readonly usualNames?: UsualNames;
}

/**
 * Checks that a header has the columns that are needed.
 *
 * @param needed of each, one is needed
 * @param has whether the header has a column
 * @throws {SourceError} `missing-column` with all that are missing, each with the unread column that may be it
 */
export function checkColumns(
  { file, line, names }: TableHeader,
  needed: readonly (readonly string[])[],
  has: (column: string) => boolean,
  { remedy, unread = [], usualNames }: ColumnOptions,
): void {
  const missing = needed.filter((alternatives) => !alternatives.some(has));
  if (missing.length === 0) return;
  const described = missing.map((alternatives) => {
    const [first = ''] = alternatives;
    const nearest = alternatives.length > 1 ? undefined : findNearestName(first, unread, usualNames);
    const hint = nearest === undefined ? '' : ` (perhaps ${quote(nearest)})`;
    return alternatives.map((name) => quote(name)).join(' or ') + hint;
  });
  const other = findDelimiter(names[0] ?? '');
  const isOne = names.length === 1 && names[0]?.includes(other) === true;
  const expected = isOne
    ? `columns that ${quote(other)} does not separate`
    : `the columns ${[...new Set(described)].join(', ')}`;
  const sentence = `expected ${expected}, got ${quote(names.join(','))}; ${remedy}`;
  throw new SourceError('missing-column', file, line, sentence);
}
