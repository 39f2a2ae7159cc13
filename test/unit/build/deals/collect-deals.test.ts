import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedDeal } from '../../../../build/feed/parse-deal.ts';
import type { ExcludeRule } from '../../../../build/config/config.ts';
import type { CatalogueDeals } from '../../../../build/deals/catalogue-deals.ts';
import { FeedCollector } from '../../../../build/deals/collect-deals.ts';
import { compareCodeUnits, compareIds } from '../../../../data/record/id.ts';
import { readCases } from '../../../support/cases.ts';
import { cmsOf, collect, collectorOf, item, join, MONEY, type DealParts, type Join } from './sample-records.ts';

const CMS = cmsOf({
  products: [
    { id: '101', condition: 'new', name: 'Google Pixel 9 128GB', slug: 'pixel-9', manufacturer: 'google' },
    { id: '101', condition: 'refurbished', name: 'Refurbished Google Pixel 9 128GB', slug: 'pixel-9' },
    { id: '102', condition: 'new', name: 'Google Pixel 9 256GB', slug: 'pixel-9-256', manufacturer: 'google' },
    { id: '103', condition: 'new', name: 'Nokia 3310', slug: 'nokia-3310', manufacturer: 'nokia' },
  ],
  gifts: [
    { id: '7', name: 'PlayStation 5', slug: 'ps5', matches: { names: ['PS5 Console'] } },
    { id: '9', name: 'Gift Card', slug: 'card' },
    { id: '10', name: 'gift  card', slug: 'other-card' },
  ],
  networks: [
    { id: '21', name: 'O2', slug: 'o2', aliases: ['O2 UK', 'Shared'] },
    { id: '8', name: 'EE', slug: 'ee', aliases: ['Shared'] },
    { id: '36', name: '8', slug: 'three' },
    { id: '22', name: 'Vodafone', slug: 'vodafone', feedIds: { house: ['21'] } },
  ],
});

const CASES = readCases(import.meta.dirname, 'deals.json') as {
  /** The facts of the deal as it is served, or `null`; and its notices. */
  readonly deals: Readonly<Record<string, [of: string, DealParts, served: object | null, notices: object[]][]>>;
  /** The retailer and the key of each deal that is left. */
  readonly exclude: [what: string, Omit<ExcludeRule, 'reason'>, left: string[]][];
  readonly unusedRules: Omit<ExcludeRule, 'reason'>[];
  readonly duplicates: [differentIn: string, DealParts][];
  readonly different: [differentIn: string, DealParts][];
};

/** No price is held out. */
const NONE = (): boolean => false;

interface Collected extends Join {
  readonly deals: CatalogueDeals;
}

function run(
  items: readonly FeedDeal[],
  options: { exclude?: readonly ExcludeRule[]; money?: typeof MONEY } = {},
): Collected {
  const joined = join(CMS, options.exclude);
  const collector = collectorOf(joined, options.money);
  collect(collector, joined.ledger, items);
  const deals = collector.finish(NONE);
  for (const notice of joined.exclusions.listUnused()) joined.ledger.note(notice);
  joined.ledger.check();
  return { ...joined, deals };
}

/** The notices of the feeds: what is wrong with a record, without where it is, whose, and what it is called. */
function noticesOf({ ledger }: Join): readonly object[] {
  return ledger.notices
    .filter(({ source }) => source !== 'site')
    .map(({ code, record, field, found, expected, remedy }) =>
      Object.fromEntries(
        Object.entries({ code, record, field, found, expected, remedy }).filter(([, value]) => value !== undefined),
      ),
    );
}

