import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rollBack } from '../../../../build/publish/switch-current.ts';
import { verifySnapshot } from '../../../../build/publish/verify.ts';
import { describeBuild } from '../../../../build/report/describe-build.ts';
import { readCurrent, readManifest } from '../../../../data/store/snapshots.ts';
import { readReport } from '../../../../data/store/lines.ts';
import { lastBuildSchema } from '../../../../data/report/report.ts';
import { runDeals } from '../../../harness.ts';
import { countNotices, createPicturedSite, createSite, NOW, type Site, type Sources } from './write-sources.ts';

function lastBuildOf(store: string) {
  return lastBuildSchema.parse(JSON.parse(readFileSync(join(store, 'last-build.json'), 'utf8')));
}

/** Everything in the store with its content, to see that nothing was touched. */
function photograph(store: string): Record<string, string> {
  if (!existsSync(store)) return {};
  const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path).toString('base64')];
    }),
  );
}

/** The files of a store's only snapshot with records, and their content, but the lines of sources. */
function publishedRecords(store: string): Record<string, string> {
  const folder = join(store, readdirSync(store).find((name) => /^[0-9]{8}T/.test(name)) ?? '');
  const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson') && name !== 'product-origins.ndjson');
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** What a store has beside its snapshots. */
const STORE_FILES = ['build.lock', 'current.json', 'images', 'last-build.json'];

function renameProduct(site: Site): void {
  const cms = join(site.folder, 'cms/site.json');
  writeFileSync(cms, readFileSync(cms, 'utf8').replace('Nova Two', 'Nova Three'));
}

function withoutDeals(site: Site): void {
  const [header = ''] = readFileSync(join(site.folder, 'feeds/night/deals.csv'), 'utf8').split('\n');
  writeFileSync(join(site.folder, 'feeds/night/deals.csv'), `${header}\na row of another table\n`);
}

/** What refuses the whole build, and a person may accept. */
function inAnotherCurrency(site: Site): void {
  const config = JSON.parse(readFileSync(site.configPath, 'utf8')) as Record<string, unknown>;
  writeFileSync(site.configPath, JSON.stringify({ ...config, currency: { code: 'EUR', label: '€' } }));
}

/** A list of records as an editor's spreadsheet, saved by Excel. */
function toSheet(records: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) => columns.map((column) => [record[column] ?? ''].flat().map(String).join(' | ')));
  return [columns, ...rows].map((cells) => `${cells.join(';')}\r\n`).join('');
}

