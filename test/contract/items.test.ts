import { afterAll, describe, expect, it } from 'vitest';
import { CHEAPEST_DEAL_FIELDS, DEAL_FIELDS } from '../../data/field/deal.ts';
import { FORMATS, GIFT_IMAGE_KEYS, IMAGE_KEYS, imageKey, MEDIA_TYPE, SIZES, VIEWS } from '../../data/field/image.ts';
import { SPEC_FIELDS } from '../../data/field/spec.ts';
import { pictureBytes } from '../oracle/write-snapshot.ts';
import { readTable } from '../support/table.ts';
import { dealIds, serve, variants } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

describe('the envelope (§2.1)', () => {
  it.each([
    ['/deals/v1/products/', ['products']],
    ['/deals/v1/products/101/', ['products']],
    ['/deals/v1/products/?expand=products(deals)', ['products', 'deals']],
    ['/deals/v1/products/101/?expand=products(deals)', ['products', 'deals']],
    ['/deals/v1/gifts/categories/', ['giftCategories']],
    ['/deals/v1/gifts/', ['gifts']],
    ['/deals/v1/networks/', ['networks']],
    ['/deals/v1/retailers/', ['retailers']],
    ['/deals/v1/manufacturers/', ['manufacturers']],
  ])('%s holds one array for each of %j', async (target, keys) => {
    const body = await server.read<Record<string, unknown>>(target);
    expect(Object.keys(body)).toEqual(keys);
    expect(Object.values(body).every(Array.isArray)).toBe(true);
  });

  it.each([
    ['/deals/v1/products/', 'products'],
    ['/deals/v1/gifts/categories/', 'giftCategories'],
    ['/deals/v1/gifts/', 'gifts'],
  ])('without expand and fields, each item of %s carries only id, name and slug, as texts', async (target, key) => {
    const body = await server.read<Record<string, Record<string, unknown>[]>>(target);
    expect(body[key]?.length).toBeGreaterThan(0);
    for (const item of body[key] ?? []) {
      expect(Object.keys(item)).toEqual(['id', 'name', 'slug']);
      expect(Object.values(item).map((value) => typeof value)).toEqual(['string', 'string', 'string']);
    }
  });

  it('is JSON in UTF-8', async () => {
    const { headers, text } = await server.ask('/deals/v1/products/1000/');
    expect(headers.get('content-type')).toMatch(/^application\/json(?:; ?charset=utf-8)?$/i);
    expect(JSON.parse(text)).toEqual({
      products: [{ id: '1000', name: 'Quoted "phone" </script> 📱', slug: 'quoted-phone-script' }],
    });
  });
});

const WHOLE =
  '/deals/v1/products/101/?filter[condition]=eq{new}&expand=products(content,page-content,meta-data,specs,images,cheapestDeal)';

describe('a product (§2.2)', () => {
  it('can appear twice under one id, new and refurbished, and the refurbished name says so', async () => {
    const { products } = await server.read('/deals/v1/products/101/');
    expect(products).toEqual([
      { id: '101', name: 'Google Pixel 9 128GB', slug: 'google-pixel-9-128gb' },
      { id: '101', name: 'Refurbished Google Pixel 9 128GB', slug: 'refurbished-google-pixel-9-128gb' },
    ]);
  });

  it('keeps an id that no number can hold', async () => {
    const { products } = await server.read('/deals/v1/products/10000000000000000001/');
    expect(variants(products)).toEqual(['10000000000000000001']);
  });

  it('has each of its objects only when asked for', async () => {
    const { products } = await server.read(WHOLE);
    expect(Object.keys(products[0] ?? {}).sort()).toEqual(
      ['id', 'name', 'slug', 'content', 'pageContent', 'metaData', 'specs', 'images', 'cheapestDeal'].sort(),
    );
  });

  it('has every group that was asked for as an object, even an empty one, and nothing that it lacks (D6)', async () => {
    const { products } = await server.read(
      '/deals/v1/products/1000/?expand=products(content,page-content,meta-data,specs,images,cheapestDeal)',
    );
    expect(products).toEqual([
      {
        id: '1000',
        name: 'Quoted "phone" </script> 📱',
        slug: 'quoted-phone-script',
        content: { introduction: 'line one\nline two' },
        pageContent: {},
        metaData: {},
        specs: {},
        images: {},
      },
    ]);
  });
});

