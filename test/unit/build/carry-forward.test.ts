import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import type { BuildResult } from '../../../build/report/build-result.ts';
import { readManifest } from '../../../data/store/snapshots.ts';
import { SERVED_FILES } from '../../../data/snapshot/format.ts';
import { CMS, edit, HOUSE, json, later, NIGHT, sourceOf } from './gate/gate-site.ts';
import { countNotices, createSite, HEADER, NOW, samplesOf, type Site } from './run/write-sources.ts';

/** A feed that cannot be read: the page of an error in its place. */
function breakFeed(site: Site): void {
  edit(site, NIGHT, () => '<html><body>Bad gateway</body></html>\n');
}

/** The feed breaks off after a share of it, its last line end not counted. */
function cutFeed(site: Site, share: number): void {
  edit(site, NIGHT, (text) => text.trimEnd().slice(0, Math.floor(text.trimEnd().length * share)));
}

function readFile(site: Site, result: BuildResult, file: string): string {
  return readFileSync(join(site.store, result.snapshot ?? '', file), 'utf8');
}

/** Deals with everything that one can have. */
function createRichSite(): Promise<Site> {
  return createSite(({ night }) => {
    night[0] += ',cashbackType,cashbackValue,productImage,dealType';
    for (let i = 1; i < night.length; i++) night[i] += ',,,,';
    night[1] = `${night[1]?.replace(/,,,,$/, '')},Automatic,25.00,https://pictures.example/p.jpg,upgrade`;
    night[2] = night[2]?.replace('unlimited,500', '300,unlimited') ?? '';
    night[4] = night[4]?.replace(',,https', ',A free mug,https') ?? '';
  });
}

