import { cleanText, normalizeName } from '../source/clean-text.ts';
import { checkColumns, findPositions } from '../source/header.ts';
import { quote } from '../source/quote.ts';
import { readTextLines } from '../source/text-lines.ts';
import type { CsvSettings } from './feed-settings.ts';
import { usualHeaders } from './fields.ts';
import { locationIn, type FeedAdapter } from './raw-deal.ts';
import { compileReader } from './read-record.ts';
import { readTable } from './read-table.ts';

/** Any table: the configuration maps its columns to the fields of our own feed. */
export function createCsvAdapter(settings: CsvSettings): FeedAdapter {
  const { delimiter, headerLine } = settings;
  const configured = ['columns', settings.columns] as const;
  const reader = compileReader(settings.columns, { ...settings, clean: cleanText, configured });
  const { places, read } = reader;
  /** Without case and extra spaces. */
  const wanted = new Map(reader.columns.flatMap(({ columns }) => columns.map((name) => [normalizeName(name), name])));
  const columnOf = (name: string): string | undefined => wanted.get(normalizeName(name));
  return (file) =>
    readTable(
      file,
      readTextLines(file),
      (names, line) => {
        const header = { file, names, line };
        const positions = findPositions(header, columnOf);
        checkColumns(
          header,
          [...wanted.values()].map((name) => [name]),
          (name) => positions.has(name),
          {
            remedy: `correct \`columns\`, \`delimiter\` or \`headerLine\` of ${file.source}`,
            unread: names.filter((name) => columnOf(name) === undefined),
            usualNames: usualHeaders,
            delimiter: [delimiter, (other) => `set \`"delimiter": ${quote(other)}\` of ${file.source}`],
          },
        );
        return (cells, rowLine) => {
          const location = locationIn(file, rowLine);
          const text = (name: string) => cells[positions.get(name) ?? positions.get(columnOf(name) ?? '') ?? -1];
          const { fields, conflict } = read(location, { text });
          return { location, places, fields, conflict };
        };
      },
      { delimiter, headerLine },
    );
}
