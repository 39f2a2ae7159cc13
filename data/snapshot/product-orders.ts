import type { ProductSortKey, Sort } from '../query/sort.ts';
import { compareCodeUnits } from '../record/code-unit.ts';
import type { DealColumns } from './catalogue-index.ts';
import type { NumberColumn } from './column.ts';
import type { DealRuns } from './deal-blocks.ts';
import { sortPositions } from './packed-sort.ts';
import { rowAt, type DealRow, type ProductRow } from './row.ts';

/** What a product without a deal sorts by, in both directions: above every amount. */
const NO_DEAL = 2 ** 30 - 1;

/** What sorting products asks of an index. */
export interface SortedCatalogue {
  readonly productNameKeys: readonly string[];
  readonly deals: DealColumns;
}

/**
 * The orders of all products that no filter changes, each made when it is first asked for and kept as long as the
 * snapshot: a plain page is then a slice.
 */
export class ProductOrders {
  /** All products by row. */
  readonly byRow: Uint32Array;
  readonly #catalogue: SortedCatalogue;
  readonly #runs: DealRuns;
  readonly #made = new Map<string, Uint32Array>();

  constructor(catalogue: SortedCatalogue, runs: DealRuns) {
    this.byRow = Uint32Array.from({ length: runs.productCount }, (_, row) => row);
    this.#catalogue = catalogue;
    this.#runs = runs;
  }

  /** All products by name, or by a cost of the cheapest of all their deals. */
  of(sort: Sort<ProductSortKey>): Uint32Array {
    const name = `${sort.key}-${sort.direction}`;
    let order = this.#made.get(name);
    if (order === undefined) {
      order = sortProducts(this.byRow, sort, this.#catalogue, (product) => {
        const first = this.#runs.firstDeal(product);
        return first < this.#runs.endOfDeals(product) ? first : undefined;
      });
      this.#made.set(name, order);
    }
    return order;
  }
}

/**
 * Some products, given in order of row, by name or by a cost of their cheapest deals. Those without a deal come last in
 * both directions; ties by row, ascending (D14). With `wanted`, only so many of the first.
 */
export function sortProducts(
  products: Uint32Array,
  { key, direction }: Sort<ProductSortKey>,
  { productNameKeys, deals }: SortedCatalogue,
  cheapestOf: (product: ProductRow) => DealRow | undefined,
  wanted = products.length,
): Uint32Array {
  if (key === 'name') {
    const sign = direction === 'asc' ? 1 : -1;
    const nameOf = (product: number): string => productNameKeys[product] as string;
    const sorted = products.toSorted((a, b) => sign * compareCodeUnits(nameOf(a), nameOf(b)) || a - b);
    return sorted.subarray(0, wanted);
  }
  const { cells } = costColumn(key, deals);
  const keys = new Uint32Array(products.length);
  for (let position = 0; position < keys.length; position++) {
    const deal = cheapestOf(rowAt(products[position] as number));
    if (deal === undefined) keys[position] = NO_DEAL;
    else keys[position] = direction === 'asc' ? (cells[deal] as number) : NO_DEAL - 1 - (cells[deal] as number);
  }
  return sortPositions(keys, wanted).map((position) => products[position] as number);
}

function costColumn(key: Exclude<ProductSortKey, 'name'>, deals: DealColumns): NumberColumn<'deal'> {
  switch (key) {
    case 'total-cost':
      return deals.totalPence;
    case 'upfront-cost':
      return deals.upfrontPence;
    case 'contract-price':
      return deals.monthlyPence;
  }
}
