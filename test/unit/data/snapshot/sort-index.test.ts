import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SORT_DIRECTIONS } from '../../../../data/query/vocabulary.ts';
import { argsort } from '../../../../data/snapshot/argsort.ts';
import { rowAt } from '../../../../data/snapshot/column.ts';
import type { IndexedSortKey } from '../../../../data/snapshot/sort-index.ts';
import { createRandom } from '../../../support/random.ts';
import { randomDeals } from './random-deals.ts';

const KEYS = ['upfront-cost', 'contract-price', 'data-allowance'] as const satisfies readonly IndexedSortKey[];

describe('the order of the deals of a product', () => {
  const lengths = [0, 1, 2, 500, 65_535, 65_536];
  const { index, deals } = randomDeals(createRandom(5), lengths);

  it.each(KEYS)('by %s is that of a sort, ties in stored order', (key) => {
    const keyOf = (row: number): number => {
      const deal = deals[row];
      if (deal === undefined) throw new RangeError(`no deal ${row}`);
      const { dataMegabytes = 0 } = index.plans[deal.plan] ?? {};
      return {
        'upfront-cost': deal.upfrontPence,
        'contract-price': deal.monthlyPence,
        'data-allowance': dataMegabytes === 'unlimited' ? Infinity : dataMegabytes,
      }[key];
    };
    const keys = deals.map((_deal, row) => keyOf(row));
    lengths.forEach((length, product) => {
      const first = index.firstDeal(rowAt(product));
      const expected = Array.from({ length }, (_, position) => position).sort((a, b) => {
        const [keyOfA = 0, keyOfB = 0] = [keys[first + a], keys[first + b]];
        return keyOfA === keyOfB ? a - b : keyOfA - keyOfB;
      });
      const order = index.dealSortIndex.of(key, rowAt(product));
      expect(Buffer.from(Uint32Array.from(order).buffer).equals(Buffer.from(Uint32Array.from(expected).buffer))).toBe(
        true,
      );
    });
  });

  it('takes 2 bytes a deal below 65,536 deals, and is made once', () => {
    const [short, long] = [4, 5].map((product) => index.dealSortIndex.of('upfront-cost', rowAt(product)));
    expect([short?.BYTES_PER_ELEMENT, long?.BYTES_PER_ELEMENT]).toEqual([2, 4]);
    expect(index.dealSortIndex.of('upfront-cost', rowAt(4))).toBe(short);
  });
});

const PRODUCT_RANGES = [3, 0, 1, 5, 0, 9, 2, 2, 1, 1, 4, 7];

describe('the order of all products (D14)', () => {
  const { index, deals } = randomDeals(createRandom(3), PRODUCT_RANGES);
  const rows = PRODUCT_RANGES.map((_length, row) => row);

  it.each(SORT_DIRECTIONS)('by name %s, ties by row', (direction) => {
    const sign = direction === 'asc' ? 1 : -1;
    const digitOf = (row: number): number => (row * 7) % 5;
    const expected = rows.toSorted((a, b) => sign * (digitOf(a) - digitOf(b)) || a - b);
    expect([...index.productSortIndex.of({ key: 'name', direction })]).toEqual(expected);
  });

  it.each(
    SORT_DIRECTIONS.flatMap((direction) =>
      (
        [
          ['upfront-cost', 'upfrontPence'],
          ['contract-price', 'monthlyPence'],
          ['total-cost', 'totalPence'],
        ] as const
      ).map(([key, column]) => [key, direction, column] as const),
    ),
  )('by %s %s of the cheapest deals, those without one last, ties by row', (key, direction, column) => {
    const sign = direction === 'asc' ? 1 : -1;
    const costOf = (row: number): number =>
      PRODUCT_RANGES[row] === 0 ? Infinity : sign * (deals[index.firstDeal(rowAt(row))]?.[column] ?? Number.NaN);
    const expected = rows.toSorted((a, b) => (costOf(a) === costOf(b) ? a - b : costOf(a) - costOf(b)));
    expect([...index.productSortIndex.of({ key, direction })]).toEqual(expected);
  });

  it('is made once', () => {
    const sort = { key: 'name', direction: 'asc' } as const;
    expect(index.productSortIndex.of(sort)).toBe(index.productSortIndex.of({ ...sort }));
  });
});

/** Few, so that ties are common; and up to the largest. */
const key = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 ** 30 - 1 }));

function sortByComparing(keys: readonly number[]): number[] {
  return keys.map((_key, position) => position).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
}

describe('argsort', () => {
  it('is ascending by key, then by position', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 300 }), (keys) => {
        expect([...argsort(keys)]).toEqual(sortByComparing(keys));
      }),
      { seed: 1 },
    );
  });

  it('gives the first of them when only so many are wanted', () => {
    const keyLists = fc.oneof(
      fc.array(key, { maxLength: 300 }),
      fc.array(key, { minLength: 1, maxLength: 300 }).map((keys) => keys.toSorted((a, b) => b - a)),
    );
    fc.assert(
      fc.property(keyLists, fc.nat({ max: 320 }), (keys, wanted) => {
        expect([...argsort(keys, wanted)]).toEqual(sortByComparing(keys).slice(0, wanted));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it.each([0, 1, 2, 65_535, 65_536, 65_537])('keeps every position of %d keys that are as large as any', (count) => {
    const keys = Array.from({ length: count }, (_, i) => 2 ** 30 - 1 - (i % 3));
    expect([...argsort(keys)]).toEqual(sortByComparing(keys));
  });
});
