import { COLUMN_LIST, type CellValue } from './columns.ts';

/** How a format writes a record: `start`, cells joined by commas, `end`. */
interface ExportFormat {
  /** Before the first record. */
  readonly header: string;
  readonly start: string;
  readonly end: string;
  readonly writeCell: (key: string, value: CellValue) => string;
}

/**
 * What a spreadsheet may read as a formula (`=1+1`, also after white space or in full-width letters), and the apostrophe
 * that marks such a text. A marked text is one of these too, so the mark can always be taken off again.
 */
const NEEDS_APOSTROPHE = /^[\s\p{Cc}=+\-@＝＋－＠']/u;

export const EXPORT_FORMAT_NAMES = ['ndjson', 'csv'] as const;

export type ExportFormatName = (typeof EXPORT_FORMAT_NAMES)[number];

export const EXPORT_FORMATS: Readonly<Record<ExportFormatName, ExportFormat>> = {
  /** One JSON object a line; every object has every key, null when it is empty. */
  ndjson: {
    header: '',
    start: '{',
    end: '}\n',
    writeCell: (key, value) => `${JSON.stringify(key)}:${JSON.stringify(value ?? null)}`,
  },
  /** RFC 4180 with line feeds: texts are in quotes, numbers are not, an empty cell has neither. */
  csv: {
    header: `${COLUMN_LIST.map(({ key }) => key).join(',')}\n`,
    start: '',
    end: '\n',
    writeCell: (_, value) => (typeof value === 'string' ? quoteText(value) : String(value ?? '')),
  },
};

function quoteText(text: string): string {
  return `"${NEEDS_APOSTROPHE.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
