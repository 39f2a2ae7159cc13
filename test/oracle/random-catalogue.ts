import type {
  Amount,
  Attributes,
  OracleCatalogue,
  OracleDeal,
  OracleGift,
  OraclePricePoint,
  OracleProduct,
} from './catalogue.ts';
import type { Random } from '../support/random.ts';
import { camelCase, FORMAT_WORDS, imageKeyOf, SIZE_WORDS, SPEC_WORDS, VIEW_WORDS } from './words.ts';

/** Few values, so that ties are the rule. */
const UPFRONT_PENCE = [0, 0, 1, 999, 2999, 10_000];
const MONTHLY_PENCE = [1, 999, 1999, 2000, 2990];
const MONTHS = [1, 12, 24, 36];
const MEGABYTES: readonly Amount[] = [0, 1, 250, 500, 999, 1000, 1500, 4000, 100_000, 'unlimited'];
const COUNTS: readonly Amount[] = [0, 1, 500, 5000, 'unlimited'];

const AWKWARD_TEXTS = [
  'Plain words',
  'He said "hello"',
  "O'Neil & Söhne",
  '</script><b>bold</b>',
  'first line\nsecond line\tand a tab',
  'phone 📱 and 👩‍👩‍👧',
  'back\\slash, comma; {brace} (paren) [bracket]',
  'separators \u2028 and \u2029',
  'control \u0001, \u001f and \u007f',
  'half of a pair \ud83d alone, and the other \udcf1',
  'İstanbul Straße ǅ',
  '__proto__',
  '0',
  ' spaces around ',
];

const LINKS = [
  'https://shop.example/deal?id=',
  'https://track.example/click?a="quoted"&p=',
  "https://shop.example/o'neil/<b>/ünï/",
  'http://shop.example/back\\slash#',
];
const LINK_ENDS = ['', '&utm=end', '/📱'];

/** A catalogue of up to 60 products with up to 40 deals each; sizes, gaps and ties differ from seed to seed. */
export function randomCatalogue(random: Random): OracleCatalogue {
  const networks = randomIds(random, 5).map((id, position) => ({
    id,
    name: randomName(random),
    slug: `network-${position}`,
    logos: { small: picture(random), medium: picture(random), large: picture(random), deal: picture(random) },
  }));
  const retailers = randomIds(random, 5).map((id, position) => ({
    id,
    name: randomName(random),
    slug: `${position}-retailer`,
    logos: { large: picture(random), deal: picture(random) },
  }));
  const manufacturers = ['acme', 'b.e.s.t', 'maker~3', 'unused'].map((slug) => ({
    slug,
    name: random.isLikely(0.3) ? slug : randomName(random),
  }));
  const gifts = randomIds(random, 6).map((id) => randomGift(random, id));
  const giftCategories = randomIds(random, 4).map((id) => ({
    ...randomGift(random, id),
    pageContent: attributes(random, ['heading', 'introduction']),
    gifts: random.shuffled(random.some(gifts, 0.5)).map((gift) => gift.id),
  }));
  const products = randomProducts(
    random,
    manufacturers.map(({ slug }) => slug).filter((slug) => slug !== 'unused'),
  );
  const most = random.pick([3, 12, 40]);
  const deals = products.flatMap((product, position) => {
    const count = random.isLikely(0.2) ? 0 : random.below(most + 1);
    return Array.from({ length: count }, (_, number) =>
      randomDeal(
        random,
        { product: position, key: `${random.pick(['a', 'B', '10-', '9-', 'é'])}${position}-${number}` },
        {
          // The last network and the last retailer have no deals whenever there is another.
          networks: networks.slice(0, Math.max(1, networks.length - 1)).map(({ id }) => id),
          retailers: retailers.slice(0, Math.max(1, retailers.length - 1)).map(({ id }) => id),
          gifts: gifts.map(({ id }) => id),
          isPictured: product.images['largeFrontImageWebp'] !== undefined,
        },
      ),
    );
  });
  return {
    currency: random.pick([
      { code: 'GBP', label: '£' },
      { code: 'EUR', label: '€' },
      { code: 'USD', label: '"$"' },
    ]),
    products,
    gifts,
    giftCategories,
    networks,
    retailers,
    manufacturers,
    deals: random.shuffled([...deals, ...randomTwins(random, deals, products.length)]),
  };
}