describe('a build of sound sources', () => {
  it('publishes the same of spreadsheets as of JSON', async () => {
    const cms = [{ name: 'site', adapter: 'csv', files: ['cms/*.csv'] }];
    const [asJson, asSheets] = await Promise.all([
      createSite(),
      createSite((sources) => Object.assign(sources.config, { cms })),
    ]);
    const site = JSON.parse(readFileSync(join(asSheets.folder, 'cms/site.json'), 'utf8')) as Sources['cms'];
    for (const [list, records] of Object.entries(site)) {
      writeFileSync(join(asSheets.folder, `cms/${list.replace('C', '-c')}.csv`), toSheet(records));
    }
    const [first, second] = [await asJson.build(), await asSheets.build()];
    expect(second).toMatchObject({ outcome: 'published', counts: first.counts, warnings: [] });
    expect(countNotices(second)).toEqual({});
    expect(publishedRecords(asSheets.store)).toEqual(publishedRecords(asJson.store));
  });

  it('publishes them all, without a notice', async () => {
    const site = await createPicturedSite();
    const result = await site.build();
    expect(countNotices(result)).toEqual({});
    expect(result).toMatchObject({
      outcome: 'published',
      isDryRun: false,
      counts: { products: 3, deals: 8 },
      warnings: [],
    });
    expect(result.report.sources.map(({ name, state, read, kept }) => [name, state, read, kept])).toEqual([
      ['site', 'fresh', 10, 10],
      ['house', 'fresh', 4, 4],
      ['night', 'fresh', 4, 4],
    ]);
    expect(readCurrent(site.store)).toBe(result.snapshot);
    expect(result.current).toBe(result.snapshot);
    expect(verifySnapshot(site.store, result.snapshot ?? '')).toEqual([]);
    expect(readManifest(site.store, result.snapshot ?? '').counts).toEqual({
      products: 3,
      deals: 8,
      gifts: 2,
      giftCategories: 1,
      networks: 2,
      retailers: 2,
      manufacturers: 0,
      pictures: 9 + 9 + 3 + 4,
      quarantined: 0,
    });
  });

  it('leaves the store clean, without what a killed build left, and says what it did in last-build.json', async () => {
    const site = await createPicturedSite();
    mkdirSync(join(site.store, '.new-0123'), { recursive: true });
    mkdirSync(join(site.store, 'images', '.new-4567'), { recursive: true });
    const result = await site.build();
    expect(readdirSync(site.store).toSorted()).toEqual([result.snapshot, ...STORE_FILES]);
    expect(readdirSync(join(site.store, 'images')).some((name) => name.startsWith('.'))).toBe(false);
    expect(lastBuildOf(site.store)).toMatchObject({
      outcome: 'published',
      startedAt: NOW.toISOString(),
      snapshot: result.snapshot,
      current: result.snapshot,
      message: expect.stringMatching(`^Published ${result.snapshot}: 3 products, 8 deals, 12 files of [0-9]+ bytes, `),
      report: JSON.parse(JSON.stringify(result.report)) as object,
    });
  });
});

describe('a second build', () => {
  it('of other sources publishes a snapshot that names the one before, and the gates that the operator accepts', async () => {
    const site = await createSite();
    const first = await site.build();
    withoutDeals(site);
    const second = await site.build({ accept: ['lost:night'] });
    expect(readManifest(site.store, second.snapshot ?? '')).toMatchObject({
      sequence: 2,
      previous: first.snapshot,
      gates: expect.arrayContaining([
        {
          gate: 'lost:night',
          state: 'accepted',
          detail: '4 of 4 deals are gone (100 %, at most 45 %)',
          measured: 1,
          limit: 0.45,
        },
      ]) as unknown[],
    });
  });
});

it('a phone without deals has on record what was read for it and when it last had one', async () => {
  const site = await createSite(({ config, cms, house }) => {
    config['gates'] = { minRows: 1_000 };
    cms.products.push({ id: '103', condition: 'new', name: 'Nova Three', slug: 'nova-three' });
    for (let row = 0; row < house.length; row++) house[row] += row === 0 ? ',inStock' : ',true';
  });
  const house = join(site.folder, 'feeds/house/deals.csv');
  const night = join(site.folder, 'feeds/night/deals.csv');
  const [sound, soundNight] = [readFileSync(house, 'utf8'), readFileSync(night, 'utf8')];
  const build = async (hours: number) => {
    const { snapshot = '' } = await site.build({ now: new Date(NOW.getTime() + hours * 3_600_000) });
    return { snapshot, withoutDeals: readReport(site.store, readManifest(site.store, snapshot)).withoutDeals };
  };
  const never = { product: '103/new', leftOut: [] };
  const first = await build(0);
  expect(first.withoutDeals).toEqual([never]);
  // One offer is sold out, and the others have prices that are none.
  writeFileSync(house, sound.replace(/^(H-4,.*,)true$/m, '$1false'));
  writeFileSync(night, soundNight.replaceAll(/,4[38]\.50,/g, ',-1.00,'));
  const leftOut = [
    { code: 'negative-money', count: 2 },
    { code: 'out-of-stock', count: 1 },
  ];
  const lastDeal = { snapshot: first.snapshot, at: NOW.toISOString() };
  const second = await build(24);
  expect(second.withoutDeals).toEqual([{ product: '102/new', leftOut, lastDeal }, never]);
  const explain = async (record: string) => (await runDeals(['explain', record, '--store', site.store])).stdout;
  const text = await explain('102/new');
  expect(text).toContain('\n  served: with 0 deals\n  left out of its deals: 2 negative-money, 1 out-of-stock\n');
  expect(await explain('103/new')).toContain('\n  served: with 0 deals\n  no record of a feed is for it\n');
  // It stays on record from build to build, until there is a deal again.
  writeFileSync(house, sound.replace(/^(H-[34],.*,)true$/gm, '$1false'));
  expect((await build(48)).withoutDeals).toEqual([{ product: '102/new', leftOut, lastDeal }, never]);
  writeFileSync(house, sound.replace('44.99', '45.99'));
  expect((await build(72)).withoutDeals).toEqual([never]);
});

