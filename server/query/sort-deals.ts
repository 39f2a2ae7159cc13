import type { DealSortKey, Sort } from '../../data/query/vocabulary.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { DealRow } from '../../data/snapshot/column.ts';
import { argsort, MAX_KEY } from './argsort.ts';

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
