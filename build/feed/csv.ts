import { cleanText, normalizeName } from '../source/clean-text.ts';
import { quote } from '../source/quote.ts';
import type { SourceLocation } from '../source/record.ts';
import { findColumns, readTable, type TableHeader } from '../source/table.ts';
import { readTextLines } from '../source/text-lines.ts';
import type { CsvSettings } from './feed-settings.ts';
import { usualHeaders } from './fields.ts';
import type { FeedAdapter } from './parse-deal.ts';
import { compileReader } from './read-record.ts';

/** Any table: the configuration maps its columns to the fields of our own feed. */
export function createCsvAdapter(settings: CsvSettings): FeedAdapter {
  const { delimiter, headerLine } = settings;
  const configured = ['columns', settings.columns] as const;
  const reader = compileReader(settings.columns, { ...settings, clean: cleanText, configured });
  /** Without case and extra spaces. */
  const wanted = new Map(reader.columns.flatMap(({ columns }) => columns.map((name) => [normalizeName(name), name])));
  const columnOf = (name: string): string | undefined => wanted.get(normalizeName(name));
  const needed = [...wanted.values()].map((name) => [name]);
  return (file) => {
    const readHeader = (header: TableHeader) => {
      const positions = findColumns(header, columnOf, needed, {
        remedy: `correct \`columns\`, \`delimiter\` or \`headerLine\` of ${file.source}`,
        usualNames: usualHeaders,
        delimiter: [delimiter, (other) => `set \`"delimiter": ${quote(other)}\` of ${file.source}`],
      });
      return (cells: readonly string[], location: SourceLocation) => {
        const text = (name: string) => cells[positions.get(name) ?? positions.get(columnOf(name) ?? '') ?? -1];
        return reader.read(location, { text });
      };
    };
    return readTable(file, readTextLines(file), readHeader, { delimiter, headerLine });
  };
}
