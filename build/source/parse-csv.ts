import { parse, type CsvError, type Parser } from 'csv-parse';
import type { OpenedFile } from './open-file.ts';
import { sourceMalformed, type SourceError } from './errors.ts';
import { countLineFeeds } from './text-lines.ts';

/** No row of a feed comes near it: a longer row has a quote that stays open. */
const MAX_ROW_CHARACTERS = 1_000_000;

/** A spreadsheet saves some below its table. A blank row costs as much as any, for one byte of a file. */
const MAX_BLANK_ROWS = 200_000;

/** In one row. Each costs 30 µs and a scan of its cell; an unquoted cell of JSON has hundreds. */
const MAX_STRAY_QUOTES = 1_000;

const LINE_FEED = 0x0a;

/** The delimiters, with their names. */
export const DELIMITERS = { ',': 'comma', ';': 'semicolon', '|': 'vertical bar', '\t': 'tab' } as const;

export type Delimiter = keyof typeof DELIMITERS;

/** The most frequent delimiter of a header; of several the first in `DELIMITERS`. */
export function findDelimiter(header: string): Delimiter {
  const count = (sign: Delimiter): number => header.split(sign).length;
  return (Object.keys(DELIMITERS) as Delimiter[]).reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/** A row of a CSV file. `stray-quote` has a quote within an unquoted cell, so its cells are unknown. */
export type CsvRow =
  | {
      readonly kind: 'cells';
      readonly line: number;
      readonly cells: readonly string[];
      /** The last row of a file without a final line end: the file may end within it. */
      readonly isOpen?: true;
    }
  | {
      readonly kind: 'stray-quote';
      readonly line: number;
      /** The text before the quote, if it is in the first cell. */
      readonly start: string;
    };

/**
 * Parses the text lines of a CSV file (RFC 4180) into batches of rows: any number of cells, quotes doubled within quotes,
 * `\` an ordinary character. A row starts at its 1-based `line`; blank rows are skipped.
 *
 * @throws {SourceError} `source-malformed` when a quoted cell does not end before a delimiter or line end, since the rows
 * after its first quote cannot be trusted; and when the file has too many blank rows.
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
  /** Undefined when the last row was skipped. */
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
      let line = parser.info.lines;
      for (const cell of cells) line -= countLineFeeds(cell);
      nextLine = parser.info.lines + 1;
      // With 0 csv-parse treats every row as the first, and creates no error, with its stack, for a row with another
      // number of cells: 6 µs for such a row instead of 31.
      (parser.info as { records: number }).records = 0;
      const isBlank = !cells.some((cell) => cell !== '' && cell.trim() !== '');
      last = isBlank ? undefined : { kind: 'cells', line, cells };
      if (last !== undefined) rows.push(last);
      else if (++blankRows > MAX_BLANK_ROWS) throw tooManyBlankRows(file, line);
      return null;
    },
  });
  // The callback of each write gets its error; without a listener the error would also end the process.
  parser.on('error', () => {});
  parser.resume();

  let isOpen = false;
  for await (const chunk of lines) {
    isOpen = chunk.at(-1) !== LINE_FEED;
    await settled((done) => parser.write(chunk, done));
    if (rows.length > 0) yield rows;
    rows = [];
  }
  await settled((done) => parser.end(done));
  // The parser ends the last row at the end of the file.
  if (isOpen && last !== undefined) rows[rows.length - 1] = { ...last, isOpen };
  if (rows.length > 0) yield rows;
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}

function isStrayQuote(error: CsvError): boolean {
  // csv-parse uses this code without declaring it.
  return (error.code as string) === 'INVALID_OPENING_QUOTE';
}

function tooManyBlankRows(file: OpenedFile, line: number): SourceError {
  const expected = `at most ${MAX_BLANK_ROWS} rows without any text`;
  return sourceMalformed(file, line, `expected ${expected}, got more; have the feed written again`);
}

function quoteNotClosed(file: OpenedFile, line: number, delimiter: Delimiter, cause: unknown): SourceError {
  const expected = `every quoted cell of the row to end in a quote and a ${DELIMITERS[delimiter]} or line end`;
  const sentence = `expected ${expected}, got a quote that stays open; double the quotes within it, or close it`;
  return sourceMalformed(file, line, sentence, cause);
}
