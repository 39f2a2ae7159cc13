import { afterAll, describe, expect, it } from 'vitest';
import {
  GIFT_CATEGORY_EXPANSIONS,
  PREFIXED_EXPANSIONS,
  PRODUCT_EXPANSIONS,
  type GiftCategoryExpansion,
  type ProductExpansion,
} from '../../data/query/vocabulary.ts';
import { expectProblem } from './expect-problem.ts';
import { dealIds, serve, variants } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const PRODUCTS = '/deals/v1/products/';
const CATEGORIES = '/deals/v1/gifts/categories/';

/** The key that each word adds to an item that has everything; none where it changes something else. */
const ADDED_TO_PRODUCT = {
  content: 'content',
  'page-content': 'pageContent',
  'meta-data': 'metaData',
  specs: 'specs',
  images: 'images',
  deals: undefined,
  grouped: undefined,
  cheapestDeal: 'cheapestDeal',
} as const satisfies Record<ProductExpansion, string | undefined>;

const ADDED_TO_CATEGORY = {
  content: 'content',
  'page-content': 'pageContent',
  'meta-data': 'metaData',
  images: 'images',
  gifts: 'gifts',
} as const satisfies Record<GiftCategoryExpansion, string>;

describe('expand (§4.1)', () => {
  it.each(PRODUCT_EXPANSIONS.map(({ word }) => word))('products(%s) adds what it names and no more', async (word) => {
    const plain = await server.ask(PRODUCTS);
    const expanded = await server.ask(`${PRODUCTS}?expand=products(${word})`);
    expect(expanded.status).toBe(200);
    expect(expanded.text).not.toBe(plain.text);
    const { products } = await server.read(`${PRODUCTS}101/?filter[condition]=eq{new}&expand=products(${word})`);
    const added = ADDED_TO_PRODUCT[word];
    expect(Object.keys(products[0] ?? {})).toEqual(['id', 'name', 'slug', ...(added === undefined ? [] : [added])]);
  });

  it.each(GIFT_CATEGORY_EXPANSIONS.map(({ word }) => word))('giftcategories(%s) adds what it names', async (word) => {
    const { giftCategories } = await server.read<{ giftCategories: object[] }>(
      `${CATEGORIES}?expand=giftcategories(${word})`,
    );
    for (const category of giftCategories) {
      expect(Object.keys(category)).toEqual(['id', 'name', 'slug', ADDED_TO_CATEGORY[word]]);
    }
  });

  it('deals adds the deals of the products of the page, the cheapest first (D10, D14)', async () => {
    const { deals } = await server.read(`${PRODUCTS}?expand=products(deals)`);
    expect(dealIds(deals)).toEqual([
      'N-B',
      'N-A',
      'R9-B',
      'R9-A',
      '3310-A',
      'P8-A',
      'RI-A',
      'Z-A',
      'P9-C',
      'P256-A',
      'I-10',
      'I-1-alpha',
      'I-1',
      'P9-A',
      'I-2',
      'P9-B',
      'PLUS-A',
      'P256-B',
      'P9-D',
    ]);
    const page = await server.read(`${PRODUCTS}?expand=products(deals)&limit=2`);
    expect(variants(page.products)).toEqual(['9', '10']);
    expect(dealIds(page.deals)).toEqual(['N-B', 'N-A', 'I-10', 'I-1-alpha', 'I-1', 'I-2']);
  });

  it('deals is there when no product has any (D10)', async () => {
    expect(await server.read(`${PRODUCTS}1000/?expand=deals&fields=id`)).toMatchObject({ deals: [] });
  });

  it('grouped returns one product per model: with deals, new, cheapest, lowest id (D12)', async () => {
    const { products } = await server.read(`${PRODUCTS}?expand=products(grouped)`);
    expect(variants(products)).toEqual([
      '9',
      '10',
      '12',
      '101',
      '200 refurbished',
      '300',
      '1000',
      '10000000000000000001',
    ]);
  });

  it('grouped chooses among the products that the filters leave, and totals count groups (D12)', async () => {
    const { headers, text } = await server.ask(
      `${PRODUCTS}?expand=products(grouped,deals)&filter[monthlyCost]=lte{9.99}`,
    );
    const { products, deals } = JSON.parse(text);
    expect(variants(products)).toEqual(['9', '12', '101 refurbished', '200 refurbished', '10000000000000000001']);
    expect(dealIds(deals)).toEqual(['N-B', 'N-A', 'R9-B', 'R9-A', '3310-A', 'P8-A', 'Z-A']);
    expect(headers.get('x-total-count')).toBe('5');
  });

  it.each(PREFIXED_EXPANSIONS)('$word means $means on products (D5)', async ({ word, means }) => {
    const prefixed = await server.ask(`${PRODUCTS}?expand=products(${word})`);
    expect(prefixed.status).toBe(200);
    expect(prefixed.text).toBe((await server.ask(`${PRODUCTS}?expand=products(${means})`)).text);
    expectProblem(await server.ask(`${CATEGORIES}?expand=${word}`), 'unknown-value', [['expand', 'unknown-value']]);
  });

  it.each([
    [PRODUCTS, 'products(content,specs)', 'products{content,specs}'],
    [PRODUCTS, 'products(content,specs)', 'content,specs'],
    [PRODUCTS, 'products(page-content)', 'page-content'],
    [CATEGORIES, 'giftcategories(gifts,images)', 'giftcategories{gifts,images}'],
    [CATEGORIES, 'giftcategories(page-content)', 'page-content'],
    [PRODUCTS, 'products(content,specs)', 'products%28content%2Cspecs%29'],
    [PRODUCTS, 'products(content,specs)', 'products%7Bcontent%2cspecs%7d'],
    [PRODUCTS, 'products(content,specs)', 'products(+content+,%20specs%20)'],
    [PRODUCTS, 'products(content,specs)', 'products(specs,content,specs,content)'],
  ])('%s?expand=%s may be spelled %s (D4, D5)', async (path, expand, spelled) => {
    const documented = await server.ask(`${path}?expand=${expand}`);
    const tolerated = await server.ask(`${path}?expand=${spelled}`);
    expect([documented.status, tolerated.status]).toEqual([200, 200]);
    expect(tolerated.text).toBe(documented.text);
  });

  it.each([
    [PRODUCTS, 'products(contents)', 'unknown-value'],
    [PRODUCTS, 'products(Content)', 'unknown-value'],
    [PRODUCTS, 'products(gifts)', 'unknown-value'],
    [CATEGORIES, 'giftcategories(specs)', 'unknown-value'],
    [PRODUCTS, 'gifts(content)', 'unknown-value'],
    [PRODUCTS, 'giftcategories(content)', 'unknown-value'],
    [CATEGORIES, 'products(content)', 'unknown-value'],
    [PRODUCTS, '', 'malformed-value'],
    [PRODUCTS, 'products()', 'malformed-value'],
    [PRODUCTS, 'products(content,)', 'malformed-value'],
    [PRODUCTS, 'products(,content)', 'malformed-value'],
    [PRODUCTS, 'products(content', 'malformed-value'],
    [PRODUCTS, 'products(content}', 'malformed-value'],
    [PRODUCTS, 'products(content)specs', 'malformed-value'],
  ] as const)('%s?expand=%s is refused as %s', async (path, expand, code) => {
    expectProblem(await server.ask(`${path}?expand=${expand}`), code, [['expand', code]]);
  });
});
