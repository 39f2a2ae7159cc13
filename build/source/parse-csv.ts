import { parse, type CsvError, type Parser } from 'csv-parse';
import type { OpenedFile } from './open-file.ts';
import { SourceError } from './errors.ts';

/** No row of a feed comes near it: what is longer is an open quote that swallows the file. */
const MAX_ROW_CHARACTERS = 1_000_000;

/** A spreadsheet saves some below its table; each costs as much as a row does, and takes one byte of a file. */
const MAX_BLANK_ROWS = 200_000;

/** In one row: each costs 30 µs, and a look at all that was read of its cell. A cell of JSON without quotes has hundreds. */
const MAX_STRAY_QUOTES = 1_000;

const LINE_FEED = 0x0a;

/** What may stand between the cells of a row, and what it is called. */
export const DELIMITERS = { ',': 'comma', ';': 'semicolon', '|': 'vertical bar', '\t': 'tab' } as const;

export type Delimiter = keyof typeof DELIMITERS;

/**
 * A row of a CSV file. `stray-quote` has a quote within a cell that does not begin with one: nobody can say what was
 * meant.
 */
export type CsvRow =
  | {
      readonly kind: 'cells';
      readonly line: number;
      readonly cells: readonly string[];
      /** No line end follows: the row is the last of the file, and the file may break off in it. */
      readonly isOpen?: true;
    }
  | {
      readonly kind: 'stray-quote';
      readonly line: number;
      /** What stands before the quote, where that is the first cell. */
      readonly start: string;
    };

/**
 * The rows of a CSV file as of RFC 4180, in batches, from its text lines: cells of any number, quotes doubled within
 * quotes, `\` an ordinary character. A row begins at its 1-based `line`; rows without any text are no rows.
 *
 * @throws {SourceError} `source-malformed` when a quoted cell does not end where a cell can end. Nobody can say
 * which of the rows since its first quote are still what they seem, so the file is not to be trusted. And when it is
 * made of rows without any text.
 */
export async function* parseCsv(
  file: OpenedFile,
  lines: AsyncIterable<Buffer>,
  delimiter: Delimiter = ',',
): AsyncGenerator<readonly CsvRow[]> {
  let rows: CsvRow[] = [];
  let nextLine = 1;
  let blankRows = 0;
  let strayQuotes = 0;
  /** Undefined when it was no row. */
  let last: Extract<CsvRow, { kind: 'cells' }> | undefined;
  const parser: Parser = parse({
    bom: false,
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    max_record_size: MAX_ROW_CHARACTERS,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error === undefined || !isStrayQuote(error)) throw quoteNotClosed(file, nextLine, delimiter, error);
      const line = parser.info.lines;
      // Several stray quotes in one row are one row.
      if (line >= nextLine) {
        last = undefined;
        rows.push({ kind: 'stray-quote', line, start: error['column'] === 0 ? String(error['field']) : '' });
        strayQuotes = 0;
      } else if (++strayQuotes > MAX_STRAY_QUOTES) {
        throw quoteNotClosed(file, line, delimiter, error);
      }
      nextLine = line + 1;
      return undefined;
    },
    on_record: (cells: string[]) => {
      const line = parser.info.lines - countLineBreaks(cells);
      nextLine = parser.info.lines + 1;
      // It takes every row for the first, and so makes no error, with its stack, of one that has another number of cells:
      // 6 µs such a row in place of 31.
      (parser.info as { records: number }).records = 0;
      const isBlank = !cells.some((cell) => cell !== '' && cell.trim() !== '');
      last = isBlank ? undefined : { kind: 'cells', line, cells };
      if (last !== undefined) rows.push(last);
      else if (++blankRows > MAX_BLANK_ROWS) throw tooManyBlankRows(file, line);
      return null;
    },
  });
  // Every fault is handed to the callback of the write that met it; without a listener it would also end the process.
  parser.on('error', () => {});
  parser.resume();

  let isOpen = false;
  for await (const chunk of lines) {
    isOpen = chunk.at(-1) !== LINE_FEED;
    await feed(parser, chunk);
    if (rows.length > 0) yield rows;
    rows = [];
  }
  await finish(parser);
  // The parser ends a row at its line end, and one without at the end of the file.
  if (isOpen && last !== undefined) rows[rows.length - 1] = { ...last, isOpen };
  if (rows.length > 0) yield rows;
}

function feed(parser: Parser, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

function finish(parser: Parser): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('error', reject);
    parser.once('end', resolve);
    parser.end();
  });
}

function isStrayQuote(error: CsvError): boolean {
  // Not in the list of codes that csv-parse declares, and yet the code it gives.
  return (error.code as string) === 'INVALID_OPENING_QUOTE';
}

function countLineBreaks(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) count++;
  }
  return count;
}

function tooManyBlankRows(file: OpenedFile, line: number): SourceError {
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    line,
    message: `${file.path}:${line}: expected at most ${MAX_BLANK_ROWS} rows without any text, got more; have the feed written again`,
  });
}

function quoteNotClosed(file: OpenedFile, line: number, delimiter: Delimiter, cause: unknown): SourceError {
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    line,
    message: `${file.path}:${line}: expected every quoted cell of the row to end in a quote and a ${DELIMITERS[delimiter]} or line end, got a quote that stays open; double the quotes within it, or close it`,
    cause,
  });
}
