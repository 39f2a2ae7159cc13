import type { OracleCatalogue, OracleDeal, OracleProduct } from '../oracle/catalogue.ts';
import { camelCase, FORMAT_WORDS, imageKeyOf, SIZE_WORDS, SPEC_WORDS, VIEW_WORDS } from '../oracle/words.ts';

/**
 * The catalogue that the tests of the specification are about. It is small enough to know by heart and has one of
 * everything that matters: an id that is new and refurbished, models with several products, ties down to the name of
 * the feed, products without deals, pictures, texts, maker or model, suppliers without deals, texts that need escaping.
 */
export const FIXTURE: OracleCatalogue = {
  currency: { code: 'GBP', label: '£' },
  networks: [
    { id: '9', name: 'Zeta Mobile', slug: 'zeta-mobile', logos: badges('zeta') },
    { id: '21', name: 'O2', slug: 'o2', logos: badges('o2') },
    { id: '100', name: 'ee', slug: 'ee', logos: { small: '', medium: '', large: '', deal: '' } },
    { id: '30', name: 'Three', slug: 'three', logos: badges('three') },
  ],
  retailers: [
    { id: '3', name: 'Corner "Shop"', slug: 'corner-shop', logos: shopBadges('corner') },
    { id: '20', name: 'O2 Mobiles', slug: 'o2-mobiles', logos: shopBadges('o2-mobiles') },
    { id: '100', name: 'buy & go', slug: 'buy-and-go', logos: { large: '', deal: '' } },
    { id: '40', name: 'Empty Shelf', slug: 'empty-shelf', logos: shopBadges('empty') },
  ],
  manufacturers: [
    { slug: 'nokia', name: 'nokia' },
    { slug: 'google', name: 'Google' },
    { slug: 'apple', name: 'Apple' },
    { slug: 'fairphone', name: 'Fairphone' },
  ],
  gifts: [
    {
      id: '10',
      name: 'Phone case',
      slug: 'phone-case',
      content: {},
      metaData: { title: 'A case', description: '', keywords: 'case' },
      images: giftImages('phone-case'),
    },
    {
      id: '7',
      name: 'Wireless "earbuds"',
      slug: 'wireless-earbuds',
      content: { heading: 'Earbuds', introduction: 'Free with a contract' },
      metaData: { title: 'Free earbuds', description: 'Earbuds with your phone', keywords: 'earbuds,free' },
      images: giftImages('earbuds'),
    },
    { id: '9', name: 'Smart watch', slug: 'smart-watch', content: { heading: 'Watch' }, metaData: {}, images: {} },
  ],
  giftCategories: [
    {
      id: '12',
      name: 'Nothing yet',
      slug: 'nothing-yet',
      content: {},
      pageContent: {},
      metaData: {},
      images: {},
      gifts: [],
    },
    {
      id: '3',
      name: 'Audio & watches',
      slug: 'audio',
      content: { heading: 'Audio', introduction: 'Things to hear' },
      pageContent: { heading: 'All audio', introduction: 'Everything to hear' },
      metaData: { title: 'Audio gifts', description: 'Gifts that sound', keywords: 'audio,gift' },
      images: giftImages('audio'),
      gifts: ['9', '7'],
    },
  ],
  products: [
    product('101', 'new', 'Google Pixel 9 128GB', {
      model: 'google-pixel-9',
      manufacturer: 'google',
      content: { heading: 'Pixel 9', introduction: 'A "clever" phone' },
      pageContent: { heading: 'Pixel 9 deals', introduction: 'All deals of the Pixel 9' },
      metaData: { title: 'Pixel 9', description: 'Deals on the Pixel 9', keywords: 'pixel,google' },
      specs: Object.fromEntries(SPEC_WORDS.map((word) => [camelCase(word), `the ${word} of a Pixel 9`])),
      images: productImages('pixel-9'),
      priceHistory: [
        { date: '2026-08-01', dealCount: 3, totalPence: 71_976, monthlyPence: 2874, upfrontPence: 2999 },
        { date: '2026-08-02', dealCount: 4, totalPence: 71_976, monthlyPence: 2874, upfrontPence: 2999 },
        { date: '2026-08-30', dealCount: 0 },
        { date: '2026-09-01', dealCount: 2, totalPence: 74_376, monthlyPence: 3099, upfrontPence: 0 },
        { date: '2026-11-19', dealCount: 4, totalPence: 71_976, monthlyPence: 2999, upfrontPence: 0 },
      ],
    }),
    product('101', 'refurbished', 'Refurbished Google Pixel 9 128GB', {
      model: 'google-pixel-9',
      manufacturer: 'google',
      content: { heading: 'Pixel 9, refurbished', introduction: '' },
      specs: { os: 'Android 14', '4g': 'Yes' },
    }),
    product('102', 'new', 'Google Pixel 9 256GB', {
      model: 'google-pixel-9',
      manufacturer: 'google',
      specs: { os: 'Android 14', batteryCapacity: '4700 mAh' },
      images: productImages('pixel-9-256'),
    }),
    product('9', 'new', 'Nokia 105', { manufacturer: 'nokia', specs: { fmRadio: 'Yes', '4g': 'No' } }),
    product('10', 'new', 'apple iPhone 15', {
      model: 'iphone-15',
      manufacturer: 'apple',
      content: { heading: 'iPhone 15' },
      images: productImages('iphone-15'),
    }),
    product('10', 'refurbished', 'Refurbished apple iPhone 15', { model: 'iphone-15', manufacturer: 'apple' }),
    product('1000', 'new', 'Quoted "phone" </script> 📱', {
      content: { introduction: 'line one\nline two' },
      metaData: { keywords: '' },
    }),
    product('12', 'new', 'Google Pixel 8', {
      model: 'google-pixel-8',
      manufacturer: 'google',
      images: { smallBackImagePng: 'https://cdn.example/pixel-8/back.png' },
    }),
    product('10000000000000000001', 'new', 'Zebra Phone', { images: productImages('zebra') }),
    product('200', 'refurbished', 'Refurbished Nokia 3310', { model: 'nokia-3310', manufacturer: 'nokia' }),
    product('201', 'new', 'nokia 3310', { model: 'nokia-3310', manufacturer: 'nokia' }),
    product('300', 'new', 'Apple iPhone 15 Plus', { manufacturer: 'apple', content: { heading: 'Plus' } }),
  ],
  deals: [
    // Pixel 9 128GB, new: two of one price apart from what they cost upfront, a cashback, a gift.
    deal(0, 'P9-A', { upfrontPence: 0, monthlyPence: 2999, retailer: '20' }),
    deal(0, 'P9-B', { upfrontPence: 2999, monthlyPence: 2874, totalPence: 71_976 }),
    deal(0, 'P9-C', {
      upfrontPence: 4999,
      monthlyPence: 1999,
      dataMegabytes: 500,
      cashback: { type: 'Automatic cashback', pence: 5000 },
      network: '21',
    }),
    deal(0, 'P9-D', { monthlyPence: 3999, dataMegabytes: 'unlimited', gift: { id: '7' }, contractMonths: 36 }),
    // Pixel 9 128GB, refurbished.
    deal(1, 'R9-A', { monthlyPence: 999, contractMonths: 12, dataMegabytes: 1500, network: '21', retailer: '20' }),
    deal(1, 'R9-B', { monthlyPence: 999, contractMonths: 12, dataMegabytes: 0, gift: { text: 'A bag & "tag"' } }),
    // Pixel 9 256GB: the cheapest new one of its model.
    deal(2, 'P256-A', { upfrontPence: 1, monthlyPence: 2900, callMinutes: 1, textMessages: 1 }),
    deal(2, 'P256-B', { upfrontPence: 9999, monthlyPence: 4999, callMinutes: 500, textMessages: 0 }),
    // Nokia 105: pictures of the feed, one month.
    deal(3, 'N-A', {
      monthlyPence: 500,
      contractMonths: 1,
      dataMegabytes: 250,
      picture: 'https://feed.example/nokia-105.jpg',
      dealType: 'sim-free',
      network: '9',
      retailer: '100',
    }),
    deal(3, 'N-B', { monthlyPence: 500, contractMonths: 1, dataMegabytes: 100_000, network: '9', retailer: '20' }),
    // iPhone 15: four deals that agree in total, upfront and monthly cost, told apart by retailer, key and feed.
    deal(4, 'I-2', { retailer: '100', feed: 'alpha' }),
    deal(4, 'I-1', { retailer: '20', feed: 'beta' }),
    deal(4, 'I-1', { retailer: '20', feed: 'alpha', link: 'https://shop.example/deal?id=I-1-alpha&from=site' }),
    deal(4, 'I-10', { retailer: '3', feed: 'zulu' }),
    deal(5, 'RI-A', { monthlyPence: 1999, cashback: { type: 'Cashback by "claim"', pence: 1 }, gift: { id: '9' } }),
    // Pixel 8: with a total that the feed states.
    deal(7, 'P8-A', { upfrontPence: 10_000, monthlyPence: 999, totalPence: 33_977, callMinutes: 5000 }),
    deal(8, 'Z-A', { upfrontPence: 50_000, monthlyPence: 100, textMessages: 250, gift: { id: '10' } }),
    deal(9, '3310-A', { monthlyPence: 700, network: '9', retailer: '100' }),
    deal(11, 'PLUS-A', { upfrontPence: 0, monthlyPence: 4000, dataMegabytes: 999, network: '21' }),
  ],
};

