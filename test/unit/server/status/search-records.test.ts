import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Explanation } from '../../../../cli/explain/describe.ts';
import type { ExplainedRecord } from '../../../../cli/explain/record.ts';
import type { ProvenanceLine } from '../../../../data/snapshot/format.ts';
import type { FoundNotice, RecordSearch } from '../../../../server/status/record-search.ts';
import type { Status } from '../../../../server/status/status.ts';
import { expectProblem } from '../../../contract/expect-problem.ts';
import { callDeals } from '../../cli/call-deals.ts';
import { requireSuccess } from '../../cli/run-deals.ts';
import { startStatusServer, type StatusServer } from './status-server.ts';

let server: StatusServer;
beforeAll(async () => {
  server = await startStatusServer();
});
afterAll(() => server.close());

const search = (record: string): Promise<RecordSearch> =>
  server.read<RecordSearch>(`/status/explain.json?${new URLSearchParams({ record }).toString()}`);

const NOTHING: Pick<Explanation, 'records' | 'names'> = { records: [], names: { count: 0, items: [] } };

async function explain(record: string): Promise<typeof NOTHING> {
  const { stdout } = requireSuccess(await callDeals(['explain', record, '--store', server.store, '--json']));
  return JSON.parse(stdout) as Explanation;
}

const placeOf = ({ source, file, line }: Pick<FoundNotice, 'source' | 'file' | 'line'>) => ({ source, file, line });

const byPlace = (a: object, b: object): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** What both say of a record, in one form. */
function fromSearch({ products, deals, leftOut }: RecordSearch): object[] {
  return [
    ...products.items.map(({ product, origin, notices }) => ({
      origin,
      record: product,
      notices: notices.map(({ code }) => code),
    })),
    ...deals.items.map(({ key, origin, match, notices }) => ({
      origin,
      record: key,
      match: match.rule,
      notices: notices.map(({ code }) => code),
    })),
    ...leftOut.items.map((notice) => ({
      origin: placeOf(notice),
      record: notice.record,
      leftOutBy: notice.code,
      remedy: notice.remedy,
    })),
  ].sort(byPlace);
}

function fromExplanation(records: readonly ExplainedRecord[]): object[] {
  return records
    .map(({ origin, record, match, leftOutBy, notices }) => ({
      origin,
      record,
      ...(match === undefined ? {} : { match: match.rule }),
      ...(leftOutBy === undefined
        ? { notices: notices.map(({ code }) => code) }
        : { leftOutBy: leftOutBy.code, remedy: leftOutBy.remedy }),
    }))
    .sort(byPlace);
}

