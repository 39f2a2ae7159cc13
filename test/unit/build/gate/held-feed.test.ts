import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../../build/publish/verify.ts';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { describeBuild, describeOutcome } from '../../../../build/report/describe-build.ts';
import { readManifest } from '../../../../data/store/snapshots.ts';
import type { SourceReport } from '../../../../data/report/report.ts';
import { SERVED_FILES } from '../../../../data/snapshot/format.ts';
import { countNotices, createSite, deal, NOW, type Site, type Sources } from '../run/write-sources.ts';
import {
  acceptancesIn,
  CMS,
  edit,
  half,
  HOUSE,
  json,
  later,
  night,
  NIGHT,
  PRODUCTS,
  rows,
  type Change,
} from './gate-site.ts';

/** Two feeds of forty deals each; a quarter of each is of the other retailer. */
function createLargerSite(change: (sources: Sources) => void = () => {}): Promise<Site> {
  return createSite((sources) => {
    Object.assign(sources.config, { gates: { minRows: 3 } });
    for (const [feed, own, other] of [
      ['house', 'phone-barn', 'night-owl'],
      ['night', 'night-owl', 'phone-barn'],
    ] as const) {
      sources[feed].length = 1;
      for (let i = 0; i < 40; i++) {
        const [product, condition] = PRODUCTS[i % PRODUCTS.length] ?? PRODUCTS[0];
        const price = `${(feed === 'house' ? 15 : 20) + i}.${feed === 'house' ? '25' : '50'}`;
        sources[feed].push(
          deal(`${feed[0]?.toUpperCase()}-${i}`, product, condition, i % 4 === 3 ? other : own, price),
        );
      }
    }
    change(sources);
  });
}

const cut = (text: string): string => text.slice(0, -9);
const allButNine = rows((_, i) => i > 8);
const requireNight = json('catalogue.json', ({ feeds = [] }) => Object.assign(feeds[1] ?? {}, { required: true }));

/** Every monthly cost by a share dearer. */
function dearer(text: string): string {
  return text.replaceAll(/,0\.00,([0-9.]+),/g, (_, cost) => `,0.00,${(Number(cost) * 1.17).toFixed(2)},`);
}

function sourceOf(result: BuildResult, name = 'night'): SourceReport | undefined {
  return result.report.sources.find((source) => source.name === name);
}

/** As `deals build` ends (INPUTS "A source is held, not the build"). */
function statusOf({ outcome, attention }: BuildResult): number {
  if (outcome === 'refused') return 3;
  return attention.length > 0 ? 4 : 0;
}

function readServed(site: Site, { snapshot }: BuildResult): readonly string[] {
  return SERVED_FILES.map((file) => readFileSync(join(site.store, snapshot ?? '', file), 'utf8'));
}

function expectAccountsToBalance({ report }: BuildResult): void {
  for (const { name, read, kept, duplicate, outOfScope, quarantined } of report.sources) {
    expect([name, kept + duplicate + outOfScope + quarantined]).toEqual([name, read]);
  }
}

