import type { DealSortKey, Sort } from '../../data/query/vocabulary.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/column.ts';
import type { DealFilter } from './apply-filters.ts';
import { DealSort } from './deal-sort.ts';

interface WantedDeals {
  readonly dealSort: Sort<DealSortKey>;
  readonly dealsPerProduct?: number | undefined;
}

/** A reader of the deals of one product, and the deal that it has come to. */
interface Head {
  readonly rest: Iterator<DealRow>;
  deal: DealRow;
  key: number;
  rank: number;
}

/**
 * The qualifying deals of some products in one order, at most `dealsPerProduct` of each (D10, D15), merged as they are read.
 * Reading may start again at any time.
 */
export class MergedDeals implements Iterable<DealRow> {
  readonly #sort: DealSort;
  readonly #perProduct: number;
  readonly #products: readonly ProductRow[];
  readonly #index: CatalogueIndex;
  readonly #filter: DealFilter;

  constructor(
    { dealSort, dealsPerProduct = Infinity }: WantedDeals,
    products: readonly ProductRow[],
    index: CatalogueIndex,
    filter: DealFilter,
  ) {
    this.#sort = new DealSort(index, dealSort);
    this.#perProduct = dealsPerProduct;
    this.#products = products;
    this.#index = index;
    this.#filter = filter;
  }

  /**
   * Makes the order of one product, unless the snapshot has it. Otherwise the first read makes all of them: 10 ms for
   * 100 products of 2,000 deals. A writer that yields calls this before.
   */
  prepare(product: ProductRow): void {
    this.#sort.orderOf(product);
  }

  /** The number of deals, by a scan. */
  count(): number {
    return this.#products.reduce((sum, product) => sum + Math.min(this.#filter.countOf(product), this.#perProduct), 0);
  }

  *[Symbol.iterator](): Generator<DealRow> {
    const heads = this.#products.flatMap((product) => this.#openHead(this.#readProduct(product)) ?? []);
    while (heads.length > 0) {
      // A page has 20 products, at most 100: looking at each is quicker than keeping a heap in order.
      let first = 0;
      for (let i = 1; i < heads.length; i++) if (comesBefore(heads[i] as Head, heads[first] as Head)) first = i;
      const { deal, rest } = heads[first] as Head;
      yield deal;
      const next = this.#openHead(rest);
      if (next === undefined) heads.splice(first, 1);
      else heads[first] = next;
    }
  }

  /** The qualifying deals of a product, in the order of the sort. */
  *#readProduct(product: ProductRow): Generator<DealRow> {
    const first = this.#index.firstDeal(product);
    const count = this.#index.endOfDeals(product) - first;
    const order = this.#sort.orderOf(product);
    let left = this.#perProduct;
    for (let position = 0; position < count && left > 0; position++) {
      const deal = rowAt<'deal'>(first + (order?.[position] ?? position));
      if (!this.#filter.accepts(deal)) continue;
      left--;
      yield deal;
    }
  }

  #openHead(rest: Iterator<DealRow>): Head | undefined {
    const { done, value: deal } = rest.next();
    if (done === true) return undefined;
    return { rest, deal, key: this.#sort.keyOf(deal), rank: this.#index.deals.rank.at(deal) };
  }
}

/** By key, then by rank, which is the order of all ties (D14). */
function comesBefore(a: Head, b: Head): boolean {
  return a.key === b.key ? a.rank < b.rank : a.key < b.key;
}
