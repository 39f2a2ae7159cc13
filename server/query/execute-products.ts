import type { DealSortKey, ProductSortKey, Sort } from '../../data/query/vocabulary.ts';
import {
  type CatalogueIndex,
  rowAt,
  type DealRow,
  type ProductRow,
  type ColumnValues,
  compileNameSearch,
} from '../../data/snapshot/catalogue-index.ts';
import type { Filter, ProductsQuery } from './query.ts';
import {
  filterRow,
  type DealFilterRow,
  type FilterOperator,
  type FilterValue,
  type ProductFilterRow,
} from '../../data/query/filter.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';

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
  const costOf = key === 'name' ? undefined : compileSortValue(key, index);
  const valueOf = (product: ProductRow): number | undefined => {
    if (costOf === undefined) return index.productNameRanks[product];
    const deal = dealFilter.findCheapest(product);
    return deal === undefined ? undefined : costOf(deal);
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
  const span = spanOf(count);
  const packed = new Float64Array(count);
  for (let i = 0; i < count; i++) packed[i] = (keys[i] as number) * span + i;
  packed.sort();
  const positions = new Uint32Array(count);
  for (let i = 0; i < count; i++) positions[i] = (packed[i] as number) % span;
  return positions;
}

/** What a key is multiplied by to leave room for a position: a power of two, so that a division gives it back whole. */
export function spanOf(count: number): number {
  if (count > MAX_SAFE_COUNT) throw new RangeError(`expected at most ${MAX_SAFE_COUNT} keys, got ${count}`);
  return 2 ** Math.ceil(Math.log2(Math.max(1, count)));
}

/** Deals by rank: by total cost, and in the order of all ties (D14). */
function sortByRank(deals: readonly DealRow[], { deals: { rank } }: CatalogueIndex): readonly DealRow[] {
  return sortBy(deals, (deal) => rank.at(deal));
}

/** Deals in the order of a sort; they come by rank, and equal ones stay so. */
function sortRanked(deals: readonly DealRow[], sort: Sort<DealSortKey>, index: CatalogueIndex): readonly DealRow[] {
  if (isByRank(sort)) return deals;
  return sortBy(deals, compileDealKey(sort, index));
}

/** Whether deals by rank are in this order. */
export function isByRank({ key, direction }: Sort<DealSortKey>): boolean {
  return key === 'total-cost' && direction === 'asc';
}

/** The key of a deal in an order: lower before higher, equal ones by rank. */
export function compileDealKey(
  { key, direction }: Sort<DealSortKey>,
  index: CatalogueIndex,
): (deal: DealRow) => number {
  const valueOf = compileSortValue(key, index);
  return direction === 'asc' ? valueOf : (deal) => MAX_KEY - valueOf(deal);
}

function sortBy(deals: readonly DealRow[], keyOf: (deal: DealRow) => number): readonly DealRow[] {
  return Array.from(argsort(Uint32Array.from(deals, keyOf)), (position) => deals[position] as DealRow);
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

/**
 * Finds the deals that satisfy all deal filters of a query (D13), by reading deal after deal.
 */
export class DealFilter {
  /** False when the query has no deal filter, so that every deal qualifies. */
  readonly hasPredicate: boolean;
  readonly #index: CatalogueIndex;
  readonly #conditions: readonly DealTest[];

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#index = index;
    this.#conditions = filters.flatMap((filter) => {
      const row = filterRow(filter.name);
      return row.on === 'deal' ? [compileDealFilter(filter, row, index)] : [];
    });
    this.hasPredicate = this.#conditions.length > 0;
  }

  accepts(row: number): boolean {
    for (const { cells, passes } of this.#conditions) if (!passes(cells[row] as number)) return false;
    return true;
  }

  /** The cheapest qualifying deal of a product: its deals are in order of cost, so the first that qualifies (D11). */
  findCheapest(product: ProductRow): DealRow | undefined {
    const end = this.#index.endOfDeals(product);
    const row = this.findNext(this.#index.firstDeal(product), end);
    return row === end ? undefined : rowAt(row);
  }

  /** The qualifying deals of a product, in order of cost. */
  listOf(product: ProductRow): readonly DealRow[] {
    const end = this.#index.endOfDeals(product);
    const deals: DealRow[] = [];
    for (let row = this.findNext(this.#index.firstDeal(product), end); row < end; row = this.findNext(row + 1, end)) {
      deals.push(rowAt(row));
    }
    return deals;
  }

  /** The first qualifying deal from `from` on, or `end`. */
  findNext(from: number, end: number): number {
    let row = from;
    while (row < end && !this.accepts(row)) row++;
    return row;
  }
}

/** A filter of deals: whether the cell of a deal passes. */
interface DealTest {
  readonly cells: ColumnValues;
  readonly passes: (cell: number) => boolean;
}

function compileDealFilter({ operator, values }: Filter, row: DealFilterRow, index: CatalogueIndex): DealTest {
  const cells = row.cells(index);
  const test = compileTest(operator, values);
  // Cells without entries are numbers, and so are the values of the filter.
  if (row.entries === undefined) return { cells, passes: test };
  const passing = row.entries(index).map(test);
  return { cells, passes: (cell) => passing[cell] as boolean };
}

type Tested = FilterValue | undefined | readonly FilterValue[];

/** A test of a value, or of all values of a record: `eq` is any of those listed, `ne` none of them (D13). */
function compileTest(operator: FilterOperator, values: readonly FilterValue[]): (value: Tested) => boolean {
  const listed: ReadonlySet<unknown> = new Set(values);
  const isListed = (value: Tested): boolean =>
    Array.isArray(value) ? value.some((each) => listed.has(each)) : listed.has(value);
  const bound = Number(values[0]);
  switch (operator) {
    case 'eq':
    case 'has':
      return isListed;
    case 'ne':
      return (value) => !isListed(value);
    case 'lt':
      return (value) => Number(value) < bound;
    case 'lte':
      return (value) => Number(value) <= bound;
    case 'gt':
      return (value) => Number(value) > bound;
    case 'gte':
      return (value) => Number(value) >= bound;
  }
}

/** The product filters of a query, compiled against a snapshot. */
export class ProductFilter {
  readonly #tests: readonly ((row: ProductRow) => boolean)[];

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#tests = filters.flatMap((filter) => {
      const row = filterRow(filter.name);
      return row.on === 'product' ? [compileProductFilter(filter, row, index)] : [];
    });
  }

  accepts(row: ProductRow): boolean {
    return this.#tests.every((test) => test(row));
  }
}

function compileProductFilter(
  { operator, values }: Filter,
  { value }: ProductFilterRow,
  { products, productNameWords }: CatalogueIndex,
): (row: ProductRow) => boolean {
  if (operator === 'has') {
    const words = values.flatMap((each) => String(each).split(' ')).filter((word) => word !== '');
    return compileNameSearch(words, productNameWords);
  }
  const passes = compileTest(operator, values);
  // Rows come from the same snapshot.
  return (row) => passes(value(products[row] as ProductLine));
}
