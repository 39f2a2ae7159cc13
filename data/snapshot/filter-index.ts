import { rowAt, type ColumnValues, type DealRow, type ProductRow } from './column.ts';
import type { DealColumns, PlanColumns } from './deal-columns.ts';
import type { IncrementalTask } from './incremental-task.ts';

/** Deals of a block: a block misses most networks, and summaries take less than a byte a deal. */
export const BLOCK_ROWS = 64;

/** The lowest and the highest amount of each block. */
export interface PenceBounds {
  readonly min: Uint32Array;
  readonly max: Uint32Array;
}

/**
 * A zone map: a summary of every 64 deals of a product, 0.7 bytes a deal. A filter reads it first and skips most blocks.
 * It can give false positives, never false negatives.
 *
 * A set has 32 bits; numbers that are equal modulo 32 share one.
 */
export interface ZoneMap {
  /** `firstOfProduct[p]` to before `firstOfProduct[p + 1]`: the blocks of product p. */
  readonly firstOfProduct: Uint32Array;
  /** `start[b]` to before `start[b + 1]`: the deals of block b, all of one product. */
  readonly start: Uint32Array;
  /** Sets of positions in the dictionaries and in the plan columns. */
  readonly networks: Uint32Array;
  readonly months: Uint32Array;
  readonly data: Uint32Array;
  readonly retailers: Uint32Array;
  /** Sets of `offersOf`. */
  readonly offers: Uint8Array;
  readonly upfrontPence: PenceBounds;
  readonly monthlyPence: PenceBounds;
  readonly totalPence: PenceBounds;
  /** The highest amount of all deals. */
  readonly maxPence: number;
  readonly byteLength: number;
}

/** Whether a deal has a cashback and a gift, as a number from 0 to 3. */
export function offersOf(cashback: number, gift: number): number {
  return Number(cashback !== 0) + 2 * Number(gift !== 0);
}

/** The block of the deal at `position` in the range of a product. */
export function blockOf(blocks: ZoneMap, product: ProductRow, position: number): number {
  return (blocks.firstOfProduct[product] as number) + Math.floor(position / BLOCK_ROWS);
}

/** The rows of the deals of each product. */
export interface ProductRanges {
  readonly productCount: number;
  firstDeal(product: ProductRow): DealRow;
  endOfDeals(product: ProductRow): DealRow;
}

/** Blocks of one step: about a millisecond. */
const BLOCKS_PER_STEP = 1_024;

/** Summarises the deals of a snapshot: one pass over their columns, 10 ms for a million. */
export function* buildZoneMap(deals: DealColumns, plans: PlanColumns, ranges: ProductRanges): IncrementalTask<ZoneMap> {
  const { firstOfProduct, start } = cutRanges(ranges, deals.rowCount);
  const blockCount = start.length - 1;
  const networks = new Uint32Array(blockCount);
  const months = new Uint32Array(blockCount);
  const data = new Uint32Array(blockCount);
  const retailers = new Uint32Array(blockCount);
  const offers = new Uint8Array(blockCount);
  const upfrontPence = createBounds(blockCount);
  const monthlyPence = createBounds(blockCount);
  const totalPence = createBounds(blockCount);
  for (let from = 0; from < blockCount; from += BLOCKS_PER_STEP) {
    const blocks = { start, from, to: Math.min(blockCount, from + BLOCKS_PER_STEP) };
    collectSets(blocks, networks, deals.plan.values, plans.network);
    collectSets(blocks, months, deals.plan.values, plans.months);
    collectSets(blocks, data, deals.plan.values, plans.data);
    collectSets(blocks, retailers, deals.retailer.values);
    collectOffers(blocks, offers, deals.cashback.values, deals.gift.values);
    findBounds(blocks, upfrontPence, deals.upfrontPence.values);
    findBounds(blocks, monthlyPence, deals.monthlyPence.values);
    findBounds(blocks, totalPence, deals.totalPence.values);
    yield;
  }
  const bounds = [upfrontPence, monthlyPence, totalPence];
  const arrays = [firstOfProduct, start, networks, months, data, retailers, offers];
  return {
    firstOfProduct,
    start,
    networks,
    months,
    data,
    retailers,
    offers,
    upfrontPence,
    monthlyPence,
    totalPence,
    maxPence: bounds.reduce((highest, { max }) => max.reduce((a, b) => Math.max(a, b), highest), 0),
    byteLength: [...arrays, ...bounds.flatMap(({ min, max }) => [min, max])].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    ),
  };
}

