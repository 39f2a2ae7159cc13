import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SnapshotReport } from '../../data/report/report.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { requireSuccess } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-without-'));
afterAll(() => rmSync(root, { recursive: true }));

const store = join(root, 'store');
const site = join(root, 'site');
const feed = join(site, 'feeds/house/deals.csv');

async function build(now: string): Promise<string> {
  const accept = ['lost', 'emptied'].flatMap((gate) => ['--accept', gate]);
  const args = ['build', '--config', join(site, 'catalogue.json'), '--store', store, '--now', now, '--json'];
  return (JSON.parse(requireSuccess(await callDeals([...args, ...accept])).stdout) as { snapshot: string }).snapshot;
}

function readReport(id: string): SnapshotReport {
  return JSON.parse(readFileSync(join(store, id, 'report.json'), 'utf8')) as SnapshotReport;
}

describe('a phone without deals', () => {
  it('has on record what was read for it and when it last had a deal, from snapshot to snapshot', async () => {
    writeSmallSource(site);
    const cms = join(site, 'cms/site.json');
    const records = JSON.parse(readFileSync(cms, 'utf8')) as { products: object[] };
    const [product] = records.products;
    const [other, never] = [
      { ...product, id: '102', name: 'Acme Two 128GB', slug: 'acme-two-128gb' },
      { ...product, id: '103', name: 'Acme Three 128GB', slug: 'acme-three-128gb' },
    ];
    writeFileSync(cms, JSON.stringify({ ...records, products: [product, other, never] }));
    const [header = '', ...rows] = readFileSync(feed, 'utf8').trimEnd().split('\n');
    const writeFeed = (ofOther: readonly string[]): void => {
      const lines = [...rows.map((row) => `${row},,`), ...ofOther];
      writeFileSync(feed, `${[`${header},productName,inStock`, ...lines].join('\n')}\n`);
    };
    const named = (key: string, monthly: string, inStock: string): string =>
      `${key},,phone-barn,northline,Plan,24,1,500,unlimited,0.00,${monthly},https://example.com/deal/${key},Acme Two 128GB Black,${inStock}`;

    writeFeed([named('E-1', '30.00', 'true')]);
    const first = await build('2026-11-20');
    expect(readReport(first).withoutDeals).toEqual([{ product: '103/new', leftOut: [] }]);

    // It is sold out in one offer, and the other has a price that is none.
    writeFeed([named('E-1', '30.00', 'false'), named('E-2', '-1.00', 'true'), named('E-3', '30.00', 'false')]);
    const lastDeal = { snapshot: first, at: '2026-11-20T00:00:00.000Z' };
    const leftOut = [
      { code: 'out-of-stock', count: 2 },
      { code: 'negative-money', count: 1 },
    ];
    const second = await build('2026-11-21');
    const without = [
      { product: '102/new', leftOut, lastDeal },
      { product: '103/new', leftOut: [] },
    ];
    expect(readReport(second).withoutDeals).toEqual(without);
    // Nothing has changed, and what is on record stays as it is.
    expect(await build('2026-11-22')).toBe(second);

    const { stdout } = requireSuccess(await callDeals(['explain', '102/new', '--store', store]));
    expect(stdout).toContain(
      `\n  served: with 0 deals\n  left out of its deals: 2 out-of-stock, 1 negative-money\n    out-of-stock: E-1 (feeds/house/deals.csv:5), E-3 (feeds/house/deals.csv:7)\n    negative-money: E-2 (feeds/house/deals.csv:6)\n  last had a deal in ${first}, as of 2026-11-20T00:00:00.000Z\n`,
    );
    const neverHad = requireSuccess(await callDeals(['explain', '103/new', '--store', store]));
    expect(neverHad.stdout).toContain('\n  served: with 0 deals\n  no record of a feed is for it\n');

    writeFeed([named('E-1', '31.00', 'true')]);
    const third = await build('2026-11-23');
    expect(readReport(third).withoutDeals).toEqual([{ product: '103/new', leftOut: [] }]);
  });
});
