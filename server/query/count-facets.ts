import {
  filterRow,
  type DealFilterRow,
  type FilterName,
  type FilterRow,
  type FilterValue,
  type ProductFilterRow,
} from '../../data/query/filter.ts';
import { type CatalogueIndex, rowAt, type DealRow, type ProductRow } from '../../data/snapshot/catalogue-index.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import { DealFilter, ProductFilter } from './execute-products.ts';
import type { Filter, ProductsQuery } from './query.ts';

/** By value of its filter, how many products a request would find. */
export type FacetCounts = ReadonlyMap<FilterValue, number>;

/**
 * Counts products for each facet of a query (D25): of each value, the products that the query would find with the value in
 * place of what it has for that filter; models, where products are grouped. Yields an empty text after each product, so
 * that others may have their turn.
 */
export function* countFacets(
  { facets = [], filters, isGrouped }: ProductsQuery,
  index: CatalogueIndex,
): Generator<string, ReadonlyMap<FilterName, FacetCounts>> {
  const products = Array.from(index.products.keys(), rowAt<'product'>);
  // The products of a model one after the other, so that the last one counted tells whether a model was.
  if (isGrouped) products.sort((a, b) => groupOf(a) - groupOf(b));
  const counters = facets.map((name) => createCounter(filterRow(name), index));
  for (const passing of groupByFilters(counters, filters)) {
    const productFilter = new ProductFilter(passing.filters, index);
    const dealFilter = new DealFilter(passing.filters, index);
    for (const product of products) {
      if (!productFilter.accepts(product)) continue;
      const deals = dealFilter.listOf(product);
      if (deals.length === 0 && dealFilter.hasPredicate) continue;
      for (const counter of passing.counters) counter.add(product, deals, groupOf(product));
      yield '';
    }
  }
  return new Map(counters.map(({ name, listCounts }) => [name, listCounts()]));

  function groupOf(product: ProductRow): number {
    return isGrouped ? (index.firstOfModel[product] as number) : product;
  }
}

/** The counters whose products pass the same filters: those of all others. */
function groupByFilters(counters: readonly Counter[], filters: readonly Filter[]) {
  const isFiltered = ({ name }: Counter): boolean => filters.some((filter) => filter.name === name);
  const alone = counters.filter(isFiltered).map((counter) => ({
    counters: [counter],
    filters: filters.filter(({ name }) => name !== counter.name),
  }));
  const together = counters.filter((counter) => !isFiltered(counter));
  return together.length === 0 ? alone : [{ counters: together, filters }, ...alone];
}

type Counter = ReturnType<typeof createCounter>;

/** Counts the products of one facet, or groups of them: those of a group come one after the other. */
function createCounter(row: FilterRow, index: CatalogueIndex) {
  const positions = new Map<FilterValue, number>();
  const counts: number[] = [];
  const lastGroups: number[] = [];
  const positionOf = (value: FilterValue): number => {
    const known = positions.get(value);
    if (known !== undefined) return known;
    positions.set(value, counts.length);
    lastGroups.push(-1);
    return counts.push(0) - 1;
  };
  const count = (position: number, group: number): void => {
    if (lastGroups[position] === group) return;
    lastGroups[position] = group;
    counts[position] = (counts[position] as number) + 1;
  };
  return {
    name: row.name,
    add: row.on === 'deal' ? createDealCount(row) : createProductCount(row),
    listCounts: (): FacetCounts =>
      new Map(
        Array.from(positions, ([value, at]) => [value, counts[at] as number] as const).filter(([, count]) => count > 0),
      ),
  };

  function createProductCount({ value: valueOf }: ProductFilterRow) {
    return (product: ProductRow, _deals: readonly DealRow[], group: number): void => {
      // Rows come from the same snapshot.
      const value = valueOf(index.products[product] as ProductLine);
      if (value !== undefined) count(positionOf(value), group);
    };
  }

  function createDealCount({ cells: listCells, entries }: DealFilterRow) {
    const cells = listCells(index);
    const positionsOf = (entries?.(index) ?? []).map((entry) => {
      const values: readonly (FilterValue | undefined)[] = Array.isArray(entry) ? entry : [entry];
      return values.filter((value) => value !== undefined).map(positionOf);
    });
    return (_product: ProductRow, deals: readonly DealRow[], group: number): void => {
      for (const deal of deals) {
        for (const position of positionsOf[cells[deal] as number] as readonly number[]) count(position, group);
      }
    };
  }
}
