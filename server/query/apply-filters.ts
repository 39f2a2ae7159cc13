import { PRODUCT_FILTERS } from '../../data/query/filter.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type ColumnValues, type DealRow, type ProductRow } from '../../data/snapshot/column.ts';
import { blockOf, offersOf, type PenceBounds } from '../../data/snapshot/filter-index.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import { compileNameSearch } from '../../data/snapshot/name-words.ts';
import {
  ANY_OFFERS,
  bitAt,
  compileDealPredicate,
  isSelected,
  type DealPredicate,
  type PagedBitmap,
} from './deal-predicate.ts';
import type { Filter, TextFilter } from './query.ts';

/** The set of 32 bits that overlaps with every other. */
const ANY = -1;

/** Placeholder for a bitmap that is not used. */
const EMPTY_BITMAP: PagedBitmap = { pageStart: new Uint32Array(), words: new Uint32Array() };

/**
 * Finds the deals that satisfy all deal filters of a query (D13). A search asks the zone map of a block first, and reads
 * the deals of the remaining blocks only.
 */
export class DealFilter {
  /** False when the query has no deal filter, so that every deal qualifies. */
  readonly hasPredicate: boolean;
  readonly #index: CatalogueIndex;
  readonly #predicate: DealPredicate;
  readonly #upfront: ColumnValues;
  readonly #monthly: ColumnValues;
  readonly #total: ColumnValues;
  readonly #plan: ColumnValues;
  readonly #retailer: ColumnValues;
  readonly #cashback: ColumnValues;
  readonly #gift: ColumnValues;

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#index = index;
    this.#predicate = compileDealPredicate(filters, index);
    this.hasPredicate = this.#predicate.hasPredicate;
    const { deals } = index;
    this.#upfront = deals.upfrontPence.values;
    this.#monthly = deals.monthlyPence.values;
    this.#total = deals.totalPence.values;
    this.#plan = deals.plan.values;
    this.#retailer = deals.retailer.values;
    this.#cashback = deals.cashback.values;
    this.#gift = deals.gift.values;
  }

  accepts(row: DealRow): boolean {
    return !this.hasPredicate || this.#searchRows(row, row + 1) === row;
  }

  /** The cheapest qualifying deal of a product: its deals are in order of cost, so the first that qualifies (D11). */
  findCheapest(product: ProductRow): DealRow | undefined {
    return this.findFrom(this.#index.firstDeal(product), product);
  }

  /** The first qualifying deal of a product that is at `from` or after it. */
  findFrom(from: DealRow, product: ProductRow): DealRow | undefined {
    const { zoneMap } = this.#index;
    const first = this.#index.firstDeal(product);
    const end = this.#index.endOfDeals(product);
    if (from >= end) return undefined;
    if (!this.hasPredicate) return from;
    const endOfBlocks = zoneMap.firstOfProduct[product + 1] as number;
    let block = this.#searchBlocks(blockOf(zoneMap, product, from - first), endOfBlocks);
    while (block < endOfBlocks) {
      const endOfBlock = zoneMap.start[block + 1] as number;
      const row = this.#searchRows(Math.max(from, zoneMap.start[block] as number), endOfBlock);
      if (row < endOfBlock) return rowAt(row);
      block = this.#searchBlocks(block + 1, endOfBlocks);
    }
    return undefined;
  }

  /**
   * The cheapest qualifying deal of every product, by product: its row plus 1, or 0 when none qualifies. One pass over all
   * blocks is 3x faster than a search for each product, for a filter that most deals pass.
   */
  findAllCheapest(): Uint32Array {
    const { firstOfProduct, start } = this.#index.zoneMap;
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
    if (!this.hasPredicate) return this.#index.endOfDeals(product) - first;
    const { firstOfProduct, start } = this.#index.zoneMap;
    const endOfBlocks = firstOfProduct[product + 1] as number;
    let count = 0;
    let block = this.#searchBlocks(firstOfProduct[product] as number, endOfBlocks);
    while (block < endOfBlocks) {
      const endOfBlock = start[block + 1] as number;
      let row = this.#searchRows(start[block] as number, endOfBlock);
      while (row < endOfBlock) {
        count++;
        row = this.#searchRows(row + 1, endOfBlock);
      }
      block = this.#searchBlocks(block + 1, endOfBlocks);
    }
    return count;
  }

  /**
   * The first block from `from` on that may hold a qualifying deal, or `end`. Columns without a filter are not read, here
   * and in `#searchRows`: fetching them from memory would take longer than comparing them.
   */
  #searchBlocks(from: number, end: number): number {
    const { networks, months, data, retailers, offers, upfrontPence, monthlyPence, totalPence } = this.#index.zoneMap;
    const conditions = this.#predicate;
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
        (!upfront.isBounded || overlaps(upfrontPence, block, upfront)) &&
        (!monthly.isBounded || overlaps(monthlyPence, block, monthly)) &&
        (!total.isBounded || overlaps(totalPence, block, total))
      ) {
        return block;
      }
    }
    return end;
  }

  /**
   * The first qualifying deal from `from` on, or `end`. One loop over local variables: bounds first, then lookups, then
   * bitmaps. One pass for each condition was 4 times slower for a million deals that pass most conditions.
   */
  #searchRows(from: number, end: number): number {
    const upfrontCells = this.#upfront;
    const monthlyCells = this.#monthly;
    const totalCells = this.#total;
    const planCells = this.#plan;
    const retailerCells = this.#retailer;
    const cashbackCells = this.#cashback;
    const giftCells = this.#gift;
    const { upfront, monthly, total, amounts, offers } = this.#predicate;
    const { isBounded: isUpfrontBounded, min: minUpfront, max: maxUpfront } = upfront;
    const { isBounded: isMonthlyBounded, min: minMonthly, max: maxMonthly } = monthly;
    const { isBounded: isTotalBounded, min: minTotal, max: maxTotal } = total;
    const plans = this.#predicate.plans?.lookup;
    const bitmap = this.#predicate.plans?.bitmap;
    const retailers = this.#predicate.retailers?.lookup;
    const areOffersWanted = offers !== ANY_OFFERS;
    const hasAmounts = amounts !== undefined;
    const { pageStart: upfrontPages, words: upfrontWords } = amounts?.upfront ?? EMPTY_BITMAP;
    const { pageStart: monthlyPages, words: monthlyWords } = amounts?.monthly ?? EMPTY_BITMAP;
    const { pageStart: totalPages, words: totalWords } = amounts?.total ?? EMPTY_BITMAP;
    for (let row = from; row < end; row++) {
      if (bitmap !== undefined) {
        // Skip to the next deal of the network, or to the end of an empty word.
        const left = (bitmap[row >>> 5] as number) >>> row;
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
        (bitAt(upfrontPages, upfrontWords, upfrontCells[row] as number) === 0 ||
          bitAt(monthlyPages, monthlyWords, monthlyCells[row] as number) === 0 ||
          bitAt(totalPages, totalWords, totalCells[row] as number) === 0)
      ) {
        continue;
      }
      return row;
    }
    return end;
  }
}

