import type { DealSortKey, ProductSortKey, Sort } from '../../data/query/vocabulary.ts';
import { type CatalogueIndex, type DealRow, type ProductRow, rowAt } from '../../data/snapshot/catalogue-index.ts';
import { compileProductFilter, DealFilter } from './filter.ts';
import type { DealsQuery, ProductsQuery } from './query.ts';

/** A product of a page. */
export interface SelectedProduct {
  readonly row: ProductRow;
  /** Its cheapest qualifying deal, when requested. */
  readonly cheapestDeal: DealRow | undefined;
  /** How many of its deals qualify, when requested (D22). */
  readonly dealCount: number | undefined;
}

/** What a query selects: its members are written in this order. */
export interface Selection {
  /** How many products, or deals, qualify, over all pages. */
  readonly totalCount: number;
  /** The products of the page, in order; absent from a list of deals. */
  readonly products?: readonly SelectedProduct[];
  /** The deals of the page in one order, when deals are expanded (D10), or listed (D27). */
  readonly deals?: readonly DealRow[] | undefined;
}

/** Selects one page: filter, group, sort, page, then the deals of its products. */
export function execute(query: ProductsQuery | DealsQuery, index: CatalogueIndex, offset: number): Selection {
  if (query.kind === 'deals') return selectDeals(query, index, offset);
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
  const order = createDealOrder(dealSort, index);
  const deals = products.flatMap((product) => {
    // By rank.
    const own = dealFilter.listOf(product);
    if (own.length <= dealsPerProduct) return own;
    return (order.isByRank ? own : order.sort(own)).slice(0, dealsPerProduct);
  });
  return order.sort(deals);
}

/** The rows of all products that qualify, in the order of the response (filter, group, sort), with the filter of their deals. */
export function orderProducts(query: ProductsQuery, index: CatalogueIndex) {
  const dealFilter = new DealFilter(query.filters, index);
  let products = listMatching(query, index, dealFilter);
  if (query.isGrouped) products = collapseByModel(products, index, dealFilter);
  if (query.productSort !== undefined) products = sortProducts(products, query.productSort, index, dealFilter);
  return { products, dealFilter };
}

/** The products of the path that satisfy the filters, by row. */
function listMatching({ id, filters }: ProductsQuery, index: CatalogueIndex, dealFilter: DealFilter): Uint32Array {
  const passes = compileProductFilter(filters, index);
  // A product without a qualifying deal is left out of the list, and stays on its own path (D13).
  const areDealsNeeded = id === undefined && dealFilter.hasPredicate;
  const rows = id === undefined ? undefined : index.rowsOfId(id);
  const candidateCount = rows?.length ?? index.products.length;
  const matching = new Uint32Array(candidateCount);
  let count = 0;
  for (let i = 0; i < candidateCount; i++) {
    const row = rows?.[i] ?? rowAt<'product'>(i);
    if (!passes(row)) continue;
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
  const costOf = key === 'name' ? undefined : compileSortValue(key, index);
  const valueOf = (product: ProductRow): number | undefined => {
    if (costOf === undefined) return index.productNameRanks[product];
    const deal = dealFilter.findCheapest(product);
    return deal === undefined ? undefined : costOf(deal);
  };
  const span = spanOf(index.products.length);
  // A loop: `Float64Array.from` takes twice the time.
  const keys = new Float64Array(products.length);
  for (let i = 0; i < products.length; i++) {
    const product = rowAt<'product'>(products[i] as number);
    const value = valueOf(product) ?? MAX_KEY;
    keys[i] = (direction === 'asc' || value === MAX_KEY ? value : MAX_KEY - 1 - value) * span + product;
  }
  keys.sort();
  return products.map((_, i) => (keys[i] as number) % span);
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

/** A key times the count of rows must stay a safe integer: whole numbers below 2^30 leave room for 2^23 of them. */
const MAX_SAFE_COUNT = 2 ** 23;

/**
 * What a key is multiplied by to leave room for a row or rank: a power of two, so that a division gives it back whole. Both
 * in one number make a plain numeric sort of a typed array order by both, in a third of the time of a sort with a comparator.
 */
function spanOf(count: number): number {
  if (count > MAX_SAFE_COUNT) throw new RangeError(`expected at most ${MAX_SAFE_COUNT} keys, got ${count}`);
  return 2 ** Math.ceil(Math.log2(Math.max(1, count)));
}

/** An order of deals: the key of each deal is another, lower before higher, equal values by rank (D14). */
function createDealOrder({ key, direction }: Sort<DealSortKey>, index: CatalogueIndex) {
  const rank = index.deals.rank.values;
  // The ranks are the order by total cost.
  const isByRank = key === 'total-cost' && direction === 'asc';
  const span = isByRank ? 1 : spanOf(index.deals.rowCount);
  const valueOf = compileSortValue(key, index);
  const keyOf = (deal: number): number => {
    if (isByRank) return rank[deal] as number;
    const value = valueOf(rowAt(deal));
    return (direction === 'asc' ? value : MAX_KEY - value) * span + (rank[deal] as number);
  };
  const dealOf = (key: number): DealRow => rowAt(index.dealOfRank[isByRank ? key : key % span] as number);
  const sort = (deals: readonly DealRow[]): readonly DealRow[] => {
    const keys = new Float64Array(deals.length);
    for (let i = 0; i < deals.length; i++) keys[i] = keyOf(deals[i] as DealRow);
    keys.sort();
    return deals.map((_, i) => dealOf(keys[i] as number));
  };
  return { isByRank, keyOf, dealOf, sort };
}

/** What a sort compares. */
function compileSortValue(key: DealSortKey, { deals, plans }: CatalogueIndex): (deal: DealRow) => number {
  switch (key) {
    case 'total-cost':
      return (deal) => deals.totalPence.at(deal);
    case 'upfront-cost':
      return (deal) => deals.upfrontPence.at(deal);
    case 'contract-price':
      return (deal) => deals.monthlyPence.at(deal);
    case 'data-allowance': {
      const data = plans.map(({ dataMegabytes }) => (dataMegabytes === 'unlimited' ? MAX_KEY : dataMegabytes));
      return (deal) => data[deals.plan.at(deal)] as number;
    }
  }
}

/** Selects one page of the deals of all products: filter, sort, page (D27). */
function selectDeals({ filters, dealSort, pageLimit }: DealsQuery, index: CatalogueIndex, offset: number): Selection {
  const passes = compileProductFilter(filters, index);
  const dealFilter = new DealFilter(filters, index);
  const order = createDealOrder(dealSort, index);
  const pageEnd = Math.min(offset + pageLimit, index.deals.rowCount);
  // When there are twice as many keys as needed, the higher half cannot be on the page.
  const keys = new Float64Array(2 * pageEnd);
  let keyCount = 0;
  let bound = Infinity;
  let totalCount = 0;
  for (const position of index.products.keys()) {
    const product = rowAt<'product'>(position);
    if (!passes(product)) continue;
    const end = index.endOfDeals(product);
    let row = dealFilter.findNext(index.firstDeal(product), end);
    for (; row < end; row = dealFilter.findNext(row + 1, end)) {
      totalCount++;
      const key = order.keyOf(row);
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
  return { totalCount, deals: Array.from(found.subarray(offset, pageEnd).sort(), order.dealOf) };
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
