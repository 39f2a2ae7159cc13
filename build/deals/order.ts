import { compareCodeUnits } from '../../data/record/id.ts';
import type { DealTable, FeedFile } from './deal-table.ts';

/** The deals that are served, and the one that stands for each duplicate. */
export interface OrderedDeals {
  /** Rows of the table in the order of total cost with the ties of D14. */
  readonly rows: Uint32Array;
  /** Rows that differ from another only in id, link, picture or colour, each with the one that is served. */
  readonly duplicates: readonly { readonly row: number; readonly keptRow: number }[];
}

/**
 * Orders rows of the table by total, upfront and monthly cost, retailer id (rows of retailers are in its order), deal key
 * and name of the feed (D14), and separates the duplicates. They have the same prices and retailer, so in order they
 * follow one another; the first has the lowest key, and is served.
 */
export function orderDeals(table: DealTable, files: readonly FeedFile[], rows: Uint32Array): OrderedDeals {
  const { columns, key } = table;
  const { product, plan, gift, cashback } = columns;
  const [total, upfront, monthly, retailer] = [
    columns.totalPence.values(),
    columns.upfrontPence.values(),
    columns.monthlyPence.values(),
    columns.retailer.values(),
  ];
  const feedOf = (row: number): string => (files[columns.file.at(row)] as FeedFile).source;
  // Rows are those of the table.
  const comparePrices = (a: number, b: number): number =>
    (total[a] as number) - (total[b] as number) ||
    (upfront[a] as number) - (upfront[b] as number) ||
    (monthly[a] as number) - (monthly[b] as number) ||
    (retailer[a] as number) - (retailer[b] as number);
  const ordered = rows.toSorted(
    (a, b) => comparePrices(a, b) || key.compare(a, b) || compareCodeUnits(feedOf(a), feedOf(b)),
  );

  const duplicates: { row: number; keptRow: number }[] = [];
  const offers = new Map<string, number>();
  const served = ordered.filter((row, i) => {
    const isLikeLast = i > 0 && comparePrices(ordered[i - 1] as number, row) === 0;
    if (!isLikeLast) offers.clear();
    // Most deals have a price of their own, and no text is made for them.
    const isLikeNext = i + 1 < ordered.length && comparePrices(row, ordered[i + 1] as number) === 0;
    if (!isLikeLast && !isLikeNext) return true;
    const offer = `${product.at(row)} ${plan.at(row)} ${gift.at(row)} ${cashback.at(row)}`;
    const keptRow = offers.get(offer);
    if (keptRow === undefined) offers.set(offer, row);
    else duplicates.push({ row, keptRow });
    return keptRow === undefined;
  });
  return { rows: served, duplicates };
}

/** Rows of one feed with the same retailer and key, in order of file and line. */
export interface RepeatedKey {
  readonly rows: readonly number[];
  /** They differ only in link, picture or colour. */
  readonly isSameOffer: boolean;
}

export function findRepeatedKeys(
  { columns, key }: DealTable,
  rows: Uint32Array,
  files: readonly FeedFile[],
): readonly RepeatedKey[] {
  const { product, plan, retailer, totalPence, upfrontPence, monthlyPence, gift, cashback, file, line } = columns;
  const nameOf = (row: number): string => (files[file.at(row)] as FeedFile).file;
  const compareIds = (a: number, b: number): number => retailer.at(a) - retailer.at(b) || key.compare(a, b);
  const ordered = rows.toSorted(
    (a, b) => compareIds(a, b) || compareCodeUnits(nameOf(a), nameOf(b)) || line.at(a) - line.at(b),
  );
  const repeated: number[][] = [];
  let group: number[] = [];
  for (const row of ordered) {
    const [first = row] = group;
    if (compareIds(first, row) !== 0) group = [];
    if (group.push(row) === 2) repeated.push(group);
  }
  const offer = [product, plan, totalPence, upfrontPence, monthlyPence, gift, cashback];
  const isSame = (a: number, b: number): boolean => offer.every((column) => column.at(a) === column.at(b));
  return repeated.map((group) => ({ rows: group, isSameOffer: group.every((row) => isSame(row, group[0] as number)) }));
}