/** 123 products, of which number n has the id n. */
export const MANY: OracleCatalogue = {
  ...FIXTURE,
  deals: [],
  products: Array.from({ length: 123 }, (_, n) => product(String(n + 1), 'new', `Phone ${n + 1}`, {})),
};

function product(
  id: string,
  condition: OracleProduct['condition'],
  name: string,
  more: Partial<OracleProduct>,
): OracleProduct {
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return {
    id,
    condition,
    name,
    slug: words.replace(/^-|-$/g, ''),
    content: {},
    pageContent: {},
    metaData: {},
    specs: {},
    images: {},
    ...more,
  };
}

function deal(position: number, key: string, more: Partial<OracleDeal>): OracleDeal {
  const { upfrontPence = 0, monthlyPence = 2999, contractMonths = 24 } = more;
  return {
    product: position,
    key,
    feed: 'alpha',
    retailer: '3',
    network: '100',
    dealType: 'contract',
    contractName: 'Essential 4GB',
    dataMegabytes: 4000,
    callMinutes: 'unlimited',
    textMessages: 'unlimited',
    link: `https://shop.example/deal?id=${key}&from=site`,
    picture: '',
    upfrontPence,
    monthlyPence,
    contractMonths,
    totalPence: upfrontPence + monthlyPence * contractMonths,
    ...more,
  };
}

function badges(name: string) {
  const of = (size: string): string => `/images/aaaaaaaaaaaaaaaa/${name}-${size}.webp`;
  return {
    small: of('small'),
    medium: of('medium'),
    large: of('large'),
    deal: `https://cdn.example/${name}/deal.webp`,
  };
}

function shopBadges(name: string) {
  return { large: `https://cdn.example/${name}/large.webp`, deal: `/images/bbbbbbbbbbbbbbbb/${name}-deal.webp` };
}

/** Rendered pictures in all 36 kinds. */
function productImages(name: string): Record<string, string> {
  const hash = Buffer.from(name.padEnd(8, '-')).toString('hex').slice(0, 16);
  return Object.fromEntries(
    SIZE_WORDS.flatMap((size) =>
      VIEW_WORDS.flatMap((view) =>
        FORMAT_WORDS.map((format) => [imageKeyOf(size, view, format), `/images/${hash}/${size}-${view}.${format}`]),
      ),
    ),
  );
}

function giftImages(name: string): Record<string, string> {
  return Object.fromEntries(
    FORMAT_WORDS.map((format) => [imageKeyOf('large', 'front', format), `https://cdn.example/gift/${name}.${format}`]),
  );
}
