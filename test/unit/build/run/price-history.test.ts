import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rollBack } from '../../../../build/publish/switch-current.ts';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { formatDay, parsePriceHistory } from '../../../../data/snapshot/price-history.ts';
import { openOffline } from '../../../support/offline.ts';
import { writeLie } from '../../../fault/snapshot/damage.ts';
import { createSite, deal, HEADER, type Site } from './write-sources.ts';

/** Builds at an hour of a day of November 2026 with one deal of 101 new at this price. */
async function build(
  site: Site,
  day: string,
  monthlyCost: string,
  options: Parameters<Site['build']>[0] = {},
): Promise<BuildResult> {
  writeFileSync(
    join(site.folder, 'feeds/house/deals.csv'),
    `${HEADER}\n${deal('H-1', '101', 'new', 'phone-barn', monthlyCost)}\n`,
  );
  return site.build({ now: new Date(`${day}T02:30:00Z`), ...options });
}

function createSmallSite(): Promise<Site> {
  return createSite(({ config, night }) => {
    config['gates'] = { minRows: 100 };
    night[1] = deal('N-1', '102', 'new', 'night-owl', '48.00');
  });
}

/** The days of the points, and the total costs. */
function listHistory(site: Site, result: BuildResult, line = 0): readonly string[] {
  const text = readFileSync(join(site.store, result.snapshot ?? '', 'products.ndjson'), 'utf8');
  const { priceHistory } = JSON.parse(text.split('\n')[line] ?? '') as { readonly priceHistory: string };
  return parsePriceHistory(priceHistory).map(
    ({ day, dealCount, prices }) => `${formatDay(day)} ${dealCount} at ${prices?.totalPence ?? 'none'}`,
  );
}

const FIRST = '2026-11-20 1 at 24000';

/** Takes the price histories out of the current snapshot, as a build before them has written it. */
function makeOlder(site: Site, { snapshot = '' }: BuildResult): void {
  const file = join(site.store, snapshot, 'products.ndjson');
  const text = readFileSync(file, 'utf8').replaceAll(/,"priceHistory":"[^"]*"/g, '');
  writeFileSync(file, text);
  writeLie(join(site.store, snapshot, 'manifest.json'), ({ files }) => {
    Object.assign(files['products.ndjson'], { bytes: text.length, sha256: hash('sha256', text, 'hex') });
  });
}

describe('the price history that a build publishes (D24)', () => {
  it('begins today, and goes on with each build', async () => {
    const site = await createSmallSite();
    expect(listHistory(site, await build(site, '2026-11-20', '10.00'))).toEqual([FIRST]);
    expect(listHistory(site, await build(site, '2026-11-22', '11.00'))).toEqual([FIRST, '2026-11-22 1 at 26400']);
    const last = await build(site, '2026-11-22', '12.00');
    expect(listHistory(site, last)).toEqual([FIRST, '2026-11-22 1 at 28800']);
    expect(await build(site, '2026-11-23', '12.00')).toMatchObject({ outcome: 'unchanged', snapshot: last.snapshot });
  });

  it('is of a new and a refurbished product apart, and of one without a deal', async () => {
    const site = await createSmallSite();
    const result = await build(site, '2026-11-20', '10.00');
    expect(listHistory(site, result, 1)).toEqual(['2026-11-20 1 at 44400']);
    writeFileSync(
      join(site.folder, 'feeds/night/deals.csv'),
      `${HEADER}\n${deal('N-1', '102', 'new', 'night-owl', '48.00')}\n`,
    );
    const without = await build(site, '2026-11-21', '10.00');
    expect(listHistory(site, without, 1)).toEqual(['2026-11-20 1 at 44400', '2026-11-21 0 at none']);
  });

  it('begins again for a product that was away', async () => {
    const site = await createSmallSite();
    await build(site, '2026-11-20', '10.00');
    const cms = join(site.folder, 'cms/site.json');
    const whole = readFileSync(cms, 'utf8');
    const { products, ...rest } = JSON.parse(whole) as { products: { condition: string }[] };
    writeFileSync(cms, JSON.stringify({ ...rest, products: products.filter((each) => each.condition === 'new') }));
    expect(listHistory(site, await build(site, '2026-11-21', '10.00'))).toEqual([FIRST]);
    writeFileSync(cms, whole);
    expect(listHistory(site, await build(site, '2026-11-22', '10.00'), 1)).toEqual(['2026-11-22 1 at 44400']);
  });

  it('is that of the snapshot that was rolled back to', async () => {
    const site = await createSmallSite();
    await build(site, '2026-11-20', '10.00');
    await build(site, '2026-11-21', '1.00');
    rollBack(site.store);
    expect(listHistory(site, await build(site, '2026-11-22', '11.00'))).toEqual([FIRST, '2026-11-22 1 at 26400']);
  });

  it('begins with the first build after a snapshot of an older program, which serves without', async () => {
    const site = await createSmallSite();
    makeOlder(site, await build(site, '2026-11-20', '10.00'));
    const { body } = (await openOffline({ store: site.store, publicUrl: 'https://deals.test' })).answer(
      '/deals/v1/products/101/?expand=products(priceHistory)&filter[condition]=eq{new}',
    );
    expect(JSON.parse(body)).toMatchObject({ products: [{ priceHistory: { points: [] } }] });
    expect(listHistory(site, await build(site, '2026-11-21', '10.00'))).toEqual(['2026-11-21 1 at 24000']);
  });

  it('is taken from the snapshot before a damaged one, with a warning', async () => {
    const site = await createSmallSite();
    const first = await build(site, '2026-11-20', '10.00');
    const damaged = await build(site, '2026-11-21', '11.00');
    writeFileSync(join(site.store, damaged.snapshot ?? '', 'products.ndjson'), 'x');
    const next = await build(site, '2026-11-22', '12.00', { accept: ['unreadable-snapshot'] });
    expect(next.warnings).toContain(
      `price histories continue those of ${first.snapshot}: those of ${damaged.snapshot}, the current snapshot, cannot be read, or are of a clock that was ahead`,
    );
    expect(listHistory(site, next)).toEqual([FIRST, '2026-11-22 1 at 28800']);
  });

  it('is not taken from a snapshot that was made under a clock years ahead', async () => {
    const site = await createSmallSite();
    await build(site, '2026-11-20', '10.00');
    await build(site, '2026-11-21', '11.00');
    await build(site, '2031-01-01', '12.00');
    const next = await build(site, '2026-11-22', '12.00');
    expect(listHistory(site, next)).toEqual([FIRST, '2026-11-21 1 at 26400', '2026-11-22 1 at 28800']);
  });
});
