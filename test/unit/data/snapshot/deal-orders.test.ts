import { describe, expect, it } from 'vitest';
import { rowAt } from '../../../../data/snapshot/column.ts';
import type { IndexedSortKey } from '../../../../data/snapshot/sort-index.ts';
import { createRandom } from '../../../support/random.ts';
import { randomDeals } from './random-deals.ts';

const KEYS = ['upfront-cost', 'contract-price', 'data-allowance'] as const satisfies readonly IndexedSortKey[];

describe('the orders of a run', () => {
  const lengths = [0, 1, 2, 500, 65_535, 65_536];
  const { index, deals } = randomDeals(createRandom(5), lengths);

  it.each(KEYS)('by %s are those of a sort, ties in the order of the run', (key) => {
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

  it('take 2 bytes a deal in runs shorter than 65,536, and are made once', () => {
    const [short, long] = [4, 5].map((product) => index.dealSortIndex.of('upfront-cost', rowAt(product)));
    expect([short?.BYTES_PER_ELEMENT, long?.BYTES_PER_ELEMENT]).toEqual([2, 4]);
    expect(index.dealSortIndex.of('upfront-cost', rowAt(4))).toBe(short);
  });
});
