import { describe, expect, it } from 'vitest';
import { SORT_DIRECTIONS } from '../../../../data/query/vocabulary.ts';
import { rowAt } from '../../../../data/snapshot/column.ts';
import { createRandom } from '../../../support/random.ts';
import { randomDeals } from './random-deals.ts';

const RUN_LENGTHS = [3, 0, 1, 5, 0, 9, 2, 2, 1, 1, 4, 7];

describe('the orders of all products (D14)', () => {
  const { index, deals } = randomDeals(createRandom(3), RUN_LENGTHS);
  const rows = RUN_LENGTHS.map((_length, row) => row);

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
      RUN_LENGTHS[row] === 0 ? Infinity : sign * (deals[index.firstDeal(rowAt(row))]?.[column] ?? Number.NaN);
    const expected = rows.toSorted((a, b) => (costOf(a) === costOf(b) ? a - b : costOf(a) - costOf(b)));
    expect([...index.productSortIndex.of({ key, direction })]).toEqual(expected);
  });

  it('are made once', () => {
    const sort = { key: 'name', direction: 'asc' } as const;
    expect(index.productSortIndex.of(sort)).toBe(index.productSortIndex.of({ ...sort }));
  });
});
