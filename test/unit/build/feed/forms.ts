import { DEALS_COLUMNS } from '../../../../build/feed/fields.ts';
import { readCases } from '../../../support/cases.ts';
import { csvOf } from './reading.ts';

export type Cells = Readonly<Record<string, string>>;

/** A format of feeds, with a sound row that the cases change. */
export interface FeedForm {
  readonly settings: { readonly adapter: string } & Readonly<Record<string, unknown>>;
  readonly row: Cells;
  readonly idColumn: string;
  /** The columns of a file in their order; a case may add others. */
  readonly columns: readonly string[];
}

/** A row with some cells changed, and the deal or the notice that comes of it; null is no value. */
export interface RowCase {
  readonly what?: string;
  /** Settings of the feed, merged with those of the form; null removes one. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** An object changes values of a cell that holds JSON. */
  readonly change: Readonly<Record<string, string | object>>;
  readonly deal?: object;
  /** Notices about the deal. */
  readonly notices?: readonly object[];
  readonly notice?: object;
}

export function changeRow({ row }: FeedForm, change: RowCase['change'] = {}): Cells {
  const cells = Object.entries(change).map(([name, cell]) => {
    if (typeof cell === 'string') return [name, cell];
    return [name, JSON.stringify({ ...(JSON.parse(row[name] ?? '{}') as object), ...cell })];
  });
  return { ...row, ...(Object.fromEntries(cells) as Cells) };
}

/** A CSV file of rows of a form. */
export function fileOf({ columns }: FeedForm, ...rows: readonly Cells[]): string {
  return csvOf([...new Set([...columns, ...rows.flatMap((cells) => Object.keys(cells))])], ...rows);
}

const FORMS = readCases(import.meta.dirname, 'forms.json') as Readonly<
  Record<'deals' | 'csv' | 'google-merchant' | 'awin' | 'awin-merchants', FeedForm>
>;

export const DEALS: FeedForm = { ...FORMS.deals, columns: DEALS_COLUMNS };
/** A sheet as people make them by hand. */
export const SHEET: FeedForm = FORMS.csv;
export const GOOGLE: FeedForm = FORMS['google-merchant'];
/** A download with the telecom data ticked. */
export const AWIN: FeedForm = FORMS.awin;
/** A download without the telecom columns. */
export const AWIN_MERCHANTS: FeedForm = FORMS['awin-merchants'];
