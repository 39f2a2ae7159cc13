import type { DealSortKey } from '../../data/query/sort.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { RunOrder } from '../../data/snapshot/deal-orders.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/row.ts';
import type { DealFilter } from './deal-filter.ts';
import type { ProductsQuery } from './query.ts';

/**
 * The qualifying deals of some products in one order, at most `perProduct` of each (D10, D15). Nothing is sorted or
 * listed beforehand: each product's deals are in order already, or in an order that the snapshot keeps, and are merged
 * as they are read. Reading holds a cursor for each product, about 140 bytes, however many deals there are; it may
 * begin anew at any time.
 */
export class PageDeals implements Iterable<DealRow> {
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
    if (key !== 'total-cost') this.#index.dealOrders.of(key, product);
  }

  /** How many there are: a scan, of which nothing is kept. */
  count(): number {
    const { perProduct = Infinity } = this.#wanted;
    return this.#products.reduce((sum, product) => sum + Math.min(this.#filter.countOf(product), perProduct), 0);
  }

  *[Symbol.iterator](): Generator<DealRow> {
    const heads = new CursorHeap(this.#products.map((product) => this.#openCursor(product)));
    for (let first = heads.first; first !== undefined; first = heads.first) {
      yield rowAt(first.deal);
      heads.advanceFirst();
    }
  }

  #openCursor(product: ProductRow): Cursor {
    const { perProduct } = this.#wanted;
    const cursor = this.#openWhole(product);
    return perProduct === undefined ? cursor : new LimitedCursor(cursor, perProduct);
  }

  #openWhole(product: ProductRow): Cursor {
    const { key, direction } = this.#wanted.sort;
    const isInRunOrder = key === 'total-cost' && direction === 'asc';
    // A search by blocks finds that nothing qualifies sooner than a walk through an order does.
    if (isInRunOrder || this.#filter.findCheapest(product) === undefined) {
      return new RunCursor(product, this.#index, this.#filter);
    }
    const run = new OrderedRun(product, key, this.#index);
    return new OrderCursor(run, direction === 'asc' ? new Upward(run) : new Downward(run), this.#filter);
  }
}

/** In place of a deal or a position: there are no more. */
const END = -1;

/** Where reading is in one product's deals. */
interface Cursor {
  /** The deal to be read next, or `END`. */
  readonly deal: number;
  /** By what it compares with the deals of other products: this, then `rank`. */
  readonly key: number;
  readonly rank: number;
  advance(): void;
}

/** Reads a run as it is: in order of total cost with all ties, which is the order of `rank`. */
class RunCursor implements Cursor {
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
class OrderedRun {
  readonly length: number;
  readonly #index: CatalogueIndex;
  readonly #key: DealSortKey;
  readonly #first: DealRow;
  /** Absent when the run itself is in that order. */
  readonly #order: RunOrder | undefined;

  constructor(product: ProductRow, key: DealSortKey, index: CatalogueIndex) {
    this.#index = index;
    this.#key = key;
    this.#first = index.firstDeal(product);
    this.length = index.endOfDeals(product) - this.#first;
    this.#order = key === 'total-cost' ? undefined : index.dealOrders.of(key, product);
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
interface Walk {
  /** 1 when keys ascend, -1 when they descend. */
  readonly sign: 1 | -1;
  next(): number;
}

class Upward implements Walk {
  readonly sign = 1;
  readonly #length: number;
  #next = 0;

  constructor({ length }: OrderedRun) {
    this.#length = length;
  }

  next(): number {
    return this.#next < this.#length ? this.#next++ : END;
  }
}

/** From the highest key to the lowest, and through deals of one key forward: their ties ascend all the same (D14). */
class Downward implements Walk {
  readonly sign = -1;
  readonly #run: OrderedRun;
  #groupStart: number;
  #groupEnd: number;
  #next: number;

  constructor(run: OrderedRun) {
    this.#run = run;
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
    const key = this.#run.keyAt(end - 1);
    let start = end - 1;
    while (start > 0 && this.#run.keyAt(start - 1) === key) start--;
    return start;
  }
}

/** Reads a run in the order of a walk. */
class OrderCursor implements Cursor {
  deal = END;
  key = 0;
  rank = 0;
  readonly #run: OrderedRun;
  readonly #walk: Walk;
  readonly #filter: DealFilter;

  constructor(run: OrderedRun, walk: Walk, filter: DealFilter) {
    this.#run = run;
    this.#walk = walk;
    this.#filter = filter;
    this.advance();
  }

  advance(): void {
    let position = this.#walk.next();
    while (position !== END && !this.#filter.accepts(this.#run.dealAt(position))) position = this.#walk.next();
    if (position === END) {
      this.deal = END;
      return;
    }
    this.deal = this.#run.dealAt(position);
    this.key = this.#walk.sign * this.#run.keyAt(position);
    this.rank = this.#run.rankAt(position);
  }
}

/** Reads at most so many deals. */
class LimitedCursor implements Cursor {
  readonly #cursor: Cursor;
  #left: number;

  constructor(cursor: Cursor, limit: number) {
    this.#cursor = cursor;
    this.#left = limit;
  }

  get deal(): number {
    return this.#left === 0 ? END : this.#cursor.deal;
  }

  get key(): number {
    return this.#cursor.key;
  }

  get rank(): number {
    return this.#cursor.rank;
  }

  advance(): void {
    this.#left--;
    if (this.#left > 0) this.#cursor.advance();
  }
}

/** A binary heap of cursors: the one whose deal comes first is on top, those that ended are out of it. */
class CursorHeap {
  readonly #cursors: Cursor[];

  constructor(cursors: readonly Cursor[]) {
    this.#cursors = cursors.filter(({ deal }) => deal !== END);
    for (let i = (this.#cursors.length >>> 1) - 1; i >= 0; i--) this.#siftDown(i);
  }

  get first(): Cursor | undefined {
    return this.#cursors[0];
  }

  /** Takes the first cursor to its next deal, and to its place by that. */
  advanceFirst(): void {
    const cursors = this.#cursors;
    const first = cursors[0] as Cursor;
    first.advance();
    if (first.deal === END) {
      const last = cursors.pop() as Cursor;
      if (cursors.length === 0) return;
      cursors[0] = last;
    }
    this.#siftDown(0);
  }

  #siftDown(from: number): void {
    const cursors = this.#cursors;
    const moved = cursors[from] as Cursor;
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= cursors.length) break;
      const right = left + 1;
      const isRightFirst = right < cursors.length && comesBefore(cursors[right] as Cursor, cursors[left] as Cursor);
      const child = isRightFirst ? right : left;
      if (!comesBefore(cursors[child] as Cursor, moved)) break;
      cursors[place] = cursors[child] as Cursor;
      place = child;
    }
    cursors[place] = moved;
  }
}

function comesBefore(a: Cursor, b: Cursor): boolean {
  return a.key === b.key ? a.rank < b.rank : a.key < b.key;
}
