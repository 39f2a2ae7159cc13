import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argsort } from '../../../../data/snapshot/argsort.ts';

function sortByComparing(keys: readonly number[]): number[] {
  return keys.map((_key, position) => position).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
}

describe('sorting positions by key', () => {
  it('is ascending by key, then by position', () => {
    const key = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 ** 30 - 1 }));
    fc.assert(
      fc.property(fc.array(key, { maxLength: 300 }), (keys) => {
        expect([...argsort(keys)]).toEqual(sortByComparing(keys));
      }),
      { seed: 1 },
    );
  });

  it('gives the first of them when only so many are wanted', () => {
    const key = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 ** 30 - 1 }));
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