describe('the price history of a product (§2.12)', () => {
  const HISTORY = '/deals/v1/products/101/?expand=products(priceHistory)';

  it('has a point for each day on which something differed, and the first day of the lowest total (D24)', async () => {
    const { products } = await server.read(`${HISTORY}&filter[condition]=eq{new}`);
    expect(products[0]?.['priceHistory']).toEqual({
      since: '2026-08-01',
      points: [
        {
          date: '2026-08-01',
          totalContractCost: 719.76,
          monthlyContractPrice: 28.74,
          upfrontProductCost: 29.99,
          dealCount: 3,
        },
        {
          date: '2026-08-02',
          totalContractCost: 719.76,
          monthlyContractPrice: 28.74,
          upfrontProductCost: 29.99,
          dealCount: 4,
        },
        { date: '2026-08-30', dealCount: 0 },
        {
          date: '2026-09-01',
          totalContractCost: 743.76,
          monthlyContractPrice: 30.99,
          upfrontProductCost: 0,
          dealCount: 2,
        },
        {
          date: '2026-11-19',
          totalContractCost: 719.76,
          monthlyContractPrice: 29.99,
          upfrontProductCost: 0,
          dealCount: 4,
        },
      ],
      lowest: { date: '2026-08-01', totalContractCost: 719.76 },
    });
  });

  it('is the same under any filter of deals (D24)', async () => {
    const [plain, filtered, none] = await Promise.all(
      ['', '&filter[networks]=eq{o2}', '&filter[upfrontCost]=gt{9999}'].map((more) => server.read(HISTORY + more)),
    );
    const historiesOf = (body = plain) => body?.products.map((product) => product['priceHistory']);
    expect(historiesOf(filtered)).toEqual(historiesOf(plain));
    expect(historiesOf(none)).toEqual(historiesOf(plain));
  });

  it('has no points in a snapshot of an older build (D24)', async () => {
    const { products } = await server.read(`${HISTORY}&filter[condition]=eq{refurbished}`);
    expect(products[0]?.['priceHistory']).toEqual({ points: [] });
  });
});

describe('a gift category (§2.3)', () => {
  it('holds its gifts in an object with one array, in the order of the editor (D9)', async () => {
    const { giftCategories } = await server.read<{ giftCategories: { gifts: { gifts: { id: string }[] } }[] }>(
      '/deals/v1/gifts/categories/?expand=giftcategories(gifts)',
    );
    expect(giftCategories.map(({ gifts }) => gifts.gifts.map(({ id }) => id))).toEqual([['9', '7'], []]);
  });
});

const { deals = [] } = await server.read('/deals/v1/products/?expand=products(deals)&limit=100');
const dealOf = (id: string): Readonly<Record<string, string>> => {
  const deal = deals[dealIds(deals).indexOf(id)];
  if (deal === undefined) throw new Error(`expected deal ${id} among ${dealIds(deals).join(', ')}`);
  return deal;
};

describe('a deal (§2.5)', () => {
  it('shows its plan, its prices, its product and its suppliers as texts (D10)', () => {
    expect(dealOf('P9-C')).toEqual({
      dealType: 'contract',
      contractName: 'Essential 4GB',
      contractLength: '24',
      friendlyContractLength: '24 months',
      contractSupplierId: '21',
      contractSupplierName: 'O2',
      smallNetworkImage: 'https://deals.test/images/aaaaaaaaaaaaaaaa/o2-small.webp',
      mediumNetworkImage: 'https://deals.test/images/aaaaaaaaaaaaaaaa/o2-medium.webp',
      largeNetworkImage: 'https://deals.test/images/aaaaaaaaaaaaaaaa/o2-large.webp',
      largeRetailerImage: 'https://cdn.example/corner/large.webp',
      dataAllowance: '0.5',
      friendlyDataAllowance: '500MB',
      callAllowance: '999999',
      friendlyCallAllowance: 'Unlimited minutes',
      textAllowance: '999999',
      friendlyTextAllowance: 'Unlimited texts',
      dealLink: 'https://shop.example/deal?id=P9-C&from=site',
      condition: 'New',
      cashbackType: 'Automatic cashback',
      cashbackValue: '50.00',
      totalDealCost: '529.75',
      supplierId: '3',
      supplierName: 'Corner "Shop"',
      productUpfrontCost: '49.99',
      supplierContractPrice: '19.99',
      giftImg: '',
      giftName: '',
      productImg: 'https://deals.test/images/706978656c2d392d/large-front.webp',
      productName: 'Google Pixel 9 128GB',
    });
  });

  it('has exactly the documented keys, in one fixed order, cashback in cashback deals only (D10)', () => {
    for (const deal of deals) {
      const hasCashback = ['P9-C', 'RI-A'].includes(dealIds([deal])[0] ?? '');
      const keys = DEAL_FIELDS.map(({ key }) => key).filter((key) => hasCashback || !key.startsWith('cashback'));
      expect(Object.keys(deal)).toEqual(keys);
    }
  });

  it.each(
    readTable<[id: string, shown: Readonly<Record<string, string>>]>(import.meta.url, 'fixture/deals-shown.ndjson'),
  )('%s shows %j (D10)', (id, shown) => {
    expect(dealOf(id)).toMatchObject(shown);
  });

  it('can be tied to its product by name and condition (D10)', async () => {
    const { products } = await server.read('/deals/v1/products/?limit=100');
    for (const { productName = '', condition } of deals) {
      expect(products.filter(({ name }) => name === productName)).toHaveLength(1);
      expect(condition).toBe(productName.startsWith('Refurbished') ? 'Refurbished' : 'New');
    }
  });
});

