import type { DealSortKey, Sort } from '../../data/query/vocabulary.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/column.ts';
import type { DealOrder } from '../../data/snapshot/sort-index.ts';
import type { DealFilter } from './apply-filters.ts';
import type { ProductsQuery } from './query.ts';

/**
 * The qualifying deals of some products in one order, at most `perProduct` of each (D10, D15): a k-way merge. Each product
 * range is in order already, or has a sort index in the snapshot. Reading needs an iterator of about 140 bytes for each
 * product, and may start again at any time.
 */
export class MergedDeals implements Iterable<DealRow> {
  readonly #wanted: NonNullable<ProductsQuery['deals']>;
  readonly #products: readonly ProductRow[];
  readonly #index: CatalogueIndex;
  readonly #filter: DealFilter;
  readonly #keyOf: (deal: DealRow) => number;

  constructor(
    wanted: NonNullable<ProductsQuery['deals']>,
    products: readonly ProductRow[],
    index: CatalogueIndex,
    filter: DealFilter,
  ) {
    this.#wanted = wanted;
    this.#products = products;
    this.#index = index;
    this.#filter = filter;
    this.#keyOf = createKey(wanted.sort, index);
  }

  /**
   * Makes the sort index of one product, unless the snapshot has it. Otherwise the first read makes all of them: 10 ms for
   * 100 products of 2,000 deals. A writer that yields calls this before.
   */
  prepare(product: ProductRow): void {
    const { key } = this.#wanted.sort;
    if (key !== 'total-cost') this.#index.dealSortIndex.of(key, product);
  }

  /** The number of deals, by a scan. */
  count(): number {
    const { perProduct = Infinity } = this.#wanted;
    return this.#products.reduce((sum, product) => sum + Math.min(this.#filter.countOf(product), perProduct), 0);
  }

