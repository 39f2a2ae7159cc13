import type { DealColumns } from './catalogue-index.ts';
import type { Cells } from './column.ts';
import type { PlanColumns } from './plan-columns.ts';
import { rowAt, type DealRow, type ProductRow } from './row.ts';
import type { Steps } from './steps.ts';

/** Deals of a block: few enough that a block misses most networks, enough that summaries stay below a byte a deal. */
export const BLOCK_ROWS = 64;

/** The lowest and the highest amount of each block. */
export interface PenceBounds {
  readonly min: Uint32Array;
  readonly max: Uint32Array;
}

/**
 * A summary of every 64 deals of a product, 0.7 bytes a deal: what a filter asks before it looks at the deals, since
 * most blocks hold nothing that it wants. A summary may say yes in vain, never no in vain.
 *
 * A set is the bits of 32 numbers: those that are equal modulo 32 share one.
 */
export interface DealBlocks {
  /** `firstOfProduct[p]` to before `firstOfProduct[p + 1]`: the blocks of product p. */
  readonly firstOfProduct: Uint32Array;
  /** `start[b]` to before `start[b + 1]`: the deals of block b, within the run of one product. */
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

/** What a deal has of cashback and gift, as a number from 0 to 3. */
export function offersOf(cashback: number, gift: number): number {
  return Number(cashback !== 0) + 2 * Number(gift !== 0);
}

/** The block of the deal at `position` in the run of a product. */
export function blockOf(blocks: DealBlocks, product: ProductRow, position: number): number {
  return (blocks.firstOfProduct[product] as number) + Math.floor(position / BLOCK_ROWS);
}

/** The deals of each product, by row: what the summary needs of an index. */
export interface DealRuns {
  readonly productCount: number;
  firstDeal(product: ProductRow): DealRow;
  endOfDeals(product: ProductRow): DealRow;
}

/** Blocks that are summarised in one step: about a millisecond. */
const BLOCKS_PER_STEP = 1_024;

/** Summarises the deals of a snapshot: one pass over their columns, 10 ms for a million. */
export function* summariseDeals(deals: DealColumns, plans: PlanColumns, runs: DealRuns): Steps<DealBlocks> {
  const { firstOfProduct, start } = cutRuns(runs, deals.rowCount);
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
    collectSets(blocks, networks, deals.plan.cells, plans.network);
    collectSets(blocks, months, deals.plan.cells, plans.months);
    collectSets(blocks, data, deals.plan.cells, plans.data);
    collectSets(blocks, retailers, deals.retailer.cells);
    collectOffers(blocks, offers, deals.cashback.cells, deals.gift.cells);
    findBounds(blocks, upfrontPence, deals.upfrontPence.cells);
    findBounds(blocks, monthlyPence, deals.monthlyPence.cells);
    findBounds(blocks, totalPence, deals.totalPence.cells);
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

/** Cuts each product's run into blocks: no block has deals of two products. */
function cutRuns(runs: DealRuns, rowCount: number): Pick<DealBlocks, 'firstOfProduct' | 'start'> {
  const { productCount } = runs;
  const firstOfProduct = new Uint32Array(productCount + 1);
  for (let product = 0; product < productCount; product++) {
    const rows = runs.endOfDeals(rowAt(product)) - runs.firstDeal(rowAt(product));
    firstOfProduct[product + 1] = (firstOfProduct[product] as number) + Math.ceil(rows / BLOCK_ROWS);
  }
  const start = new Uint32Array((firstOfProduct[productCount] as number) + 1);
  for (let product = 0; product < productCount; product++) {
    const first = firstOfProduct[product] as number;
    const end = firstOfProduct[product + 1] as number;
    const firstRow = runs.firstDeal(rowAt(product));
    for (let block = first; block < end; block++) start[block] = firstRow + (block - first) * BLOCK_ROWS;
  }
  start[start.length - 1] = rowCount;
  return { firstOfProduct, start };
}

/** The set of each block of what its cells hold, or of what a plan has whose number they hold. */
function collectSets({ start, from, to }: BlockRange, sets: Uint32Array, cells: Cells, ofCell?: Cells): void {
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

function collectOffers({ start, from, to }: BlockRange, sets: Uint8Array, cashback: Cells, gift: Cells): void {
  for (let block = from; block < to; block++) {
    const end = start[block + 1] as number;
    let set = 0;
    for (let row = start[block] as number; row < end; row++) {
      set |= 1 << offersOf(cashback[row] as number, gift[row] as number);
    }
    sets[block] = set;
  }
}

function findBounds({ start, from, to }: BlockRange, { min, max }: PenceBounds, cells: Cells): void {
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