describe('specifications (§2.8)', () => {
  it('are all 25 attributes of a product that has them', async () => {
    const { products } = await server.read('/deals/v1/products/101/?filter[condition]=eq{new}&expand=specs');
    expect(products[0]?.['specs']).toEqual(
      Object.fromEntries(SPEC_FIELDS.map(({ word, key }) => [key, `the ${word} of a Pixel 9`])),
    );
    expect(Object.keys(products[0]?.['specs'] ?? {})).toHaveLength(25);
  });

  it('are optional: an attribute that a product lacks is absent', async () => {
    const { products } = await server.read('/deals/v1/products/9/?expand=specs');
    expect(products[0]?.['specs']).toEqual({ fmRadio: 'Yes', '4g': 'No' });
  });
});

const imagesOf = async (id: string): Promise<Record<string, string>> => {
  const { products } = await server.read(`/deals/v1/products/${id}/?filter[condition]=eq{new}&expand=images`);
  return products[0]?.['images'] as Record<string, string>;
};

describe('product images (§2.9)', () => {
  it('are all 36 combinations of size, view and format in an unrestricted expansion (D7)', async () => {
    const images = await imagesOf('101');
    expect(Object.keys(images)).toEqual(IMAGE_KEYS);
    expect(IMAGE_KEYS).toHaveLength(36);
    for (const size of SIZES) {
      for (const view of VIEWS) {
        for (const format of FORMATS) {
          expect(images[imageKey(size, view, format)]).toBe(
            `https://deals.test/images/706978656c2d392d/${size}-${view}.${format}`,
          );
        }
      }
    }
  });

  it('are an empty object of a product without any (D7)', async () => {
    expect(await imagesOf('9')).toEqual({});
  });

  it('are the ones that the source has', async () => {
    expect(await imagesOf('12')).toEqual({ smallBackImagePng: 'https://cdn.example/pixel-8/back.png' });
  });

  it.each(FORMATS)('are served as their media type, %s, to anyone and for ever (D7, D19)', async (format) => {
    const images = await imagesOf('101');
    const path = new URL(images[imageKey('large', 'front', format)] ?? '').pathname;
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(MEDIA_TYPE[format]);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(await response.text()).toBe(pictureBytes(path));
  });
});

const cheapestOf = async (id: string, query = 'filter[condition]=eq{new}'): Promise<Record<string, unknown>> => {
  const { products } = await server.read(`/deals/v1/products/${id}/?${query}&expand=products(cheapestDeal)`);
  return products[0]?.['cheapestDeal'] as Record<string, unknown>;
};

