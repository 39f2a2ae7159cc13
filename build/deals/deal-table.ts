import type { Notice } from '../../data/report/notice.ts';
import { GrowableNumberColumn, GrowableTextColumn } from './columns.ts';

const NUMBER_COLUMNS = [
  'product',
  'plan',
  'retailer',
  'totalPence',
  'upfrontPence',
  'monthlyPence',
  'gift',
  'cashback',
  'picture',
  'linkTemplate',
  'match',
  'file',
  'line',
] as const;

type NumberColumnName = (typeof NUMBER_COLUMNS)[number];

/** A deal as a row of dictionary codes and pence. `gift`, `cashback` and `picture` are 0 for none, else 1 + code. */
export interface DealTableRow extends Readonly<Record<NumberColumnName, number>> {
  readonly key: string;
  readonly linkPart: string;
}

/** Deals as columns, in the order of reading: 60 bytes a deal, its key and the varying part of its link. */
export class DealTable {
  // Every name of the list has its column.
  readonly columns = Object.fromEntries(
    NUMBER_COLUMNS.map((name) => [name, new GrowableNumberColumn(name)]),
  ) as unknown as Readonly<Record<NumberColumnName, GrowableNumberColumn>>;
  readonly key = new GrowableTextColumn('key');
  readonly linkPart = new GrowableTextColumn('linkPart');
  /** Notices about a row, which count if it is served. */
  readonly notices = new Map<number, readonly Notice[]>();

  get rowCount(): number {
    return this.key.rowCount;
  }

  append(row: DealTableRow, notices: readonly Notice[]): void {
    if (notices.length > 0) this.notices.set(this.rowCount, notices);
    for (const name of NUMBER_COLUMNS) this.columns[name].append(row[name]);
    this.key.append(row.key);
    this.linkPart.append(row.linkPart);
  }
}