function randomProducts(random: Random, makers: readonly string[]): OracleProduct[] {
  const ids = randomIds(random, random.pick([1, 4, 15, 45]));
  const models = ['model-a', 'model-b', 'model-c'];
  const products = ids.flatMap((id) => {
    const conditions = random.pick([['new'], ['refurbished'], ['new', 'refurbished']] as const);
    const shared = random.isLikely(0.5) ? random.pick(models) : undefined;
    return conditions.map((condition): OracleProduct => {
      const model = random.isLikely(0.8) ? shared : random.pick(models);
      return {
        id,
        condition,
        name: condition === 'new' ? randomName(random) : `Refurbished ${randomName(random)}`,
        slug: random.isLikely(0.1) ? 'shared-slug' : `phone-${id}-${condition}`,
        ...(model === undefined ? {} : { model }),
        ...(random.isLikely(0.3) ? {} : { manufacturer: random.pick(makers) }),
        content: attributes(random, ['heading', 'introduction']),
        pageContent: attributes(random, ['heading', 'introduction']),
        metaData: attributes(random, ['title', 'description', 'keywords']),
        specs: attributes(random, SPEC_WORDS.map(camelCase)),
        images: productImages(random, `${id}${condition}`),
        ...(random.isLikely(0.2) ? {} : { priceHistory: randomPriceHistory(random) }),
      };
    });
  });
  return random.shuffled(products);
}

/** Of any length, with ties, days without a deal and days without a build; each point differs from the one before. */
function randomPriceHistory(random: Random): OraclePricePoint[] {
  let day = Date.parse(random.pick(['2024-02-28', '2025-12-31', '2026-08-01'])) / 86_400_000;
  const points: OraclePricePoint[] = [];
  for (let wanted = random.pick([1, 2, 5, 30]); wanted > 0; wanted--) {
    const state = random.isLikely(0.2)
      ? { dealCount: 0 }
      : {
          dealCount: 1 + random.below(random.pick([2, 2000])),
          totalPence: random.pick([1, 999, 74_376, 50_000, 1_000_000_000]),
          monthlyPence: random.pick(MONTHLY_PENCE),
          upfrontPence: random.pick(UPFRONT_PENCE),
        };
    const { date, ...last } = points.at(-1) ?? { date: '' };
    if (date !== '' && JSON.stringify(last) === JSON.stringify(state)) continue;
    points.push({ date: new Date(day * 86_400_000).toISOString().slice(0, 10), ...state });
    day += random.pick([1, 1, 1, 2, 40]);
  }
  return points;
}

function randomGift(random: Random, id: string): OracleGift {
  return {
    id,
    name: randomName(random),
    slug: `gift-${id}`,
    content: attributes(random, ['heading', 'introduction']),
    metaData: attributes(random, ['title', 'description', 'keywords']),
    images: random.isLikely(0.4)
      ? {}
      : Object.fromEntries(
          FORMAT_WORDS.map((format) => [imageKeyOf('large', 'front', format), picture(random, format)]),
        ),
  };
}

