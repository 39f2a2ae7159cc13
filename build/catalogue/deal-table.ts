import type { Notice } from '../../data/report/notice.ts';
import { NumberColumn } from './number-column.ts';
import { TextColumn } from './text-column.ts';

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

/** A deal as a row: numbers of dictionaries and pence. `gift`, `cashback` and `picture` are 0 for none, else 1 + number. */
export interface DealRow extends Readonly<Record<NumberColumnName, number>> {
  readonly key: string;
  readonly linkPart: string;
}

/** Deals as columns, in the order in which they came: 60 bytes a deal, its key and the varying part of its link. */
export class DealTable {
  readonly columns = Object.fromEntries(NUMBER_COLUMNS.map((name) => [name, new NumberColumn(name)])) as Readonly<
    Record<NumberColumnName, NumberColumn>
  >;
  readonly key = new TextColumn('key');
  readonly linkPart = new TextColumn('linkPart');
  /** What is to be noted of a row if it is served. */
  readonly notices = new Map<number, readonly Notice[]>();

  get rowCount(): number {
    return this.key.rowCount;
  }

  append(row: DealRow, notices: readonly Notice[]): void {
    if (notices.length > 0) this.notices.set(this.rowCount, notices);
    for (const name of NUMBER_COLUMNS) this.columns[name].append(row[name]);
    this.key.append(row.key);
    this.linkPart.append(row.linkPart);
  }

  /** Appends the rows of `other`, whose link templates are counted from `firstTemplate`. */
  appendAll(other: DealTable, firstTemplate: number): void {
    for (const [row, notices] of other.notices) this.notices.set(this.rowCount + row, notices);
    for (const name of NUMBER_COLUMNS) {
      this.columns[name].appendAll(other.columns[name], name === 'linkTemplate' ? firstTemplate : 0);
    }
    this.key.appendAll(other.key);
    this.linkPart.appendAll(other.linkPart);
  }
}
