import type { DealSortKey, Sort } from '../../data/query/vocabulary.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { DealRow } from '../../data/snapshot/column.ts';

/** The highest key of a sort: above every amount, and what unlimited data compare as. */
export const MAX_KEY = 2 ** 30 - 1;

/** A key times the count of keys must stay a safe integer: whole numbers below 2^30 leave room for 2^23 of them. */
const MAX_SAFE_COUNT = 2 ** 23;

/**
 * The positions of `keys` in ascending order of key; positions of equal keys ascending. Keys are whole numbers from 0
 * to below 2^30.
 *
 * Key and position are packed into one number, so that a plain numeric sort of a typed array orders both: a third
 * of the time of a sort with a comparator for 2,000 keys.
 */
export function argsort(keys: ArrayLike<number>): Uint32Array {
  const count = keys.length;
  if (count > MAX_SAFE_COUNT) throw new RangeError(`expected at most ${MAX_SAFE_COUNT} keys, got ${count}`);
  // A power of two, so that division by it is exact and the position comes back whole.
  const span = 2 ** Math.ceil(Math.log2(Math.max(1, count)));
  const packed = new Float64Array(count);
  for (let i = 0; i < count; i++) packed[i] = (keys[i] as number) * span + i;
  packed.sort();
  const positions = new Uint32Array(count);
  for (let i = 0; i < count; i++) positions[i] = (packed[i] as number) % span;
  return positions;
}

/** Deals by rank: by total cost, and in the order of all ties (D14). */
export function sortByRank(deals: readonly DealRow[], { deals: { rank } }: CatalogueIndex): readonly DealRow[] {
  return sortBy(deals, (deal) => rank.at(deal));
}

/** Deals in the order of a sort; they come by rank, and equal ones stay so. */
export function sortRanked(
  deals: readonly DealRow[],
  { key, direction }: Sort<DealSortKey>,
  index: CatalogueIndex,
): readonly DealRow[] {
  if (key === 'total-cost' && direction === 'asc') return deals;
  return sortBy(deals, (deal) => {
    const value = sortValueOf(deal, key, index);
    return direction === 'asc' ? value : MAX_KEY - value;
  });
}

function sortBy(deals: readonly DealRow[], keyOf: (deal: DealRow) => number): readonly DealRow[] {
  return Array.from(argsort(Uint32Array.from(deals, keyOf)), (position) => deals[position] as DealRow);
}

/** What a sort compares. */
export function sortValueOf(deal: DealRow, key: DealSortKey, { deals, plans }: CatalogueIndex): number {
  switch (key) {
    case 'total-cost':
      return deals.totalPence.at(deal);
    case 'upfront-cost':
      return deals.upfrontPence.at(deal);
    case 'contract-price':
      return deals.monthlyPence.at(deal);
    case 'data-allowance': {
      const data = plans[deals.plan.at(deal)]?.dataMegabytes;
      return data === 'unlimited' || data === undefined ? MAX_KEY : data;
    }
  }
}