describe('what fails, what happens, and the exit status (INPUTS "A source is held, not the build")', () => {
  it.each<[string, Change, number, RegExp]>([
    ['nothing', () => {}, 0, /^$/],
    ['a feed has no file', (site) => rmSync(join(site.folder, NIGHT)), 4, /^Held: night has no file \(expected a file/],
    [
      'a gate about one feed',
      night(half),
      4,
      /^Held: lost-deals of night, 20 of 40 \(50 %, at most 25 %\); its 40 deals of 2026-11-20 02:30 are served until 2026-11-22 02:30$/,
    ],
    [
      'a gate about one retailer in a feed',
      night(rows((row) => !row.includes('phone-barn'))),
      4,
      /^Held: lost-retailers of night, retailer phone-barn: 10 of 10 \(100 %, at most/,
    ],
    ['two gates about two feeds', (site) => [HOUSE, NIGHT].forEach((file) => edit(site, file, half)), 4, /^Held: /],
    [
      'a gate about a feed that is required',
      (site) => {
        requireNight(site);
        edit(site, NIGHT, half);
      },
      4,
      /^Held: lost-deals of night, /,
    ],
  ])('published: %s', async (_, damage, status, line) => {
    const site = await createLargerSite();
    const first = await site.build();
    expect(statusOf(first)).toBe(0);
    damage(site);
    const second = await site.build({ now: later(24) });
    expect(statusOf(second)).toBe(status);
    expect(second.attention[0] ?? '').toMatch(line);
    expectAccountsToBalance(second);
    expect(readServed(site, second)).toEqual(readServed(site, first));
    expect(verifySnapshot(site.store, second.snapshot ?? '')).toEqual([]);
    // The next build of the same sources says the same, whether or not it publishes.
    const third = await site.build({ now: later(25) });
    expect(third.attention).toEqual(second.attention);
    expect(readServed(site, third)).toEqual(readServed(site, first));
  });

  it('a dry run that would be refused names no file that it does not write', async () => {
    const site = await createSite();
    await site.build();
    edit(site, CMS, cut);
    const [line] = describeBuild(await site.build({ now: later(24), dryRun: true }));
    expect(line).toMatch(/; and \d+ more gates, all by --json\. Nothing was written /);
  });

  it.each<[string, Change, RegExp]>([
    [
      'a required source is not read',
      (site) => {
        requireNight(site);
        rmSync(join(site.folder, NIGHT));
      },
      /^Refused: required-source of night, the source has no file\. Nothing was published /,
    ],
    [
      'a CMS source cannot be read',
      (site) => void edit(site, CMS, cut),
      /^Refused: required-source of site, the source could not be read; and \d+ more gates, all in last-build\.json\./,
    ],
    ['a CMS source has no file', (site) => rmSync(join(site.folder, CMS)), /^Refused: required-source of site, the s/],
    [
      'a gate about a CMS source',
      json(CMS, ({ products = [] }) => void (products.length = 1)),
      /^Refused: lost-products of site, 2 of 3 \(66\.7 %, at most 45 %\)/,
    ],
    [
      'no product is left',
      json(CMS, ({ products = [] }) => void (products.length = 0)),
      /^Refused: no-products, the catalogue has 0 products; and /,
    ],
    [
      'all feeds together have lost too much, and none alone',
      (site) => [HOUSE, NIGHT].forEach((file) => edit(site, file, allButNine)),
      /^Refused: lost-deals, 18 of 80 \(22\.5 %, at most 17\.7 %\)\. Nothing was published /,
    ],
    [
      'the catalogue is in another currency',
      json('catalogue.json', (config) => Object.assign(config, { currency: { code: 'EUR', label: 'E' } })),
      /^Refused: currency, prices are in EUR, and were in GBP\. Nothing was published /,
    ],
    [
      'a feed is taken out of the configuration',
      json('catalogue.json', ({ feeds = [] }) => void feeds.pop()),
      /^Refused: lost-deals of night, 40 of 40 \(100 %, at most 25 %\)\. Nothing was published /,
    ],
  ])('refused: %s', async (_, damage, line) => {
    const site = await createLargerSite();
    const first = await site.build();
    damage(site);
    const second = await site.build({ now: later(24) });
    expect(statusOf(second)).toBe(3);
    expect(describeOutcome(second)).toMatch(line);
    expectAccountsToBalance(second);
    expect(second).toMatchObject({ current: first.snapshot, attention: [] });
  });
});

describe('a feed that fails a gate', () => {
  it('is marked with its age and every gate, while the others are taken fresh', async () => {
    const site = await createLargerSite();
    const first = await site.build();
    edit(site, NIGHT, (text) => dearer(half(text)).replaceAll('night-owl', 'night owls'));
    edit(site, HOUSE, (text) => text.replaceAll('Plan 4', 'Plan 5'));
    const second = await site.build({ now: later(24) });
    const because =
      'lost-deals, 35 of 40 (87.5 %, at most 25 %); quarantined, 15 of 20 (75 %, at most 36.8 %); moved-prices, ';
    expect(sourceOf(second)).toMatchObject({
      state: 'carried-forward',
      freshAt: NOW.toISOString(),
      heldBecause: expect.stringContaining(because.slice(0, 40)) as string,
      files: sourceOf(first)?.files,
      read: 40,
      kept: 40,
      quarantined: 0,
    });
    expect(sourceOf(second)?.heldBecause).toMatch(/^lost-deals, .+; quarantined, 15 of 20 \(75 %/);
    expect(sourceOf(second, 'house')).toMatchObject({ state: 'fresh', kept: 40 });
    expect(readServed(site, second).join('\n')).toContain('Plan 5');
    expect(countNotices(second)).toEqual({ 'night carried-forward': 1 });
    const [notice] = second.report.notices[0]?.samples ?? [];
    expect(notice?.found).toMatch(
      /^night: lost-deals, .+; its 40 deals of 2026-11-20T02:30:00\.000Z can be served until 2026-11-22T02:30:00\.000Z; deals check night says what is in the feed; ask for it again, or take it as it is with --accept lost-deals:night --accept quarantined:night/,
    );
    expect(describeBuild(second)[0]).toMatch(/^Held: lost-deals of night, .+; quarantined, .+; its 40 deals of /);
    const { gates, sources } = readManifest(site.store, second.snapshot ?? '');
    expect(gates.find(({ gate }) => gate === 'quarantined:night')).toMatchObject({ state: 'held', measured: 0.75 });
    expect(sources.find(({ name }) => name === 'night')).toMatchObject({
      freshAt: NOW.toISOString(),
      whenFresh: { read: 40, duplicate: 0, outOfScope: 0 },
      refusedBy: expect.arrayContaining(['lost-deals', 'quarantined']) as string[],
    });
  });

  it('is taken as it is when its gates are accepted', async () => {
    const site = await createLargerSite();
    await site.build();
    edit(site, NIGHT, half);
    await site.build({ now: later(24) });
    const accepted = await site.build({ now: later(25), accept: ['lost-deals:night'] });
    expect(accepted).toMatchObject({ outcome: 'published', counts: { deals: 60 }, attention: [] });
    expect(sourceOf(accepted)).toMatchObject({ state: 'fresh', kept: 20 });
    expect(sourceOf(accepted)).not.toHaveProperty('heldBecause');
    expect(await site.build({ now: later(26) })).toMatchObject({ outcome: 'unchanged', attention: [] });
  });

  it('is taken up again as soon as it is sound', async () => {
    const site = await createLargerSite();
    const first = await site.build();
    const sound = edit(site, NIGHT, half);
    await site.build({ now: later(24) });
    edit(site, NIGHT, () => sound);
    const third = await site.build({ now: later(48) });
    expect(third).toMatchObject({ outcome: 'published', attention: [] });
    expect(sourceOf(third)).toEqual(sourceOf(first));
    expect(readManifest(site.store, third.snapshot ?? '').sources.at(-1)).toMatchObject({
      freshAt: later(48).toISOString(),
    });
  });

  it.each([
    ['half a file', half],
    ['dearer', dearer],
    [
      'every row twice, under another id',
      (text: string) =>
        `${text}${rows(() => true)(text)
          .split('\n')
          .slice(1)
          .join('\n')
          .replaceAll(/^N/gm, 'X')}`,
    ],
  ])(
    'is no younger for being held, is withdrawn in the end, and stays so while its file is as faulty: %s',
    async (_, change) => {
      const site = await createLargerSite();
      const first = await site.build();
      edit(site, NIGHT, change);
      for (const hours of [24, 25, 48]) {
        const held = await site.build({ now: later(hours) });
        expect(sourceOf(held)).toMatchObject({ state: 'carried-forward', freshAt: NOW.toISOString(), kept: 40 });
        expect(statusOf(held)).toBe(4);
        expect(readServed(site, held)).toEqual(readServed(site, first));
      }
      const withdrawn = await site.build({ now: later(49) });
      expect(withdrawn).toMatchObject({ outcome: 'published', counts: { deals: 40 } });
      expect(withdrawn.attention).toEqual([
        expect.stringMatching(
          /^Withdrawn: .+ of night, .+; its deals of 2026-11-20 02:30 could be served until 2026-11-22 02:30$/,
        ),
      ]);
      expect(countNotices(withdrawn)).toEqual({ 'night withdrawn': 1 });
      for (const hours of [72, 96]) {
        const later49 = await site.build({ now: later(hours) });
        expect(later49).toMatchObject({ counts: { deals: 40 } });
        expect(later49.attention).toEqual([expect.stringMatching(/^Withdrawn: /)]);
        expect(sourceOf(later49)).toMatchObject({ state: 'failed', kept: 0 });
      }
      const accept = acceptancesIn(await site.build({ now: later(97) }), 'to take night');
      expect(await site.build({ now: later(98), accept })).toMatchObject({ outcome: 'published', attention: [] });
      expect(await site.build({ now: later(99) })).toMatchObject({ outcome: 'unchanged', attention: [] });
    },
  );

  it('comes back by itself after it was withdrawn where its figures show that it is sound', async () => {
    const site = await createLargerSite();
    await site.build();
    const sound = edit(site, NIGHT, half);
    await site.build({ now: later(24) });
    // Not even read in between: what it failed is not forgotten.
    rmSync(join(site.folder, NIGHT));
    await site.build({ now: later(49) });
    writeFileSync(join(site.folder, NIGHT), half(sound));
    expect(statusOf(await site.build({ now: later(50) }))).toBe(4);
    edit(site, NIGHT, () => sound);
    expect(await site.build({ now: later(72) })).toMatchObject({ counts: { deals: 80 }, attention: [] });
  });

  it('on a first build is left out, and the rest is published', async () => {
    const site = await createLargerSite();
    const sound = edit(site, NIGHT, (text) => text.replaceAll('night-owl', 'night owls'));
    const first = await site.build();
    expect(first).toMatchObject({ outcome: 'published', counts: { deals: 40 } });
    expect(first.attention).toEqual([
      'Held: quarantined of night, 30 of 40 (75 %, at most 29 %); nothing of it is served',
    ]);
    expect(sourceOf(first)).toMatchObject({ state: 'failed', read: 0, heldBecause: expect.stringMatching(/^quarant/) });
    expect(countNotices(first)).toEqual({ 'night not-carried': 1 });
    expect(await site.build({ now: later(1) })).toMatchObject({ outcome: 'unchanged', attention: first.attention });
    edit(site, NIGHT, () => sound);
    expect(await site.build({ now: later(2) })).toMatchObject({ counts: { deals: 80 }, attention: [] });
  });

  it.each([
    ['nothing', ''],
    ['a record that is none', '{"error": "limit"}\n'],
  ])('is held with fewer deals than a share needs when its file has %s', async (_, text) => {
    const site = await createSite(({ config }) => {
      Object.assign(config, { gates: {}, images: { render: false } });
      config.feeds = [
        { name: 'house', adapter: 'deals', files: ['feeds/house/*'] },
        { name: 'night', adapter: 'deals', files: ['feeds/night/*.ndjson', 'feeds/night/*.csv'] },
      ];
    });
    await site.build();
    rmSync(join(site.folder, NIGHT));
    writeFileSync(join(site.folder, 'feeds/night/deals.ndjson'), text);
    const second = await site.build({ now: later(24) });
    expect(second).toMatchObject({ outcome: 'published', counts: { deals: 8 } });
    expect(second.attention).toEqual([expect.stringMatching(/^Held: .*night.*; its 4 deals of 2026-11-20 02:30 are/)]);
    expect(describeBuild(second).filter((line) => line.includes('deals build'))).toEqual([]);
  });

  it('costs no other feed of which it had the deals', async () => {
    const site = await createLargerSite();
    await site.build();
    edit(site, HOUSE, () => readFileSync(join(site.folder, NIGHT), 'utf8'));
    const second = await site.build({ now: later(24) });
    expect(second.report.sources.map(({ name, state, kept }) => [name, state, kept])).toEqual([
      ['site', 'fresh', 10],
      ['house', 'carried-forward', 40],
      ['night', 'fresh', 40],
    ]);
    expect(second.attention).toHaveLength(1);
  });

  it('does not hide what the CMS or the list of exclusions takes from it', async () => {
    const site = await createLargerSite();
    await site.build();
    json('catalogue.json', (config) =>
      Object.assign(config, { exclude: [{ retailer: 'night-owl', reason: 'has closed' }] }),
    )(site);
    const second = await site.build({ now: later(24) });
    expect(describeOutcome(second)).toMatch(/^Refused: lost-deals of night, 30 of 40 \(75 %, at most 25 %\); and /);
    const accept = acceptancesIn(second, 'to publish all the same');
    const accepted = await site.build({ now: later(24), accept });
    expect(accepted).toMatchObject({ outcome: 'published', counts: { deals: 40 }, attention: [] });
  });
});
