import {
  filterRow,
  type DealFilterRow,
  type FilterOperator,
  type FilterValue,
  type ProductFilterRow,
} from '../../data/query/filter.ts';
import {
  type CatalogueIndex,
  rowAt,
  type ColumnValues,
  type DealRow,
  type ProductRow,
  compileNameSearch,
} from '../../data/snapshot/catalogue-index.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import type { Filter } from './query.ts';

/**
 * Finds the deals that satisfy all deal filters of a query (D13), by reading deal after deal.
 */
export class DealFilter {
  /** False when the query has no deal filter, so that every deal qualifies. */
  readonly hasPredicate: boolean;
  readonly #index: CatalogueIndex;
  readonly #conditions: readonly Condition[];

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#index = index;
    this.#conditions = filters.flatMap((filter) => {
      const row = filterRow(filter.name);
      return row.on === 'deal' ? [compileDealFilter(filter, row, index)] : [];
    });
    this.hasPredicate = this.#conditions.length > 0;
  }

  accepts(row: DealRow): boolean {
    return this.#search(row, row + 1) === row;
  }

  /** The cheapest qualifying deal of a product: its deals are in order of cost, so the first that qualifies (D11). */
  findCheapest(product: ProductRow): DealRow | undefined {
    const end = this.#index.endOfDeals(product);
    const row = this.#search(this.#index.firstDeal(product), end);
    return row === end ? undefined : rowAt(row);
  }

  /** The qualifying deals of a product, in order of cost. */
  listOf(product: ProductRow): readonly DealRow[] {
    const end = this.#index.endOfDeals(product);
    const deals: DealRow[] = [];
    for (let row = this.#search(this.#index.firstDeal(product), end); row < end; row = this.#search(row + 1, end)) {
      deals.push(rowAt(row));
    }
    return deals;
  }

  /** The first qualifying deal from `from` on, or `end`. */
  #search(from: number, end: number): number {
    for (let row = from; row < end; row++) {
      if (this.#conditions.every(({ cells, passes }) => passes(cells[row] as number))) return row;
    }
    return end;
  }
}

/** A filter of deals: whether the cell of a deal passes. */
interface Condition {
  readonly cells: ColumnValues;
  readonly passes: (cell: number) => boolean;
}

function compileDealFilter({ operator, values }: Filter, row: DealFilterRow, index: CatalogueIndex): Condition {
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