/** The blocks of a step: from `from` to before `to`. */
interface BlockRange {
  readonly start: Uint32Array;
  readonly from: number;
  readonly to: number;
}

function createBounds(blockCount: number): PenceBounds {
  return { min: new Uint32Array(blockCount), max: new Uint32Array(blockCount) };
}

/** Cuts each product's range into blocks: no block has deals of two products. */
function cutRanges(ranges: ProductRanges, rowCount: number): Pick<ZoneMap, 'firstOfProduct' | 'start'> {
  const { productCount } = ranges;
  const firstOfProduct = new Uint32Array(productCount + 1);
  for (let product = 0; product < productCount; product++) {
    const rows = ranges.endOfDeals(rowAt(product)) - ranges.firstDeal(rowAt(product));
    firstOfProduct[product + 1] = (firstOfProduct[product] as number) + Math.ceil(rows / BLOCK_ROWS);
  }
  const start = new Uint32Array((firstOfProduct[productCount] as number) + 1);
  for (let product = 0; product < productCount; product++) {
    const first = firstOfProduct[product] as number;
    const end = firstOfProduct[product + 1] as number;
    const firstRow = ranges.firstDeal(rowAt(product));
    for (let block = first; block < end; block++) start[block] = firstRow + (block - first) * BLOCK_ROWS;
  }
  start[start.length - 1] = rowCount;
  return { firstOfProduct, start };
}

/** The set of each block: its values, or a column of the plans that the values number. */
function collectSets(
  { start, from, to }: BlockRange,
  sets: Uint32Array,
  cells: ColumnValues,
  ofCell?: ColumnValues,
): void {
  for (let block = from; block < to; block++) {
    const end = start[block + 1] as number;
    let set = 0;
    if (ofCell === undefined)
      for (let row = start[block] as number; row < end; row++) set |= 1 << (cells[row] as number);
    else {
      for (let row = start[block] as number; row < end; row++) {
        set |= 1 << (ofCell[cells[row] as number] as number);
      }
    }
    sets[block] = set;
  }
}

function collectOffers(
  { start, from, to }: BlockRange,
  sets: Uint8Array,
  cashback: ColumnValues,
  gift: ColumnValues,
): void {
  for (let block = from; block < to; block++) {
    const end = start[block + 1] as number;
    let set = 0;
    for (let row = start[block] as number; row < end; row++) {
      set |= 1 << offersOf(cashback[row] as number, gift[row] as number);
    }
    sets[block] = set;
  }
}

function findBounds({ start, from, to }: BlockRange, { min, max }: PenceBounds, cells: ColumnValues): void {
  for (let block = from; block < to; block++) {
    const end = start[block + 1] as number;
    let low = 0xffff_ffff;
    let high = 0;
    for (let row = start[block] as number; row < end; row++) {
      const pence = cells[row] as number;
      if (pence < low) low = pence;
      if (pence > high) high = pence;
    }
    min[block] = low;
    max[block] = high;
  }
}

/** With more networks the bitmaps would take more memory than the deals. */
const MAX_NETWORKS = 64;

/** Deals of one step: about a millisecond. */
const ROWS_PER_STEP = 1 << 17;

/**
 * One bit for each network and deal: bit `row % 32` of word `row >>> 5`. A network has about a tenth of the deals, so a
 * search without the bitmap reads ten deals for one. An eighth of a byte a deal and network.
 */
export type BitmapIndex = readonly Uint32Array[];

/** Undefined when there are too many networks. One pass, 4 ms for a million deals. */
export function* buildBitmapIndex(
  { plan, rowCount }: DealColumns,
  plans: PlanColumns,
  networkCount: number,
): IncrementalTask<BitmapIndex | undefined> {
  if (networkCount > MAX_NETWORKS) return undefined;
  const bitmaps = Array.from({ length: networkCount }, () => new Uint32Array(Math.ceil(rowCount / 32)));
  const planOf = plan.values;
  for (let from = 0; from < rowCount; from += ROWS_PER_STEP) {
    const end = Math.min(rowCount, from + ROWS_PER_STEP);
    for (let row = from; row < end; row++) {
      const own = bitmaps[plans.network[planOf[row] as number] as number] as Uint32Array;
      own[row >>> 5] = (own[row >>> 5] as number) | (1 << row);
    }
    yield;
  }
  return bitmaps;
}
