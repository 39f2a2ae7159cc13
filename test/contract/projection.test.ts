import { afterAll, describe, expect, it } from 'vitest';
import { CONTENT_FIELDS, META_DATA_FIELDS } from '../../data/field/field.ts';
import { FORMATS, imageKey, SIZES, VIEWS } from '../../data/field/image.ts';
import { SPEC_FIELDS } from '../../data/field/spec.ts';
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
  priceHistory: 'priceHistory',
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
    expect(dealIds(deals).join(' ')).toBe(
      'N-B N-A R9-B R9-A 3310-A P8-A RI-A Z-A P9-C P256-A I-10 I-1-alpha I-1 P9-A I-2 P9-B PLUS-A P256-B P9-D',
    );
    const page = await server.read(`${PRODUCTS}?expand=products(deals)&limit=2`);
    expect(variants(page.products)).toEqual(['9', '10']);
    expect(dealIds(page.deals)).toEqual(['N-B', 'N-A', 'I-10', 'I-1-alpha', 'I-1', 'I-2']);
  });

  it('deals is there when no product has any (D10)', async () => {
    expect(await server.read(`${PRODUCTS}1000/?expand=deals&fields=id`)).toMatchObject({ deals: [] });
  });

  it('grouped returns one product per model: with deals, new, cheapest, lowest id (D12)', async () => {
    const { products } = await server.read(`${PRODUCTS}?expand=products(grouped)`);
    expect(variants(products).join(', ')).toBe('9, 10, 12, 101, 200 refurbished, 300, 1000, 10000000000000000001');
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
    [PRODUCTS, 'products(gifts)', 'unknown-value'],
    [PRODUCTS, 'giftcategories(content)', 'unknown-value'],
    [CATEGORIES, 'products(content)', 'unknown-value'],
    [CATEGORIES, 'specs', 'unknown-value'],
    [CATEGORIES, 'deals', 'unknown-value'],
    [CATEGORIES, 'grouped', 'unknown-value'],
    [CATEGORIES, 'cheapestDeal', 'unknown-value'],
    [PRODUCTS, '', 'malformed-value'],
    [PRODUCTS, 'products(content,)', 'malformed-value'],
  ] as const)('%s?expand=%s is refused as %s', async (path, expand, code) => {
    expectProblem(await server.ask(`${path}?expand=${expand}`), code, [['expand', code]]);
  });
});

const PIXEL = '/deals/v1/products/101/?filter[condition]=eq{new}';

const selected = async (query: string): Promise<Record<string, unknown>> => {
  const { products } = await server.read(`${PIXEL}&${query}`);
  const { id: _id, name: _name, slug: _slug, ...rest } = products[0] ?? { id: '', name: '', slug: '' };
  return rest;
};

const GROUPS = [
  ...CONTENT_FIELDS.map(({ word, key }) => ({ word, group: 'content', key })),
  ...META_DATA_FIELDS.map(({ word, key }) => ({ word, group: 'metaData', key })),
  ...SPEC_FIELDS.map(({ word, key }) => ({ word, group: 'specs', key })),
];