/** The deals as plain objects, in the order of the catalogue. */
function listDeals({ deals, joined }: Collected): readonly Record<string, unknown>[] {
  const products = joined.records.products.flatMap(({ record }, product) =>
    Array.from(
      { length: (deals.rangeStart[product + 1] as number) - (deals.rangeStart[product] as number) },
      () => `${record.id}/${record.condition}`,
    ),
  );
  return products.map((product, row) => {
    const template = deals.linkTemplates[deals.linkTemplate[row] as number];
    const plan = deals.plans[deals.plan[row] as number];
    const gift = deals.gifts[(deals.gift[row] as number) - 1];
    return {
      product,
      key: deals.keyAt(row),
      feed: deals.originAt(row).source,
      rank: deals.rank[row],
      network: joined.records.networks[plan?.network as number]?.record.id,
      contractName: plan?.contractName,
      retailer: joined.records.retailers[deals.retailer[row] as number]?.record.id,
      total: deals.totalPence[row],
      upfront: deals.upfrontPence[row],
      monthly: deals.monthlyPence[row],
      gift: gift?.row === undefined ? gift?.name : joined.records.gifts[gift.row]?.record.id,
      cashback: deals.cashbacks[(deals.cashback[row] as number) - 1] ?? null,
      picture: deals.pictures[(deals.picture[row] as number) - 1],
      link: `${template?.prefix}${deals.linkPartAt(row)}${template?.suffix}`,
    };
  });
}

/** Everything of the deals but the functions, which `listDeals` calls. */
function columnsOf({ deals }: Collected): object {
  return Object.fromEntries(Object.entries(deals).filter(([, value]) => typeof value !== 'function'));
}

describe.each(Object.entries(CASES.deals))('%s', (_, cases) => {
  it.each(cases)('%s: %j gives %j and %j', (_of, parts, served, notices) => {
    const collected = run([item(parts)]);
    expect(listDeals(collected)).toMatchObject(served === null ? [] : [served]);
    expect(noticesOf(collected)).toEqual(notices.map((notice) => ({ record: 'H-1', ...notice })));
  });
});

describe('the money that the configuration allows', () => {
  it('a monthly cost of zero is served where the configuration allows it', () => {
    const collected = run([item({ monthlyPence: 0 })], { money: { ...MONEY, zeroMonthlyCost: true } });
    expect(listDeals(collected)).toMatchObject([{ total: 2_000, monthly: 0 }]);
  });

  it('ceilings so high that a total would not fit a snapshot still hold it to ten million pounds', () => {
    const money = { ...MONEY, maxMonthlyPence: 100_000_000, maxUpfrontPence: 100_000_000 };
    const collected = run([item({ monthlyPence: 50_000_000 })], { money });
    expect(noticesOf(collected)).toMatchObject([{ code: 'money-above-ceiling', expected: 'at most 10000000.00' }]);
  });
});

describe('the `exclude` list', () => {
  const items = [
    item({ key: 'H-1' }, 1),
    item({ key: 'H-2', upfrontPence: 1 }, 2),
    item({ key: 'H-1', retailer: ['3235'] }, 3),
    item({ key: 'H-3', product: { id: '102', feedIds: [], condition: 'new' } }, 4),
  ];

  it.each(CASES.exclude)('excludes %s', (_, rule, expected) => {
    const collected = run(items, { exclude: [{ ...rule, reason: 'test' }] });
    expect(listDeals(collected).map(({ retailer, key }) => `${String(retailer)} ${String(key)}`)).toEqual(expected);
    expect(collected.ledger.account('house').outOfScope).toBe(4 - expected.length);
    expect(new Set(collected.ledger.notices.map(({ code }) => code))).toEqual(
      new Set(expected.length < 4 ? ['excluded'] : []),
    );
  });

  it('comes before every fault of the deal, so that it is not reported twice', () => {
    const collected = run([item({ monthlyPence: -1, network: ['nobody'] })], {
      exclude: [{ retailer: 'house', deal: 'H-1', reason: 'price typed wrong', until: '2026-12-01' }],
    });
    expect(noticesOf(collected)).toEqual([
      {
        code: 'excluded',
        record: 'H-1',
        field: 'exclude',
        found: '{"retailer":"house","deal":"H-1","reason":"price typed wrong"}',
        remedy:
          'the reason given is "price typed wrong", up to and including 2026-12-01; remove the line from `exclude` when it has done its work',
      },
    ]);
  });

  it.each(CASES.unusedRules)('%j excludes nothing, which is reported', (rule) => {
    const collected = run(items, { exclude: [{ ...rule, reason: 'typed wrong' }] });
    expect(collected.deals.rowCount).toBe(4);
    expect(noticesOf(collected)).toEqual([
      { code: 'unused-exclusion', field: 'exclude', found: JSON.stringify({ ...rule, reason: 'typed wrong' }) },
    ]);
  });
});

