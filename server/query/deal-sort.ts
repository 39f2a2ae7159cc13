import type { DealSortKey, Sort } from '../../data/query/vocabulary.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/column.ts';
import { argsort } from './argsort.ts';

/** The highest key of a sort: above every amount, and what unlimited data compare as. */
export const MAX_KEY = 2 ** 30 - 1;

/** What sorts by one key in one direction read; its numbers ascend in both directions. */
export class DealSort {
  readonly #index: CatalogueIndex;
  readonly #sort: Sort<DealSortKey>;
  readonly #orders: Map<ProductRow, Uint32Array>;

  constructor(index: CatalogueIndex, sort: Sort<DealSortKey>) {
    this.#index = index;
    this.#sort = sort;
    const name = `${sort.key}-${sort.direction}`;
    this.#orders = index.dealOrders.get(name) ?? new Map();
    index.dealOrders.set(name, this.#orders);
  }

  keyOf(deal: DealRow): number {
    const value = this.#valueOf(deal);
    return this.#sort.direction === 'asc' ? value : MAX_KEY - value;
  }

  /**
   * The positions of a product's deals in order, equal ones in their stored order; undefined where the stored order is it.
   * An order is made on first use (0.1 ms for 2,000 deals) and kept as long as the snapshot.
   */
  orderOf(product: ProductRow): Uint32Array | undefined {
    if (this.#sort.key === 'total-cost' && this.#sort.direction === 'asc') return undefined;
    let order = this.#orders.get(product);
    if (order === undefined) {
      const first = this.#index.firstDeal(product);
      const length = this.#index.endOfDeals(product) - first;
      order = argsort(Uint32Array.from({ length }, (_, position) => this.keyOf(rowAt(first + position))));
      this.#orders.set(product, order);
    }
    return order;
  }

  #valueOf(deal: DealRow): number {
    const { deals, plans } = this.#index;
    switch (this.#sort.key) {
      case 'total-cost':
        return deals.totalPence.at(deal);
      case 'upfront-cost':
        return deals.upfrontPence.at(deal);
      case 'contract-price':
        return deals.monthlyPence.at(deal);
      case 'data-allowance': {
        const data = plans[deals.plan.at(deal)]?.dataMegabytes;
        return data === 'unlimited' || data === undefined ? MAX_KEY : data;
      }
    }
  }
}
