import { describe, expect, it } from 'vitest';
import { DEAL_SORT_KEYS, SORT_DIRECTIONS, type DealSortKey } from '../../../../data/query/vocabulary.ts';
import { rowAt, type ProductRow } from '../../../../data/snapshot/column.ts';
import { BLOCK_ROWS } from '../../../../data/snapshot/filter-index.ts';
import { DealFilter } from '../../../../server/query/apply-filters.ts';
import { MergedDeals } from '../../../../server/query/merged-deals.ts';
import type { Filter, ProductsQuery } from '../../../../server/query/query.ts';
import { createRandom } from '../../../support/random.ts';
import { randomDeals, type IndexOfDeals, type PlainDeal } from '../../data/snapshot/random-deals.ts';
import { randomFilters, satisfies } from './random-filters.ts';

type Wanted = NonNullable<ProductsQuery['deals']>;

const RUN_LENGTHS = [40, 0, 1, 2, BLOCK_ROWS, 3 * BLOCK_ROWS + 1, 0, 150];
const SORTS = DEAL_SORT_KEYS.flatMap((key) => SORT_DIRECTIONS.map((direction) => ({ key, direction })));
const PRODUCTS = RUN_LENGTHS.map((_length, row): ProductRow => rowAt(row));

describe('the deals of a page (D10, D14, D15)', () => {
  it.each(SORTS)('are those of a sort by $key $direction', (sort) => {
    for (let seed = 0; seed < 12; seed++) {
      const random = createRandom(seed);
      const indexed = randomDeals(random, RUN_LENGTHS);
      for (let i = 0; i < 10; i++) {
        const filters = random.isLikely(0.3) ? [] : randomFilters(random);
        const perProduct = random.pick([undefined, 1, 3, 1_000]);
        const wanted: Wanted = { sort, ...(perProduct === undefined ? {} : { perProduct }) };
        const products = random.some(random.shuffled(PRODUCTS), 0.7);
        const expected = sortDeals(wanted, products, filters, indexed);
        const deals = new MergedDeals(wanted, products, indexed.index, new DealFilter(filters, indexed.index));
        const said = { seed, wanted, filters };
        expect({ ...said, deals: [...deals] }).toEqual({ ...said, deals: expected });
        expect(deals.count()).toBe(expected.length);
      }
    }
  });

  it.each(SORTS)('may be read again and by many at a time, by $key $direction', (sort) => {
    const { index } = randomDeals(createRandom(1), RUN_LENGTHS);
    const deals = new MergedDeals({ sort }, PRODUCTS, index, new DealFilter([], index));
    const whole = [...deals];
    const readers = Array.from({ length: 5 }, () => deals[Symbol.iterator]());
    for (const deal of whole) {
      for (const reader of readers) expect(reader.next().value).toBe(deal);
    }
    for (const reader of readers) expect(reader.next().done).toBe(true);
  });

  it('are the same when they were prepared', () => {
    const { index } = randomDeals(createRandom(2), RUN_LENGTHS);
    const wanted = { sort: { key: 'data-allowance', direction: 'desc' } } as const;
    const deals = new MergedDeals(wanted, PRODUCTS, index, new DealFilter([], index));
    for (const product of PRODUCTS) deals.prepare(product);
    expect([...deals]).toEqual(sortDeals(wanted, PRODUCTS, [], randomDeals(createRandom(2), RUN_LENGTHS)));
  });

  it('of no products are none', () => {
    const { index } = randomDeals(createRandom(1), []);
    const wanted = { sort: { key: 'total-cost', direction: 'asc' } } as const;
    const deals = new MergedDeals(wanted, [], index, new DealFilter([], index));
    expect([[...deals], deals.count()]).toEqual([[], 0]);
  });
});

/** Every deal of the products that satisfies the filters, sorted as a whole; `rank` numbers the ties. */
function sortDeals(
  { sort, perProduct }: Wanted,
  products: readonly ProductRow[],
  filters: readonly Filter[],
  { index, deals }: IndexOfDeals,
): number[] {
  const sign = sort.direction === 'asc' ? 1 : -1;
  const keys = deals.map((deal) => sign * keyOf(sort.key, deal, index.plans[deal.plan]?.dataMegabytes ?? 0));
  const compare = (a: number, b: number): number => {
    const [keyOfA = 0, keyOfB = 0] = [keys[a], keys[b]];
    return keyOfA === keyOfB ? index.deals.rank.at(rowAt(a)) - index.deals.rank.at(rowAt(b)) : keyOfA - keyOfB;
  };
  return products
    .flatMap((product) =>
      deals
        .flatMap((deal, row) => {
          const isOwn = row >= index.firstDeal(product) && row < index.endOfDeals(product);
          return isOwn && satisfies(deal, filters, index) ? [row] : [];
        })
        .sort(compare)
        .slice(0, perProduct),
    )
    .sort(compare);
}

function keyOf(key: DealSortKey, deal: PlainDeal, dataMegabytes: number | 'unlimited'): number {
  return {
    'total-cost': deal.totalPence,
    'upfront-cost': deal.upfrontPence,
    'contract-price': deal.monthlyPence,
    'data-allowance': dataMegabytes === 'unlimited' ? Infinity : dataMegabytes,
  }[key];
}