describe('two rows with one id of one retailer (INPUTS "What must never go out")', () => {
  it('are both quarantined where they are two offers, each with the place of the other', () => {
    const items = [
      item({ key: 'H-1', monthlyPence: 1_000 }, 30),
      item({ key: 'H-1', monthlyPence: 2_000 }, 4),
      item({ key: 'H-1', monthlyPence: 1_000 }, 31),
      item({ key: 'H-1', retailer: ['3235'] }, 32),
    ];
    const collected = run(items);
    expect(listDeals(collected).map(({ retailer, monthly }) => [retailer, monthly])).toEqual([['3235', 3_000]]);
    const lines = [
      [4, 30],
      [30, 4],
      [31, 4],
    ] as const;
    expect(collected.ledger.notices).toMatchObject(
      lines.map(([line, other]) => ({
        code: 'duplicate-id',
        file: 'feeds/house.csv',
        line,
        record: 'H-1',
        retailer: 'house',
        field: 'dealId',
        found: 'H-1',
        expected: `one deal with this id of the retailer; feeds/house.csv:${other} has it too, and offers something else`,
      })),
    );
    expect(collected.ledger.account('house')).toMatchObject({ read: 4, kept: 1, quarantined: 3 });
  });

  it('are one deal and a duplicate where they are the same offer: the first line is served', () => {
    const link = 'https://shop.example/deal/other';
    const collected = run([item({ key: 'H-1', link }, 9), item({ key: 'H-1' }, 4)]);
    expect(listDeals(collected)).toMatchObject([{ link: 'https://shop.example/deal/H-1' }]);
    expect(collected.ledger.notices).toMatchObject([{ code: 'duplicate-deal', line: 9, other: { line: 4 } }]);
    expect(collected.ledger.account('house')).toMatchObject({ kept: 1, duplicate: 1 });
  });

  it('in two files are one deal: that of the first file by name', () => {
    const inFile = (file: string, line: number): FeedDeal => ({ ...item(), origin: { source: 'house', file, line } });
    const collected = run([inFile('feeds/b.csv', 1), inFile('feeds/a.csv', 9)]);
    expect(collected.deals.originAt(0)).toEqual({ source: 'house', file: 'feeds/a.csv', line: 9 });
  });

  it('are two deals in two feeds', () => {
    const items = [item({}, 1, 'house'), item({ monthlyPence: 2_900 }, 1, 'other')];
    expect(run(items).deals.rowCount).toBe(2);
  });
});

describe('duplicates (INPUTS "Duplicates")', () => {
  it.each(CASES.duplicates)('deals that differ only in %s are one deal, the one with the lowest key', (_, parts) => {
    const collected = run([item({ key: 'b', ...parts }, 1), item({ key: 'a' }, 2), item({ key: 'B' }, 3)]);
    expect(listDeals(collected).map(({ key }) => key)).toEqual(['B']);
    expect(noticesOf(collected)).toEqual([
      { code: 'duplicate-deal', record: 'b', found: 'B' },
      { code: 'duplicate-deal', record: 'a', found: 'B' },
    ]);
    const other = { source: 'house', file: 'feeds/house.csv', line: 3, record: 'B' };
    expect(collected.ledger.notices).toMatchObject([
      { line: 1, retailer: 'house', other },
      { line: 2, retailer: 'house', other },
    ]);
    expect(collected.ledger.account('house')).toEqual({
      read: 3,
      kept: 1,
      duplicate: 2,
      outOfScope: 0,
      quarantined: 0,
    });
  });

  it.each(CASES.different)('deals that differ in %s are two', (_, parts) => {
    expect(run([item({ key: 'a' }, 1), item({ key: 'b', ...parts }, 2)]).deals.rowCount).toBe(2);
  });

  it('of two feeds with one key, the first feed by name stays', () => {
    const collected = run([item({}, 1, 'zebra'), item({}, 1, 'apple')]);
    expect(listDeals(collected)).toMatchObject([{ feed: 'apple' }]);
    expect(collected.ledger.account('zebra')).toMatchObject({ read: 1, duplicate: 1 });
  });

  it('nothing is noted of a deal that is not served', () => {
    const collected = run([item({ key: 'b', gift: 'Xbox' }, 1), item({ key: 'a', gift: 'Xbox' }, 2)]);
    expect(noticesOf(collected)).toMatchObject([
      { code: 'duplicate-deal', record: 'b' },
      { code: 'gift-without-record', record: 'a' },
    ]);
  });
});

