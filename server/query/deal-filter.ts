import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { Cells } from '../../data/snapshot/column.ts';
import { blockOf, offersOf, type PenceBounds } from '../../data/snapshot/deal-blocks.ts';
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

  /**
   * The first block from `from` on that may hold a qualifying deal; `end` when none does. What no filter asks for is not
   * looked at, here as in the deals: to fetch it from memory would take longer than to compare it.
   */
  #searchBlocks(from: number, end: number): number {
    const { networks, months, data, retailers, offers, upfrontPence, monthlyPence, totalPence } =
      this.#index.dealBlocks;
    const conditions = this.#conditions;
    const { upfront, monthly, total, plans } = conditions;
    const wantedNetworks = plans?.networks ?? ANY;
    const wantedMonths = plans?.months ?? ANY;
    const wantedData = plans?.data ?? ANY;
    const wantedRetailers = conditions.retailers?.set ?? ANY;
    const wantedOffers = conditions.offers;
    const arePlansWanted = plans !== undefined;
    const areRetailersWanted = conditions.retailers !== undefined;
    const areOffersWanted = wantedOffers !== ANY_OFFERS;
    for (let block = from; block < end; block++) {
      if (
        (!arePlansWanted ||
          (((networks[block] as number) & wantedNetworks) !== 0 &&
            ((months[block] as number) & wantedMonths) !== 0 &&
            ((data[block] as number) & wantedData) !== 0)) &&
        (!areRetailersWanted || ((retailers[block] as number) & wantedRetailers) !== 0) &&
        (!areOffersWanted || ((offers[block] as number) & wantedOffers) !== 0) &&
        (!upfront.isBounded || meets(upfrontPence, block, upfront)) &&
        (!monthly.isBounded || meets(monthlyPence, block, monthly)) &&
        (!total.isBounded || meets(totalPence, block, total))
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
    const { isBounded: isUpfrontBounded, min: minUpfront, max: maxUpfront } = upfront;
    const { isBounded: isMonthlyBounded, min: minMonthly, max: maxMonthly } = monthly;
    const { isBounded: isTotalBounded, min: minTotal, max: maxTotal } = total;
    const plans = this.#conditions.plans?.table;
    const marks = this.#conditions.plans?.marks;
    const retailers = this.#conditions.retailers?.table;
    const areOffersWanted = offers !== ANY_OFFERS;
    const hasAmounts = amounts !== undefined;
    const { pageStart: upfrontPages, words: upfrontWords } = amounts?.upfront ?? NO_SET;
    const { pageStart: monthlyPages, words: monthlyWords } = amounts?.monthly ?? NO_SET;
    const { pageStart: totalPages, words: totalWords } = amounts?.total ?? NO_SET;
    for (let row = from; row < end; row++) {
      if (marks !== undefined) {
        // On to the next deal of the network, or to the end of a word that has none.
        const left = (marks[row >>> 5] as number) >>> row;
        row = left === 0 ? row | 31 : row + countTrailingZeros(left);
        if (left === 0 || row >= end) continue;
      }
      if (isUpfrontBounded) {
        const pence = upfrontCells[row] as number;
        if (pence < minUpfront || pence > maxUpfront) continue;
      }
      if (isMonthlyBounded) {
        const pence = monthlyCells[row] as number;
        if (pence < minMonthly || pence > maxMonthly) continue;
      }
      if (isTotalBounded) {
        const pence = totalCells[row] as number;
        if (pence < minTotal || pence > maxTotal) continue;
      }
      if (plans !== undefined && plans[planCells[row] as number] === 0) continue;
      if (retailers !== undefined && retailers[retailerCells[row] as number] === 0) continue;
      if (areOffersWanted) {
        const offersOfDeal = offersOf(cashbackCells[row] as number, giftCells[row] as number);
        if (((offers >>> offersOfDeal) & 1) === 0) continue;
      }
      if (
        hasAmounts &&
        (bitOfPence(upfrontPages, upfrontWords, upfrontCells[row] as number) === 0 ||
          bitOfPence(monthlyPages, monthlyWords, monthlyCells[row] as number) === 0 ||
          bitOfPence(totalPages, totalWords, totalCells[row] as number) === 0)
      ) {
        continue;
      }
      return row;
    }
    return end;
  }
}

/** Whether some amount of a block may be within bounds. */
function meets(
  amounts: PenceBounds,
  block: number,
  { min, max }: { readonly min: number; readonly max: number },
): boolean {
  return (amounts.max[block] as number) >= min && (amounts.min[block] as number) <= max;
}

function countTrailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word);
}
