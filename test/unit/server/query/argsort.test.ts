import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argsort } from '../../../../server/query/execute-products.ts';

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

  it.each([0, 1, 2, 65_535, 65_536, 65_537])('keeps every position of %d keys that are as large as any', (count) => {
    const keys = Array.from({ length: count }, (_, i) => 2 ** 30 - 1 - (i % 3));
    expect([...argsort(keys)]).toEqual(sortByComparing(keys));
  });
});