describe('products that are not served', () => {
  const excluded = [{ product: '102', reason: 'recalled' }];

  it('take their deals with them when the `exclude` list names them', () => {
    const items = [item({ product: { name: 'Pixel 9 256GB', feedIds: [], condition: 'new' } })];
    expect(noticesOf(run(items, { exclude: excluded }))).toEqual([
      { code: 'excluded', record: 'H-1', field: 'product', found: '102/new', remedy: expect.any(String) as string },
    ]);
  });

  it('quarantine their deals when two records claim one id', () => {
    const products = ['One Phone', 'Another Phone'].map((name, i) => ({
      id: '5',
      condition: 'new',
      name,
      slug: `p${i}`,
    }));
    const joined = join(cmsOf({ products }));
    const collector = collectorOf(joined);
    collect(collector, joined.ledger, [item({ product: { id: '5', feedIds: [], condition: 'new' } })]);
    expect(collector.finish(NONE).rowCount).toBe(0);
    joined.ledger.check();
    expect(joined.ledger.notices.filter(({ source }) => source === 'house')).toMatchObject([
      {
        code: 'unknown-product',
        field: 'product',
        found: '5/new',
        expected: 'a product that is served; two records of the CMS claim this id, so neither is',
      },
    ]);
  });
});

describe('sources', () => {
  it('that cannot be read to the end leave nothing behind', () => {
    const joined = join(CMS);
    const collector = collectorOf(joined);
    for (const [line, name] of ['broken', 'house'].entries()) {
      const source = new FeedCollector(name, collector);
      joined.ledger.read(name, 2);
      source.add(item({ monthlyPence: 3_000 + line, link: `https://${name}.example/deal` }, 1, name));
      source.add(item({ key: 'H-2', network: ['nobody'] }, 2, name));
      if (name === 'house') source.finish();
      else {
        joined.ledger.note({ code: 'source-malformed', source: name, file: 'feeds/broken.csv' });
        joined.ledger.discardSource(name);
        source.discard();
      }
    }
    const collected = { ...joined, deals: collector.finish(NONE) };
    joined.ledger.check();
    expect(listDeals(collected)).toMatchObject([{ feed: 'house', rank: 0, link: 'https://house.example/deal' }]);
    expect(joined.ledger.account('broken')).toEqual({ read: 0, kept: 0, duplicate: 0, outOfScope: 0, quarantined: 0 });
    expect(joined.ledger.notices.map(({ source, code }) => [source, code])).toEqual([
      ['broken', 'source-malformed'],
      ['house', 'unknown-network'],
    ]);
  });

  it('pass on the notices of their adapter with the deals that are served', () => {
    const notice = { code: 'half-cashback', source: 'house', record: 'H-1' } as const;
    const collected = run([{ ...item(), notices: [notice] }]);
    expect(collected.ledger.notices).toEqual([notice]);
  });

  it('count the names that matched nothing', () => {
    const joined = join(CMS);
    const collector = collectorOf(joined);
    const named = (name: string, line: number, feed: string): FeedDeal =>
      item({ key: `H-${line}`, product: { name, feedIds: [], condition: 'new' } }, line, feed);
    const told = collect(collector, joined.ledger, [
      named('Pixel 10', 1, 'house'),
      named('Pixel 11', 2, 'house'),
      named('Pixel 11', 3, 'house'),
      named('Pixel 10', 1, 'awin'),
      named('Nokia 3310', 4, 'awin'),
    ]);
    expect(told).toMatchObject([
      { feed: 'house', name: 'Pixel 10', dealCount: 1, nearest: ['101/new', '102/new'] },
      { feed: 'house', name: 'Pixel 11', code: 'unknown-product', dealCount: 2 },
      { feed: 'awin', name: 'Pixel 10', dealCount: 1 },
    ]);
  });

  it('count an id apart from a name that is the same', () => {
    const joined = join(CMS);
    const collector = collectorOf(joined);
    const referring = (product: object, line: number): FeedDeal =>
      item({ key: `H-${line}`, product: { feedIds: [], condition: 'new', ...product } }, line);
    const names = collect(collector, joined.ledger, [
      referring({ id: '404' }, 1),
      referring({ name: '404' }, 2),
      referring({ gtin: '12345678' }, 3),
      referring({ feedIds: ['f1', 'f2'] }, 4),
    ]);
    const told = names.map(({ remedy: _remedy, ...name }) => name);
    expect(told).toEqual([
      { feed: 'house', name: '404', field: 'productId', code: 'unknown-product', dealCount: 1, nearest: [] },
      { feed: 'house', name: '404', code: 'unknown-product', dealCount: 1, nearest: [] },
      { feed: 'house', name: '12345678', field: 'gtin', code: 'unknown-product', dealCount: 1, nearest: [] },
      { feed: 'house', name: 'f1, f2', field: 'feedIds', code: 'unknown-product', dealCount: 1, nearest: [] },
    ]);
  });
});

