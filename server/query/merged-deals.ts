import type { DealSortKey } from '../../data/query/vocabulary.ts';
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
    const { perProduct } = this.#wanted;
    const iterator = this.#iterateRange(product);
    return perProduct === undefined ? iterator : new TakeIterator(iterator, perProduct);
  }

  #iterateRange(product: ProductRow): DealIterator {
    const { key, direction } = this.#wanted.sort;
    const isInRangeOrder = key === 'total-cost' && direction === 'asc';
    // If no deal qualifies, a search by blocks finds that sooner than a scan in another order.
    if (isInRangeOrder || this.#filter.findCheapest(product) === undefined) {
      return new RangeIterator(product, this.#index, this.#filter);
    }
    const range = new SortedRange(product, key, this.#index);
    return new SortedRangeIterator(
      range,
      direction === 'asc' ? new AscendingIterator(range) : new DescendingIterator(range),
      this.#filter,
    );
  }
}

/** In place of a deal or a position: the end. */
const END = -1;

/** Iterates over one product's qualifying deals. */
interface DealIterator {
  /** The current deal, or `END`. */
  readonly deal: number;
  /** The merge compares deals by `key`, then by `rank`. */
  readonly key: number;
  readonly rank: number;
  advance(): void;
}

/** Iterates over a product range as stored: by total cost and all ties, which is the order of `rank`. */
class RangeIterator implements DealIterator {
  deal = END;
  readonly key = 0;
  rank = 0;
  readonly #product: ProductRow;
  readonly #index: CatalogueIndex;
  readonly #filter: DealFilter;

  constructor(product: ProductRow, index: CatalogueIndex, filter: DealFilter) {
    this.#product = product;
    this.#index = index;
    this.#filter = filter;
    this.#moveTo(filter.findCheapest(product));
  }

  advance(): void {
    this.#moveTo(this.#filter.findFrom(rowAt(this.deal + 1), this.#product));
  }

  #moveTo(deal: DealRow | undefined): void {
    this.deal = deal ?? END;
    if (deal !== undefined) this.rank = this.#index.deals.rank.at(deal);
  }
}

/** A product's deals in ascending order of a key, equal ones by rank. */
class SortedRange {
  readonly length: number;
  readonly #index: CatalogueIndex;
  readonly #key: DealSortKey;
  readonly #first: DealRow;
  /** Absent when the range itself is in that order. */
  readonly #order: DealOrder | undefined;

  constructor(product: ProductRow, key: DealSortKey, index: CatalogueIndex) {
    this.#index = index;
    this.#key = key;
    this.#first = index.firstDeal(product);
    this.length = index.endOfDeals(product) - this.#first;
    this.#order = key === 'total-cost' ? undefined : index.dealSortIndex.of(key, product);
  }

  dealAt(position: number): DealRow {
    return rowAt(this.#first + (this.#order === undefined ? position : (this.#order[position] as number)));
  }

  keyAt(position: number): number {
    const deal = this.dealAt(position);
    const { deals, planColumns } = this.#index;
    switch (this.#key) {
      case 'total-cost':
        return deals.totalPence.at(deal);
      case 'upfront-cost':
        return deals.upfrontPence.at(deal);
      case 'contract-price':
        return deals.monthlyPence.at(deal);
      case 'data-allowance':
        return planColumns.data[deals.plan.at(deal)] as number;
    }
  }

  rankAt(position: number): number {
    return this.#index.deals.rank.at(this.dealAt(position));
  }
}

/** Gives the positions of a sorted range one after the other, then `END`. */
interface PositionIterator {
  /** 1 when keys ascend, -1 when they descend. */
  readonly sign: 1 | -1;
  next(): number;
}

class AscendingIterator implements PositionIterator {
  readonly sign = 1;
  readonly #length: number;
  #next = 0;

  constructor({ length }: SortedRange) {
    this.#length = length;
  }

  next(): number {
    return this.#next < this.#length ? this.#next++ : END;
  }
}

/** From the highest key to the lowest, but forward through deals of one key: ties always ascend (D14). */
class DescendingIterator implements PositionIterator {
  readonly sign = -1;
  readonly #range: SortedRange;
  #groupStart: number;
  #groupEnd: number;
  #next: number;

  constructor(range: SortedRange) {
    this.#range = range;
    this.#groupStart = range.length;
    this.#groupEnd = range.length;
    this.#next = range.length;
  }

  next(): number {
    if (this.#next === this.#groupEnd) {
      if (this.#groupStart === 0) return END;
      this.#groupEnd = this.#groupStart;
      this.#groupStart = this.#findGroupStart(this.#groupEnd);
      this.#next = this.#groupStart;
    }
    return this.#next++;
  }

  #findGroupStart(end: number): number {
    const key = this.#range.keyAt(end - 1);
    let start = end - 1;
    while (start > 0 && this.#range.keyAt(start - 1) === key) start--;
    return start;
  }
}

/** Iterates over a product range in sorted order. */
class SortedRangeIterator implements DealIterator {
  deal = END;
  key = 0;
  rank = 0;
  readonly #range: SortedRange;
  readonly #positions: PositionIterator;
  readonly #filter: DealFilter;

  constructor(range: SortedRange, positions: PositionIterator, filter: DealFilter) {
    this.#range = range;
    this.#positions = positions;
    this.#filter = filter;
    this.advance();
  }

  advance(): void {
    let position = this.#positions.next();
    while (position !== END && !this.#filter.accepts(this.#range.dealAt(position))) position = this.#positions.next();
    if (position === END) {
      this.deal = END;
      return;
    }
    this.deal = this.#range.dealAt(position);
    this.key = this.#positions.sign * this.#range.keyAt(position);
    this.rank = this.#range.rankAt(position);
  }
}

/** Iterates over at most `limit` deals. */
class TakeIterator implements DealIterator {
  readonly #iterator: DealIterator;
  #left: number;

  constructor(iterator: DealIterator, limit: number) {
    this.#iterator = iterator;
    this.#left = limit;
  }

  get deal(): number {
    return this.#left === 0 ? END : this.#iterator.deal;
  }

  get key(): number {
    return this.#iterator.key;
  }

  get rank(): number {
    return this.#iterator.rank;
  }

  advance(): void {
    this.#left--;
    if (this.#left > 0) this.#iterator.advance();
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
