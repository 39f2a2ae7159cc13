import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { SnapshotReport } from '../../data/report/report.ts';
import { requireSuccess, runDeals } from '../harness.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-without-'));
afterAll(() => rmSync(root, { recursive: true }));

const store = join(root, 'store');
const config = join(root, 'catalogue.json');

/** Builds, and returns the snapshot with the phones without deals that it reports. */
async function build(now: string): Promise<readonly [snapshot: string, SnapshotReport['withoutDeals']]> {
  const accept = ['lost', 'emptied'].flatMap((gate) => ['--accept', gate]);
  const args = ['build', '--config', config, '--store', store, '--now', now, '--json', ...accept];
  const { snapshot } = JSON.parse(requireSuccess(await runDeals(args)).stdout) as { snapshot: string };
  const report = JSON.parse(readFileSync(join(store, snapshot, 'report.json'), 'utf8')) as SnapshotReport;
  return [snapshot, report.withoutDeals];
}

it('a phone without deals has on record what was read for it and when it last had one, from build to build', async () => {
  writeSmallSource(root);
  const cms = join(root, 'cms/site.json');
  const records = JSON.parse(readFileSync(cms, 'utf8')) as { products: object[] };
  const [product] = records.products;
  const other = { ...product, id: '102', name: 'Acme Two 128GB', slug: 'acme-two-128gb' };
  const never = { product: '103/new', leftOut: [] };
  const products = [product, other, { ...product, id: '103', name: 'Acme Three 128GB', slug: 'acme-three-128gb' }];
  writeFileSync(cms, JSON.stringify({ ...records, products }));
  const feed = join(root, 'feeds/house/deals.csv');
  const [header = '', ...rows] = readFileSync(feed, 'utf8').trimEnd().split('\n');
  /** Offers of the other phone: key, monthly cost, and whether it is in stock. */
  const writeOffers = (...offers: readonly (readonly [key: string, monthly: string, inStock: boolean])[]): void => {
    const lines = offers.map(
      ([key, monthly, inStock]) =>
        `${key},,phone-barn,northline,Plan,24,1,500,unlimited,0.00,${monthly},https://example.com/deal/${key},Acme Two 128GB Black,${inStock}`,
    );
    const all = [`${header},productName,inStock`, ...rows.map((row) => `${row},,`), ...lines];
    writeFileSync(feed, `${all.join('\n')}\n`);
  };
  const explain = async (record: string) =>
    requireSuccess(await runDeals(['explain', record, '--store', store])).stdout;

  writeOffers(['E-1', '30.00', true]);
  const [first, ofFirst] = await build('2026-11-20');
  expect(ofFirst).toEqual([never]);

  // It is sold out in one offer, and the other has a price that is none.
  writeOffers(['E-1', '30.00', false], ['E-2', '-1.00', true], ['E-3', '30.00', false]);
  const lastDeal = { snapshot: first, at: '2026-11-20T00:00:00.000Z' };
  const counts = { 'out-of-stock': 2, 'negative-money': 1 };
  const leftOut = Object.entries(counts).map(([code, count]) => ({ code, count }));
  const second = await build('2026-11-21');
  expect(second[1]).toEqual([{ product: '102/new', leftOut, lastDeal }, never]);
  // Nothing has changed, and what is on record stays as it is.
  expect(await build('2026-11-22')).toEqual(second);
  expect(await explain('102/new')).toContain(
    `\n  served: with 0 deals\n  left out of its deals: 2 out-of-stock, 1 negative-money\n    out-of-stock: E-1 (feeds/house/deals.csv:5), E-3 (feeds/house/deals.csv:7)\n    negative-money: E-2 (feeds/house/deals.csv:6)\n  last had a deal in ${first}, as of 2026-11-20T00:00:00.000Z\n`,
  );
  expect(await explain('103/new')).toContain('\n  served: with 0 deals\n  no record of a feed is for it\n');

  writeOffers(['E-1', '31.00', true]);
  expect((await build('2026-11-23'))[1]).toEqual([never]);
});