describe('any deals', () => {
  const feedDeal = fc.record({
    key: fc.constantFrom('a', 'b', 'B', 'é', '日', '😀', 'ｚ', '\ud83d', '10', '9'),
    product: fc.record({
      id: fc.constantFrom('101', '102', '103', '404'),
      feedIds: fc.constant([]),
      condition: fc.constantFrom('new', 'refurbished'),
    }),
    retailer: fc.constantFrom(['house'], ['3235'], ['nobody']),
    network: fc.constantFrom(['o2'], ['ee']),
    contractName: fc.constantFrom('Plan 1', 'Plan 2'),
    dataMegabytes: fc.constantFrom(1_000, 'unlimited'),
    upfrontPence: fc.constantFrom(0, 2_400),
    monthlyPence: fc.constantFrom(1_000, 1_100, 0),
    gift: fc.constantFrom(undefined, '7', 'Xbox', 'Alexa'),
    productImage: fc.constantFrom(undefined, 'https://img.example/1.png', 'https://img.example/2.png'),
    link: fc.nat(30).map((id) => `https://shop.example/deal/${id}?from=1`),
  });
  const source = fc.constantFrom('house', 'awin', 'zebra');
  const items = fc
    .array(fc.tuple(feedDeal, source), { maxLength: 60 })
    .map((parts) => parts.map(([deal, feed], i) => item(deal as DealParts, i + 1, feed)));

  it('are ranked by a permutation that is the order of D14, product by product in that order', () => {
    fc.assert(
      fc.property(items, (list) => {
        const collected = run(list);
        const deals = listDeals(collected);
        const byRank = deals.toSorted((a, b) => Number(a['rank']) - Number(b['rank']));
        expect(byRank.map(({ rank }) => rank)).toEqual(deals.map((_, i) => i));
        const expected = deals.toSorted(
          (a, b) =>
            Number(a['total']) - Number(b['total']) ||
            Number(a['upfront']) - Number(b['upfront']) ||
            Number(a['monthly']) - Number(b['monthly']) ||
            compareIds(String(a['retailer']), String(b['retailer'])) ||
            compareCodeUnits(String(a['key']), String(b['key'])) ||
            compareCodeUnits(String(a['feed']), String(b['feed'])),
        );
        expect(byRank).toEqual(expected);
        for (const product of new Set(deals.map((deal) => deal['product']))) {
          const ranks = deals.filter((deal) => deal['product'] === product).map(({ rank }) => Number(rank));
          expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it('make one catalogue and one report, regardless of the order of sources and records', () => {
    const withShuffle = items.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(withShuffle, ([list, shuffled]) => {
        const [first, second] = [run(list), run(shuffled)];
        expect(columnsOf(second)).toEqual(columnsOf(first));
        expect(listDeals(second)).toEqual(listDeals(first));
        expect(second.ledger.notices).toEqual(first.ledger.notices);
      }),
    );
  });
});
