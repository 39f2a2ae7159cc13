import { cleanText, normalizeName } from '../source/clean-text.ts';
import { createSourceError, type SourceError } from '../source/errors.ts';
import { findDelimiter, type Delimiter } from '../source/parse-csv.ts';
import { findNearestName } from '../source/nearest-name.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote } from '../source/quote.ts';
import { readTextLines } from '../source/text-lines.ts';
import { compileColumns, placesOf, readColumns } from './columns.ts';
import type { CsvSettings } from './feed-settings.ts';
import { usualHeaders } from './fields.ts';
import { compileMerger } from './merge-fields.ts';
import { locationIn, type FeedAdapter } from './raw-deal.ts';
import { readTable } from './read-table.ts';

/** Any table: the configuration maps its columns to the fields of our own feed. */
export function createCsvAdapter(settings: CsvSettings): FeedAdapter {
  const { constants, delimiter, headerLine } = settings;
  const columns = compileColumns(settings.columns, { ...settings, clean: cleanText });
  const places = placesOf(columns, 'columns', settings.columns);
  const merger = compileMerger({ constants }, places);
  const wanted = [...new Set(columns.flatMap((each) => each.columns))];
  return (file) =>
    readTable(
      file,
      readTextLines(file),
      (header, line) => {
        const positions = findPositions(file, wanted, header, line, delimiter);
        return (cells, rowLine) => {
          const row = { text: (name: string) => cells[positions.get(name) ?? -1] };
          const location = locationIn(file, rowLine);
          return { location, places, ...merger.merge(location, readColumns(columns, row), merger.readFacts(row)) };
        };
      },
      { delimiter, headerLine },
    );
}

/**
 * Finds the columns by their names, without case and extra spaces.
 *
 * @throws {SourceError} `missing-column` with all that are missing, `source-malformed` for a repeated column.
 */
function findPositions(
  file: OpenedFile,
  wanted: readonly string[],
  header: readonly string[],
  line: number,
  delimiter: Delimiter,
): ReadonlyMap<string, number> {
  const folded = header.map(normalizeName);
  const positions = new Map(wanted.map((name) => [name, folded.indexOf(normalizeName(name))]));
  const missing = wanted.filter((name) => positions.get(name) === -1);
  if (missing.length > 0) {
    const described = missing.map((name) => describeMissing(name, header)).join(', ');
    const [whole = ''] = header;
    const other = findDelimiter(whole);
    // With another delimiter one name is the whole header.
    if (header.length === 1 && whole.includes(other)) {
      const sentence = `expected columns with ${quote(delimiter)} between them, got ${quote(other)}; set \`"delimiter": ${quote(other)}\` of ${file.source}`;
      throw createSourceError('missing-column', file, line, sentence);
    }
    throw headerError(file, line, 'missing-column', `the columns ${described}, got ${quote(header.join(delimiter))}`);
  }
  const repeated = wanted.find((name) => folded.lastIndexOf(normalizeName(name)) !== positions.get(name));
  if (repeated !== undefined) {
    throw headerError(file, line, 'source-malformed', `the column ${quote(repeated)} once, got it twice`);
  }
  return positions;
}

function describeMissing(column: string, header: readonly string[]): string {
  const nearest = findNearestName(column, header, usualHeaders);
  return nearest === undefined ? quote(column) : `${quote(column)} (perhaps ${quote(nearest)})`;
}

function headerError(file: OpenedFile, line: number, code: SourceError['code'], expected: string): SourceError {
  const sentence = `expected ${expected}; correct \`columns\`, \`delimiter\` or \`headerLine\` of ${file.source}`;
  return createSourceError(code, file, line, sentence);
}