  *[Symbol.iterator](): Generator<DealRow> {
    const heads = new IteratorHeap(this.#products.map((product) => this.#openIterator(product)));
    for (let first = heads.first; first !== undefined; first = heads.first) {
      yield rowAt(first.deal);
      heads.advanceFirst();
    }
  }

  #openIterator(product: ProductRow): DealIterator {
    const { sort, perProduct = Infinity } = this.#wanted;
    const isInRangeOrder = sort.key === 'total-cost' && sort.direction === 'asc';
    // If no deal qualifies, a search by blocks finds that sooner than a scan in another order.
    const next =
      isInRangeOrder || this.#filter.findCheapest(product) === undefined
        ? inRangeOrder(product, this.#index, this.#filter)
        : sort.direction === 'asc'
          ? ascending(new SortedRange(product, sort.key, this.#index), this.#filter)
          : descending(new SortedRange(product, sort.key, this.#index), this.#filter, this.#keyOf);
    return new DealIterator(next, isInRangeOrder ? undefined : this.#keyOf, this.#index, perProduct);
  }
}

/** In place of a deal: the end. */
const END = -1;

/** Gives a product's qualifying deals one after the other, then `END`. */
type NextDeal = () => number;

/** The deals as stored: by total cost and all ties, which is the order of `rank`. */
function inRangeOrder(product: ProductRow, index: CatalogueIndex, filter: DealFilter): NextDeal {
  let from = index.firstDeal(product);
  return () => {
    const deal = filter.findFrom(from, product);
    if (deal === undefined) return END;
    from = rowAt(deal + 1);
    return deal;
  };
}

/** A product's deals in ascending order of a key, equal ones by rank. */
class SortedRange {
  readonly length: number;
  readonly #first: DealRow;
  /** Absent when the range itself is in that order. */
  readonly #order: DealOrder | undefined;

  constructor(product: ProductRow, key: DealSortKey, index: CatalogueIndex) {
    this.#first = index.firstDeal(product);
    this.length = index.endOfDeals(product) - this.#first;
    this.#order = key === 'total-cost' ? undefined : index.dealSortIndex.of(key, product);
  }

  dealAt(position: number): DealRow {
    return rowAt(this.#first + (this.#order === undefined ? position : (this.#order[position] as number)));
  }
}

function ascending(range: SortedRange, filter: DealFilter): NextDeal {
  let position = 0;
  return () => {
    while (position < range.length) {
      const deal = range.dealAt(position++);
      if (filter.accepts(deal)) return deal;
    }
    return END;
  };
}

/** From the highest key to the lowest, but forward through deals of one key: ties always ascend (D14). */
function descending(range: SortedRange, filter: DealFilter, keyOf: (deal: DealRow) => number): NextDeal {
  let groupStart = range.length;
  let groupEnd = range.length;
  let position = range.length;
  return () => {
    for (;;) {
      if (position === groupEnd) {
        if (groupStart === 0) return END;
        groupEnd = groupStart--;
        const key = keyOf(range.dealAt(groupStart));
        while (groupStart > 0 && keyOf(range.dealAt(groupStart - 1)) === key) groupStart--;
        position = groupStart;
      }
      const deal = range.dealAt(position++);
      if (filter.accepts(deal)) return deal;
    }
  };
}

/** What a sort compares: ascending numbers, for both directions. */
function createKey(
  { key, direction }: Sort<DealSortKey>,
  { deals, planColumns }: CatalogueIndex,
): (deal: DealRow) => number {
  const sign = direction === 'asc' ? 1 : -1;
  switch (key) {
    case 'total-cost':
      return (deal) => sign * deals.totalPence.at(deal);
    case 'upfront-cost':
      return (deal) => sign * deals.upfrontPence.at(deal);
    case 'contract-price':
      return (deal) => sign * deals.monthlyPence.at(deal);
    case 'data-allowance':
      return (deal) => sign * (planColumns.data[deals.plan.at(deal)] as number);
  }
}

/** Iterates over the first `limit` deals of a product. The merge compares them by `key`, then by `rank`. */
class DealIterator {
  /** The current deal, or `END`. */
  deal = END;
  key = 0;
  rank = 0;
  readonly #next: NextDeal;
  readonly #keyOf: ((deal: DealRow) => number) | undefined;
  readonly #index: CatalogueIndex;
  #left: number;

  /** @param keyOf absent when `rank` is the order */
  constructor(next: NextDeal, keyOf: ((deal: DealRow) => number) | undefined, index: CatalogueIndex, limit: number) {
    this.#next = next;
    this.#keyOf = keyOf;
    this.#index = index;
    this.#left = limit;
    this.advance();
  }

  advance(): void {
    this.deal = this.#left-- > 0 ? this.#next() : END;
    if (this.deal === END) return;
    const row = rowAt<'deal'>(this.deal);
    if (this.#keyOf !== undefined) this.key = this.#keyOf(row);
    this.rank = this.#index.deals.rank.at(row);
  }
}

/** A binary heap of iterators with the first deal on top; ended iterators are removed. */
class IteratorHeap {
  readonly #iterators: DealIterator[];

  constructor(iterators: readonly DealIterator[]) {
    this.#iterators = iterators.filter(({ deal }) => deal !== END);
    for (let i = (this.#iterators.length >>> 1) - 1; i >= 0; i--) this.#siftDown(i);
  }

  get first(): DealIterator | undefined {
    return this.#iterators[0];
  }

  /** Advances the first iterator, and restores the heap. */
  advanceFirst(): void {
    const iterators = this.#iterators;
    const first = iterators[0] as DealIterator;
    first.advance();
    if (first.deal === END) {
      const last = iterators.pop() as DealIterator;
      if (iterators.length === 0) return;
      iterators[0] = last;
    }
    this.#siftDown(0);
  }

  #siftDown(from: number): void {
    const iterators = this.#iterators;
    const moved = iterators[from] as DealIterator;
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= iterators.length) break;
      const right = left + 1;
      const isRightFirst =
        right < iterators.length && comesBefore(iterators[right] as DealIterator, iterators[left] as DealIterator);
      const child = isRightFirst ? right : left;
      if (!comesBefore(iterators[child] as DealIterator, moved)) break;
      iterators[place] = iterators[child] as DealIterator;
      place = child;
    }
    iterators[place] = moved;
  }
}

function comesBefore(a: DealIterator, b: DealIterator): boolean {
  return a.key === b.key ? a.rank < b.rank : a.key < b.key;
}
