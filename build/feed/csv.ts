import { createSourceError, type SourceError } from '../source/errors.ts';
import { normalizeName } from '../source/clean-text.ts';
import { findNearestName } from '../source/nearest-name.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote } from '../source/quote.ts';
import { readTextLines } from '../source/text-lines.ts';
import type { FeedAdapter } from './adapter.ts';
import type { FeedField, RawField } from './fields.ts';
import { readDeal } from './read-deal.ts';
import { columnNames, columnSuggestions, compileColumns, type FieldColumn } from './columns.ts';
import type { CsvSettings } from './feed-settings.ts';
import { mergeFields, NO_EXTRACTED_FIELDS } from './merge-fields.ts';
import { compileConstants } from './placeholders.ts';
import { readTable } from './read-table.ts';

/** The columns of a field, with their positions in the file. */
interface PlacedColumn extends FieldColumn {
  readonly cellOf: (cells: readonly string[]) => string;
}

/** Any table: the configuration maps its columns to the fields of our own feed. */
export function createCsvAdapter(settings: CsvSettings): FeedAdapter {
  const { delimiter, headerLine } = settings;
  const columns = compileColumns('columns', settings.columns, settings);
  const constants = compileConstants(settings.constants);
  const names = columnNames(columns);
  const remedyOf = columnSuggestions(columns);
  return (file, context) =>
    readTable(
      file,
      readTextLines(file),
      {
        readHeader: (header, line) => placeColumns(file, columns, header, line),
        readRow: (cells, placed, line) => {
          const own = new Map<FeedField, RawField>();
          for (const { field, cellOf, read } of placed) {
            const value = read(cellOf(cells));
            if (value !== undefined) own.set(field, value);
          }
          const fields = mergeFields({ own, facts: NO_EXTRACTED_FIELDS, constants, names, remedyOf });
          return readDeal({ source: file.source, file: file.path, line }, fields, context);
        },
      },
      { delimiter, headerLine },
    );
}

/**
 * Finds the columns by their names, without case and extra spaces.
 *
 * @throws {SourceError} `missing-column` with all that are missing, `source-malformed` for a repeated column.
 */
function placeColumns(
  file: OpenedFile,
  columns: readonly FieldColumn[],
  header: readonly string[],
  line: number,
): readonly PlacedColumn[] {
  const folded = header.map(normalizeName);
  const wanted = [...new Set(columns.flatMap(({ text }) => text.names))];
  const positions = new Map(wanted.map((name) => [name, folded.indexOf(normalizeName(name))]));
  const missing = wanted.filter((name) => positions.get(name) === -1);
  if (missing.length > 0) {
    const described = missing.map((name) => describeMissing(name, header)).join(', ');
    throw headerError(file, line, 'missing-column', `the columns ${described}, got ${quote(header.join(','))}`);
  }
  const repeated = wanted.find((name) => folded.lastIndexOf(normalizeName(name)) !== positions.get(name));
  if (repeated !== undefined) {
    throw headerError(file, line, 'source-malformed', `the column ${quote(repeated)} once, got it twice`);
  }
  return columns.map((column) => {
    const [only, ...others] = column.text.names.map((name) => positions.get(name) ?? -1);
    const isJoined = others.length > 0 || column.text.names[0] !== column.column;
    const cellOf = isJoined
      ? (cells: readonly string[]) => column.text.fill((name) => cells[positions.get(name) ?? -1]) ?? ''
      : (cells: readonly string[]) => cells[only ?? -1] ?? '';
    return { ...column, cellOf };
  });
}

function describeMissing(column: string, header: readonly string[]): string {
  const nearest = findNearestName(column, header);
  return nearest === undefined ? quote(column) : `${quote(column)} (perhaps ${quote(nearest)})`;
}

function headerError(file: OpenedFile, line: number, code: SourceError['code'], expected: string): SourceError {
  const sentence = `expected ${expected}; correct \`columns\`, \`delimiter\` or \`headerLine\` of ${file.source}`;
  return createSourceError(code, file, line, sentence);
}