describe('a feed that cannot be read', () => {
  it.each([
    ['because it is no feed', breakFeed, 'source-malformed'],
    ['because it breaks off in a row', (site: Site): void => cutFeed(site, 0.6), 'source-malformed'],
    ['because it breaks off after the last character', (site: Site): void => cutFeed(site, 1), 'source-malformed'],
    ['because it has no row', (site: Site): void => void edit(site, NIGHT, () => `${HEADER}\n`), 'source-malformed'],
    ['because it has no file', (site: Site): void => rmSync(join(site.folder, NIGHT)), 'source-missing'],
  ] as const)('%s keeps its deals as they were', async (_, damage, code) => {
    const site = await createRichSite();
    const first = await site.build();
    damage(site);
    const second = await site.build({ now: later(24) });
    expect(second).toMatchObject({ outcome: 'published', counts: { products: 3, deals: 8 } });
    for (const file of SERVED_FILES) expect(readFile(site, second, file)).toBe(readFile(site, first, file));
    expect(readFile(site, second, 'provenance.ndjson')).toBe(readFile(site, first, 'provenance.ndjson'));
    expect(verifySnapshot(site.store, second.snapshot ?? '')).toEqual([]);
    expect(countNotices(second)).toMatchObject({ [`night ${code}`]: 1, 'night carried-forward': 1 });
  });

  it('counts the hours by the clock of now, also after a build under a clock that was years ahead', async () => {
    const site = await createSite();
    await site.build({ now: new Date('2031-01-01T02:30:00Z') });
    breakFeed(site);
    const found = await site.build();
    expect(sourceOf(found)).toMatchObject({ state: 'carried-forward', freshAt: NOW.toISOString() });
    expect(sourceOf(await site.build({ now: later(48) }))).toMatchObject({ state: 'carried-forward' });
    expect(sourceOf(await site.build({ now: later(49) }))).toMatchObject({ state: 'failed', kept: 0 });
  });

  it.each([
    [{}, 48, 49],
    [{ maxCarriedHours: 12 }, 12, 13],
  ])('with %j is withdrawn after %d hours, which no gate refuses', async (freshness, last, after) => {
    const site = await createSite(({ config }) => void (config.freshness = freshness));
    await site.build();
    breakFeed(site);
    expect(await site.build({ now: later(last) })).toMatchObject({ counts: { deals: 8 } });
    const withdrawn = await site.build({ now: later(after) });
    expect(withdrawn).toMatchObject({ outcome: 'published', counts: { products: 3, deals: 4 } });
    expect(sourceOf(withdrawn)).toMatchObject({ state: 'failed', read: 0, kept: 0 });
    expect(countNotices(withdrawn)).toMatchObject({ 'night withdrawn': 1, 'night source-malformed': 1 });
    expect(withdrawn.attention[1]).toMatch(/^Withdrawn: night; its deals of 2026-11-20 02:30 were served until /);
    // It is said until the feed is read again.
    const next = await site.build({ now: later(after + 24) });
    expect(next.attention).toEqual(withdrawn.attention);
  });

  it('is as old as the last build that found nothing changed', async () => {
    const site = await createSite();
    await site.build();
    expect(await site.build({ now: later(40) })).toMatchObject({ outcome: 'unchanged' });
    breakFeed(site);
    // A build that is refused in between takes nothing away from what was confirmed.
    const cms = edit(site, CMS, () => '');
    expect(await site.build({ now: later(50) })).toMatchObject({ outcome: 'refused' });
    edit(site, CMS, () => cms);
    const third = await site.build({ now: later(80) });
    expect(sourceOf(third)).toMatchObject({ state: 'carried-forward', freshAt: later(40).toISOString() });
  });

  it('may have what a line of `exclude` names', async () => {
    const exclude = [{ retailer: 'night-owl', deal: 'N-99', reason: 'typed wrong' }];
    const site = await createSite(({ config }) => void (config['exclude'] = exclude));
    expect(countNotices(await site.build())).toEqual({ 'catalogue.json unused-exclusion': 1 });
    breakFeed(site);
    expect(countNotices(await site.build({ now: later(24) }))).not.toHaveProperty('catalogue.json unused-exclusion');
  });

  it('loses the deals of a product, a retailer or an exclusion that is no longer served', async () => {
    const site = await createSite(({ config }) => void (config['gates'] = { minRows: 1_000 }));
    await site.build();
    breakFeed(site);
    json(CMS, (lists) => {
      lists['products'] = lists['products']?.filter(({ id, condition }) => id !== '101' || condition === 'new') ?? [];
    })(site);
    const exclude = [{ retailer: 'night-owl', deal: 'N-4', reason: 'typed wrong' }];
    json('catalogue.json', (config) => Object.assign(config, { exclude }))(site);
    const second = await site.build({ now: later(24) });
    expect(second.outcome).toBe('published');
    expect(sourceOf(second)).toMatchObject({ read: 4, kept: 2, outOfScope: 1, quarantined: 1 });
    expect(countNotices(second)).toMatchObject({ 'night unknown-product': 1, 'night excluded': 1 });
  });
});

describe('a feed whose files stay the same', () => {
  it('is noted once they are older than three days, and says the same on every night after', async () => {
    const site = await createSite();
    const first = await site.build();
    expect(await site.build({ now: later(72) })).toMatchObject({ outcome: 'unchanged' });
    const noted = await site.build({ now: later(73) });
    expect(noted).toMatchObject({ outcome: 'published' });
    expect(countNotices(noted)).toEqual({ 'house source-unchanged': 1, 'night source-unchanged': 1 });
    expect(samplesOf(noted, 'source-unchanged')[0]?.found).toBe(
      'house: the files are those that were first read at 2026-11-20T02:30:00.000Z; ask the feed whether it is still made',
    );
    expect(readManifest(site.store, noted.snapshot ?? '').contentHash).toBe(
      readManifest(site.store, first.snapshot ?? '').contentHash,
    );
    expect(await site.build({ now: later(97) })).toMatchObject({ outcome: 'unchanged', snapshot: noted.snapshot });
  });

  it('is new again with new files, regardless of their names', async () => {
    const site = await createSite(({ config }) => void (config.freshness = { maxUnchangedDays: 1 }));
    await site.build();
    edit(site, NIGHT, (text) => `${text}\n`);
    renameSync(join(site.folder, HOUSE), join(site.folder, 'feeds/house/other.csv'));
    expect(countNotices(await site.build({ now: later(25) }))).toEqual({ 'house source-unchanged': 1 });
  });
});
