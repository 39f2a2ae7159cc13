import {
  filterRow,
  type DealFilterRow,
  type FilterOperator,
  type FilterValue,
  type ProductFilterRow,
} from '../../data/query/filter.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type ColumnValues, type DealRow, type ProductRow } from '../../data/snapshot/column.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import { compileNameSearch } from '../../data/snapshot/name-words.ts';
import type { Filter } from './query.ts';

/** In place of a deal: none qualifies. */
const NONE = 0xffff_ffff;

/**
 * Finds the deals that satisfy all deal filters of a query (D13), by reading deal after deal: a million in about 10 ms.
 */
export class DealFilter {
  /** False when the query has no deal filter, so that every deal qualifies. */
  readonly hasPredicate: boolean;
  readonly #index: CatalogueIndex;
  readonly #conditions: readonly Condition[];
  /** By product: the row of its cheapest qualifying deal plus 1, `NONE`, or 0 before it was searched. */
  readonly #cheapest: Uint32Array;

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#index = index;
    this.#conditions = filters.flatMap((filter) => {
      const row = filterRow(filter.name);
      return row.on === 'deal' ? [compileDealFilter(filter, row, index)] : [];
    });
    this.hasPredicate = this.#conditions.length > 0;
    this.#cheapest = new Uint32Array(this.hasPredicate ? index.products.length : 0);
  }

  accepts(row: DealRow): boolean {
    return this.#search(row, row + 1) === row;
  }

  /** The cheapest qualifying deal of a product: its deals are in order of cost, so the first that qualifies (D11). */
  findCheapest(product: ProductRow): DealRow | undefined {
    const known = this.#cheapest[product] ?? 0;
    if (known !== 0) return known === NONE ? undefined : rowAt(known - 1);
    const end = this.#index.endOfDeals(product);
    const row = this.#search(this.#index.firstDeal(product), end);
    if (this.hasPredicate) this.#cheapest[product] = row === end ? NONE : row + 1;
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

  /** How many deals of a product qualify. */
  countOf(product: ProductRow): number {
    return this.listOf(product).length;
  }

  /** The first qualifying deal from `from` on, or `end`. */
  #search(from: number, end: number): number {
    const conditions = this.#conditions;
    const count = conditions.length;
    for (let row = from; row < end; row++) {
      let met = 0;
      for (; met < count; met++) {
        const { cells, min, max, pages, marks, isWanted } = conditions[met] as Condition;
        const cell = cells[row] as number;
        const isIn =
          cell >= min &&
          cell <= max &&
          (marks.length === 0 ||
            marks[((pages[cell >>> PAGE_BITS] as number) << PAGE_BITS) + (cell & OFFSET_MASK)] === 1);
        if (isIn !== isWanted) break;
      }
      if (met === count) return row;
    }
    return end;
  }
}

/** A filter of deals: whether a cell is within bounds, and marked if there are marks. */
interface Condition extends MarkedNumbers {
  readonly cells: ColumnValues;
  readonly min: number;
  readonly max: number;
  /** False for the cells that are not. */
  readonly isWanted: boolean;
}

function compileDealFilter({ operator, values }: Filter, row: DealFilterRow, index: CatalogueIndex): Condition {
  const cells = row.cells(index);
  if (row.entries !== undefined) {
    const passes = compileTest(operator, values);
    const entries = row.entries(index).flatMap((value, entry) => (passes(value) ? [entry] : []));
    return { cells, ...listNumbers(entries), isWanted: true };
  }
  // Cells without entries are numbers, and so are the values of the filter. A range has one (D13).
  const numbers = values as readonly number[];
  const [bound = 0] = numbers;
  const range = (min: number, max: number): Condition => ({ cells, min, max, ...NO_MARKS, isWanted: true });
  switch (operator) {
    case 'lt':
      return range(0, bound - 1);
    case 'lte':
      return range(0, bound);
    case 'gt':
      return range(bound + 1, Infinity);
    case 'gte':
      return range(bound, Infinity);
    case 'eq':
    case 'ne':
    case 'has':
      return { cells, ...listNumbers(numbers), isWanted: operator !== 'ne' };
  }
}

const PAGE_BITS = 12;
const OFFSET_MASK = 2 ** PAGE_BITS - 1;

/**
 * A set of numbers as one byte for each, in pages of 4,096; all pages without a number are page 0. A lookup is always two
 * reads, so no list of a request can make it slow, as with a hash table.
 */
interface MarkedNumbers {
  readonly pages: Uint16Array;
  readonly marks: Uint8Array;
}

const NO_MARKS: MarkedNumbers = { pages: new Uint16Array(), marks: new Uint8Array() };

/** The bounds and the marks of some numbers; those that no cell can have are left out. */
function listNumbers(numbers: readonly number[]): Omit<Condition, 'cells' | 'isWanted'> {
  const listed = numbers.filter((number) => number <= 0xffff_ffff);
  const max = listed.reduce((highest, number) => Math.max(highest, number), -1);
  const min = listed.reduce((lowest, number) => Math.min(lowest, number), Infinity);
  if (min >= max) return { min, max, ...NO_MARKS };
  const pages = new Uint16Array((max >>> PAGE_BITS) + 1);
  const pageNumbers = new Set(listed.map((number) => number >>> PAGE_BITS));
  [...pageNumbers].forEach((page, position) => (pages[page] = position + 1));
  const marks = new Uint8Array((pageNumbers.size + 1) << PAGE_BITS);
  for (const number of listed) {
    marks[((pages[number >>> PAGE_BITS] as number) << PAGE_BITS) + (number & OFFSET_MASK)] = 1;
  }
  return { min, max, pages, marks };
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
  /** False when the query has no product filter, so that every product passes. */
  readonly hasPredicate: boolean;
  readonly #tests: readonly ((row: ProductRow) => boolean)[];

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#tests = filters.flatMap((filter) => {
      const row = filterRow(filter.name);
      return row.on === 'product' ? [compileProductFilter(filter, row, index)] : [];
    });
    this.hasPredicate = this.#tests.length > 0;
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
