import { describe, expect, it } from 'vitest';
import { partition } from '../../../../server/query/execute-deals.ts';
import { argsort } from '../../../../server/query/execute-products.ts';
import { createRandom } from '../../../support/random.ts';

it.each([0, 1, 2, 300, 65_536, 65_537])(
  'of %d keys, some as large as any, the positions come by key, then by position',
  (count) => {
    const keys = Array.from({ length: count }, (_, i) => (i % 5 === 0 ? i % 3 : 2 ** 30 - 1 - (i % 3)));
    const positions = Array.from(keys.keys());
    expect([...argsort(keys)]).toEqual(positions.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b));
  },
);

describe('partition', () => {
  it.each([1, 2, 7, 1_000])(
    'puts the lowest of %d keys before each boundary, and the lowest of the others at it',
    (count) => {
      const random = createRandom(count);
      for (let run = 0; run < 50; run++) {
        const sorted = Float64Array.from({ length: count }, (_, n) => n);
        const keys = Float64Array.from(random.shuffled([...sorted]));
        const [start, end] = [random.below(count + 1), random.below(count + 1)].sort((a, b) => a - b) as [
          number,
          number,
        ];
        partition(keys, start);
        partition(keys, end, start);
        expect([keys[start], keys[end]]).toEqual([sorted[start], sorted[end]]);
        expect(keys.subarray(start, end).sort()).toEqual(sorted.subarray(start, end));
      }
    },
  );
});
