import { sourceMalformed, truncatedRecord, type SourceError } from '../source/errors.ts';
import { checkIsTable, checkTableEnd } from '../source/format-check.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { parseCsv, type CsvRow, type Delimiter } from '../source/parse-csv.ts';
import { noticeAt } from '../source/notice-at.ts';
import { excluded, locationIn, type Excluded, type RawDeal } from './raw-deal.ts';

/** The longest format has some 90. */
const MAX_COLUMNS = 1_000;

const SNIFFED_BYTES = 1_024;

/** Reads a row that has as many cells as the header. */
type ReadRow<Item> = (cells: readonly string[], line: number) => Item;

/** Finds columns by their names, which are trimmed; throws a SourceError when one is missing. */
type ReadHeader<Item> = (names: readonly string[], line: number) => ReadRow<Item>;

export interface TableLayout {
  readonly delimiter?: Delimiter;
  /** The line of the header; lines above it are not read. */
  readonly headerLine?: number;
  /** Excel leaves out empty cells at the end of a row; an editor may have typed beyond the last column. */
  readonly isSpreadsheet?: boolean;
}

/**
 * Reads the text lines of a CSV file with a header.
 *
 * @throws {SourceError} when the file has no header, ends within its last row, or cannot be read to its end.
 */
export async function* readTable<Item = RawDeal | Excluded>(
  file: OpenedFile,
  lines: AsyncIterable<Buffer>,
  readHeader: ReadHeader<Item>,
  { delimiter = ',', headerLine = 1, isSpreadsheet = false }: TableLayout = {},
): AsyncGenerator<readonly (Item | Excluded)[]> {
  let header: Header<Item> | undefined;
  // Lines above the header may be anything, so they are not checked.
  const table = headerLine === 1 ? checkStart(file, lines) : lines;
  let last: CsvRow | undefined;
  for await (const batch of parseCsv(file, table, delimiter)) {
    last = batch.at(-1) ?? last;
    const items: (Item | Excluded)[] = [];
    for (const row of batch) {
      if (row.line < headerLine) continue;
      if (header === undefined) header = readHeaderRow(file, row, readHeader);
      else items.push(readItem(file, isSpreadsheet ? fitRow(row, header.width) : row, header));
    }
    if (items.length > 0) yield items;
  }
  if (header === undefined)
    throw headerError(file, headerLine, headerLine === 1 ? 'an empty file' : 'the end of the file');
  if (last?.kind === 'stray-quote') checkTableEnd(file, last.line, last.start);
  else if (last !== undefined && last.cells.length !== header.width)
    checkTableEnd(file, last.line, last.cells.join(delimiter));
}

/** Checks that the first lines are a table. Throws during iteration, so that the file is closed. */
async function* checkStart(file: OpenedFile, lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isStart = true;
  for await (const chunk of lines) {
    if (isStart) checkIsTable(file, chunk.toString('utf8', 0, SNIFFED_BYTES));
    isStart = false;
    yield chunk;
  }
}

interface Header<Item> {
  readonly width: number;
  readonly readRow: ReadRow<Item>;
}

function readHeaderRow<Item>(file: OpenedFile, row: CsvRow, readHeader: ReadHeader<Item>): Header<Item> {
  if (row.kind === 'stray-quote') throw headerError(file, row.line, 'a row with a quote inside a cell');
  if (row.cells.length > MAX_COLUMNS) {
    const sentence = `expected at most ${MAX_COLUMNS} columns, got ${row.cells.length}; check the delimiter and the line ends of the file`;
    throw sourceMalformed(file, row.line, sentence);
  }
  const names = row.cells.map((cell) => cell.trim());
  return { width: names.length, readRow: readHeader(names, row.line) };
}

/** The row with as many cells as the header, where only empty ones are missing or too many. */
function fitRow(row: CsvRow, width: number): CsvRow {
  if (row.kind !== 'cells' || row.isOpen === true) return row;
  const { cells } = row;
  if (cells.slice(width).some((cell) => cell.trim() !== '')) return row;
  return { ...row, cells: Array.from({ length: width }, (_, i) => cells[i] ?? '') };
}

function readItem<Item>(file: OpenedFile, row: CsvRow, header: Header<Item>): Item | Excluded {
  const location = locationIn(file, row.line);
  if (row.kind === 'stray-quote') {
    return excluded(
      noticeAt(location, {
        code: 'malformed-record',
        expected: 'quotes only around a whole cell, doubled inside it',
        found: 'a quote inside a cell that does not begin with one',
      }),
    );
  }
  if (row.isOpen === true && row.cells.length < header.width) {
    throw truncatedRecord(file, row.line, `a row of ${header.width} cells`);
  }
  if (row.cells.length !== header.width) {
    const facts = { expected: `${header.width} cells`, found: `${row.cells.length} cells` };
    return excluded(noticeAt(location, { code: 'column-count', ...facts }));
  }
  return header.readRow(row.cells, row.line);
}

function headerError(file: OpenedFile, line: number, found: string): SourceError {
  return sourceMalformed(file, line, `expected a row that names the columns, got ${found}`);
}
