import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/column.ts';
import { sortProducts } from '../../data/snapshot/sort-index.ts';
import { DealFilter, ProductFilter } from './apply-filters.ts';
import { MergedDeals } from './merged-deals.ts';
import type { ProductsQuery } from './query.ts';

/** The rows that a query for products selects. */
export interface ProductsSelection {
  /** How many products qualify, over all pages. */
  readonly totalCount: number;
  /** The products of the page, in order. */
  readonly products: readonly ProductRow[];
  /** For each product of the page its cheapest qualifying deal, when requested. */
  readonly cheapestDeals?: readonly (DealRow | undefined)[];
  /** Whether each product shows its price history (D24). */
  readonly hasPriceHistory: boolean;
  /** For each product of the page how many of its deals qualify, when requested (D22). */
  readonly dealCounts?: readonly number[];
  /** The deals of the page in one order, when deals are expanded (D10); merged as they are read. */
  readonly deals?: MergedDeals;
}

/** Selects one page of products with its deals: filter, group, sort, page, then deals. */
export function executeProducts(query: ProductsQuery, index: CatalogueIndex, offset: number): ProductsSelection {
  const end = offset + query.pageLimit;
  const { totalCount, products, dealFilter, cheapest } = orderProducts(query, index, end);
  const page: ProductRow[] = [];
  // `Array.from` of a typed array takes several times as long.
  for (let i = offset; i < Math.min(end, totalCount); i++) page.push(rowAt(products[i] as number));
  return {
    totalCount,
    products: page,
    hasPriceHistory: query.hasPriceHistory,
    ...(query.hasCheapestDeal ? { cheapestDeals: page.map((row) => cheapest.of(row)) } : {}),
    ...(query.projection.attributes?.includes('dealCount') === true
      ? { dealCounts: page.map((row) => dealFilter.countOf(row)) }
      : {}),
    ...(query.deals === undefined ? {} : { deals: new MergedDeals(query.deals, page, index, dealFilter) }),
  };
}

/** The products of all pages or of the first ones, with the objects that selected them. */
export interface OrderedProducts {
  /** How many there are on all pages. */
  readonly totalCount: number;
  /** Rows of products; shared between requests. */
  readonly products: Uint32Array;
  readonly dealFilter: DealFilter;
  readonly cheapest: CheapestDeals;
}

/**
 * Every product that qualifies, in the order of the response: filter, group, sort. With `wanted`, only so many are sorted:
 * sorting the others would take as long as everything else.
 */
export function orderProducts(query: ProductsQuery, index: CatalogueIndex, wanted?: number): OrderedProducts {
  const dealFilter = new DealFilter(query.filters, index);
  const cheapest = new CheapestDeals(dealFilter, index.products.length);
  const { products: candidates, isOrdered } = listCandidates(query, index, dealFilter);
  let products = keepMatching(candidates, query, index, dealFilter, cheapest);
  if (query.isGrouped) products = collapseByModel(products, index, cheapest);
  const totalCount = products.length;
  if (!isOrdered && query.productSort !== undefined) {
    products = sortProducts(products, query.productSort, index, (row) => cheapest.of(row), wanted);
  }
  return { totalCount, products, dealFilter, cheapest };
}

/** The products of the path; already sorted if the snapshot has a sort index for the order. */
function listCandidates(
  { id, productSort }: ProductsQuery,
  index: CatalogueIndex,
  dealFilter: DealFilter,
): { readonly products: Uint32Array; readonly isOrdered: boolean } {
  if (id !== undefined) return { products: Uint32Array.from(index.rowsOfId(id)), isOrdered: false };
  if (productSort === undefined) return { products: index.productSortIndex.byRow, isOrdered: true };
  // A deal filter changes which deals are the cheapest, and with them the order by their costs.
  if (productSort.key !== 'name' && dealFilter.hasPredicate) {
    return { products: index.productSortIndex.byRow, isOrdered: false };
  }
  return { products: index.productSortIndex.of(productSort), isOrdered: true };
}

