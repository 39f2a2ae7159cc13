import { cleanText, normalizeName } from '../source/clean-text.ts';
import { checkColumns, findPositions } from '../source/header.ts';
import { quote } from '../source/quote.ts';
import { readTextLines } from '../source/text-lines.ts';
import { compileColumns, placesOf } from './columns.ts';
import type { CsvSettings } from './feed-settings.ts';
import { usualHeaders } from './fields.ts';
import { compileReader } from './merge-fields.ts';
import { locationIn, type FeedAdapter } from './raw-deal.ts';
import { readTable } from './read-table.ts';

/** Any table: the configuration maps its columns to the fields of our own feed. */
export function createCsvAdapter(settings: CsvSettings): FeedAdapter {
  const { constants, delimiter, headerLine } = settings;
  const columns = compileColumns(settings.columns, { ...settings, clean: cleanText });
  const { places, read } = compileReader(columns, placesOf(columns, 'columns', settings.columns), { constants });
  const names = [...new Set(columns.flatMap((each) => each.columns))];
  /** Without case and extra spaces. */
  const wanted = new Map(names.map((name) => [normalizeName(name), name]));
  const columnOf = (name: string): string | undefined => wanted.get(normalizeName(name));
  return (file) =>
    readTable(
      file,
      readTextLines(file),
      (header, line) => {
        const table = { file, names: header, line };
        const found = findPositions(table, columnOf);
        const positions = new Map(names.map((name) => [name, found.get(columnOf(name) ?? '') ?? -1]));
        checkColumns(
          table,
          [...wanted.values()].map((name) => [name]),
          (name) => found.has(name),
          {
            remedy: `correct \`columns\`, \`delimiter\` or \`headerLine\` of ${file.source}`,
            unread: header.filter((name) => columnOf(name) === undefined),
            usualNames: usualHeaders,
            delimiter: [delimiter, (other) => `set \`"delimiter": ${quote(other)}\` of ${file.source}`],
          },
        );
        return (cells, rowLine) => {
          const row = { text: (name: string) => cells[positions.get(name) ?? -1] };
          const location = locationIn(file, rowLine);
          const { fields, conflict } = read(location, row);
          return { location, places, fields, conflict };
        };
      },
      { delimiter, headerLine },
    );
}
