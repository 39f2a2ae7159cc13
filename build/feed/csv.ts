import { z } from 'zod';
import { cleanText, normalizeName } from '../source/clean-text.ts';
import type { SourceLocation } from '../source/record.ts';
import { DELIMITER_SCHEMA, findColumns, HEADER_LINE_SCHEMA, readTable, type TableHeader } from '../source/table.ts';
import { readTextLines } from '../source/text-lines.ts';
import { findRequired, PRODUCT_COLUMNS, usualHeaders } from './fields.ts';
import { DATES_SCHEMA, DECIMAL_SIGNS } from './kinds.ts';
import type { FeedAdapter, FeedContext } from './parse-deal.ts';
import { checkGivers, columnsSchema, compileReader, constantsSchema } from './read-record.ts';

const settings = {
  columns: columnsSchema.meta({
    description: 'the column that fills a field: its name, several in braces, or a rule',
    examples: [{ dealId: 'Deal ID', productName: '{Make} {Model}', monthlyCost: { column: 'Monthly', strip: ['£'] } }],
  }),
  constants: constantsSchema.default({}).describe('what holds for every deal; may hold fields in braces'),
  delimiter: DELIMITER_SCHEMA.default(',').describe('a comma, semicolon, vertical bar or tab'),
  decimal: z.enum(DECIMAL_SIGNS).default('.').describe('the decimal sign of numbers'),
  dates: DATES_SCHEMA,
  headerLine: HEADER_LINE_SCHEMA.describe(
    'the line of the file on which the columns are named; what stands above it is not read',
  ),
};

type CsvSettings = z.infer<z.ZodObject<typeof settings>>;

/** Any table: the configuration maps its columns to the fields of our own feed. */
export const csv = { settings, check: checkSettings, create: createCsvAdapter };

function checkSettings(
  { columns, constants, ...feed }: CsvSettings & Pick<FeedContext, 'missingAllowance'>,
  check: z.core.$RefinementCtx,
): void {
  const own = Object.keys(columns);
  const hasProduct = PRODUCT_COLUMNS.some((field) => own.includes(field));
  const required = [...findRequired(feed), ...(hasProduct ? [] : ['productName'])];
  checkGivers(check, constants, { columns: own }, required, ['columns', 'a column or a constant']);
}

function createCsvAdapter(settings: CsvSettings): FeedAdapter {
  const { delimiter, headerLine } = settings;
  const reader = compileReader(settings.columns, settings);
  /** Without case and extra spaces. */
  const wanted = new Map(reader.columns.flatMap(({ columns }) => columns.map((name) => [normalizeName(name), name])));
  const columnOf = (name: string): string | undefined => wanted.get(normalizeName(name));
  const needed = [...wanted.values()].map((name) => [name]);
  return (file) => {
    const readHeader = (header: TableHeader) => {
      const positions = findColumns(header, columnOf, needed, {
        remedy: `correct \`columns\`, \`delimiter\` or \`headerLine\` of ${file.source}`,
        usualNames: usualHeaders,
      });
      return (cells: readonly string[], location: SourceLocation) => {
        const text = (name: string) =>
          cleanText(cells[positions.get(name) ?? positions.get(columnOf(name) ?? '') ?? -1] ?? '');
        return reader.read(location, { text });
      };
    };
    return readTable(file, readTextLines(file), readHeader, { delimiter, headerLine });
  };
}
