import type { DealSortKey, ProductSortKey, Sort } from '../../data/query/vocabulary.ts';
import { type CatalogueIndex, rowAt, type DealRow, type ProductRow } from '../../data/snapshot/catalogue-index.ts';
import { DealFilter, ProductFilter } from './apply-filters.ts';
import type { ProductsQuery } from './query.ts';

/** A product of a page. */
export interface SelectedProduct {
  readonly row: ProductRow;
  /** Its cheapest qualifying deal, when requested. */
  readonly cheapestDeal: DealRow | undefined;
  /** How many of its deals qualify, when requested (D22). */
  readonly dealCount: number | undefined;
}

/** What a query for products selects. */
export interface ProductsSelection {
  /** How many products qualify, over all pages. */
  readonly totalCount: number;
  /** The products of the page, in order. */
  readonly products: readonly SelectedProduct[];
  /** The deals of the page in one order, when deals are expanded (D10). */
  readonly deals?: readonly DealRow[] | undefined;
}

/** Selects one page of products with its deals: filter, group, sort, page, then deals. */
export function executeProducts(query: ProductsQuery, index: CatalogueIndex, offset: number): ProductsSelection {
  const { products, dealFilter } = orderProducts(query, index);
  const page = Array.from(products.subarray(offset, offset + query.pageLimit), rowAt<'product'>);
  const hasDealCount = query.projection.attributes?.includes('dealCount') === true;
  return {
    totalCount: products.length,
    products: page.map((row) => ({
      row,
      cheapestDeal: query.hasCheapestDeal ? dealFilter.findCheapest(row) : undefined,
      dealCount: hasDealCount ? dealFilter.listOf(row).length : undefined,
    })),
    deals: listDeals(query, page, index, dealFilter),
  };
}

/** The qualifying deals of some products in one order, the first `dealsPerProduct` of each (D10, D15). */
export function listDeals(
  { dealSort, dealsPerProduct = Infinity }: Pick<ProductsQuery, 'dealSort' | 'dealsPerProduct'>,
  products: readonly ProductRow[],
  index: CatalogueIndex,
  dealFilter: DealFilter,
): readonly DealRow[] | undefined {
  if (dealSort === undefined) return undefined;
  const deals = products.flatMap((product) => {
    // The deals of a product are stored by rank.
    const own = dealFilter.listOf(product);
    return own.length > dealsPerProduct ? sortRanked(own, dealSort, index).slice(0, dealsPerProduct) : own;
  });
  return sortRanked(sortByRank(deals, index), dealSort, index);
}

/** The products of all pages, with the filter that selected them. */
export interface OrderedProducts {
  readonly products: Uint32Array;
  readonly dealFilter: DealFilter;
}

/** Every product that qualifies, in the order of the response: filter, group, sort. */
export function orderProducts(query: ProductsQuery, index: CatalogueIndex): OrderedProducts {
  const dealFilter = new DealFilter(query.filters, index);
  let products = listMatching(query, index, dealFilter);
  if (query.isGrouped) products = collapseByModel(products, index, dealFilter);
  if (query.productSort !== undefined) products = sortProducts(products, query.productSort, index, dealFilter);
  return { products, dealFilter };
}

/** The products of the path that satisfy the filters, by row. */
function listMatching({ id, filters }: ProductsQuery, index: CatalogueIndex, dealFilter: DealFilter): Uint32Array {
  const productFilter = new ProductFilter(filters, index);
  // A product without a qualifying deal is left out of the list, and stays on its own path (D13).
  const areDealsNeeded = id === undefined && dealFilter.hasPredicate;
  const rows = id === undefined ? undefined : index.rowsOfId(id);
  const candidateCount = rows?.length ?? index.products.length;
  const matching = new Uint32Array(candidateCount);
  let count = 0;
  for (let i = 0; i < candidateCount; i++) {
    const row = rows?.[i] ?? rowAt<'product'>(i);
    if (!productFilter.accepts(row)) continue;
    if (areDealsNeeded && dealFilter.findCheapest(row) === undefined) continue;
    matching[count++] = row;
  }
  return matching.subarray(0, count);
}

/** Products by name, or by a cost of their cheapest deals; those without a deal last in both directions, ties by row (D14). */
function sortProducts(
  products: Uint32Array,
  { key, direction }: Sort<ProductSortKey>,
  index: CatalogueIndex,
  dealFilter: DealFilter,
): Uint32Array {
  const valueOf = (product: ProductRow): number | undefined => {
    if (key === 'name') return index.productNameRanks[product];
    const deal = dealFilter.findCheapest(product);
    return deal === undefined ? undefined : sortValueOf(deal, key, index);
  };
  const keys = products.map((product) => {
    const value = valueOf(rowAt(product));
    if (value === undefined) return MAX_KEY;
    return direction === 'asc' ? value : MAX_KEY - 1 - value;
  });
  return argsort(keys).map((position) => products[position] as number);
}

/**
 * One product for each model, in their order (D12): with a qualifying deal before without, new before refurbished, lowest
 * total cost, lowest id.
 */
function collapseByModel(products: Uint32Array, index: CatalogueIndex, dealFilter: DealFilter): Uint32Array {
  const { firstOfModel, deals } = index;
  const keyOf = (product: ProductRow): number => {
    const deal = dealFilter.findCheapest(product);
    const isNew = index.products[product]?.condition === 'new';
    const group = (deal === undefined ? 2 : 0) + (isNew ? 0 : 1);
    return group * 2 ** 32 + (deal === undefined ? 0 : deals.totalPence.at(deal));
  };
  // By the first product of a model: the lowest key, and the product that has it first.
  const lowest = new Float64Array(firstOfModel.length).fill(Infinity);
  const chosen = new Uint32Array(firstOfModel.length);
  for (const product of products) {
    const model = firstOfModel[product] as number;
    const key = keyOf(rowAt(product));
    if (key < (lowest[model] as number)) [lowest[model], chosen[model]] = [key, product];
  }
  return products.filter((product) => chosen[firstOfModel[product] as number] === product);
}

/** The highest key of a sort: above every amount, and what unlimited data compare as. */
const MAX_KEY = 2 ** 30 - 1;

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
function sortByRank(deals: readonly DealRow[], { deals: { rank } }: CatalogueIndex): readonly DealRow[] {
  return sortBy(deals, (deal) => rank.at(deal));
}

/** Deals in the order of a sort; they come by rank, and equal ones stay so. */
function sortRanked(
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
function sortValueOf(deal: DealRow, key: DealSortKey, { deals, plans }: CatalogueIndex): number {
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
