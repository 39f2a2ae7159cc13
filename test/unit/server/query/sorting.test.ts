import { describe, expect, it } from 'vitest';
import { partition } from '../../../../server/query/execute.ts';
import { createRandom } from '../../../support/random.ts';

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