describe('a store that has lost its current.json', () => {
  const lose = ({ store }: Site) => rmSync(join(store, 'current.json'));

  it.each<[string, (site: Site) => void]>([
    ['and names it in previous.json', () => {}],
    ['and previous.json with it', ({ store }) => rmSync(join(store, 'previous.json'))],
    [
      'and has snapshots alone',
      ({ store }) => ['previous.json', 'last-build.json'].forEach((name) => rmSync(join(store, name))),
    ],
  ])('%s stops a build, which says what writes it', async (_, loseMore) => {
    const site = await createSite();
    await site.build();
    renameProduct(site);
    const { snapshot } = await site.build({ now: new Date('2026-11-21T02:30:00Z') });
    lose(site);
    loseMore(site);
    withoutDeals(site);
    const command = `deals rollback --to ${snapshot} --store ${site.store}`;
    await expect(site.build({ now: new Date('2026-11-22T02:30:00Z') })).rejects.toThrow(command);
    expect(lastBuildOf(site.store)).toMatchObject({ outcome: 'failed', message: expect.stringContaining(command) });
    rollBack(site.store, snapshot);
    expect(readCurrent(site.store)).toBe(snapshot);
  });

  it('goes back to no snapshot that was rolled back from', async () => {
    const site = await createSite();
    const { snapshot = '' } = await site.build();
    renameProduct(site);
    await site.build({ now: new Date('2026-11-21T02:30:00Z') });
    rollBack(site.store);
    for (const name of ['current.json', 'previous.json']) rmSync(join(site.store, name));
    await expect(site.build()).rejects.toThrow(`deals rollback --to ${snapshot} `);
  });
});

