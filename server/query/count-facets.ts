import { filterRow, type FilterName, type FilterValue } from '../../data/query/filter.ts';
import { type CatalogueIndex, rowAt, type DealRow, type ProductRow } from '../../data/snapshot/catalogue-index.ts';
import { compileProductFilter, DealFilter } from './filter.ts';
import type { ProductsQuery } from './query.ts';

/** A product may have a tenth of all deals: so many take less than a millisecond. */
const DEALS_A_TURN = 4_096;

/** By value of its filter, how many products a request would find. */
export type FacetCounts = ReadonlyMap<FilterValue, number>;

/**
 * Counts products for each facet of a query (D25): of each value, the products that the query would find with the value in
 * place of what it has for that filter; models, where products are grouped. In one pass: what satisfies all filters counts
 * for every facet, what satisfies all but those of one name for the facet of that name. Yields an empty text before each
 * product, and between its deals, so that others may have their turn.
 */
export function* countFacets(
  { facets = [], filters, isGrouped }: ProductsQuery,
  index: CatalogueIndex,
): Generator<string, ReadonlyMap<FilterName, FacetCounts>> {
  const counters = facets.map((name) => createCounter(name, index));
  const ofDeals = counters.filter(({ on }) => on === 'deal');
  const tests = Array.from(new Set(filters.map(({ name }) => name)), (name) => {
    const own = filters.filter((each) => each.name === name);
    return {
      name,
      on: filterRow(name).on,
      passes: compileProductFilter(own, index),
      deals: new DealFilter(own, index),
    };
  });
  const productTests = tests.filter(({ on }) => on === 'product');
  const dealTests = tests.filter(({ on }) => on === 'deal');
  const groupOf = (product: ProductRow): number => (isGrouped ? (index.firstOfModel[product] as number) : product);
  const products = Array.from(index.products.keys(), rowAt<'product'>);
  // The products of a model one after the other, so that the last one counted tells whether a model was.
  if (isGrouped) products.sort((a, b) => groupOf(a) - groupOf(b));

  for (const product of products) {
    yield '';
    const [missed, another] = productTests.filter(({ passes }) => !passes(product));
    // It counts for no facet that is asked for.
    if (another !== undefined || (missed !== undefined && !facets.includes(missed.name))) continue;
    const group = groupOf(product);
    // A product without a qualifying deal drops out when there is a filter of deals (D13).
    let qualifies = dealTests.length === 0;
    const end = index.endOfDeals(product);
    for (let row = index.firstDeal(product); row < end; row++) {
      if (row % DEALS_A_TURN === 0) yield '';
      const name = findMissed(row, missed?.name);
      if (name === 'several') continue;
      if (name === missed?.name) qualifies = true;
      for (const counter of ofDeals) if (name === undefined || name === counter.name) counter.add(row, group);
    }
    if (!qualifies) continue;
    for (const counter of counters) {
      if (counter.on === 'product' && (missed === undefined || missed.name === counter.name))
        counter.add(product, group);
    }
  }
  return new Map(counters.map(({ name, listCounts }) => [name, listCounts()]));

  /** The one name whose filters a deal or its product misses; undefined for none. */
  function findMissed(deal: DealRow, ofProduct: FilterName | undefined): FilterName | 'several' | undefined {
    let missed = ofProduct;
    for (const { name, deals } of dealTests) {
      if (deals.accepts(deal)) continue;
      if (missed !== undefined) return 'several';
      missed = name;
    }
    return missed;
  }
}

/** Counts the products of one facet, or groups of them: those of a group come one after the other. */
function createCounter(name: FilterName, index: CatalogueIndex) {
  const row = filterRow(name);
  // A product is its own cell.
  const cells = row.on === 'deal' ? row.cells(index) : undefined;
  const entries = row.on === 'deal' ? (row.entries?.(index) ?? []) : index.products.map(row.value);
  const positions = new Map<FilterValue, number>();
  const positionsOf = entries.map((entry) => {
    const values: readonly (FilterValue | undefined)[] = Array.isArray(entry) ? entry : [entry];
    return values.flatMap((value) => {
      if (value === undefined) return [];
      const position = positions.get(value) ?? positions.size;
      positions.set(value, position);
      return [position];
    });
  });
  const counts = new Uint32Array(positions.size);
  const lastGroups = new Int32Array(positions.size).fill(-1);
  // Most deals of a product have a cell that was counted.
  const lastGroupOf = new Int32Array(positionsOf.length).fill(-1);
  return {
    name,
    on: row.on,
    /** Counts a deal, or a product, depending on what the filter is on. */
    add: (at: number, group: number): void => {
      const cell = cells === undefined ? at : (cells[at] as number);
      if (lastGroupOf[cell] === group) return;
      lastGroupOf[cell] = group;
      for (const position of positionsOf[cell] as readonly number[]) {
        if (lastGroups[position] === group) continue;
        lastGroups[position] = group;
        counts[position] = (counts[position] as number) + 1;
      }
    },
    listCounts: (): FacetCounts =>
      new Map([...positions].map(([value, at]) => [value, counts[at] as number] as const).filter(([, sum]) => sum > 0)),
  };
}