function randomDeal(
  random: Random,
  identity: { product: number; key: string },
  known: { networks: string[]; retailers: string[]; gifts: string[]; isPictured: boolean },
): OracleDeal {
  const upfrontPence = random.pick(UPFRONT_PENCE);
  const monthlyPence = random.pick(MONTHLY_PENCE);
  const contractMonths = random.pick(MONTHS);
  const gift = random.isLikely(0.3)
    ? known.gifts.length > 0 && random.isLikely(0.6)
      ? { id: random.pick(known.gifts) }
      : { text: random.pick(AWKWARD_TEXTS) }
    : undefined;
  return {
    ...identity,
    feed: random.pick(['one', 'Two', '3']),
    retailer: random.pick(known.retailers),
    network: random.pick(known.networks),
    dealType: random.pick(['contract', 'contract', 'upgrade', 'sim-free']),
    contractName: random.pick(AWKWARD_TEXTS),
    contractMonths,
    dataMegabytes: random.pick(MEGABYTES),
    callMinutes: random.pick(COUNTS),
    textMessages: random.pick(COUNTS),
    upfrontPence,
    monthlyPence,
    // Feeds may state another total than the sum.
    totalPence: random.isLikely(0.4)
      ? random.pick([50_000, 123_456_789])
      : upfrontPence + monthlyPence * contractMonths,
    ...(random.isLikely(0.3)
      ? { cashback: { type: random.pick(['automatic', 'by "claim"']), pence: random.pick([1, 100, 5000]) } }
      : {}),
    ...(gift === undefined ? {} : { gift }),
    link: `${random.pick(LINKS)}${identity.key}${random.pick(LINK_ENDS)}`,
    picture: random.isLikely(known.isPictured ? 0.8 : 0.4) ? '' : `https://feed.example/${random.below(3)}.jpg`,
  };
}

/** Deals that agree with another in all costs, the retailer and the key: only the name of the feed tells them apart. */
function randomTwins(random: Random, deals: readonly OracleDeal[], productCount: number): OracleDeal[] {
  return random.some(deals, 0.2).flatMap((deal) =>
    random.some(['Two', 'alpha', 'Zulu'], 0.5).map((suffix) => ({
      ...deal,
      product: random.isLikely(0.5) ? deal.product : random.below(productCount),
      feed: `${deal.feed}${suffix}`,
      dataMegabytes: random.pick(MEGABYTES),
      link: `${deal.link}${suffix}`,
      picture: '',
    })),
  );
}

/** Different ids of different lengths. */
function randomIds(random: Random, most: number): string[] {
  const ids = ['9', '10', '0', '10000000000000000001', '9999999999999999999', '99', '100', '7', '1', '2'];
  while (ids.length < most) ids.push(String(1000 + ids.length * 7));
  return random.shuffled(ids).slice(0, 1 + random.below(most));
}

function randomName(random: Random): string {
  return random.pick([
    'Alpha',
    'alpha',
    'ALPHA',
    'Beta 10',
    'Beta 9',
    'Ärger',
    'zeta',
    'Beta 9+ (5G)',
    'ＢＥＴＡ ß-Max',
    ...AWKWARD_TEXTS,
  ]);
}

/** Some of the attributes, one of them perhaps empty: the same as none. */
function attributes(random: Random, keys: readonly string[]): Attributes {
  const present = random.some(keys, random.pick([0, 0.5, 1]));
  return Object.fromEntries(present.map((key) => [key, random.isLikely(0.1) ? '' : random.pick(AWKWARD_TEXTS)]));
}

function productImages(random: Random, text: string): Attributes {
  const keys = SIZE_WORDS.flatMap((size) =>
    VIEW_WORDS.flatMap((view) => FORMAT_WORDS.map((format) => ({ key: imageKeyOf(size, view, format), format }))),
  );
  const kept = random.pick([keys, keys, [], random.some(keys, 0.5)]);
  return Object.fromEntries(
    kept.map(({ key, format }) => [
      key,
      random.isLikely(0.5) ? picture(random, format) : `https://cdn.example/${text}/${key}.${format}?"q"`,
    ]),
  );
}

/** The path of a rendered picture, a URL, or nothing. */
function picture(random: Random, format?: string): string {
  const rendered = `/images/${random.pick(['0123456789abcdef', 'fedcba9876543210'])}/large-front.${format ?? 'webp'}`;
  if (format !== undefined) return random.pick([rendered, `https://cdn.example/p.${format}`]);
  return random.pick([rendered, 'https://cdn.example/logo.webp', '']);
}
