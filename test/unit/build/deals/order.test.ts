import { describe, expect, it } from 'vitest';
import { DealTable, NUMBER_COLUMNS, type DealTableRow } from '../../../../build/deals/deal-table.ts';
import { findRepeatedKeys, orderDeals } from '../../../../build/deals/order.ts';

const FILES = [
  { source: 'zebra', file: 'feeds/b.csv' },
  { source: 'apple', file: 'feeds/a.csv' },
];

type RowParts = Partial<DealTableRow>;

const ZEROS = Object.fromEntries(NUMBER_COLUMNS.map((name) => [name, 0])) as unknown as DealTableRow;

/** Rows with these values; the other columns are 0, and the keys are a, b, c and so on. */
function tableOf(rows: readonly RowParts[]): DealTable {
  const table = new DealTable();
  rows.forEach((parts, i) => table.append({ ...ZEROS, key: 'abcdef'.charAt(i), linkPart: '', ...parts }, []));
  return table;
}

function rowsOf(table: DealTable): Uint32Array {
  return Uint32Array.from({ length: table.rowCount }, (_, row) => row);
}

/** Orders rows of a table. A duplicate is written as `row=keptRow`. */
function order(table: DealTable, of = rowsOf(table)): { rows: number[]; duplicates: string[] } {
  const { rows, duplicates } = orderDeals(table, FILES, of);
  return { rows: [...rows], duplicates: duplicates.map(({ row, keptRow }) => `${row}=${keptRow}`) };
}

describe('the order of deals (D14)', () => {
  it.each<[by: string, parts: RowParts[], rows: number[]]>([
    ['the total, before all other keys', [{ totalPence: 2 }, { totalPence: 1, upfrontPence: 9, retailer: 9 }], [1, 0]],
    ['the upfront cost', [{ upfrontPence: 2 }, { upfrontPence: 1, monthlyPence: 9 }], [1, 0]],
    ['the monthly cost', [{ monthlyPence: 2 }, { monthlyPence: 1, retailer: 9 }], [1, 0]],
    ['the retailer', [{ retailer: 2 }, { retailer: 1, key: 'z' }], [1, 0]],
    [
      'the key, then the name of the feed',
      [
        { key: 'x', product: 1 },
        { key: 'x', product: 2, file: 1 },
        { key: 'w', product: 3 },
      ],
      [2, 1, 0],
    ],
  ])('is by %s', (_by, parts, rows) => {
    expect(order(tableOf(parts))).toEqual({ rows, duplicates: [] });
  });

  it('is of the rows that are asked for', () => {
    const table = tableOf([{ totalPence: 3 }, { totalPence: 2 }, { totalPence: 1 }]);
    expect(order(table, Uint32Array.of(0, 2)).rows).toEqual([2, 0]);
  });
});

describe('separating duplicates', () => {
  it.each<[what: string, parts: RowParts[], duplicates: string[]]>([
    ['equal offers at one price are', [{}, { gift: 1 }, {}, { gift: 1 }], ['2=0', '3=1']],
    [
      'equal offers at two prices are not',
      [{ totalPence: 1 }, { totalPence: 1, gift: 1 }, { totalPence: 2 }, { totalPence: 2, gift: 1 }],
      [],
    ],
    ['offers with another upfront cost are not', [{ upfrontPence: 1 }, { upfrontPence: 2 }], []],
    ['offers with another monthly cost are not', [{ monthlyPence: 1 }, { monthlyPence: 2 }], []],
    ['offers of another retailer are not', [{ retailer: 1 }, { retailer: 2 }], []],
    ['offers that differ are not', [{ product: 1 }, { plan: 1 }, { gift: 1 }, { cashback: 1 }], []],
  ])('%s duplicates', (_what, parts, duplicates) => {
    expect(order(tableOf(parts)).duplicates).toEqual(duplicates);
  });

  it.each([1, 0xffff_0000])('tells offers apart whose codes are around %d', (code) => {
    const parts = [
      { product: code, plan: code + 1, gift: code, cashback: code },
      { product: code + 1, plan: code, gift: code, cashback: code },
      { product: code, plan: code, gift: code + 1, cashback: code },
      { product: code, plan: code, gift: code, cashback: code + 1 },
    ];
    expect(order(tableOf([...parts, ...parts.slice(0, 2)])).duplicates).toEqual(['4=0', '5=1']);
  });
});

describe('deals with one key', () => {
  it.each<[what: string, parts: RowParts[], groups: object[]]>([
    [
      'in two files: in order of the names of the files',
      [{ line: 1 }, { file: 1, line: 9 }],
      [{ rows: [1, 0], isSameOffer: true }],
    ],
    [
      'in one file: in order of the lines',
      [{ line: 9 }, { line: 1 }, { line: 5 }],
      [{ rows: [1, 2, 0], isSameOffer: true }],
    ],
    ['that differ in link and picture: one offer', [{ picture: 1 }, { linkPart: 'x' }], [{ rows: [0, 1], isSameOffer: true }]], // prettier-ignore
    ['that differ in a price: two', [{ line: 1 }, { line: 2, monthlyPence: 1 }], [{ rows: [0, 1], isSameOffer: false }]], // prettier-ignore
    ['of two retailers: no repetition', [{ retailer: 1 }, { retailer: 2 }], []],
  ])('%s', (_what, parts, groups) => {
    const table = tableOf(parts.map((row) => ({ ...row, key: 'x' })));
    expect(findRepeatedKeys(table, rowsOf(table), FILES)).toEqual(groups);
  });
});
