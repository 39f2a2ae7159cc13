import type { DealSortKey, ProductSortKey, Sort } from '../../data/query/sort.ts';
import { compareCodeUnits } from '../../data/record/code-unit.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ManufacturerRow, type ProductRow } from '../../data/snapshot/row.ts';
import { DealFilter, isSelected } from './deal-filter.ts';
import type { Filter } from './filter.ts';
import type { ProductsQuery } from './query.ts';

/** What a query for products selects: row numbers, to be written. */
export interface ProductsSelection {
  /** How many products qualify, over all pages. */
  readonly totalCount: number;
  /** The products of the page, in order. */
  readonly products: readonly ProductRow[];
  /** For each product of the page its cheapest qualifying deal, when asked for. */
  readonly cheapestDeals?: readonly (DealRow | undefined)[];
  /** The deals of the page in one order, when deals are expanded (D10). */
  readonly deals?: readonly DealRow[];
}

/** Selects one page of products with its deals: filter, group, sort, page, then deals. */
export function executeProducts(query: ProductsQuery, index: CatalogueIndex, offset: number): ProductsSelection {
  const { products, dealFilter, cheapest } = orderProducts(query, index);
  const page = products.slice(offset, offset + query.pageLimit);
  return {
    totalCount: products.length,
    products: page,
    ...(query.hasCheapestDeal ? { cheapestDeals: page.map((row) => cheapest.of(row)) } : {}),
    ...(query.deals === undefined ? {} : { deals: selectDeals(query.deals, page, index, dealFilter) }),
  };
}

/** The products of all pages, and what they were chosen by. */
export interface OrderedProducts {
  readonly products: readonly ProductRow[];
  readonly dealFilter: DealFilter;
  readonly cheapest: CheapestDeals;
}

/** Every product that qualifies, in the order of the answer: filter, group, sort. */
export function orderProducts(query: ProductsQuery, index: CatalogueIndex): OrderedProducts {
  const dealFilter = new DealFilter(query.filters, index);
  const cheapest = new CheapestDeals(dealFilter);
  let products = listMatching(query, index, dealFilter, cheapest);
  if (query.isGrouped) products = pickRepresentatives(products, index, cheapest);
  if (query.productSort !== undefined) products.sort(compareProducts(query.productSort, index, cheapest));
  return { products, dealFilter, cheapest };
}

/** The products that satisfy path and filters, by row, before they are grouped. */
function listMatching(
  query: ProductsQuery,
  index: CatalogueIndex,
  dealFilter: DealFilter,
  cheapest: CheapestDeals,
): ProductRow[] {
  const products = selectCandidates(query, index).filter((row) => acceptsProduct(query.filters, index, row));
  // On the list a product without a qualifying deal drops out; asked for by its id, it stays (D13).
  const areDealsNeeded = query.id === undefined && dealFilter.isSelective;
  return areDealsNeeded ? products.filter((row) => cheapest.of(row) !== undefined) : products;
}

/** The cheapest qualifying deal of each product, looked up once a request. */
export class CheapestDeals {
  readonly #filter: DealFilter;
  readonly #found = new Map<ProductRow, DealRow | undefined>();

  constructor(filter: DealFilter) {
    this.#filter = filter;
  }

