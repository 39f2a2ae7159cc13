import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/row.ts';
import type { DealFilter } from './deal-filter.ts';

const NOT_SEARCHED = 0;
const NONE = 0xffff_ffff;

/** The cheapest qualifying deal of each product, searched once a request. */
export class CheapestDeals {
  readonly #filter: DealFilter;
  readonly #productCount: number;
  /** By product: one of the constants, or a row and 1. */
  #found: Uint32Array | undefined;
  #areAllSearched = false;

  constructor(filter: DealFilter, productCount: number) {
    this.#filter = filter;
    this.#productCount = productCount;
  }

  /** Searches all products at once: worth it when nearly all of them will be asked for. */
  searchAll(): void {
    if (!this.#filter.isSelective) return;
    this.#found = this.#filter.findAllCheapest();
    this.#areAllSearched = true;
  }

  of(product: ProductRow): DealRow | undefined {
    // Without a filter it is the first of the run: nothing to remember.
    if (!this.#filter.isSelective) return this.#filter.findCheapest(product);
    this.#found ??= new Uint32Array(this.#productCount);
    const known = this.#found[product] as number;
    if (known === NONE) return undefined;
    if (known !== NOT_SEARCHED) return rowAt(known - 1);
    if (this.#areAllSearched) return undefined;
    const deal = this.#filter.findCheapest(product);
    this.#found[product] = deal === undefined ? NONE : deal + 1;
    return deal;
  }
}
