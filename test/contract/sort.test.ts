import { afterAll, describe, expect, it } from 'vitest';
import {
  DEAL_SORT_KEYS,
  PRODUCT_SORT_KEYS,
  SORT_DIRECTIONS,
  type DealSortKey,
  type ProductSortKey,
  type SortDirection,
} from '../../data/query/vocabulary.ts';
import { expectProblem } from './expect-problem.ts';
import { dealIds, serve, variants } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const PRODUCTS = '/deals/v1/products/';

/** The four deals of the new Pixel 9: A 719.76, B 719.76, C 529.75, D 1439.64 in total. */
const DEAL_ORDERS = {
  'data-allowance': { asc: ['P9-C', 'P9-A', 'P9-B', 'P9-D'], desc: ['P9-D', 'P9-A', 'P9-B', 'P9-C'] },
  'total-cost': { asc: ['P9-C', 'P9-A', 'P9-B', 'P9-D'], desc: ['P9-D', 'P9-A', 'P9-B', 'P9-C'] },
  'upfront-cost': { asc: ['P9-A', 'P9-D', 'P9-B', 'P9-C'], desc: ['P9-C', 'P9-B', 'P9-A', 'P9-D'] },
  'contract-price': { asc: ['P9-C', 'P9-B', 'P9-A', 'P9-D'], desc: ['P9-D', 'P9-A', 'P9-B', 'P9-C'] },
} as const satisfies Record<DealSortKey, Record<SortDirection, readonly string[]>>;

/** The products without deals are 201 and 1000. */
const PRODUCT_ORDERS = {
  name: {
    asc: '10, 300, 12, 101, 102, 9, 201, 1000, 10 refurbished, 101 refurbished, 200 refurbished, 10000000000000000001',
    desc: '10000000000000000001, 200 refurbished, 101 refurbished, 10 refurbished, 1000, 201, 9, 102, 101, 12, 300, 10',
  },
  'upfront-cost': {
    asc: '9, 10, 10 refurbished, 101 refurbished, 200 refurbished, 300, 102, 101, 12, 10000000000000000001, 201, 1000',
    desc: '10000000000000000001, 12, 101, 102, 9, 10, 10 refurbished, 101 refurbished, 200 refurbished, 300, 201, 1000',
  },
  'contract-price': {
    asc: '10000000000000000001, 9, 200 refurbished, 12, 101 refurbished, 10 refurbished, 101, 102, 10, 300, 201, 1000',
    desc: '300, 10, 102, 10 refurbished, 101, 12, 101 refurbished, 200 refurbished, 9, 10000000000000000001, 201, 1000',
  },
  'total-cost': {
    asc: '9, 101 refurbished, 200 refurbished, 12, 10 refurbished, 10000000000000000001, 101, 102, 10, 300, 201, 1000',
    desc: '300, 10, 102, 101, 10000000000000000001, 10 refurbished, 12, 200 refurbished, 101 refurbished, 9, 201, 1000',
  },
} as const satisfies Record<ProductSortKey, Record<SortDirection, string>>;

const DEAL_CASES = DEAL_SORT_KEYS.flatMap((key) => SORT_DIRECTIONS.map((direction) => [key, direction] as const));
const PRODUCT_CASES = PRODUCT_SORT_KEYS.flatMap((key) => SORT_DIRECTIONS.map((direction) => [key, direction] as const));

describe('sort (§4.4)', () => {
  it.each(DEAL_CASES)(
    'deals(%s-%s) orders the deals; ties ascend regardless of the direction (D14)',
    async (key, direction) => {
      const { deals } = await server.read(
        `${PRODUCTS}101/?filter[condition]=eq{new}&expand=deals&sort=deals(${key}-${direction})`,
      );
      expect(dealIds(deals)).toEqual(DEAL_ORDERS[key][direction]);
    },
  );

  it.each(PRODUCT_CASES)(
    'products(%s-%s) orders the products, those without a deal last (D14)',
    async (key, direction) => {
      const { products } = await server.read(`${PRODUCTS}?sort=products(${key}-${direction})`);
      expect(variants(products).join(', ')).toBe(PRODUCT_ORDERS[key][direction]);
    },
  );

  it('products sort by the cheapest deal that qualifies (D14)', async () => {
    const { products } = await server.read(
      `${PRODUCTS}?sort=products(upfront-cost-desc)&filter[offers]=eq{cashback,gift}`,
    );
    expect(variants(products)).toEqual(['10000000000000000001', '101', '10 refurbished', '101 refurbished']);
    const narrowed = await server.read(`${PRODUCTS}?sort=products(upfront-cost-desc)&filter[offers]=eq{gift}`);
    expect(variants(narrowed.products)).toEqual(['10000000000000000001', '10 refurbished', '101', '101 refurbished']);
  });

  it('without sort, products come by numeric id, new before refurbished (D14)', async () => {
    const { products } = await server.read(PRODUCTS);
    expect(variants(products).join(', ')).toBe(
      '9, 10, 10 refurbished, 12, 101, 101 refurbished, 102, 200 refurbished, 201, 300, 1000, 10000000000000000001',
    );
  });

  it('deals come in one order over the whole page (D10)', async () => {
    const { deals } = await server.read(`${PRODUCTS}?filter[id]=eq{9,12}&expand=deals&sort=deals(upfront-cost-desc)`);
    expect(dealIds(deals)).toEqual(['P8-A', 'N-B', 'N-A']);
  });

  it('deals that agree in every cost go by retailer, key and feed (D14)', async () => {
    for (const direction of SORT_DIRECTIONS) {
      const { deals } = await server.read(
        `${PRODUCTS}10/?filter[condition]=eq{new}&expand=deals&sort=deals(contract-price-${direction})`,
      );
      expect(dealIds(deals)).toEqual(['I-10', 'I-1-alpha', 'I-1', 'I-2']);
    }
  });

  it('products and deals may be sorted at once, in either order (D14)', async () => {
    const one = await server.ask(`${PRODUCTS}?expand=deals&sort=products(name-desc),deals(total-cost-desc)`);
    const other = await server.ask(`${PRODUCTS}?expand=deals&sort=deals(total-cost-desc),products(name-desc)`);
    const { products, deals } = JSON.parse(one.text);
    expect(variants(products).join(', ')).toBe(PRODUCT_ORDERS.name.desc);
    expect(dealIds(deals).slice(0, 3)).toEqual(['P9-D', 'P256-B', 'PLUS-A']);
    expect(other.text).toBe(one.text);
  });

  it('a sort of deals changes nothing where no deals are expanded (D14)', async () => {
    const plain = await server.ask(PRODUCTS);
    expect((await server.ask(`${PRODUCTS}?sort=deals(total-cost-desc)`)).text).toBe(plain.text);
  });

  it.each([
    ['', 'malformed-value'],
    ['deals(total-cost)', 'malformed-value'],
    ['products(name-asc),products(name-desc)', 'malformed-value'],
    ['deals(name-asc)', 'unknown-value'],
    ['gifts(name-asc)', 'unknown-value'],
  ] as const)('sort=%s is refused as %s (D14)', async (text, code) => {
    expectProblem(await server.ask(`${PRODUCTS}?sort=${text}`), code, [['sort', code]]);
  });
});
