import { expect, it } from 'vitest';
import { argsort } from '../../../../server/query/execute-products.ts';

it.each([0, 1, 2, 300, 65_536, 65_537])(
  'of %d keys, some as large as any, the positions come by key, then by position',
  (count) => {
    const keys = Array.from({ length: count }, (_, i) => (i % 5 === 0 ? i % 3 : 2 ** 30 - 1 - (i % 3)));
    const positions = Array.from(keys.keys());
    expect([...argsort(keys)]).toEqual(positions.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b));
  },
);
