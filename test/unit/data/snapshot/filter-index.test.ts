import { describe, expect, it } from 'vitest';
import { rowAt } from '../../../../data/snapshot/column.ts';
import { BLOCK_ROWS, blockOf, offersOf, type PenceBounds } from '../../../../data/snapshot/filter-index.ts';
import { createRandom } from '../../../support/random.ts';
import { NETWORK_COUNT, randomDeals } from './random-deals.ts';

const BLOCK_RANGES = [0, 1, BLOCK_ROWS - 1, 0, BLOCK_ROWS, BLOCK_ROWS + 1, 3 * BLOCK_ROWS, 1_000, 0];

describe('the zone map', () => {
  it('cuts each product range from its first deal, and the last block has the rest', () => {
    const { index } = randomDeals(createRandom(1), BLOCK_RANGES);
    const { firstOfProduct, start } = index.zoneMap;
    BLOCK_RANGES.forEach((length, product) => {
      const first = firstOfProduct[product] as number;
      const end = firstOfProduct[product + 1] as number;
      expect(end - first).toBe(Math.ceil(length / BLOCK_ROWS));
      const firstDeal = index.firstDeal(rowAt(product));
      for (let position = 0; position < length; position++) {
        const block = blockOf(index.zoneMap, rowAt(product), position);
        expect(block).toBeLessThan(end);
        expect(start[block]).toBeLessThanOrEqual(firstDeal + position);
        expect(start[block + 1]).toBeGreaterThan(firstDeal + position);
      }
    });
    expect(start.at(-1)).toBe(index.deals.rowCount);
  });

  it.each([1, 2, 3])('has exactly the values of the deals of each block, seed %d', (seed) => {
    const { index, deals } = randomDeals(createRandom(seed), BLOCK_RANGES);
    const { zoneMap, planColumns, plans } = index;
    const setOf = (numbers: readonly number[]): number => numbers.reduce((set, number) => set | (1 << number), 0) >>> 0;
    const boundsOf = ({ min, max }: PenceBounds, block: number) => [min[block], max[block]];
    for (let block = 0; block < zoneMap.start.length - 1; block++) {
      const own = deals.slice(zoneMap.start[block], zoneMap.start[block + 1]);
      const plansOfBlock = own.map(({ plan }) => plan);
      expect({
        networks: zoneMap.networks[block],
        months: zoneMap.months[block],
        data: zoneMap.data[block],
        retailers: zoneMap.retailers[block],
        offers: zoneMap.offers[block],
        upfront: boundsOf(zoneMap.upfrontPence, block),
        monthly: boundsOf(zoneMap.monthlyPence, block),
        total: boundsOf(zoneMap.totalPence, block),
      }).toEqual({
        networks: setOf(plansOfBlock.map((plan) => plans[plan]?.network ?? -1)),
        months: setOf(plansOfBlock.map((plan) => planColumns.months[plan] ?? -1)),
        data: setOf(plansOfBlock.map((plan) => planColumns.data[plan] ?? -1)),
        retailers: setOf(own.map(({ retailer }) => retailer)),
        offers: setOf(own.map(({ cashback, gift }) => offersOf(cashback, gift))),
        upfront: extent(own.map(({ upfrontPence }) => upfrontPence)),
        monthly: extent(own.map(({ monthlyPence }) => monthlyPence)),
        total: extent(own.map(({ totalPence }) => totalPence)),
      });
    }
    const highest = deals.flatMap(({ upfrontPence, monthlyPence, totalPence }) => [
      upfrontPence,
      monthlyPence,
      totalPence,
    ]);
    expect(zoneMap.maxPence).toBe(Math.max(...highest));
  });

  it('takes less than a byte a deal', () => {
    const { index } = randomDeals(createRandom(1), [10_000]);
    expect(index.zoneMap.byteLength / 10_000).toBeLessThan(1);
  });

  it('has no block for a catalogue without deals', () => {
    const { index } = randomDeals(createRandom(1), [0, 0]);
    expect([...index.zoneMap.firstOfProduct, ...index.zoneMap.start]).toEqual([0, 0, 0, 0]);
  });
});

const BITMAP_RANGES = [0, 1, 31, 33, 64, 700];

describe('the bitmap of a network', () => {
  it.each([1, 2])('has the bits of its deals and of no other, seed %d', (seed) => {
    const { index, deals } = randomDeals(createRandom(seed), BITMAP_RANGES);
    expect(index.networkBitmaps).toHaveLength(NETWORK_COUNT);
    index.networkBitmaps?.forEach((bitmap, network) => {
      const isMarked = deals.map((_deal, row) => (((bitmap[row >>> 5] as number) >>> (row % 32)) & 1) === 1);
      expect(isMarked).toEqual(deals.map(({ plan }) => index.plans[plan]?.network === network));
    });
  });

  it('is not made for more than 64 networks', () => {
    const { index } = randomDeals(createRandom(1), BITMAP_RANGES, 65);
    expect(index.networkBitmaps).toBeUndefined();
    expect(randomDeals(createRandom(1), BITMAP_RANGES, 64).index.networkBitmaps).toHaveLength(64);
  });
});

function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}