describe('fields (§4.2)', () => {
  it.each(GROUPS)('products($word) gives $group.$key and nothing else', async ({ word, group, key }) => {
    const answer = await selected(`fields=products(${word})`);
    expect(answer).toEqual({ [group]: { [key]: expect.stringMatching(/./) } });
  });

  it.each([
    ['condition', { condition: 'New' }],
    ['manufacturer', { manufacturer: { name: 'Google', slug: 'google' } }],
    ['model', { model: 'google-pixel-9' }],
    ['deal-count', { dealCount: 4 }],
    [
      'deal-count,model,manufacturer,condition,heading,id',
      {
        condition: 'New',
        manufacturer: { name: 'Google', slug: 'google' },
        model: 'google-pixel-9',
        dealCount: 4,
        content: { heading: 'Pixel 9' },
      },
    ],
  ])('products(%s) adds to the product itself, in one order (D22)', async (words, expected) => {
    expect(JSON.stringify(await selected(`fields=products(${words})`))).toBe(JSON.stringify(expected));
  });

  it('leaves out a manufacturer and a model that the product lacks, and never the other two (D22)', async () => {
    const { products } = await server.read(
      '/deals/v1/products/1000/?expand=specs,cheapestDeal&fields=condition,manufacturer,model,deal-count',
    );
    expect(products[0]).toEqual({
      id: '1000',
      name: 'Quoted "phone" </script> 📱',
      slug: 'quoted-phone-script',
      condition: 'New',
      dealCount: 0,
      specs: {},
    });
  });

  it.each([
    ['filter[networks]=eq{o2}', [1, 1]],
    ['filter[networks]=eq{o2}&expand=deals&limit=deals(1)', [1, 1]],
    ['filter[contractLength]=gte{24}', [4, 0]],
    ['filter[networks]=eq{three}', [0, 0]],
    ['expand=deals&limit=deals(1)', [4, 2]],
  ])('dealCount counts the deals that satisfy %s: %j, however many are sent (D22)', async (query, expected) => {
    const { products } = await server.read(`/deals/v1/products/101/?fields=deal-count&${query}`);
    expect(products.map((product) => (product as { dealCount?: number }).dealCount)).toEqual(expected);
  });

  it.each(['/deals/v1/gifts/', '/deals/v1/gifts/categories/'])(
    '%s has no condition or deals to count (D22)',
    async (path) => {
      for (const word of ['condition', 'manufacturer', 'model', 'deal-count']) {
        expectProblem(await server.ask(`${path}?fields=${word}`), 'unknown-value', [['fields', 'unknown-value']]);
      }
    },
  );

  it.each(['id', 'name', 'slug'])('%s may be listed, and is there anyway (D6)', async (word) => {
    const { products } = await server.read(`${PIXEL}&fields=products(${word})`);
    expect(Object.keys(products[0] ?? {})).toEqual(['id', 'name', 'slug']);
  });

  it.each(VIEWS.flatMap((view) => SIZES.flatMap((size) => FORMATS.map((format) => [view, size, format] as const))))(
    '%s,%s,%s gives one picture',
    async (view, size, format) => {
      expect(await selected(`fields=products(${view},${size},${format})`)).toEqual({
        images: {
          [imageKey(size, view, format)]: `https://deals.test/images/706978656c2d392d/${size}-${view}.${format}`,
        },
      });
    },
  );

  it('two formats give both pictures', async () => {
    const { images } = await selected('fields=products(front,large,jpg,png)');
    expect(Object.keys(images as object).sort()).toEqual(['largeFrontImageJpg', 'largeFrontImagePng']);
  });

  it('a selection is every view with every size and every format listed (D7)', async () => {
    const { images } = await selected('fields=left,small,webp,right,medium');
    expect(Object.keys(images as object).sort()).toEqual(
      ['mediumLeftImageWebp', 'mediumRightImageWebp', 'smallLeftImageWebp', 'smallRightImageWebp'].sort(),
    );
  });

  it.each([
    ['front,large', 'format'],
    ['front,png', 'size'],
    ['large,png', 'view'],
    ['products(os,back,webp)', 'size'],
  ])('a selection of %s lacks a %s (D7)', async (words, axis) => {
    const problem = expectProblem(await server.ask(`${PIXEL}&fields=${words}`), 'incomplete-image-selection', [
      ['fields', 'incomplete-image-selection'],
    ]);
    expect(problem.errors[0]?.detail).toContain(axis);
  });

  it.each(['/deals/v1/gifts/', '/deals/v1/gifts/categories/'])(
    '%s accepts front, large, jpg, png and webp, and no other word for images (D7)',
    async (path) => {
      expect((await server.ask(`${path}?fields=front,large,jpg,png,webp`)).status).toBe(200);
      for (const word of ['back', 'left', 'right', 'medium', 'small']) {
        const answer = await server.ask(`${path}?fields=front,large,jpg,${word}`);
        expectProblem(answer, 'unknown-value', [['fields', 'unknown-value']]);
      }
    },
  );

  it.each(['/deals/v1/gifts/', '/deals/v1/gifts/categories/'])('%s has no specifications', async (path) => {
    for (const { word } of SPEC_FIELDS) {
      expectProblem(await server.ask(`${path}?fields=${word}`), 'unknown-value', [['fields', 'unknown-value']]);
    }
  });

  it('narrows a group that expand names, and leaves the others whole; content of the page is pageContent (D6, D8)', async () => {
    expect(await selected('expand=products(content,page-content,meta-data)&fields=products(heading)')).toEqual({
      content: { heading: 'Pixel 9' },
      pageContent: { heading: 'Pixel 9 deals', introduction: 'All deals of the Pixel 9' },
      metaData: { title: 'Pixel 9', description: 'Deals on the Pixel 9', keywords: 'pixel,google' },
    });
    expect(await selected('expand=images,specs&fields=os,front,small,jpg')).toEqual({
      specs: { os: 'the os of a Pixel 9' },
      images: { smallFrontImageJpg: 'https://deals.test/images/706978656c2d392d/small-front.jpg' },
    });
  });

  it('gives a group that was asked for as an object even when nothing of it is there (D6)', async () => {
    const { products } = await server.read('/deals/v1/products/9/?fields=heading,meta-data-title,os,front,large,png');
    expect(products[0]).toEqual({
      id: '9',
      name: 'Nokia 105',
      slug: 'nokia-105',
      content: {},
      metaData: {},
      specs: {},
      images: {},
    });
  });

  it.each([
    ['/deals/v1/products/', 'products(os,heading)', 'products{os,heading}'],
    ['/deals/v1/products/', 'products(os,heading)', 'os,heading'],
    ['/deals/v1/gifts/', 'gifts(heading)', 'gifts{heading}'],
    ['/deals/v1/gifts/', 'gifts(heading)', 'heading'],
    ['/deals/v1/gifts/categories/', 'giftcategories(heading)', 'giftcategories{heading}'],
    ['/deals/v1/gifts/categories/', 'giftcategories(heading)', 'heading'],
    ['/deals/v1/products/', 'products(os,heading)', 'products%7B%20heading%20%2C+os%7D'],
  ])('%s?fields=%s may be spelled %s (D4, D5)', async (path, fields, spelled) => {
    const documented = await server.ask(`${path}?fields=${fields}`);
    const tolerated = await server.ask(`${path}?fields=${spelled}`);
    expect([documented.status, tolerated.status]).toEqual([200, 200]);
    expect(tolerated.text).toBe(documented.text);
  });

  it.each([
    ['/deals/v1/products/', 'products(battery-capcity)', 'unknown-value', 'battery-capacity'],
    ['/deals/v1/products/', 'page-content', 'unknown-value', undefined],
    ['/deals/v1/products/', 'familyOs', 'unknown-value', 'family-os'],
    ['/deals/v1/products/', 'products(dealCount)', 'unknown-value', 'deal-count'],
    ['/deals/v1/products/', 'products(manufacturers)', 'unknown-value', 'manufacturer'],
    ['/deals/v1/gifts/', 'products(heading)', 'unknown-value', undefined],
    ['/deals/v1/products/', 'products(os,,cpu)', 'malformed-value', undefined],
  ] as const)('%s?fields=%s is refused as %s', async (path, fields, code, suggestion) => {
    const problem = expectProblem(await server.ask(`${path}?fields=${fields}`), code, [['fields', code]]);
    expect(problem.errors[0]).toMatchObject(suggestion === undefined ? {} : { suggestion });
  });
});
