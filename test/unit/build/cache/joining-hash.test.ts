import { describe, expect, it } from 'vitest';
import { hashJoinInputs } from '../../../../build/cache/cache-key.ts';
import { cmsOf, join, MONEY, productsNamed } from '../join/sample-records.ts';

const O2 = { id: '21', name: 'O2', slug: 'o2' };

function hashOf(lists: Parameters<typeof cmsOf>[0]): string {
  const { joined, exclusions } = join(cmsOf({ networks: [], retailers: [], ...lists }));
  return hashJoinInputs(joined, exclusions, MONEY);
}

describe('the hash of what the joining of deals depends on', () => {
  it('is the same for the same records', () => {
    expect(hashOf({ networks: [O2] })).toBe(hashOf({ networks: [O2] }));
  });

  it.each([
    ['a network becomes a retailer', { networks: [O2] }, { retailers: [O2] }],
    ['a network declares an id of a feed', { networks: [O2] }, { networks: [{ ...O2, feedIds: { awin: ['21'] } }] }],
    ['a product has another name', { products: productsNamed(['A1']) }, { products: productsNamed(['A2']) }],
  ])('changes when %s', (_, before, after) => {
    expect(hashOf(before)).not.toBe(hashOf(after));
  });
});
