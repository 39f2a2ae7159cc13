import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../support/random.ts';
import { NETWORK_COUNT, randomDeals } from './random-deals.ts';

const RUN_LENGTHS = [0, 1, 31, 33, 64, 700];

describe('the marks of a network', () => {
  it.each([1, 2])('are those of its deals and of no other, seed %d', (seed) => {
    const { index, deals } = randomDeals(createRandom(seed), RUN_LENGTHS);
    expect(index.networkBitmaps).toHaveLength(NETWORK_COUNT);
    index.networkBitmaps?.forEach((marks, network) => {
      const marked = deals.map((_deal, row) => (((marks[row >>> 5] as number) >>> (row % 32)) & 1) === 1);
      expect(marked).toEqual(deals.map(({ plan }) => index.plans[plan]?.network === network));
    });
  });

  it('are not made of more than 64 networks', () => {
    const { index } = randomDeals(createRandom(1), RUN_LENGTHS, 65);
    expect(index.networkBitmaps).toBeUndefined();
    expect(randomDeals(createRandom(1), RUN_LENGTHS, 64).index.networkBitmaps).toHaveLength(64);
  });
});
