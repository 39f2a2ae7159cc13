import type { Notice } from '../../data/report/notice.ts';
import { NumberColumn } from './number-column.ts';
import { TextColumn } from './text-column.ts';
import { OBJECT_BYTES } from './ledger.ts';

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

/** A deal as a row: numbers of dictionaries and pence. `gift`, `cashback` and `picture` are 0 for none, else 1 + number. */
export interface DealRow extends Readonly<Record<NumberColumnName, number>> {
  readonly key: string;
  readonly linkPart: string;
}

/** The columns that hold numbers of dictionaries. */
const NUMBERED_COLUMNS = [
  'plan',
  'gift',
  'cashback',
  'picture',
  'linkTemplate',
  'match',
  'file',
] as const satisfies readonly NumberColumnName[];

type NumberedColumn = (typeof NUMBERED_COLUMNS)[number];

function isNumbered(name: NumberColumnName): name is NumberedColumn {
  return (NUMBERED_COLUMNS as readonly NumberColumnName[]).includes(name);
}

/** For each value of a column, what stands in its place in another table. */
export type Renumbered = Readonly<Record<NumberedColumn, Uint32Array>>;

export interface DealColumns {
  readonly numbers: Readonly<Record<NumberColumnName, NumberColumn>>;
  readonly key: TextColumn;
  readonly linkPart: TextColumn;
}

function createColumns(): DealColumns {
  return {
    numbers: createNumberColumns((name) => new NumberColumn(name)),
    key: new TextColumn('key'),
    linkPart: new TextColumn('linkPart'),
  };
}

export function createNumberColumns(create: (name: NumberColumnName) => NumberColumn): DealColumns['numbers'] {
  // Every name of the list has its column.
  return Object.fromEntries(NUMBER_COLUMNS.map((name) => [name, create(name)])) as unknown as DealColumns['numbers'];
}

/** Deals as columns, in the order in which they came: 60 bytes a deal, its key and the varying part of its link. */
export class DealTable {
  readonly columns: DealColumns['numbers'];
  readonly key: TextColumn;
  readonly linkPart: TextColumn;
  /** What is to be noted of a row if it is served. */
  readonly notices = new Map<number, readonly Notice[]>();

  /** An empty table, or one of columns of equal length, which it takes over. */
  constructor(columns: DealColumns = createColumns()) {
    this.columns = columns.numbers;
    this.key = columns.key;
    this.linkPart = columns.linkPart;
  }

  get rowCount(): number {
    return this.key.rowCount;
  }

  /** About what the rows take. */
  get heldBytes(): number {
    const texts = this.key.heldBytes + this.linkPart.heldBytes;
    return this.rowCount * (NUMBER_COLUMNS.length + 2) * 4 + texts + this.notices.size * 2 * OBJECT_BYTES;
  }

  append(row: DealRow, notices: readonly Notice[]): void {
    if (notices.length > 0) this.notices.set(this.rowCount, notices);
    for (const name of NUMBER_COLUMNS) this.columns[name].append(row[name]);
    this.key.append(row.key);
    this.linkPart.append(row.linkPart);
  }

  /** Appends the rows of `other`, whose numbers of dictionaries are others here. */
  appendAll(other: DealTable, numbers: Renumbered): void {
    for (const [row, notices] of other.notices) this.notices.set(this.rowCount + row, notices);
    for (const name of NUMBER_COLUMNS) {
      if (isNumbered(name)) this.columns[name].appendRenumbered(other.columns[name], numbers[name]);
      else this.columns[name].appendAll(other.columns[name]);
    }
    this.key.appendAll(other.key);
    this.linkPart.appendAll(other.linkPart);
  }
}
