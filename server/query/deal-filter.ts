import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { Cells } from '../../data/snapshot/column.ts';
import { blockOf, offersOf } from '../../data/snapshot/deal-blocks.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/row.ts';
import { ANY_OFFERS, compileDealFilters, type DealConditions } from './deal-conditions.ts';
import type { Filter } from './filter.ts';
import { bitOfPence, type PenceSet } from './pence-set.ts';

/** A set of 32 that meets every other. */
const ANY = -1;

/** In place of a set of amounts that is not looked into. */
const NO_SET: PenceSet = { pageStart: new Uint32Array(), words: new Uint32Array() };

/**
 * Finds the deals that satisfy the deal filters of a query, all of them on the same deal (D13). A search asks the
 * summary of a block first, and of the deals only in the blocks that are left.
 */
export class DealFilter {
  /** False when the query has no deal filter, so that every deal qualifies. */
  readonly isSelective: boolean;
  readonly #index: CatalogueIndex;
  readonly #conditions: DealConditions;
  readonly #upfront: Cells;
  readonly #monthly: Cells;
  readonly #total: Cells;
  readonly #plan: Cells;
  readonly #retailer: Cells;
  readonly #cashback: Cells;
  readonly #gift: Cells;

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#index = index;
    this.#conditions = compileDealFilters(filters, index);
    this.isSelective = this.#conditions.isSelective;
    const { deals } = index;
    this.#upfront = deals.upfrontPence.cells;
    this.#monthly = deals.monthlyPence.cells;
    this.#total = deals.totalPence.cells;
    this.#plan = deals.plan.cells;
    this.#retailer = deals.retailer.cells;
    this.#cashback = deals.cashback.cells;
    this.#gift = deals.gift.cells;
  }

  accepts(row: DealRow): boolean {
    return !this.isSelective || this.#searchRows(row, row + 1) === row;
  }

  /** The cheapest qualifying deal of a product: its deals are in order of cost, so the first that qualifies (D11). */
  findCheapest(product: ProductRow): DealRow | undefined {
    return this.findFrom(this.#index.firstDeal(product), product);
  }

  /** The first qualifying deal of a product that is at `from` or after it. */
  findFrom(from: DealRow, product: ProductRow): DealRow | undefined {
    const { dealBlocks } = this.#index;
    const first = this.#index.firstDeal(product);
    const end = this.#index.endOfDeals(product);
    if (from >= end) return undefined;
    if (!this.isSelective) return from;
    const endOfBlocks = dealBlocks.firstOfProduct[product + 1] as number;
    let block = this.#searchBlocks(blockOf(dealBlocks, product, from - first), endOfBlocks);
    while (block < endOfBlocks) {
      const endOfBlock = dealBlocks.start[block + 1] as number;
      const row = this.#searchRows(Math.max(from, dealBlocks.start[block] as number), endOfBlock);
      if (row < endOfBlock) return rowAt(row);
      block = this.#searchBlocks(block + 1, endOfBlocks);
    }
    return undefined;
  }

  /**
   * The cheapest qualifying deal of every product, by product: its row and 1, or 0 when none qualifies. One walk through
   * all blocks, where a search for each product begins as often as there are products (3x for a filter that most pass).
   */
  findAllCheapest(): Uint32Array {
    const { firstOfProduct, start } = this.#index.dealBlocks;
    const found = new Uint32Array(firstOfProduct.length - 1);
    const endOfBlocks = start.length - 1;
    let product = 0;
    let block = this.#searchBlocks(0, endOfBlocks);
    while (block < endOfBlocks) {
      while ((firstOfProduct[product + 1] as number) <= block) product++;
      const endOfBlock = start[block + 1] as number;
      const row = this.#searchRows(start[block] as number, endOfBlock);
      if (row < endOfBlock) found[product] = row + 1;
      const next = row < endOfBlock ? (firstOfProduct[product + 1] as number) : block + 1;
      block = this.#searchBlocks(next, endOfBlocks);
    }
    return found;
  }

  /** How many deals of a product qualify. */
  countOf(product: ProductRow): number {
    const first = this.#index.firstDeal(product);
    if (!this.isSelective) return this.#index.endOfDeals(product) - first;
    let count = 0;
    let row = this.findFrom(first, product);
    while (row !== undefined) {
      count++;
      row = this.findFrom(rowAt(row + 1), product);
    }
    return count;
  }

  /** The first block from `from` on that may hold a qualifying deal; `end` when none does. */
  #searchBlocks(from: number, end: number): number {
    const { networks, months, data, retailers, offers, upfrontPence, monthlyPence, totalPence } =
      this.#index.dealBlocks;
    const conditions = this.#conditions;
    const { upfront, monthly, total } = conditions;
    const wantedNetworks = conditions.plans?.networks ?? ANY;
    const wantedMonths = conditions.plans?.months ?? ANY;
    const wantedData = conditions.plans?.data ?? ANY;
    const wantedRetailers = conditions.retailers?.set ?? ANY;
    const wantedOffers = conditions.offers;
    for (let block = from; block < end; block++) {
      if (
        ((networks[block] as number) & wantedNetworks) !== 0 &&
        ((months[block] as number) & wantedMonths) !== 0 &&
        ((data[block] as number) & wantedData) !== 0 &&
        ((retailers[block] as number) & wantedRetailers) !== 0 &&
        ((offers[block] as number) & wantedOffers) !== 0 &&
        (upfrontPence.max[block] as number) >= upfront.min &&
        (upfrontPence.min[block] as number) <= upfront.max &&
        (monthlyPence.max[block] as number) >= monthly.min &&
        (monthlyPence.min[block] as number) <= monthly.max &&
        (totalPence.max[block] as number) >= total.min &&
        (totalPence.min[block] as number) <= total.max
      ) {
        return block;
      }
    }
    return end;
  }

  /**
   * The first qualifying deal from `from` on; `end` when none is. One loop over numbers: everything is in a local name,
   * and bounds come before tables, tables before lists. Keeping the rows that pass one condition and handing them to the
   * next was 4 times slower for a million deals that pass most conditions.
   */
  #searchRows(from: number, end: number): number {
    const upfrontCells = this.#upfront;
    const monthlyCells = this.#monthly;
    const totalCells = this.#total;
    const planCells = this.#plan;
    const retailerCells = this.#retailer;
    const cashbackCells = this.#cashback;
    const giftCells = this.#gift;
    const { upfront, monthly, total, amounts, offers } = this.#conditions;
    const { min: minUpfront, max: maxUpfront } = upfront;
    const { min: minMonthly, max: maxMonthly } = monthly;
    const { min: minTotal, max: maxTotal } = total;
    const plans = this.#conditions.plans?.table;
    const retailers = this.#conditions.retailers?.table;
    const areOffersWanted = offers !== ANY_OFFERS;
    const hasAmounts = amounts !== undefined;
    const { pageStart: upfrontPages, words: upfrontWords } = amounts?.upfront ?? NO_SET;
    const { pageStart: monthlyPages, words: monthlyWords } = amounts?.monthly ?? NO_SET;
    const { pageStart: totalPages, words: totalWords } = amounts?.total ?? NO_SET;
    for (let row = from; row < end; row++) {
      const upfrontPence = upfrontCells[row] as number;
      if (upfrontPence < minUpfront || upfrontPence > maxUpfront) continue;
      const monthlyPence = monthlyCells[row] as number;
      if (monthlyPence < minMonthly || monthlyPence > maxMonthly) continue;
      const totalPence = totalCells[row] as number;
      if (totalPence < minTotal || totalPence > maxTotal) continue;
      if (plans !== undefined && plans[planCells[row] as number] === 0) continue;
      if (retailers !== undefined && retailers[retailerCells[row] as number] === 0) continue;
      if (areOffersWanted) {
        const offersOfDeal = offersOf(cashbackCells[row] as number, giftCells[row] as number);
        if (((offers >>> offersOfDeal) & 1) === 0) continue;
      }
      if (
        hasAmounts &&
        (bitOfPence(upfrontPages, upfrontWords, upfrontPence) === 0 ||
          bitOfPence(monthlyPages, monthlyWords, monthlyPence) === 0 ||
          bitOfPence(totalPages, totalWords, totalPence) === 0)
      ) {
        continue;
      }
      return row;
    }
    return end;
  }
}
