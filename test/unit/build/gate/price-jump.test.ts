import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { readManifest } from '../../../../data/store/snapshots.ts';
import type { DealsLine, ProvenanceLine } from '../../../../data/snapshot/format.ts';
import { countNotices, createSite, deal, HEADER, NOW, samplesOf, type Site } from '../run/write-sources.ts';

const DAY_MS = 86_400_000;

/** A site too small for the gates that compare shares. */
function createQuietSite(night: readonly string[]): Promise<Site> {
  return createSite(({ config, night: lines }) => {
    config.gates = { minRows: 1_000 };
    lines.splice(1, Infinity, ...night);
  });
}

const path = (site: Site): string => join(site.folder, 'feeds/night/deals.csv');

function writeNight(site: Site, rows: readonly string[]): void {
  writeFileSync(path(site), `${[HEADER, ...rows].join('\n')}\n`);
}

/** The monthly cost in pounds of every deal of the feed `night` that is served. */
function servedPrices(site: Site, { snapshot = '' }: BuildResult): Record<string, number> {
  const read = <Line>(file: string): Line[] =>
    readFileSync(join(site.store, snapshot, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  const provenance = read<ProvenanceLine>('provenance.ndjson');
  return Object.fromEntries(
    read<DealsLine>('deals.ndjson').flatMap(({ monthlyPence }, line) =>
      monthlyPence.flatMap((pence, i) =>
        provenance[line]?.source[i] === 'night' ? [[provenance[line].key[i] ?? '', pence / 100]] : [],
      ),
    ),
  );
}

const row = (key: string, price: number | string, product = '102'): string =>
  deal(key, product, 'new', 'night-owl', Number(price).toFixed(2));

type Night = number | 'feed broken' | 'build refused';

/** What is served of one deal on each night: its price, or nothing. */
async function play(days: readonly Night[]): Promise<readonly (number | undefined)[]> {
  const site = await createQuietSite([row('N-0', 30)]);
  const served: (number | undefined)[] = [];
  const cms = readFileSync(join(site.folder, 'cms/site.json'), 'utf8');
  for (const [i, night] of days.entries()) {
    if (night === 'feed broken') writeFileSync(path(site), '<html></html>');
    else if (night === 'build refused') writeFileSync(join(site.folder, 'cms/site.json'), '{');
    else writeNight(site, [row('N-0', 30), row('N-1', night)]);
    const result = await site.build({ now: new Date(NOW.getTime() + i * DAY_MS) });
    writeFileSync(join(site.folder, 'cms/site.json'), cms);
    const isRefused = result.outcome === 'refused';
    expect(isRefused).toBe(night === 'build refused');
    served.push(isRefused ? undefined : servedPrices(site, result)['N-1']);
  }
  return served;
}

const NONE = undefined;

describe('a deal under its known key', () => {
  it.each<[string, readonly Night[], readonly (number | undefined)[]]>([
    ['is held out for one build and taken when the next one finds the same price', [20, 2, 2, 2], [20, NONE, 2, 2]],
    ['is taken when its price is back', [20, 2, 20], [20, NONE, 20]],
    ['is taken when its price is nearly back', [20, 2, 19], [20, NONE, 19]],
    ['is held out again when its price has jumped elsewhere', [20, 2, 1.9, 1.9], [20, NONE, NONE, 1.9]],
    ['may move by a factor of 2.5', [20, 50, 20, 8], [20, 50, 20, 8]],
    ['is held out when it is dearer by more', [20, 50.01, 50.01], [20, NONE, 50.01]],
    ['is held out when it is cheaper by more', [20, 7.99], [20, NONE]],
    ['stays held out while its feed is carried forward', [20, 2, 'feed broken', 2], [20, NONE, NONE, 2]],
    ['is compared with what was served before its feed broke', [20, 2, 'feed broken', 1.9], [20, NONE, NONE, NONE]],
    ['is remembered beyond a build that is refused', [20, 2, 'build refused', 2], [20, NONE, NONE, 2]],
    ['is not known by a build that was refused', [20, 'build refused', 2, 2], [20, NONE, NONE, 2]],
    ['has no price before the first snapshot', [2], [2]],
  ])('%s', async (_, days, served) => {
    expect(await play(days)).toEqual(served);
  });

  it('is taken by a second build of the same files, which is the next build', async () => {
    const site = await createQuietSite([row('N-1', 20)]);
    await site.build();
    writeNight(site, [row('N-1', 2), row('N-2', 30)]);
    expect(servedPrices(site, await site.build())).toEqual({ 'N-2': 30 });
    expect(servedPrices(site, await site.build())).toEqual({ 'N-1': 2, 'N-2': 30 });
    expect(await site.build()).toMatchObject({ outcome: 'unchanged' });
  });

  it.each([
    ['500', '0.5', 'megabytes'],
    ['512', '0.5', 'megabytes of 1,024'],
    ['0', '4', 'none'],
    ['0', 'unlimited', 'the sign of a limit that is missing'],
  ])('is held out while it has %s GB in place of %s (%s), however often that is found', async (data, before) => {
    const small = (gigabytes: string): string => row('N-1', 20).replace(',24,4,', `,24,${gigabytes},`);
    const site = await createQuietSite([row('N-0', 30), small(before)]);
    await site.build();
    for (const day of [1, 2, 3]) {
      writeNight(site, [row('N-0', 30), small(data)]);
      const result = await site.build({ now: new Date(NOW.getTime() + day * DAY_MS) });
      expect(servedPrices(site, result)).toEqual({ 'N-0': 30 });
      expect(samplesOf(result, 'price-jump')).toMatchObject([{ record: 'N-1', field: 'dataGb', found: data }]);
    }
    const accepted = await site.build({ now: new Date(NOW.getTime() + 3 * DAY_MS), accept: ['price-jump:night'] });
    expect(servedPrices(site, accepted)).toEqual({ 'N-0': 30, 'N-1': 20 });
  });

  it('may have more data than before', async () => {
    const site = await createQuietSite([row('N-1', 20)]);
    await site.build();
    writeNight(site, [row('N-1', 20).replace(',24,4,', ',24,400,')]);
    expect(servedPrices(site, await site.build())).toEqual({ 'N-1': 20 });
  });

  it('is on record with both prices, and what to do', async () => {
    const site = await createQuietSite([row('N-1', 20)]);
    await site.build();
    writeNight(site, [row('N-1', 2)]);
    const result = await site.build();
    expect(samplesOf(result, 'price-jump')).toEqual([
      {
        code: 'price-jump',
        product: '102/new',
        source: 'night',
        file: 'feeds/night/deals.csv',
        line: 2,
        record: 'N-1',
        retailer: 'night-owl',
        field: 'monthlyCost',
        found: '0.00 upfront, 2.00 a month, 48.00 in total',
        expected: 'at most 2.5 times more or less than 0.00 upfront, 20.00 a month, 480.00 in total',
        prices: {
          now: { total: 4_800, upfront: 0, monthly: 200 },
          before: { total: 48_000, upfront: 0, monthly: 2_000 },
        },
      },
    ]);
    expect(result.report.sources.find(({ name }) => name === 'night')).toMatchObject({ read: 1, quarantined: 1 });
  });

  it('is taken at once where that is accepted, which is on record', async () => {
    const site = await createQuietSite([row('N-1', 20)]);
    await site.build();
    writeNight(site, [row('N-1', 2)]);
    const other = await site.build({ accept: ['price-jump:house'], dryRun: true });
    expect(countNotices(other)).toEqual({ 'night price-jump': 1 });
    const result = await site.build({ accept: ['price-jump:night'] });
    expect(servedPrices(site, result)).toEqual({ 'N-1': 2 });
    expect(readManifest(site.store, result.snapshot ?? '').gates).toContainEqual({
      gate: 'price-jump:night',
      state: 'accepted',
      detail: '1 deals whose price jumped are taken at once',
    });
  });

  it('is held out where upfront and monthly cost have changed places', async () => {
    const site = await createQuietSite([row('N-1', 20), row('N-2', 30).replace(',0.00,', ',49.00,')]);
    await site.build();
    writeNight(site, [row('N-1', 20), row('N-2', 49).replace(',0.00,', ',30.00,')]);
    expect(servedPrices(site, await site.build())).toEqual({ 'N-1': 20 });
  });

  it.each([
    ['9.99', '999.00', 'pence read as pounds'],
    ['999.00', '9.99', 'pounds read as pence'],
    ['9.99', '0.10', 'pounds read as pence, rounded'],
  ])('is held out where %s upfront becomes %s (%s), also where the total moves by less', async (before, now) => {
    const site = await createQuietSite([row('N-1', 20), row('N-2', 60).replace(',0.00,', `,${before},`)]);
    await site.build();
    writeNight(site, [row('N-1', 20), row('N-2', 60).replace(',0.00,', `,${now},`)]);
    const held = await site.build();
    expect(servedPrices(site, held)).toEqual({ 'N-1': 20 });
    expect(samplesOf(held, 'price-jump')).toMatchObject([{ record: 'N-2', field: 'upfrontCost' }]);
    expect(servedPrices(site, await site.build())).toEqual({ 'N-1': 20, 'N-2': 60 });
  });

  it.each([
    ['texts and minutes', '4,500,unlimited', 'textMessages'],
    ['data and minutes', 'unlimited,4,500', 'callMinutes'],
    ['data and texts', '500,unlimited,4', 'textMessages'],
    ['no minutes', '4,0,500', 'callMinutes'],
    ['no texts', '4,unlimited,0', 'textMessages'],
  ])(
    'is held out for one build where an allowance is that of another field, or none: %s',
    async (_, allowances, field) => {
      const site = await createQuietSite([row('N-1', 20), row('N-2', 30)]);
      await site.build();
      const changed = row('N-2', 30).replace('4,unlimited,500', allowances);
      writeNight(site, [row('N-1', 20), changed]);
      const held = await site.build();
      expect(servedPrices(site, held)).toEqual({ 'N-1': 20 });
      expect(samplesOf(held, 'price-jump')).toMatchObject([{ record: 'N-2', field }]);
      expect(servedPrices(site, await site.build())).toEqual({ 'N-1': 20, 'N-2': 30 });
    },
  );

  it('may have other allowances, which are in no other field of it', async () => {
    const site = await createQuietSite([row('N-1', 20), row('N-2', 30)]);
    await site.build();
    writeNight(site, [row('N-1', 20).replace('4,unlimited,500', 'unlimited,unlimited,unlimited'), row('N-2', 30).replace('4,unlimited,500', '100,5000,250')]); // prettier-ignore
    expect(servedPrices(site, await site.build())).toEqual({ 'N-1': 20, 'N-2': 30 });
  });

  it('is known, too, where another deal stood for it', async () => {
    const site = await createQuietSite([row('N-1', 20), row('N-1-blue', 20)]);
    expect(servedPrices(site, await site.build())).toEqual({ 'N-1': 20 });
    writeNight(site, [row('N-1', 21), row('N-1-blue', 2)]);
    expect(servedPrices(site, await site.build())).toEqual({ 'N-1': 21 });
    // Where the one that stands for it is held out, it is held out with it.
    writeNight(site, [row('N-1', 2), row('N-1-blue', 2)]);
    expect(servedPrices(site, await site.build())).toEqual({});
    writeNight(site, [row('N-1-blue', 2)]);
    expect(servedPrices(site, await site.build())).toEqual({ 'N-1-blue': 2 });
  });
});

describe('a new deal', () => {
  const rivals = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, i) => row(`N-${i}`, 20 + i, '101'));

  it.each<[string, number, readonly number[], Record<string, number>]>([
    ['undercuts five deals by no more than 60%', 5, [8], { 'X-0': 8 }],
    ['is held out where it undercuts them by more', 5, [7.99], {}],
    ['is held out however many there are, the second cheapest too', 5, [1, 2, 7.99, 8], { 'X-3': 8 }],
    ['undercuts four deals as it likes', 4, [1], { 'X-0': 1 }],
  ])('%s', async (_, count, prices, expected) => {
    const site = await createQuietSite(rivals(count));
    // The phone has other deals in the other feed, which count as much.
    const house = join(site.folder, 'feeds/house/deals.csv');
    writeFileSync(house, `${HEADER}\n${deal('H-4', '102', 'new', 'phone-barn', '44.99')}\n`);
    await site.build();
    writeNight(site, [...rivals(count), ...prices.map((price, i) => row(`X-${i}`, price, '101'))]);
    const held = await site.build();
    const own = Object.entries(servedPrices(site, held)).filter(([key]) => key.startsWith('X'));
    expect(Object.fromEntries(own)).toEqual(expected);
    const taken = Object.entries(servedPrices(site, await site.build())).filter(([key]) => key.startsWith('X'));
    expect(taken).toHaveLength(prices.length);
  });

  it('may be cheaper than the cheapest beside one that was taken', async () => {
    const site = await createQuietSite(rivals(5));
    await site.build();
    writeNight(site, [...rivals(5), row('X-0', 1, '101')]);
    await site.build();
    writeNight(site, [...rivals(5), row('X-0', 1, '101'), row('X-1', 3, '101')]);
    expect(servedPrices(site, await site.build())).toMatchObject({ 'X-0': 1, 'X-1': 3 });
  });

  it('is judged as new under another phone, though its key is known', async () => {
    const site = await createQuietSite([...rivals(5), row('N-9', 7)]);
    await site.build();
    writeNight(site, [...rivals(5), row('N-9', 7, '101')]);
    expect(servedPrices(site, await site.build())).not.toHaveProperty('N-9');
  });
});

describe('many prices of one source that jump in a night', () => {
  it.each([
    [19, []],
    [20, ['Held out: 20 deals of night by price-jump; the next build serves those whose price is the same again, so look before it runs']], // prettier-ignore
  ])('%d of 400: what someone must look at is %j', async (count, attention) => {
    const rowsWith = (factor: number): string[] =>
      Array.from({ length: 400 }, (_, i) => row(`N-${i}`, (30 + i) / (i < count ? factor : 1)));
    const site = await createQuietSite(rowsWith(1));
    await site.build();
    writeNight(site, rowsWith(10));
    expect((await site.build({ now: new Date(NOW.getTime() + DAY_MS) })).attention).toEqual(attention);
  });
});
