import { EXPORT_COLUMNS, type ExportedDeal } from './columns.ts';

interface ExportFormat {
  /** Before the first record. */
  readonly header: string;
  readonly write: (deal: ExportedDeal) => string;
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
    write: (deal) =>
      `{${EXPORT_COLUMNS.map(({ key, value }) => `"${key}":${JSON.stringify(value(deal) ?? null)}`).join(',')}}\n`,
  },
  /** RFC 4180 with line feeds: texts are in quotes, numbers are not, an empty cell has neither. */
  csv: {
    header: `${EXPORT_COLUMNS.map(({ key }) => key).join(',')}\n`,
    write: (deal) => `${EXPORT_COLUMNS.map(({ value }) => writeCell(value(deal))).join(',')}\n`,
  },
};

function writeCell(value: string | number | undefined): string {
  if (typeof value !== 'string') return String(value ?? '');
  return `"${NEEDS_APOSTROPHE.test(value) ? "'" : ''}${value.replaceAll('"', '""')}"`;
}