describe('a dry run', () => {
  it('writes nothing and says what would happen, which is then what happens', async () => {
    const site = await createSite();
    const dry = await site.build({ dryRun: true });
    expect(existsSync(site.store)).toBe(false);
    expect(dry).toMatchObject({ outcome: 'published', isDryRun: true });
    expect(describeBuild(dry).at(-1)).toMatch(/^Without --dry-run: Published /);
    const real = await site.build();
    expect([real.snapshot, real.files, real.report]).toEqual([dry.snapshot, dry.files, dry.report]);
  });

  it('touches nothing in a store that is in use', async () => {
    const site = await createSite();
    const first = await site.build();
    const before = photograph(site.store);
    const unchanged = await site.build({ dryRun: true });
    expect(unchanged).toMatchObject({ outcome: 'unchanged', snapshot: first.snapshot });
    expect(describeBuild(unchanged).at(-1)).toMatch(
      /^Without --dry-run: Nothing has changed: \S+ is still current \(3 products, 8 deals, /,
    );
    inAnotherCurrency(site);
    const refused = await site.build({ dryRun: true });
    expect(refused).toMatchObject({ outcome: 'refused', isDryRun: true });
    expect(describeBuild(refused)[0]).toMatch(
      /^Without --dry-run: Refused: currency, .* Nothing was published \(.* s\)\. The current snapshot is still /,
    );
    expect(photograph(site.store)).toEqual(before);
  });
});

describe('a build over a snapshot of a clock that was years ahead', () => {
  it('publishes the same content again, under the time of now', async () => {
    const site = await createSite();
    await site.build({ now: new Date('2031-01-01T02:30:00Z') });
    const { outcome, snapshot = '' } = await site.build();
    const { createdAt, sources } = readManifest(site.store, snapshot);
    expect([outcome, createdAt]).toEqual(['published', NOW.toISOString()]);
    expect(sources.map(({ unchangedSince }) => unchangedSince)).toEqual(sources.map(() => NOW.toISOString()));
    expect(await site.build()).toMatchObject({ outcome: 'unchanged' });
  });
});

describe('a damaged changes.json', () => {
  it('is found by a build that changes nothing, which publishes the same content again', async () => {
    const site = await createSite();
    const first = await site.build();
    writeFileSync(join(site.store, first.snapshot ?? '', 'changes.json'), '{}');
    const second = await site.build({ now: new Date(NOW.getTime() + 86_400_000) });
    expect(second.outcome).toBe('published');
    expect(verifySnapshot(site.store, second.snapshot ?? '')).toEqual([]);
    expect(await site.build({ now: new Date(NOW.getTime() + 90_000_000) })).toMatchObject({ outcome: 'unchanged' });
  });
});

describe('a pipe that no process writes to holds up no build', () => {
  const putPipe = (path: string): void => {
    rmSync(path, { recursive: true, force: true });
    execFileSync('mkfifo', [path]);
  };

  it.each(['deals.ndjson', 'report.json', 'changes.json', 'manifest.json', 'pictures.ndjson'])(
    'in the place of %s of the current snapshot',
    async (name) => {
      const site = await createSite();
      const { snapshot = '' } = await site.build();
      putPipe(join(site.store, snapshot, name));
      const { outcome } = await site.build({ now: new Date(NOW.getTime() + 60_000) });
      expect(['published', 'refused']).toContain(outcome);
    },
  );

  it('in the place of the pointer, of the lock or of the configuration', async () => {
    const site = await createSite();
    await site.build();
    for (const name of ['current.json', 'build.lock']) {
      rmSync(join(site.store, name));
      putPipe(join(site.store, name));
      await expect(site.build()).rejects.toThrow(name);
      rmSync(join(site.store, name));
    }
    putPipe(site.configPath);
    await expect(site.build()).rejects.toThrow('expected a file, got a pipe or a device');
  });

  it('in the place of the report of the last build or of a rendered picture', async () => {
    const site = await createPicturedSite();
    await site.build();
    putPipe(join(site.store, 'last-build.json'));
    const [picture = ''] = readdirSync(join(site.store, 'images'));
    putPipe(join(site.store, 'images', picture, 'renditions.json'));
    expect((await site.build()).outcome).toBe('unchanged');
  });
});

describe('a build that cannot be', () => {
  it('names a file in the place of a folder', async () => {
    const site = await createSite();
    writeFileSync(site.store, '');
    await expect(site.build()).rejects.toThrow(
      `EEXIST: file already exists, mkdir '${site.store}'; which snapshot is current cannot be read`,
    );
    rmSync(site.store);
    const pictures = join(site.store, 'images');
    mkdirSync(site.store);
    writeFileSync(pictures, '');
    await expect(site.build()).rejects.toThrow(`ENOTDIR: not a directory, scandir '${pictures}'`);
  });

  it('that is refused leaves the command that publishes it all the same, from any folder', async () => {
    const site = await createSite();
    await site.build();
    inAnotherCurrency(site);
    await site.build();
    const command = `deals build --config ${site.configPath} --accept currency`;
    expect(lastBuildOf(site.store).accept).toEqual([{ purpose: 'to publish all the same', command }]);
  });

  it('leaves a report of what stopped it, and the store free', async () => {
    const site = await createSite();
    mkdirSync(site.store, { recursive: true });
    writeFileSync(join(site.store, 'current.json'), '{');
    await expect(site.build()).rejects.toThrow('current.json');
    expect(lastBuildOf(site.store)).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('current.json'),
    });
    rmSync(join(site.store, 'current.json'));
    expect((await site.build()).outcome).toBe('published');
  });
});
