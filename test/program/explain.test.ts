import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExplainedAnswer } from '../../cli/explain/answer.ts';
import type { Explanation } from '../../cli/explain/describe.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { Report } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { writeForbiddenSample, type Forbidden } from '../unit/cli/forbidden-sample.ts';
import { requireSuccess } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-explain-'));
afterAll(() => rmSync(root, { recursive: true }));

const store = join(root, 'store');
let forbidden: readonly Forbidden[] = [];

beforeAll(async () => {
  forbidden = writeForbiddenSample(join(root, 'sample'));
  const config = join(root, 'sample/catalogue.json');
  requireSuccess(await callDeals(['build', '--config', config, '--store', store, '--now', '2026-11-20', '--quiet']));
});

async function explain(asked: string, target?: string, from = store): Promise<Explanation> {
  const args = ['explain', asked, ...(target === undefined ? [] : [target]), '--store', from, '--json'];
  const { stdout } = requireSuccess(await callDeals(args));
  return JSON.parse(stdout) as Explanation;
}

describe('deals explain names the rule, the file and the line', () => {
  it('of a record for every rule that leaves one out, by any of its names', async () => {
    for (const { code, asked, file, line } of forbidden) {
      const { records } = await explain(asked);
      const record = records.find(({ origin }) => origin?.file === file && origin.line === line);
      const { outcome, meaning } = NOTICES[code];
      expect({ asked, record }).toMatchObject({ asked, record: { outcome, leftOutBy: { code, outcome, meaning } } });
      expect(record?.leftOutBy?.remedy).not.toBe('');
    }
    // Every rule of the catalogue, and of the adapters that the sample has; that any code at all is told, another test shows.
    expect(new Set(forbidden.map(({ code }) => code)).size).toBe(28);
  }, 120_000);

  it.each([
    ['X-duplicate-deal', 'served'],
    ['handset-harbour:H-00042', 'served'],
  ])('of the deal that stands for %s, which is %s', async (asked, outcome) => {
    const { records } = await explain(asked);
    const { other } = records.find((record) => record.other !== undefined) ?? {};
    expect(other).toMatchObject({ record: 'H-00042', outcome, origin: { file: 'feeds/house/deals.csv', line: 2 } });
  });

  it('of a deal that is served, and how it found its product', async () => {
    const { records } = await explain('H-05813');
    expect(records).toMatchObject([
      {
        kind: 'deal',
        outcome: 'served',
        retailer: 'dialstone',
        origin: { source: 'house', file: 'feeds/house/deals.csv', line: 101 },
        match: { product: '106/new', rule: 'gtin' },
        notices: [{ code: 'total-mismatch', field: 'totalCost' }],
      },
    ]);
  });

  it('of every 20th row of a feed, so that the outcomes add up to its account', async () => {
    const manifest = readManifest();
    const house = manifest.sources.find(({ name }) => name === 'house');
    const outcomes: Record<string, number> = {};
    for (let line = 2; line <= (house?.read ?? 0) + 1; line += 20) {
      const { records } = await explain(`feeds/house/deals.csv:${line}`);
      expect(records).toHaveLength(1);
      const outcome = records[0]?.outcome ?? '';
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(Math.ceil((house?.read ?? 0) / 20));
    expect(outcomes['served']).toBeGreaterThan(60);
  }, 120_000);

  it.each([
    '101/new',
    '101',
    'kestrel k9  128gb',
    'kestrel-k9-128gb',
    'cms/phones-kestrel.json:1',
    'cms/phones-kestrel.json (item 1)',
  ])('of a product by %j', async (asked) => {
    const { records } = await explain(asked);
    expect(records).toMatchObject([
      {
        kind: 'product',
        record: '101/new',
        outcome: 'served',
        origin: { source: 'site', file: 'cms/phones-kestrel.json', line: 1 },
      },
    ]);
  });
});

describe('deals explain of a product', () => {
  it('names the deals that are left out of it, by the rule', async () => {
    const { records } = await explain('101/new');
    const [{ dealsLeftOut = [] } = {}] = records;
    expect(dealsLeftOut.length).toBeGreaterThan(0);
    for (const { code, count, deals } of dealsLeftOut) {
      expect(deals).toHaveLength(Math.min(count, 20));
      const [{ record = '', file = '', line = 0 } = {}] = deals;
      const { records: found } = await explain(`${file}:${line}`);
      expect(found).toMatchObject([{ record, leftOutBy: { code } }]);
    }
    const { stdout } = requireSuccess(await callDeals(['explain', '101/new', '--store', store]));
    const [{ code, deals: [deal] } = { code: '', deals: [] }] = dealsLeftOut;
    expect(stdout).toContain(`\n    ${code}: ${deal?.record} (${deal?.file}:${deal?.line})`);
  });
});

describe('deals explain of what is neither a product nor a deal', () => {
  it.each([
    ['Pebble Earbuds', 'gift'],
    ['northway', 'network'],
    ['handset-harbour', 'retailer'],
    ['kestrel', 'manufacturer'],
  ])('says that %s is a %s, and served', async (asked, kind) => {
    const { records } = await explain(asked);
    expect(records).toContainEqual(expect.objectContaining({ kind, outcome: 'served' }));
  });

  it('finds every place of the CMS that the report prints, with its finding', async () => {
    const { snapshot } = readCurrent();
    const report = JSON.parse(readFileSync(join(store, snapshot, 'report.json'), 'utf8')) as Report;
    const samples = report.notices
      .filter(({ outcome, source }) => outcome === 'notice' && source === 'site')
      .flatMap((summary) => summary.samples);
    const ofGifts = samples.filter(({ file }) => file === 'cms/gifts.json');
    expect(ofGifts.length).toBeGreaterThan(2);
    for (const { code, file, line } of ofGifts) {
      const { records } = await explain(`${file}:${line}`);
      const codes = records.flatMap(({ notices }) => notices.map((notice) => notice.code));
      expect({ file, line, codes }).toMatchObject({ codes: expect.arrayContaining([code]) as string[] });
    }
  });

  it('says so in sentences', async () => {
    const { stdout } = requireSuccess(await callDeals(['explain', 'pebble earbuds', '--store', store]));
    expect(stdout).toMatch(/^gift [0-9]+ "Pebble Earbuds"\n(?: {2}.+\n)* {2}served\n$/);
    const target = '/deals/v1/products/';
    const asked = requireSuccess(await callDeals(['explain', 'pebble earbuds', target, '--store', store]));
    expect(asked.stdout).toContain(`  ${target} answers with products, and this is neither a product nor a deal\n`);
  });
});

describe('deals explain of a name as a feed has it', () => {
  const readUnmatched = (): Report['unmatchedNames'] =>
    (JSON.parse(readFileSync(join(store, readCurrent().snapshot, 'report.json'), 'utf8')) as Report).unmatchedNames;

  it('finds every name of the report, in any case and spacing, with its deals, what became of them and what to do', async () => {
    const unmatched = readUnmatched().filter(({ field }) => field === undefined);
    expect(unmatched.length).toBeGreaterThan(4);
    for (const { feed, name, code, dealCount, remedy } of unmatched) {
      const { names } = await explain(`  ${name.toUpperCase().replaceAll(' ', '   ')}`);
      const found = names.items.find((each) => each.feed === feed && each.name === name);
      const count = found?.outcomes.find((outcome) => outcome.code === code)?.count;
      expect({ name, count, remedy: found?.remedy }).toEqual({ name, count: dealCount, remedy });
    }
  });

  it('finds it by a part, with the nearest by name and key', async () => {
    const { stdout } = requireSuccess(await callDeals(['explain', 'k9 por 256', '--store', store]));
    expect(stdout).toMatch(
      /^"Kestrel K9 Por 256GB": house has 1 deal under this name\n {2}1 quarantined: unknown-product, .+\n {2}expected: .+ 102\/new "Kestrel K9 256GB".+\n {2}what to do: /,
    );
  });

  it('gives the line for matches where the report offers it, to be copied', async () => {
    for (const { name, remedy = '' } of readUnmatched().filter(({ field }) => field === undefined)) {
      const line = `"matches": {"names": [${JSON.stringify(name)}]}`;
      const { stdout } = requireSuccess(await callDeals(['explain', name, '--store', store]));
      expect({ name, isOffered: stdout.includes(`\n  to copy: ${line}\n`) }).toEqual({
        name,
        isOffered: remedy.includes(`${line} to product`),
      });
    }
  });

  it('finds the networks, retailers, ids and GTINs that none of the catalogue has, with all their deals', async () => {
    const notices = readFileSync(join(store, readCurrent().snapshot, 'quarantine.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Notice);
    const codes = ['unknown-network', 'unknown-retailer', 'unknown-product'];
    const unknown = notices.filter(({ code, field }) => codes.includes(code) && field !== 'productName');
    const keyOf = ({ source, field, found }: Notice): string => JSON.stringify([source, field, found]);
    expect(new Set(unknown.map(({ field }) => field))).toEqual(new Set(['network', 'retailer', 'productId']));
    for (const key of new Set(unknown.map(keyOf))) {
      const [feed, field, found] = JSON.parse(key) as [string, string, string];
      const deals = unknown.filter((notice) => keyOf(notice) === key);
      const { names } = await explain(found);
      expect(
        names.items.find((each) => each.feed === feed && each.field === field && each.name === found),
      ).toMatchObject({
        dealCount: deals.length,
        remedy: deals[0]?.remedy ?? NOTICES[deals[0]?.code ?? 'unknown-product'].remedy,
      });
    }
  });

  it('finds a GTIN by which deals that are served came to their product, and says that it is one', async () => {
    const { records } = await explain('H-05813');
    const gtin = records[0]?.match?.found ?? '';
    expect((await explain(gtin)).names.items).toMatchObject([
      { feed: 'house', name: gtin, field: 'gtin', outcomes: [{ code: 'served', product: '106/new' }] },
    ]);
    const { stdout } = requireSuccess(await callDeals(['explain', gtin, '--store', store]));
    expect(stdout).toMatch(/^gtin "[0-9]+": house has [0-9]+ deals? with it\n {2}[0-9]+ served of 106\/new\n/);
  });

  it('counts what is served and what is a duplicate under one name', async () => {
    const { names } = await explain('wren go 2 (64gb charcoal)');
    expect(names).toEqual({
      count: 1,
      items: [
        {
          feed: 'awin',
          name: 'Wren Go 2 (64GB Charcoal)',
          dealCount: 3,
          outcomes: [
            { code: 'served', product: '151/new', count: 2 },
            { code: 'duplicate-deal', count: 1 },
          ],
        },
      ],
    });
  });

  it('lists names with the most deals first, so many, and says how many more there are', async () => {
    const { records, more, names } = await explain('kestrel');
    expect(names.items).toHaveLength(20);
    const counts = names.items.map(({ dealCount }) => dealCount);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    const { stdout } = requireSuccess(await callDeals(['explain', 'kestrel', '--store', store]));
    expect(stdout).toContain(`and ${names.count - 20} more names of feeds; a longer word finds fewer\n`);
    expect(more).toBe(0);
    // Products that only have the word in their name are a line each, those with the most deals first.
    const parts = records.filter(({ isPart }) => isPart === true);
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.map(({ dealCount = 0 }) => dealCount)).toEqual(
      parts.map(({ dealCount = 0 }) => dealCount).sort((a, b) => b - a),
    );
    expect(stdout).toMatch(/\n\nproduct [0-9]+\/new "Kestrel [^\n]+": [0-9]+ deals\nproduct /);
  });
});

describe('deals explain with a target', () => {
  it.each<[string, string, boolean, Partial<ExplainedAnswer>['clauses'] | object[]]>([
    ['101', '/deals/v1/products/', true, [{ kind: 'page', holds: true, position: 1, page: 1 }]],
    ['101', '/deals/v1/products/102/', false, [{ kind: 'path', holds: false, wanted: '102', actual: '101' }]],
    [
      '101/new',
      '/deals/v1/products/?filter[condition]=eq{refurbished}',
      false,
      [{ kind: 'filter', holds: false, parameter: 'filter[condition]', clause: 'eq{refurbished}', actual: 'new' }],
    ],
    [
      '101/new',
      '/deals/v1/products/?filter[totalCost]=lt{1}',
      false,
      [{ kind: 'deals', holds: false, qualifyingCount: 0, nearest: { failed: [{ parameter: 'filter[totalCost]' }] } }],
    ],
    [
      '102/new',
      '/deals/v1/products/?expand=grouped',
      false,
      [{ kind: 'grouped', holds: false, representative: '101/new' }],
    ],
    ['102/new', '/deals/v1/products/?limit=1', false, [{ kind: 'page', holds: false, page: 2, positionOnPage: 1 }]],
    [
      'H-05813',
      '/deals/v1/products/?expand=deals&limit=deals(3)&filter[id]=eq{106}',
      false,
      [
        { kind: 'filter', holds: true },
        { kind: 'page', holds: true },
      ],
    ],
  ])('%s in %s: %s', async (asked, target, isAnswered, clauses) => {
    const { records } = await explain(asked, target);
    expect(records[0]?.answer).toMatchObject({ isAnswered, clauses });
  });

  it('tells the runner-up of the cheapest deal, and what decided', async () => {
    const { records } = await explain('101/new', '/deals/v1/products/?expand=cheapestDeal');
    const { cheapestDeal, isCheapestDealShown } = records[0]?.answer ?? {};
    expect(isCheapestDealShown).toBe(true);
    expect(cheapestDeal?.runnerUp?.rule).toBe('total-cost');
    expect(Number(cheapestDeal?.runnerUp?.deal.totalCost)).toBeGreaterThan(Number(cheapestDeal?.deal.totalCost));
    const { stdout } = await callDeals([
      'query',
      '/deals/v1/products/101/?expand=cheapestDeal&filter[condition]=eq{new}',
      '--store',
      store,
    ]);
    const { products } = JSON.parse(stdout) as { products: { cheapestDeal: { totalContractCost: number } }[] };
    expect(products[0]?.cheapestDeal.totalContractCost).toBe(Number(cheapestDeal?.deal.totalCost));
  });

  it.each([
    [
      '/deals/v1/products/?limt=3',
      /the target is refused: limt: not a parameter of this endpoint.*did you mean "limit"/,
    ],
    ['/deals/v1/gifts/', /expected a target that answers with products, got one that answers with gifts/],
    ['/deals/v1/products/424242/', /the target is refused: No product has the id 424242/],
  ])('%s ends with exit code 2', async (target, message) => {
    const { exitCode, stdout, stderr } = await callDeals(['explain', '101', target, '--store', store]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('says everything in sentences too', async () => {
    const target = '/deals/v1/products/?filter[totalCost]=lt{1}';
    const { stdout } = requireSuccess(await callDeals(['explain', '101/new', target, '--store', store]));
    expect(stdout).toMatch(
      /^product 101\/new "Kestrel K9 128GB"\n {2}read: cms\/phones-kestrel\.json \(item 1\) of site\n {2}served: with [0-9]+ deals\n(?: {2}left out of its deals: .+\n(?: {4}.+\n)*)? {2}not in the answer to /,
    );
    expect(stdout).toMatch(
      /\n {4}FAILS deal filters: 0 of [0-9]+ deals satisfy all of them\n {6}filter\[totalCost\]=lt\{1\.00\}: 0 of /,
    );
    const quarantined = requireSuccess(await callDeals(['explain', 'X-zero-monthly-cost', '--store', store]));
    expect(quarantined.stdout).toMatch(
      /^deal X-zero-monthly-cost of handset-harbour\n {2}read: feeds\/house\/deals\.csv:[0-9]+ of house\n {2}quarantined: zero-monthly-cost, .+\n {4}monthlyCost is "0\.00", expected an amount above zero\n {4}what to do: .+\n$/,
    );
    const outOfStock = requireSuccess(await callDeals(['explain', 'X-out-of-stock', '--store', store]));
    expect(outOfStock.stdout).toMatch(
      /\n {2}out-of-scope: out-of-stock, the feed says that the deal is out of stock\n {4}inStock is "[a-z0-9]+"\n {4}nothing needs to be done\n$/,
    );
  });
});

describe('deals explain of what is not there', () => {
  it.each([
    ['H-0004', 'H-00042'],
    ['kestrel-k9-128gp', 'kestrel-k9-128gb'],
    ['pro k9 1tb', 'Kestrel K9 Pro 1TB'],
    ['handset-harbour:H-0004', 'H-00042'],
    ['137/refurbished', '137/new'],
    ['/deals/v1/products/101/', '101/new'],
    ['feeds/house/deals.csv:1', 'feeds/house/deals.csv:2'],
    ['/srv/site/feeds/house/deals.csv:42', 'feeds/house/deals.csv:42'],
    ['house/deals.csv', 'feeds/house/deals.csv:2'],
    ['cms/phones-tamsin.json:900', 'cms/phones-tamsin.json (item '],
  ])('%s was never seen, ends with exit code 2 and offers %s', async (asked, nearest) => {
    const { exitCode, stdout, stderr } = await callDeals(['explain', asked, '--store', store]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
    expect(stdout).toMatch(/^never seen: .+\n {2}perhaps /);
    expect(stdout).toContain(nearest);
  });

  it('tells of what is like nothing where it was looked for, when that was read, and what to do', async () => {
    const config = join(root, 'sample/catalogue.json');
    const { stdout } = await callDeals(['explain', 'zzyzx', '--store', store, '--config', config]);
    const [, ...lines] = stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      '  what to try: a part of the name, such as its model without storage and colour; the key of the deal; the file and line; a network, retailer or GTIN as the feed has it',
      '  it was looked for in what these sources had:',
      expect.stringMatching(
        /^ {4}site \(catalogue\), read at 2026-11-20T00:00:00\.000Z: cms\/.+ and [0-9]+ more files$/,
      ),
      '    house (deals), read at 2026-11-20T00:00:00.000Z: feeds/house/deals.csv',
      expect.stringMatching(/^ {4}awin \(awin\), read at /),
      expect.stringMatching(/^ {4}short \(awin\), read at /),
      `  what to do: look for it in their files, which deals check <source> --config ${config} shows as they are read now; if it is missing there, ask the supplier of the file; what has come since then is read by the next deals build`,
    ]);
  });

  it('tells when a withdrawn deal was last seen, where, and what its source says now', async () => {
    const site = join(root, 'small/site');
    const small = join(root, 'small/store');
    writeSmallSource(site);
    const build = async (now: string): Promise<string> => {
      const args = ['build', '--config', join(site, 'catalogue.json'), '--store', small, '--now', now, '--json'];
      return (JSON.parse(requireSuccess(await callDeals(args)).stdout) as { snapshot: string }).snapshot;
    };
    const first = await build('2026-11-20');
    const feed = join(site, 'feeds/house/deals.csv');
    writeFileSync(feed, readFileSync(feed, 'utf8').replace(/D-2,.*\n/, ''));
    const second = await build('2026-11-21');
    const explanation = await explain('D-2', undefined, small);
    expect(explanation).toMatchObject({
      snapshot: second,
      records: [],
      lastSeen: {
        snapshot: first,
        createdAt: '2026-11-20T00:00:00.000Z',
        record: { outcome: 'served', origin: { source: 'house', file: 'feeds/house/deals.csv', line: 4 } },
        since: 'house was read to its end and no longer has it',
      },
    });
    const { stdout } = await callDeals(['explain', 'phone-barn:D-2', '--store', small]);
    expect(stdout).toContain(`withdrawn: deal D-2 of phone-barn is not in ${second}; last seen in ${first}`);
    const older = await callDeals(['explain', 'D-2', '--store', small, '--snapshot', first, '--json']);
    expect((JSON.parse(older.stdout) as Explanation).records).toMatchObject([{ outcome: 'served' }]);

    const changes = requireSuccess(await callDeals(['changes', '--store', small, '--json']));
    expect(JSON.parse(changes.stdout)).toMatchObject({
      from: first,
      to: second,
      dealsGone: {
        count: 1,
        omitted: 0,
        items: [{ product: '101/new', deal: { key: 'D-2', retailer: 'phone-barn' } }],
      },
      dealsNew: { count: 0 },
    });
    const reversed = requireSuccess(
      await callDeals(['changes', second, first, '--store', small, '--json', '--limit', '0']),
    );
    expect(JSON.parse(reversed.stdout)).toMatchObject({
      dealsNew: { count: 1, omitted: 1, items: [] },
      dealsGone: { count: 0 },
    });
    const text = requireSuccess(await callDeals(['changes', '--store', small]));
    expect(text.stdout).toContain(
      'deals gone: 1\n  phone-barn:D-2 (house) of 101/new: 0.00 + 22.50 a month, 540.00 in all\n',
    );
  });

  it('tells when a name was last seen, and since when it is gone, also where another product has the name in its own', async () => {
    const site = join(root, 'names/site');
    const names = join(root, 'names/store');
    writeSmallSource(site, 20);
    const [cms, feed] = [join(site, 'cms/site.json'), join(site, 'feeds/house/deals.csv')];
    const build = async (now: string): Promise<string> => {
      const args = ['build', '--config', join(site, 'catalogue.json'), '--store', names, '--now', now, '--json'];
      return (JSON.parse(requireSuccess(await callDeals(args)).stdout) as { snapshot: string }).snapshot;
    };
    const { products: [one = {}] = [], ...lists } = JSON.parse(readFileSync(cms, 'utf8')) as {
      readonly products?: readonly object[];
    };
    const pro = { ...one, id: '102', name: 'Acme One 128GB Pro', slug: 'acme-one-128gb-pro' };
    const rows = readFileSync(feed, 'utf8').replaceAll(',101,', ',102,');
    writeFileSync(cms, JSON.stringify({ ...lists, products: [one, pro] }));
    writeFileSync(
      feed,
      rows
        .replace('dealId,', 'dealId,productName,')
        .replaceAll(/^(D-[0-9]+),/gm, '$1,,')
        .replace('D-0,,102,', 'D-0,Mystery Phone X,,'),
    );
    const first = await build('2026-11-20');
    writeFileSync(feed, rows.replace(/D-0,.*\n/, ''));
    const second = await build('2026-11-21');
    writeFileSync(cms, JSON.stringify({ ...lists, products: [pro] }));
    await build('2026-11-22');

    const { lastSeen } = await explain('mystery phone', undefined, names);
    expect(lastSeen).toMatchObject({
      snapshot: first,
      goneSince: { snapshot: second, createdAt: '2026-11-21T00:00:00.000Z' },
      name: { name: 'Mystery Phone X', feed: 'house', outcomes: [{ code: 'unknown-product', count: 1 }] },
      since: 'house was read to its end and no longer has it',
    });
    const { stdout } = requireSuccess(await callDeals(['explain', 'Mystery Phone X', '--store', names]));
    expect(stdout).toMatch(/^gone: "Mystery Phone X" is not in /);
    expect(stdout).toContain(`\n  gone since ${second}, published 2026-11-21`);
    expect(stdout).toContain('\n  "Mystery Phone X": house has 1 deal under this name\n');

    const part = await explain('Acme One 128GB', undefined, names);
    expect(part).toMatchObject({ records: [{ record: '102/new' }], earlier: { snapshot: second, product: '101/new' } });
    const text = requireSuccess(await callDeals(['explain', 'Acme One 128GB', '--store', names]));
    expect(text.stdout).toMatch(/^"Acme One 128GB" was the name or slug of product 101\/new in /);
    expect(await explain('One 128GB', undefined, names)).not.toHaveProperty('earlier');
  });

  it('tells of a record that is called otherwise now what it is, and what has changed since', async () => {
    const site = join(root, 'renamed/site');
    const renamed = join(root, 'renamed/store');
    writeSmallSource(site, 5);
    const build = async (now: string): Promise<void> => {
      const args = ['build', '--config', join(site, 'catalogue.json'), '--store', renamed, '--now', now, '--quiet'];
      requireSuccess(await callDeals(args));
    };
    await build('2026-11-20');
    const [cms, feed] = [join(site, 'cms/site.json'), join(site, 'feeds/house/deals.csv')];
    writeFileSync(
      cms,
      readFileSync(cms, 'utf8')
        .replace('acme-one-128gb', 'acme-prime')
        .replace('Acme One 128GB', 'Acme Prime')
        .replace('"slug": "northline"', '"slug": "north-line"')
        .replace('"name": "Northline"', '"name": "Northline UK", "aliases": ["northline"]'),
    );
    writeFileSync(feed, readFileSync(feed, 'utf8').replace(/D-0,.*\n/, ''));
    await build('2026-11-21');

    const { records, lastSeen } = await explain('acme-one-128gb', '/deals/v1/products/', renamed);
    expect(records).toMatchObject([{ record: '101/new', outcome: 'served', answer: { isAnswered: true } }]);
    expect(lastSeen?.changed).toEqual([
      { field: 'slug', before: 'acme-one-128gb', after: 'acme-prime' },
      { field: 'name', before: 'Acme One 128GB', after: 'Acme Prime' },
    ]);
    const { stdout } = requireSuccess(await callDeals(['explain', 'acme-one-128gb', '--store', renamed]));
    expect(stdout).toMatch(
      /^product 101\/new is called "acme-one-128gb" no longer: it was in [^ ,]+, published 2026-11-20T00:00:00\.000Z\n {2}its slug changed from "acme-one-128gb" to "acme-prime"\n {2}its name changed from "Acme One 128GB" to "Acme Prime"\n\nproduct 101\/new "Acme Prime"\n(?:.+\n)* {2}served: with 4 deals\n/,
    );
    expect(stdout).not.toContain('no longer has it');
    const changes = requireSuccess(await callDeals(['changes', '--store', renamed]));
    expect(changes.stdout).toContain(
      '  101/new "Acme Prime": name "Acme One 128GB" -> "Acme Prime", slug "acme-one-128gb" -> "acme-prime"\n',
    );

    const network = await explain('Northline', undefined, renamed);
    expect(network).toMatchObject({
      records: [{ kind: 'network', record: '21', outcome: 'served' }],
      lastSeen: { changed: [{ field: 'slug' }, { field: 'name', after: 'Northline UK' }] },
    });
    // The row that was the last one has moved up.
    const moved = await explain('feeds/house/deals.csv:6', undefined, renamed);
    expect(moved).toMatchObject({
      records: [{ kind: 'deal', record: 'D-4', outcome: 'served' }],
      lastSeen: {
        changed: [{ field: 'place', before: 'feeds/house/deals.csv:6', after: 'feeds/house/deals.csv:5' }],
      },
    });

    writeFileSync(
      cms,
      readFileSync(cms, 'utf8')
        .replace('"published"', '"draft"')
        .replace(
          '"products": [',
          `"products": [${JSON.stringify({ id: '102', condition: 'new', name: 'Acme Two', slug: 'acme-two', manufacturer: 'acme', content: {} })},`,
        ),
    );
    writeFileSync(feed, readFileSync(feed, 'utf8').replaceAll(',101,', ',102,'));
    const args = [
      'build',
      '--config',
      join(site, 'catalogue.json'),
      '--store',
      renamed,
      '--now',
      '2026-11-22',
      '--quiet',
    ];
    requireSuccess(await callDeals([...args, '--accept', 'lost-products', '--accept', 'lost-deals']));
    const gone = await explain('acme-one-128gb', undefined, renamed);
    expect(gone.records).toMatchObject([{ record: '101/new', leftOutBy: { code: 'unpublished' } }]);
  });

  it('tells that a deal is carried forward, and since when', async () => {
    const site = join(root, 'carried/site');
    const carried = join(root, 'carried/store');
    writeSmallSource(site);
    const build = (now: string) =>
      callDeals(['build', '--config', join(site, 'catalogue.json'), '--store', carried, '--now', now, '--quiet']);
    requireSuccess(await build('2026-11-20'));
    rmSync(join(site, 'feeds/house/deals.csv'));
    expect(await build('2026-11-21')).toMatchObject({ exitCode: 4 });
    const { records } = await explain('D-1', undefined, carried);
    expect(records).toMatchObject([
      {
        outcome: 'carried-forward',
        freshAt: '2026-11-20T00:00:00.000Z',
        origin: { source: 'house', file: 'feeds/house/deals.csv', line: 3 },
        match: { product: '101/new', rule: 'productId', found: '101' },
      },
    ]);
  });
});

function readCurrent(): { readonly snapshot: string } {
  return JSON.parse(readFileSync(join(store, 'current.json'), 'utf8')) as { snapshot: string };
}

function readManifest(): Manifest {
  const { snapshot } = readCurrent();
  return JSON.parse(readFileSync(join(store, snapshot, 'manifest.json'), 'utf8')) as Manifest;
}
