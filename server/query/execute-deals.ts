import { type CatalogueIndex, type DealRow, rowAt } from '../../data/snapshot/catalogue-index.ts';
import { compileDealKey, DealFilter, isByRank, ProductFilter, spanOf } from './execute-products.ts';
import type { DealsQuery } from './query.ts';

/** What a query for deals selects. */
export interface DealsSelection {
  /** How many deals qualify, over all pages. */
  readonly totalCount: number;
  /** The deals of the page, in order. */
  readonly deals: readonly DealRow[];
}

/** Selects one page of the deals of all products: filter, sort, page (D27). */
export function executeDeals(
  { filters, dealSort, pageLimit }: DealsQuery,
  index: CatalogueIndex,
  offset: number,
): DealsSelection {
  const productFilter = new ProductFilter(filters, index);
  const dealFilter = new DealFilter(filters, index);
  const keyOf = compileDealKey(dealSort, index);
  const rank = index.deals.rank.values;
  const { rowCount } = index.deals;
  // The ranks are the order by total cost.
  const span = isByRank(dealSort) ? 0 : spanOf(rowCount);
  const pageEnd = Math.min(offset + pageLimit, rowCount);
  // When there are twice as many keys as needed, the higher half cannot be on the page.
  const keys = new Float64Array(2 * pageEnd);
  let keyCount = 0;
  let bound = Infinity;
  let totalCount = 0;
  for (const position of index.products.keys()) {
    const product = rowAt<'product'>(position);
    if (!productFilter.accepts(product)) continue;
    const end = index.endOfDeals(product);
    let row = dealFilter.findNext(index.firstDeal(product), end);
    for (; row < end; row = dealFilter.findNext(row + 1, end)) {
      totalCount++;
      // Equal keys by rank.
      const key = keyOf(rowAt(row)) * span + (rank[row] as number);
      if (key >= bound) continue;
      keys[keyCount++] = key;
      if (keyCount < keys.length) continue;
      partition(keys, pageEnd);
      bound = keys[pageEnd] as number;
      keyCount = pageEnd;
    }
  }
  const found = keys.subarray(0, keyCount);
  partition(found, offset);
  partition(found, pageEnd, offset);
  const page = found.subarray(offset, pageEnd).sort();
  const rankOf = (key: number): number => (span === 0 ? key : key % span);
  return { totalCount, deals: Array.from(page, (key) => rowAt<'deal'>(index.dealOfRank[rankOf(key)] as number)) };
}

/**
 * Reorders distinct keys so that those before `boundary` are lower than those from there on, and the lowest of these is at
 * `boundary`; quickselect.
 * @param from a boundary of an earlier call, below this one
 */
export function partition(keys: Float64Array, boundary: number, from = 0): void {
  let low = from;
  let high = keys.length - 1;
  while (low < high && boundary <= high) {
    const pivot = keys[(low + high) >> 1] as number;
    let [left, right] = [low, high];
    while (left <= right) {
      while ((keys[left] as number) < pivot) left++;
      while ((keys[right] as number) > pivot) right--;
      if (left > right) break;
      const moved = keys[left] as number;
      keys[left++] = keys[right] as number;
      keys[right--] = moved;
    }
    if (boundary <= right) high = right;
    else if (boundary >= left) low = left;
    else return;
  }
}
