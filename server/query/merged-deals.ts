import type { DealSortKey } from '../../data/query/vocabulary.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/column.ts';
import type { DealOrder } from '../../data/snapshot/sort-index.ts';
import type { DealFilter } from './apply-filters.ts';
import type { ProductsQuery } from './query.ts';

/**
 * The qualifying deals of some products in one order, at most `perProduct` of each (D10, D15). Nothing is sorted or
 * listed beforehand: each product's deals are in order already, or in an order that the snapshot keeps, and are merged
 * as they are read. Reading holds a cursor for each product, about 140 bytes, however many deals there are; it may
 * begin anew at any time.
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
   * Makes what reading needs of one product of the page, unless the snapshot has it. Reading does it of all products
   * at once when nobody did: 10 ms for 100 products of 2,000 deals, so a writer that gives way calls this before.
   */
  prepare(product: ProductRow): void {
    const { key } = this.#wanted.sort;
    if (key !== 'total-cost') this.#index.dealSortIndex.of(key, product);
  }

  /** How many there are: a scan, of which nothing is kept. */
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
    const cursor = this.#iterateRange(product);
    return perProduct === undefined ? cursor : new TakeIterator(cursor, perProduct);
  }

  #iterateRange(product: ProductRow): DealIterator {
    const { key, direction } = this.#wanted.sort;
    const isInRunOrder = key === 'total-cost' && direction === 'asc';
    // A search by blocks finds that nothing qualifies sooner than a walk through an order does.
    if (isInRunOrder || this.#filter.findCheapest(product) === undefined) {
      return new RangeIterator(product, this.#index, this.#filter);
    }
    const run = new SortedRange(product, key, this.#index);
    return new SortedRangeIterator(
      run,
      direction === 'asc' ? new AscendingIterator(run) : new DescendingIterator(run),
      this.#filter,
    );
  }
}

/** In place of a deal or a position: there are no more. */
const END = -1;

/** Where reading is in one product's deals. */
interface DealIterator {
  /** The deal to be read next, or `END`. */
  readonly deal: number;
  /** By what it compares with the deals of other products: this, then `rank`. */
  readonly key: number;
  readonly rank: number;
  advance(): void;
}

/** Reads a run as it is: in order of total cost with all ties, which is the order of `rank`. */
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
  /** Absent when the run itself is in that order. */
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

/** Gives the positions of an ordered run one after the other, then `END`. */
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

/** From the highest key to the lowest, and through deals of one key forward: their ties ascend all the same (D14). */
class DescendingIterator implements PositionIterator {
  readonly sign = -1;
  readonly #range: SortedRange;
  #groupStart: number;
  #groupEnd: number;
  #next: number;

  constructor(run: SortedRange) {
    this.#range = run;
    this.#groupStart = run.length;
    this.#groupEnd = run.length;
    this.#next = run.length;
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

/** Reads a run in the order of a walk. */
class SortedRangeIterator implements DealIterator {
  deal = END;
  key = 0;
  rank = 0;
  readonly #range: SortedRange;
  readonly #positions: PositionIterator;
  readonly #filter: DealFilter;

  constructor(run: SortedRange, walk: PositionIterator, filter: DealFilter) {
    this.#range = run;
    this.#positions = walk;
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

/** Reads at most so many deals. */
class TakeIterator implements DealIterator {
  readonly #iterator: DealIterator;
  #left: number;

  constructor(cursor: DealIterator, limit: number) {
    this.#iterator = cursor;
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

/** A binary heap of cursors: the one whose deal comes first is on top, those that ended are out of it. */
class IteratorHeap {
  readonly #iterators: DealIterator[];

  constructor(cursors: readonly DealIterator[]) {
    this.#iterators = cursors.filter(({ deal }) => deal !== END);
    for (let i = (this.#iterators.length >>> 1) - 1; i >= 0; i--) this.#siftDown(i);
  }

  get first(): DealIterator | undefined {
    return this.#iterators[0];
  }

  /** Takes the first cursor to its next deal, and to its place by that. */
  advanceFirst(): void {
    const cursors = this.#iterators;
    const first = cursors[0] as DealIterator;
    first.advance();
    if (first.deal === END) {
      const last = cursors.pop() as DealIterator;
      if (cursors.length === 0) return;
      cursors[0] = last;
    }
    this.#siftDown(0);
  }

  #siftDown(from: number): void {
    const cursors = this.#iterators;
    const moved = cursors[from] as DealIterator;
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= cursors.length) break;
      const right = left + 1;
      const isRightFirst =
        right < cursors.length && comesBefore(cursors[right] as DealIterator, cursors[left] as DealIterator);
      const child = isRightFirst ? right : left;
      if (!comesBefore(cursors[child] as DealIterator, moved)) break;
      cursors[place] = cursors[child] as DealIterator;
      place = child;
    }
    cursors[place] = moved;
  }
}

function comesBefore(a: DealIterator, b: DealIterator): boolean {
  return a.key === b.key ? a.rank < b.rank : a.key < b.key;
}
