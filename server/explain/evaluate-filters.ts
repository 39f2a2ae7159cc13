import { filterRow, formatFilterValue, type DealFilterRow } from '../../data/query/filter.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { DealRow, ProductRow } from '../../data/snapshot/column.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import { DealFilter, ProductFilter } from '../query/apply-filters.ts';
import type { Filter } from '../query/query.ts';

/** A filter as a request spells it: `filter[totalCost]`, `lte{500.00}`. */
export interface SpelledFilter {
  readonly parameter: string;
  readonly clause: string;
}

/** The result of a filter for one product or deal. `actual` is in the words of the filter. */
export interface FilterResult extends SpelledFilter {
  readonly actual: string;
  readonly holds: boolean;
}

export function isProductFilter({ name }: Filter): boolean {
  return filterRow(name).on === 'product';
}

/** The result of each product filter for a product, with the code that answers queries. */
export function evaluateProduct(filters: readonly Filter[], index: CatalogueIndex, row: ProductRow): FilterResult[] {
  return filters.flatMap((filter) => {
    const table = filterRow(filter.name);
    if (table.on !== 'product') return [];
    // Rows come from the same snapshot.
    const actual = table.value(index.products[row] as ProductLine) ?? 'none';
    return [{ ...spellFilter(filter), actual, holds: new ProductFilter([filter], index).accepts(row) }];
  });
}

/** Makes a function for the result of each deal filter for a deal, with the code that answers queries. */
export function createDealEvaluator(
  filters: readonly Filter[],
  index: CatalogueIndex,
): (row: DealRow) => readonly FilterResult[] {
  const tests = filters.flatMap((filter) => {
    const table = filterRow(filter.name);
    if (table.on !== 'deal') return [];
    const alone = new DealFilter([filter], index);
    return [{ spelled: spellFilter(filter), actualOf: createActual(table, index), alone }];
  });
  return (row) =>
    tests.map(({ spelled, actualOf, alone }) => ({ ...spelled, actual: actualOf(row), holds: alone.accepts(row) }));
}

export function spellFilter({ name, operator, values }: Filter): SpelledFilter {
  const texts = values.map((value) => formatFilterValue(filterRow(name).kind, value));
  return { parameter: `filter[${name}]`, clause: `${operator}{${texts.join(',')}}` };
}

/** What each deal has, as the filter spells it. */
function createActual({ kind, cells, entries }: DealFilterRow, index: CatalogueIndex): (row: DealRow) => string {
  const numbers = cells(index);
  const values = entries?.(index);
  return (row) => {
    const cell = numbers[row] as number;
    const actual = [values === undefined ? cell : (values[cell] ?? [])].flat();
    return actual.length === 0 ? 'none' : actual.map((value) => formatFilterValue(kind, value)).join(',');
  };
}