describe('a search', () => {
  it('finds a record for every rule that leaves one out, as deals explain does', async () => {
    for (const { asked, code, file, line } of server.forbidden) {
      const { leftOut } = await search(asked);
      const found = leftOut.items.find((notice) => notice.file === file && notice.line === line);
      expect({ asked, found }).toMatchObject({ asked, found: { code } });
      expect([found?.meaning, found?.remedy]).not.toContain('');
    }
  });

  it.each([
    '101',
    '101/new',
    '128/refurbished',
    'kestrel-k9-128gb',
    'cms/phones-kestrel.json:1',
    'H-00042',
    'H-05813',
    'handset-harbour:H-00042',
    'dialstone:H-00042',
    'feeds/house/deals.csv:324',
    'X-duplicate-deal',
    'X-unknown-product',
    '901',
    '902',
    'Kestrel K9 Por 256GB',
    'k9 por',
    'halden  NOTE',
  ])('for %s says what deals explain says', async (asked) => {
    const [found, explained] = [await search(asked), await explain(asked).catch(() => NOTHING)];
    expect(fromSearch(found)).toEqual(fromExplanation(explained.records));
    expect(found.names).toEqual(explained.names);
  });

  it('gives a product with its deals, its cheapest deal and where it came from', async () => {
    const { products } = await search('101/new');
    const { stdout } = requireSuccess(
      await callDeals([
        'query',
        '/deals/v1/products/101/?filter[condition]=eq{new}&expand=products(deals,cheapestDeal)',
        '--store',
        server.store,
      ]),
    );
    const { deals } = JSON.parse(stdout) as { deals: { productUpfrontCost: string; totalDealCost: string }[] };
    expect(products).toMatchObject({
      count: 1,
      items: [
        {
          product: '101/new',
          name: 'Kestrel K9 128GB',
          dealCount: deals.length,
          cheapest: { upfrontCost: deals[0]?.productUpfrontCost, totalCost: deals[0]?.totalDealCost },
          origin: { source: 'site', file: 'cms/phones-kestrel.json', line: 1 },
        },
      ],
    });
  });

  it('says of a phone without a deal that it has none', async () => {
    const { products } = await search('111/new');
    expect(products.items).toMatchObject([{ product: '111/new', dealCount: 0 }]);
    expect(products.items[0]).not.toHaveProperty('cheapest');
  });

  it('finds phones by a part of their name, in any case, and counts all of them', async () => {
    const { products } = await search('  KESTREL ');
    expect(products.count).toBeGreaterThan(products.items.length - 1);
    expect(products.items.length).toBeGreaterThan(5);
    for (const { name } of products.items) expect(name).toMatch(/kestrel/i);
    const { leftOut } = await search('kestrel k10');
    for (const { names = [] } of leftOut.items) expect(names.join(' ')).toMatch(/kestrel k10/i);
  });

  it('gives the prices of a deal wherever it stands in its product', async () => {
    const { snapshot } = JSON.parse(readFileSync(join(server.store, 'current.json'), 'utf8')) as { snapshot: string };
    const lines = readFileSync(join(server.store, snapshot, 'provenance.ndjson'), 'utf8')
      .trimEnd()
      .split('\n');
    for (const text of lines.filter((_, i) => i % 9 === 0)) {
      const { product, key } = JSON.parse(text) as ProvenanceLine;
      const last = key.at(-1) ?? '';
      const { deals } = await search(last);
      const found = deals.items.find((deal) => deal.key === last);
      expect(found?.prices?.totalCost).toMatch(/^[0-9]+\.[0-9]{2}$/);
      const { products } = await search(found?.product ?? '');
      // The last of a run costs most.
      const { cheapest } = products.items[0] ?? {};
      expect([product, Number(found?.prices?.totalCost) >= Number(cheapest?.totalCost)]).toEqual([product, true]);
    }
  });

  it('finds what feeds call phones that found no product', async () => {
    const { unmatchedNames } = await server.read<Status>('/status/data.json');
    for (const { feed, name, dealCount, matchesLine } of unmatchedNames.filter(({ field }) => field === undefined)) {
      const { names } = await search(name.toLowerCase());
      const found = names.items.find((each) => each.feed === feed && each.name === name);
      expect(found).toMatchObject({ dealCount });
      expect(found?.matchesLine).toBe(matchesLine);
    }
  });

  it('offers what may have been meant when there is nothing', async () => {
    const found = await search('kestrel-k9-128bg');
    expect([found.products.count, found.deals.count, found.leftOut.count]).toEqual([0, 0, 0]);
    expect(found.nearest).toContain('kestrel-k9-128gb');
    expect((await search('zzzzzzzzzzzzzzz')).nearest).toEqual([]);
  });

  it('finds a phone by the slug that the snapshot before has, and tells the new one', async () => {
    const { renamed, nearest } = await search('kestrel-k9-pro-256gb');
    expect(renamed).toEqual([
      {
        product: '105/new',
        name: 'Kestrel K9 Pro 256GB',
        renamed: { slug: { from: 'kestrel-k9-pro-256gb', to: 'k9-pro' } },
      },
    ]);
    expect(nearest).toEqual([]);
  });

  it.each([
    ['', 'malformed-value'],
    ['?record=', 'malformed-value'],
    ['?record=%20', 'malformed-value'],
    [`?record=${'x'.repeat(201)}`, 'malformed-value'],
    ['?recrod=101', 'unknown-parameter'],
    ['?record=101&record=102', 'repeated-parameter'],
  ] as const)('is refused with %s: %s', async (query, code) => {
    expectProblem(await server.ask(`/status/explain.json${query}`), code);
  });

  it('takes hostile words for words', async () => {
    for (const word of [
      '__proto__',
      '"',
      '\\',
      '"names":',
      '<script>alert(1)</script>',
      '../../etc/passwd:1',
      '￿',
      'a:1',
    ]) {
      expect((await search(word)).asked).toBe(word);
    }
  });

  it('that is one of many waits its turn, and is refused when too many wait', async () => {
    const asked = await Promise.all(Array.from({ length: 40 }, () => server.ask('/status/explain.json?record=101')));
    const statuses = asked.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(8);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    for (const refused of asked.filter(({ status }) => status === 503)) expectProblem(refused, 'overloaded');
  });
});
