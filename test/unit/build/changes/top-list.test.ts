import { describe, expect, it } from 'vitest';
import { TopList } from '../../../../build/changes/compare-snapshots.ts';
import { createRandom } from '../../../support/random.ts';

describe('TopList', () => {
  it.each([0, 1, 3, 10, 100])('keeps the first %d of many by their order, and counts all', (limit) => {
    const random = createRandom(limit + 1);
    const items = Array.from({ length: 60 }, (_, number) => ({ number, order: [random.below(5), random.below(5)] }));
    const list = new TopList<number>(limit);
    for (const { number, order } of items) list.add(order, () => number);
    const expected = items
      .toSorted((a, b) => (a.order[0] ?? 0) - (b.order[0] ?? 0) || (a.order[1] ?? 0) - (b.order[1] ?? 0))
      .slice(0, limit)
      .map(({ number }) => number);
    expect(list.finish()).toEqual({ count: 60, omitted: 60 - expected.length, items: expected });
  });

  it('makes no item that it does not keep', () => {
    const list = new TopList<number>(2);
    const made: number[] = [];
    for (const number of [1, 2, 3, 0]) {
      list.add([number], () => {
        made.push(number);
        return number;
      });
    }
    expect(made).toEqual([1, 2, 0]);
    expect(list.finish()).toEqual({ count: 4, omitted: 2, items: [0, 1] });
  });
});
