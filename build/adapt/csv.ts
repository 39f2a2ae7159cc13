import { findNearestName } from '../source/nearest-name.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote } from '../source/quote.ts';
import { SourceError } from '../source/source-error.ts';
import { readTextLines } from '../source/text-lines.ts';
import { compileConstants } from './constant-text.ts';
import type { DealsColumn } from './deals-column.ts';
import type { FeedAdapter } from './feed-adapter.ts';
import type { CsvSettings } from './feed-settings.ts';
import { compileColumns, namesOf, type FieldColumn } from './field-column.ts';
import { gatherFields } from './gather-fields.ts';
import { readDeal, type FieldCell } from './read-deal.ts';
import { readTable } from './read-table.ts';
import { NO_FACTS } from './text-facts.ts';

/** A column of the sheet and where it stands. */
interface PlacedColumn extends FieldColumn {
  readonly position: number;
}

/** A sheet of anybody's: the configuration says which column fills which field of our own feed. */
export function createReadCsv(settings: CsvSettings): FeedAdapter {
  const { delimiter, headerLine } = settings;
  const columns = compileColumns(settings.columns, settings);
  const constants = compileConstants(settings.constants);
  const names = namesOf(columns);
  return (file, context) =>
    readTable(
      file,
      readTextLines(file),
      {
        readHeader: (header, line) => placeColumns(file, columns, header, line),
        readRow: (cells, placed, line) => {
          const own = new Map<DealsColumn, FieldCell>();
          for (const { field, position, read } of placed) {
            const cell = read(cells[position] ?? '');
            if (cell !== undefined) own.set(field, cell);
          }
          const fields = gatherFields({ own, facts: NO_FACTS, constants, names });
          return readDeal({ source: file.source, file: file.path, line }, fields, context);
        },
      },
      { delimiter, headerLine },
    );
}

/**
 * Finds the columns by their names, whatever their case and spacing.
 *
 * @throws {SourceError} `missing-column` naming all that are missing, `source-malformed` for one that is there twice.
 */
function placeColumns(
  file: OpenedFile,
  columns: readonly FieldColumn[],
  header: readonly string[],
  line: number,
): readonly PlacedColumn[] {
  const folded = header.map(foldName);
  const placed = columns.map((each) => ({ ...each, position: folded.indexOf(foldName(each.column)) }));
  const missing = placed.filter(({ position }) => position === -1);
  if (missing.length > 0) {
    const wanted = missing.map(({ column }) => describeMissing(column, header)).join(', ');
    throw headerError(file, line, 'missing-column', `the columns ${wanted}, got ${quote(header.join(','))}`);
  }
  const repeated = placed.find(({ column, position }) => folded.lastIndexOf(foldName(column)) !== position);
  if (repeated === undefined) return placed;
  throw headerError(file, line, 'source-malformed', `the column ${quote(repeated.column)} once, got it twice`);
}

function describeMissing(column: string, header: readonly string[]): string {
  const nearest = findNearestName(column, header);
  return nearest === undefined ? quote(column) : `${quote(column)} (perhaps ${quote(nearest)})`;
}

function foldName(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}

function headerError(file: OpenedFile, line: number, code: SourceError['code'], expected: string): SourceError {
  const message = `${file.path}:${line}: expected ${expected}; correct \`columns\`, \`delimiter\` or \`headerLine\` of ${file.source}`;
  return new SourceError({ code, source: file.source, file: file.path, line, message });
}
