import type { Notice } from '../../data/report/notice.ts';
import { OBJECT_BYTES } from '../ledger/ledger.ts';
import { GrowableNumberColumn, GrowableTextColumn } from './columns.ts';

export const NUMBER_COLUMNS = [
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

export type NumberColumnName = (typeof NUMBER_COLUMNS)[number];

/** A deal as a row of dictionary codes and pence. `gift`, `cashback` and `picture` are 0 for none, else 1 + code. */
export interface DealTableRow extends Readonly<Record<NumberColumnName, number>> {
  readonly key: string;
  readonly linkPart: string;
}

/** The columns with dictionary codes. */
const CODE_COLUMNS = [
  'plan',
  'gift',
  'cashback',
  'picture',
  'linkTemplate',
  'match',
  'file',
] as const satisfies readonly NumberColumnName[];

type CodeColumn = (typeof CODE_COLUMNS)[number];

function isCodeColumn(name: NumberColumnName): name is CodeColumn {
  return (CODE_COLUMNS as readonly NumberColumnName[]).includes(name);
}

/** For each code of a column, the code in another table. */
export type CodeMaps = Readonly<Record<CodeColumn, Uint32Array>>;

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

  /** The approximate memory of the rows. */
  get heldBytes(): number {
    const texts = this.key.heldBytes + this.linkPart.heldBytes;
    return this.rowCount * (NUMBER_COLUMNS.length + 2) * 4 + texts + this.notices.size * 2 * OBJECT_BYTES;
  }

  append(row: DealTableRow, notices: readonly Notice[]): void {
    if (notices.length > 0) this.notices.set(this.rowCount, notices);
    for (const name of NUMBER_COLUMNS) this.columns[name].append(row[name]);
    this.key.append(row.key);
    this.linkPart.append(row.linkPart);
  }

  /** Appends the rows of `other`, whose codes are mapped by `numbers`. */
  appendAll(other: DealTable, numbers: CodeMaps): void {
    for (const [row, notices] of other.notices) this.notices.set(this.rowCount + row, notices);
    for (const name of NUMBER_COLUMNS) {
      if (isCodeColumn(name)) this.columns[name].appendRemapped(other.columns[name], numbers[name]);
      else this.columns[name].appendAll(other.columns[name]);
    }
    this.key.appendAll(other.key);
    this.linkPart.appendAll(other.linkPart);
  }
}