/** Whether some amount of a block may be within bounds. */
function overlaps(
  amounts: PenceBounds,
  block: number,
  { min, max }: { readonly min: number; readonly max: number },
): boolean {
  return (amounts.max[block] as number) >= min && (amounts.min[block] as number) <= max;
}

function countTrailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** The product filters of a query, compiled against a snapshot: one comparison for each product and filter. */
export class ProductFilter {
  /** False when the query has no product filter, so that every product passes. */
  readonly hasPredicate: boolean;
  readonly #tests: readonly ((row: ProductRow) => boolean)[];

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#tests = filters.flatMap((filter) => {
      if ('words' in filter) return [compileNameSearch(filter.words, index.productNameWords)];
      const valueOf = PRODUCT_FILTERS.get(filter.name);
      return valueOf === undefined || !('texts' in filter) ? [] : [compileTexts(filter, valueOf, index)];
    });
    this.hasPredicate = this.#tests.length > 0;
  }

  accepts(row: ProductRow): boolean {
    return this.#tests.every((test) => test(row));
  }
}

function compileTexts(
  { operator, texts }: TextFilter,
  valueOf: (product: ProductLine) => string | undefined,
  { products }: CatalogueIndex,
): (row: ProductRow) => boolean {
  // Rows come from the same snapshot.
  const valueAt = (row: ProductRow): string | undefined => valueOf(products[row] as ProductLine);
  const [only] = texts;
  if (texts.length === 1) return (row) => isSelected(operator, valueAt(row) === only);
  const listed: ReadonlySet<string | undefined> = new Set(texts);
  return (row) => isSelected(operator, listed.has(valueAt(row)));
}