describe('the cheapest deal (§2.10)', () => {
  it('is one object with decimals as numbers and the currency symbol under both spellings (D11)', async () => {
    const cheapest = await cheapestOf('101');
    expect(cheapest).toEqual({
      upfrontProductCost: 49.99,
      monthlyContractPrice: 19.99,
      totalContractCost: 529.75,
      currencyLabel: '£',
      currenyLabel: '£',
      monthlyTextAllowance: '999999',
      monthlyFriendlyTextAllowance: 'Unlimited',
      monthlyTextAllowanceLabel: 'texts',
      monthlyCallAllowance: '999999',
      monthlyFriendlyCallAllowance: 'Unlimited',
      monthlyCallAllowanceLabel: 'minutes',
      monthlyDataAllowance: '0.5',
      monthlyFriendlyDataAllowance: '500',
      monthlyDataAllowanceLabel: 'MB',
      contractLength: '24',
      contractLengthLabel: 'months',
      contractSupplierId: '21',
      contractSupplierName: 'O2',
      contractSupplierLogo: 'https://cdn.example/o2/deal.webp',
      retailSupplierId: '3',
      retailSupplierName: 'Corner "Shop"',
      retailSupplierLogo: 'https://deals.test/images/bbbbbbbbbbbbbbbb/corner-deal.webp',
      purchaseLink: 'https://shop.example/deal?id=P9-C&from=site',
    });
    expect(Object.keys(cheapest)).toEqual(CHEAPEST_DEAL_FIELDS.map(({ key }) => key));
  });

  it.each(
    readTable<[product: string, shown: Readonly<Record<string, string | number>>]>(
      import.meta.url,
      'fixture/cheapest-deals-shown.ndjson',
    ),
  )('of product %s shows %j (D11)', async (id, shown) => {
    expect(await cheapestOf(id)).toMatchObject(shown);
  });

  it.each([
    ['filter[dataAllowance]=eq{unlimited}', '999999', 'Unlimited', ''],
    ['filter[dataAllowance]=gt{0.5}', '4', '4', 'GB'],
  ])('with %s shows %s as %j %j (D11)', async (filter, allowance, friendly, label) => {
    expect(await cheapestOf('101', `filter[condition]=eq{new}&${filter}`)).toMatchObject({
      monthlyDataAllowance: allowance,
      monthlyFriendlyDataAllowance: friendly,
      monthlyDataAllowanceLabel: label,
    });
  });

  it('without any data says 0 GB (D11)', async () => {
    const query = 'filter[condition]=eq{refurbished}&filter[offers]=eq{gift}';
    expect(await cheapestOf('101', query)).toMatchObject({
      monthlyDataAllowance: '0',
      monthlyFriendlyDataAllowance: '0',
      monthlyDataAllowanceLabel: 'GB',
    });
  });

  it.each([
    ['', 'id=I-10&'],
    ['&filter[retailers]=ne{corner-shop}', 'id=I-1-alpha&'],
    ['&filter[retailers]=eq{buy-and-go}', 'id=I-2&'],
  ])('of deals that cost the same goes by retailer, key and feed%s (D11)', async (filter, link) => {
    expect((await cheapestOf('10', `filter[condition]=eq{new}${filter}`))['purchaseLink']).toContain(link);
  });

  it('is the cheapest of those that satisfy the filters, and absent when none does (D11)', async () => {
    expect(await cheapestOf('101', 'filter[condition]=eq{new}&filter[upfrontCost]=eq{0}')).toMatchObject({
      totalContractCost: 719.76,
    });
    expect(await cheapestOf('101', 'filter[upfrontCost]=gt{5000}')).toBeUndefined();
    expect(await cheapestOf('1000')).toBeUndefined();
  });
});

describe('images of gifts and gift categories (§2.11)', () => {
  it('are the large front image in the three formats by default', async () => {
    const { giftCategories } = await server.read<{ giftCategories: { images: Record<string, string> }[] }>(
      '/deals/v1/gifts/categories/?expand=giftcategories(images)',
    );
    expect(giftCategories.map(({ images }) => Object.keys(images).sort())).toEqual([[...GIFT_IMAGE_KEYS].sort(), []]);
  });

  it.each([
    ['/deals/v1/gifts/?fields=gifts(front,large,jpg,webp)', 'gifts'],
    ['/deals/v1/gifts/categories/?fields=giftcategories(front,large,jpg,webp)', 'giftCategories'],
  ])('are the formats that %s selects', async (target, key) => {
    const body = await server.read<Record<string, { images: Record<string, string> }[]>>(target);
    expect(Object.keys(body[key]?.[0]?.images ?? {}).sort()).toEqual(['largeFrontImageJpg', 'largeFrontImageWebp']);
  });
});