/** The products that satisfy the filters, in their order. */
function keepMatching(
  products: Uint32Array,
  { id, filters }: ProductsQuery,
  index: CatalogueIndex,
  dealFilter: DealFilter,
  cheapest: CheapestDeals,
): Uint32Array {
  const productFilter = new ProductFilter(filters, index);
  // A product without a qualifying deal is left out of the list, and stays on its own path (D13).
  const areDealsNeeded = id === undefined && dealFilter.hasPredicate;
  if (!productFilter.hasPredicate && !areDealsNeeded) return products;
  if (!productFilter.hasPredicate) cheapest.searchAll();
  // `filter` of a typed array takes ten times as long.
  const matching = new Uint32Array(products.length);
  let count = 0;
  for (let i = 0; i < products.length; i++) {
    const row = rowAt<'product'>(products[i] as number);
    if (!productFilter.accepts(row)) continue;
    if (areDealsNeeded && cheapest.of(row) === undefined) continue;
    matching[count++] = row;
  }
  return matching.subarray(0, count);
}

/**
 * One product for each model, in their order (D12): with a qualifying deal before without, new before refurbished, lowest
 * total cost, lowest id.
 */
function collapseByModel(products: Uint32Array, index: CatalogueIndex, cheapest: CheapestDeals): Uint32Array {
  const { firstOfModel } = index;
  /** By the first product of a model: the row of its representative plus 1, or 0 for none yet. */
  const representatives = new Uint32Array(firstOfModel.length);
  for (const product of products) {
    const model = firstOfModel[product] as number;
    const chosen = representatives[model] as number;
    const better =
      chosen === 0 ? product : chooseRepresentative(rowAt(product), rowAt(chosen - 1), index, cheapest).row;
    representatives[model] = better + 1;
  }
  return products.filter((product) => representatives[firstOfModel[product] as number] === product + 1);
}

/** The rule by which one product represents its model (D12). */
export type RepresentativeRule = 'qualifying-deal' | 'new-first' | 'total-cost' | 'lowest-id';

/** Which of two products represents their model, and the rule. */
export function chooseRepresentative(
  a: ProductRow,
  b: ProductRow,
  index: CatalogueIndex,
  cheapest: CheapestDeals,
): { readonly row: ProductRow; readonly rule: RepresentativeRule } {
  const dealOfA = cheapest.of(a);
  const dealOfB = cheapest.of(b);
  if ((dealOfA === undefined) !== (dealOfB === undefined)) {
    return { row: dealOfA === undefined ? b : a, rule: 'qualifying-deal' };
  }
  const isNew = index.products[a]?.condition === 'new';
  if (isNew !== (index.products[b]?.condition === 'new')) return { row: isNew ? a : b, rule: 'new-first' };
  const { totalPence } = index.deals;
  const difference =
    dealOfA === undefined || dealOfB === undefined ? 0 : totalPence.at(dealOfA) - totalPence.at(dealOfB);
  if (difference !== 0) return { row: difference < 0 ? a : b, rule: 'total-cost' };
  return { row: a < b ? a : b, rule: 'lowest-id' };
}

const NOT_SEARCHED = 0;
const NONE = 0xffff_ffff;

/** The cheapest qualifying deal of each product, searched once a request. */
export class CheapestDeals {
  readonly #filter: DealFilter;
  readonly #productCount: number;
  /** By product: one of the constants, or a row plus 1. */
  #found: Uint32Array | undefined;
  #areAllSearched = false;

  constructor(filter: DealFilter, productCount: number) {
    this.#filter = filter;
    this.#productCount = productCount;
  }

  /** Searches all products at once: faster when nearly all of them are needed. */
  searchAll(): void {
    if (!this.#filter.hasPredicate) return;
    this.#found = this.#filter.findAllCheapest();
    this.#areAllSearched = true;
  }

  of(product: ProductRow): DealRow | undefined {
    // Without a filter it is the first of the product range.
    if (!this.#filter.hasPredicate) return this.#filter.findCheapest(product);
    this.#found ??= new Uint32Array(this.#productCount);
    const known = this.#found[product] as number;
    if (known === NONE) return undefined;
    if (known !== NOT_SEARCHED) return rowAt(known - 1);
    if (this.#areAllSearched) return undefined;
    const deal = this.#filter.findCheapest(product);
    this.#found[product] = deal === undefined ? NONE : deal + 1;
    return deal;
  }
}
