import { describe, expect, it } from 'vitest';
import { PRODUCT_SORT_KEYS, SORT_DIRECTIONS } from '../../../../data/query/vocabulary.ts';
import { rowAt } from '../../../../data/snapshot/column.ts';
import { executeProducts, orderProducts } from '../../../../server/query/execute-products.ts';
import type { ProductsQuery } from '../../../../server/query/query.ts';
import { createRandom } from '../../../support/random.ts';
import { randomDeals } from '../../data/snapshot/random-deals.ts';
import { randomFilters, satisfies } from './random-filters.ts';

const PLAIN: ProductsQuery = {
  kind: 'products',
  filters: [],
  projection: {},
  hasCheapestDeal: false,
  hasPriceHistory: false,
  isGrouped: false,
  pageLimit: 20,
};
const RUN_LENGTHS = Array.from({ length: 60 }, (_, product) => (product * 37) % 90);
const { index, deals } = randomDeals(createRandom(4), RUN_LENGTHS);

describe('products in order', () => {
  it('are a slice of what the snapshot keeps when no filter and no group changes it', () => {
    const sorted: ProductsQuery = { ...PLAIN, productSort: { key: 'total-cost', direction: 'desc' } };
    for (const query of [PLAIN, sorted]) {
      expect(orderProducts(query, index).products).toBe(orderProducts({ ...query }, index).products);
    }
  });

  it('leave what is kept as it was, regardless of what is asked in between', () => {
    const sort = { key: 'upfront-cost', direction: 'asc' } as const;
    const before = [...orderProducts({ ...PLAIN, productSort: sort }, index).products];
    for (let seed = 0; seed < 20; seed++) {
      const filters = randomFilters(createRandom(seed));
      executeProducts({ ...PLAIN, filters, productSort: sort, isGrouped: true, hasCheapestDeal: true }, index, 0);
    }
    expect([...orderProducts({ ...PLAIN, productSort: sort }, index).products]).toEqual(before);
    expect([...orderProducts(PLAIN, index).products]).toEqual(RUN_LENGTHS.map((_length, row) => row));
  });

  it('are put in order as far as a page asks for, and come out as if all were', () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = createRandom(seed);
      const filters = randomFilters(random).slice(0, 2);
      const productSort = { key: random.pick(PRODUCT_SORT_KEYS), direction: random.pick(SORT_DIRECTIONS) };
      const query: ProductsQuery = { ...PLAIN, filters, productSort, isGrouped: random.isLikely(0.3), pageLimit: 3 };
      const whole = [...orderProducts(query, index).products];
      for (let offset = 0; offset <= whole.length; offset += 3) {
        const { totalCount, products } = executeProducts(query, index, offset);
        expect({ totalCount, products }).toEqual({
          totalCount: whole.length,
          products: whole.slice(offset, offset + 3),
        });
      }
    }
  });

  it('are counted whole and cut to the page, with the cheapest qualifying deal of each', () => {
    for (let seed = 0; seed < 40; seed++) {
      const filters = randomFilters(createRandom(seed));
      const query = { ...PLAIN, filters, hasCheapestDeal: true, pageLimit: 7 };
      const cheapest = RUN_LENGTHS.map((_length, product) => {
        const end = index.endOfDeals(rowAt(product));
        for (let row: number = index.firstDeal(rowAt(product)); row < end; row++) {
          const deal = deals[row];
          if (deal !== undefined && satisfies(deal, filters, index)) return row;
        }
        return undefined;
      });
      const expected = [...cheapest.entries()].filter(([, deal]) => filters.length === 0 || deal !== undefined);
      const { totalCount, products, cheapestDeals } = executeProducts(query, index, 7);
      expect(totalCount).toBe(expected.length);
      expect(products.map((product, i) => [product, cheapestDeals?.[i]])).toEqual(expected.slice(7, 14));
    }
  });
});
