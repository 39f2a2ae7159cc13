import { compareCodeUnits } from '../../data/record/id.ts';
import type { GrowableNumberColumn } from './columns.ts';
import type { DealTable } from './deal-table.ts';

/** A file of a feed. */
export interface FeedFile {
  readonly source: string;
  readonly file: string;
}

/** The deals that are served, and the one that stands for each duplicate. */
export interface OrderedDeals {
  /** Rows of the table in the order of total cost with the ties of D14. */
  readonly rows: Uint32Array;
  /** Rows that differ from another only in id, link, picture or colour, each with the one that is served. */
  readonly duplicates: readonly { readonly row: number; readonly keptRow: number }[];
}

/** Rows of one feed with the same retailer and key, in order of file and line. */
export interface RepeatedKey {
  readonly rows: readonly number[];
  /** They differ only in link, picture or colour. */
  readonly isSameOffer: boolean;
}

export function findRepeatedKeys(
  table: DealTable,
  rows: Uint32Array,
  files: readonly FeedFile[],
): readonly RepeatedKey[] {
  const { product, plan, retailer, totalPence, upfrontPence, monthlyPence, gift, cashback, file, line } = table.columns;
  const compareKeys = (a: number, b: number): number => retailer.at(a) - retailer.at(b) || table.key.compare(a, b);
  const sorted = rows
    .slice()
    .sort(
      (a, b) =>
        compareKeys(a, b) ||
        compareCodeUnits(fileAt(files, file.at(a)).file, fileAt(files, file.at(b)).file) ||
        line.at(a) - line.at(b),
    );
  const offer = [product, plan, totalPence, upfrontPence, monthlyPence, gift, cashback];
  const repeated: RepeatedKey[] = [];
  for (let start = 0, end = 1; start < sorted.length; start = end, end++) {
    const first = sorted[start] as number;
    while (end < sorted.length && compareKeys(first, sorted[end] as number) === 0) end++;
    if (end - start === 1) continue;
    const group = [...sorted.subarray(start, end)];
    const isSameOffer = group.every((row) => offer.every((column) => column.at(row) === column.at(first)));
    repeated.push({ rows: group, isSameOffer });
  }
  return repeated;
}

/** Orders rows of the table, which come ascending, and separates the duplicates. */
export function orderDeals(table: DealTable, files: readonly FeedFile[], rows: Uint32Array): OrderedDeals {
  return separateDuplicates(table, sortByTotal(rows, table, createCompareTies(table, files)));
}

/**
 * Sorts ascending rows by total cost. Total and row are sorted as one number, so `compareTies` is called only for rows
 * with the same total, some ten of a million.
 */
function sortByTotal(rows: Uint32Array, table: DealTable, compareTies: (a: number, b: number) => number): Uint32Array {
  const total = table.columns.totalPence.values();
  const span = 2 ** Math.ceil(Math.log2(table.rowCount));
  const keys = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = (total[rows[i] as number] as number) * span + (rows[i] as number);
  keys.sort();
  // Above it two rows could have one key. The highest total, 10^9 pence, passes it with more than eight million rows.
  if ((keys.at(-1) ?? 0) > Number.MAX_SAFE_INTEGER) {
    return rows.sort((a, b) => (total[a] as number) - (total[b] as number) || compareTies(a, b));
  }
  const totalAt = (i: number): number => Math.floor((keys[i] as number) / span);
  // The span is a power of two, so the row is the lower bits of the key.
  for (let i = 0; i < keys.length; i++) rows[i] = (keys[i] as number) & (span - 1);
  for (let start = 0, end = 1; start < rows.length; start = end, end++) {
    while (end < rows.length && totalAt(end) === totalAt(start)) end++;
    if (end - start > 1) rows.subarray(start, end).sort(compareTies);
  }
  return rows;
}

/** Upfront and monthly cost, retailer id (rows of retailers are in its order), deal key, name of the feed (D14). */
function createCompareTies(table: DealTable, files: readonly FeedFile[]): (a: number, b: number) => number {
  const upfront = table.columns.upfrontPence.values();
  const monthly = table.columns.monthlyPence.values();
  const retailer = table.columns.retailer.values();
  const file = table.columns.file.values();
  return (a, b) =>
    (upfront[a] as number) - (upfront[b] as number) ||
    (monthly[a] as number) - (monthly[b] as number) ||
    (retailer[a] as number) - (retailer[b] as number) ||
    table.key.compare(a, b) ||
    compareCodeUnits(fileAt(files, file[a]).source, fileAt(files, file[b]).source);
}

/**
 * Duplicates have the same prices and retailer, so in order they are adjacent. The first of them has the lowest key,
 * and is served.
 */
function separateDuplicates(table: DealTable, ordered: Uint32Array): OrderedDeals {
  const { totalPence, upfrontPence, monthlyPence, retailer } = table.columns;
  const isSamePrice = (a: number, b: number | undefined): boolean =>
    b !== undefined &&
    totalPence.at(a) === totalPence.at(b) &&
    upfrontPence.at(a) === upfrontPence.at(b) &&
    monthlyPence.at(a) === monthlyPence.at(b) &&
    retailer.at(a) === retailer.at(b);
  const offerOf = createOfferNumbers(table);
  const rows = new Uint32Array(ordered.length);
  const duplicates: { row: number; keptRow: number }[] = [];
  const stretch = new Map<number | string, number>();
  let rowCount = 0;
  let isLikeNext = false;
  for (let i = 0; i < ordered.length; i++) {
    const row = ordered[i] as number;
    const isFirst = !isLikeNext;
    isLikeNext = isSamePrice(row, ordered[i + 1]);
    // A deal without a neighbour of the same price needs no comparison.
    if (isFirst && !isLikeNext) {
      rows[rowCount++] = row;
      continue;
    }
    if (isFirst) stretch.clear();
    const offer = offerOf(row);
    const keptRow = stretch.get(offer);
    if (keptRow === undefined) {
      stretch.set(offer, row);
      rows[rowCount++] = row;
    } else {
      duplicates.push({ row, keptRow });
    }
  }
  return { rows: rows.subarray(0, rowCount), duplicates };
}

/**
 * Product, plan, gift and cashback of a row, as one number. Only when the dictionaries are so large that the numbers do
 * not fit, it is a text, which takes several times as long to make.
 */
function createOfferNumbers({ columns }: DealTable): (row: number) => number | string {
  const { product, plan, gift, cashback } = columns;
  const countOf = (column: GrowableNumberColumn): number =>
    column.values().reduce((count, code) => Math.max(count, code + 1), 1);
  const [plans, gifts, cashbacks] = [countOf(plan), countOf(gift), countOf(cashback)];
  if (countOf(product) * plans * gifts * cashbacks > Number.MAX_SAFE_INTEGER) {
    return (row) => `${product.at(row)} ${plan.at(row)} ${gift.at(row)} ${cashback.at(row)}`;
  }
  return (row) => ((product.at(row) * plans + plan.at(row)) * gifts + gift.at(row)) * cashbacks + cashback.at(row);
}

function fileAt(files: readonly FeedFile[], number: number | undefined): FeedFile {
  return files[number as number] as FeedFile;
}