  of(product: ProductRow): DealRow | undefined {
    if (this.#found.has(product)) return this.#found.get(product);
    const deal = this.#filter.findCheapest(product);
    this.#found.set(product, deal);
    return deal;
  }
}

function selectCandidates(query: ProductsQuery, index: CatalogueIndex): ProductRow[] {
  return query.id === undefined
    ? index.products.map((_product, position) => rowAt(position))
    : [...index.rowsOfId(query.id)];
}

/** Whether a product satisfies the product filters among `filters`. */
export function acceptsProduct(filters: readonly Filter[], index: CatalogueIndex, row: ProductRow): boolean {
  const product = index.products[row];
  if (product === undefined) return false;
  return filters.every((filter) => {
    switch (filter.name) {
      case 'condition':
        return isSelected(filter.operator, filter.conditions.includes(product.condition));
      case 'manufacturers': {
        const manufacturer = index.manufacturerOfProduct[row];
        return isSelected(filter.operator, manufacturer !== undefined && includesRow(filter.rows, manufacturer));
      }
      case 'id':
        return isSelected(filter.operator, filter.texts.includes(product.id));
      case 'slug':
        return isSelected(filter.operator, filter.texts.includes(product.slug));
      case 'upfrontCost':
      case 'monthlyCost':
      case 'totalCost':
      case 'contractLength':
      case 'dataAllowance':
      case 'networks':
      case 'retailers':
      case 'offers':
        return true;
    }
  });
}

function includesRow(rows: readonly ManufacturerRow[], row: ManufacturerRow): boolean {
  return rows.includes(row);
}

/**
 * One product per model, in order of the products' rows (D12): one with a qualifying deal before one without, then new
 * before refurbished, then the lowest total cost, then the lowest id.
 */
function pickRepresentatives(
  products: readonly ProductRow[],
  index: CatalogueIndex,
  cheapest: CheapestDeals,
): ProductRow[] {
  const representatives = new Map<string, ProductRow>();
  for (const row of products) {
    const model = index.products[row]?.model;
    const group = model === undefined ? `row ${row}` : `model ${model}`;
    const chosen = representatives.get(group);
    const better = chosen === undefined ? row : chooseRepresentative(row, chosen, index, cheapest).row;
    if (better !== chosen) representatives.set(group, better);
  }
  return [...representatives.values()].sort((a, b) => a - b);
}

/** By which rule one product represents its model rather than another (D12). */
export type RepresentativeRule = 'qualifying-deal' | 'new-first' | 'total-cost' | 'lowest-id';

/** Which of two products represents their model, and by which rule. */
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

/** Products without a qualifying deal come last in both directions; ties by row, ascending (D14). */
function compareProducts(
  sort: Sort<ProductSortKey>,
  index: CatalogueIndex,
  cheapest: CheapestDeals,
): (a: ProductRow, b: ProductRow) => number {
  const sign = sort.direction === 'asc' ? 1 : -1;
  if (sort.key === 'name') {
    const names = index.productNameKeys;
    return (a, b) => sign * compareCodeUnits(names[a] as string, names[b] as string) || a - b;
  }
  const column = costColumn(sort.key, index);
  return (a, b) => {
    const dealOfA = cheapest.of(a);
    const dealOfB = cheapest.of(b);
    if (dealOfA === undefined || dealOfB === undefined) {
      return Number(dealOfA === undefined) - Number(dealOfB === undefined) || a - b;
    }
    return sign * (column.at(dealOfA) - column.at(dealOfB)) || a - b;
  };
}

function costColumn(key: Exclude<ProductSortKey, 'name'>, index: CatalogueIndex) {
  switch (key) {
    case 'total-cost':
      return index.deals.totalPence;
    case 'upfront-cost':
      return index.deals.upfrontPence;
    case 'contract-price':
      return index.deals.monthlyPence;
  }
}

/** The deals of some products that the filter accepts, in one order, at most `perProduct` of each (D10, D15). */
export function selectDeals(
  wanted: NonNullable<ProductsQuery['deals']>,
  products: readonly ProductRow[],
  index: CatalogueIndex,
  filter: DealFilter,
): readonly DealRow[] {
  const compare = compareDeals(wanted.sort, index);
  const selected: DealRow[] = [];
  for (const product of products) {
    let rows: DealRow[] = [];
    const end = index.endOfDeals(product);
    for (let row = index.firstDeal(product); row < end; row++) {
      if (filter.accepts(row)) rows.push(row);
    }
    if (wanted.perProduct !== undefined) rows = rows.sort(compare).slice(0, wanted.perProduct);
    for (const row of rows) selected.push(row);
  }
  return selected.sort(compare);
}

/** The key, then the ties of D14 ascending whatever the direction: they are what `rank` numbers. */
function compareDeals(sort: Sort<DealSortKey>, index: CatalogueIndex): (a: DealRow, b: DealRow) => number {
  const { rank, totalPence, upfrontPence, monthlyPence, plan } = index.deals;
  const sign = sort.direction === 'asc' ? 1 : -1;
  const byRank = (a: DealRow, b: DealRow): number => rank.at(a) - rank.at(b);
  switch (sort.key) {
    case 'total-cost':
      return (a, b) => sign * (totalPence.at(a) - totalPence.at(b)) || byRank(a, b);
    case 'upfront-cost':
      return (a, b) => sign * (upfrontPence.at(a) - upfrontPence.at(b)) || byRank(a, b);
    case 'contract-price':
      return (a, b) => sign * (monthlyPence.at(a) - monthlyPence.at(b)) || byRank(a, b);
    case 'data-allowance': {
      const data = index.plans.map(({ dataMegabytes }) =>
        dataMegabytes === 'unlimited' ? Number.MAX_SAFE_INTEGER : dataMegabytes,
      );
      const dataAt = (row: DealRow): number => data[plan.at(row)] as number;
      return (a, b) => sign * (dataAt(a) - dataAt(b)) || byRank(a, b);
    }
  }
}
