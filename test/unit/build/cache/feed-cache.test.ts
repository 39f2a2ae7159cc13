import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CacheFileReader } from '../../../../build/cache/cache-file.ts';
import { FeedCache } from '../../../../build/cache/feed-cache.ts';
import { readConfig } from '../../../../build/config/config.ts';
import { NUMBER_COLUMNS } from '../../../../build/join/deal-table.ts';
import { createSite, deal, NOW, type Site, type Sources } from '../run/write-sources.ts';
import { buildReusing as build, editJson, readStore } from './build-reusing.ts';

const NIGHT_MS = 24 * 3_600_000;
const FEEDS = ['house', 'night'] as const;

/** Of every kind something: what is left out and why, what is noted, what only time leaves out, what repeats. */
function change(sources: Sources): void {
  sources.config.gates = { maxQuarantined: 1, maxDuplicateGain: 1, maxLostDeals: 1, minRows: 4 };
  sources.config.exclude = [
    { deal: 'H-2', reason: 'typed wrong' },
    { deal: 'H-77', reason: 'nowhere to be found' },
    { deal: 'N-4', reason: 'until the end of the month', until: '2026-11-21' },
  ];
  const [header = '', ...rows] = sources.house;
  const first = rows[0] ?? '';
  const valid = (row: string, from = '', to = '', colour = '') => `${row},${from},${to},${colour}`;
  sources.house.splice(
    0,
    sources.house.length,
    `${header},validFrom,validTo,colourOfBox`,
    ...rows.map((row) => valid(row)),
    valid(first.replaceAll('H-1', 'H-5').replace('29.99', '31.99'), '', '2026-11-20'),
    valid(first.replaceAll('H-1', 'H-6').replace('29.99', '32.99'), '2026-11-22'),
    valid(first.replaceAll('H-1', 'H-7').replace('29.99', '£')),
    valid(first.replaceAll('H-1', 'H-8').replace('29.99', '33.99').replace('new,phone-barn', 'new,Žabka €')),
    valid(first.replaceAll('H-1', 'H-9€').replace('29.99', '34.49')),
    valid(first.replaceAll('H-1', 'H-10')),
    valid(deal('H-11', '101', 'new', 'phone-barn', '35.99', 'Headphones of a friend')),
    valid(first),
    valid(first.replaceAll('H-1', 'H-12').replace('101', '999')),
  );
}

interface Step {
  readonly change: string;
  /** Nights since the first build. */
  readonly night?: number;
  readonly reused: readonly string[];
  readonly make?: (site: Site) => void;
}

const editCms = (edit: (cms: Sources['cms']) => unknown) => (site: Site) => editJson(site, 'cms/site.json', edit);
const editConfig = (edit: (config: { feeds: object[] }) => unknown) => (site: Site) =>
  editJson(site, 'catalogue.json', edit);

const STEPS: readonly Step[] = [
  { change: 'nothing has changed', reused: FEEDS },
  { change: 'a line of one feed has changed', reused: ['night'], make: (site) => appendDeal(site, 'house', 'H-20,,') },
  {
    change: 'a file of a feed has another name',
    reused: ['house'],
    make: (site) => {
      const path = join(site.folder, 'feeds/night/deals.csv');
      writeFileSync(join(site.folder, 'feeds/night/other.csv'), readFileSync(path));
      rmSync(path);
    },
  },
  {
    change: 'an editor has written another text',
    reused: FEEDS,
    make: editCms(({ products }) =>
      Object.assign(products[0] ?? {}, { content: { heading: 'New' }, specs: { os: 'Nine' } }),
    ),
  },
  {
    change: 'a product has another name',
    reused: [],
    make: editCms(({ products }) => Object.assign(products[0] ?? {}, { name: 'Nova 1' })),
  },
  {
    change: 'there is a product more, before the others',
    reused: [],
    make: editCms(({ products }) => products.push({ id: '50', condition: 'new', name: 'Ilk', slug: 'ilk' })),
  },
  {
    change: 'the CMS has a product that is a draft',
    reused: [],
    make: editCms(({ products }) =>
      products.push({ id: '51', condition: 'new', name: 'Elk', slug: 'elk', status: 'draft' }),
    ),
  },
  {
    change: 'the draft has another text, and another line',
    reused: FEEDS,
    make: editCms(({ products }) =>
      products.unshift(Object.assign(products.pop() as never, { content: { heading: 'Elk' } })),
    ),
  },
  {
    change: 'a gift has another name in feeds',
    reused: [],
    make: editCms(({ gifts }) => Object.assign(gifts[0] ?? {}, { matches: { names: ['Headphones of a friend'] } })),
  },
  {
    change: 'the rules about money have changed',
    reused: [],
    make: editConfig((config) => Object.assign(config, { money: { maxMonthlyCost: 40 } })),
  },
  {
    change: 'the settings of one feed have changed',
    reused: ['house'],
    make: editConfig(({ feeds }) => Object.assign(feeds[1] ?? {}, { missingAllowance: 'unlimited' })),
  },
  { change: 'a deal is over and a line of `exclude` has ended', night: 2, reused: [] },
  { change: 'a night has gone by', night: 3, reused: FEEDS },
  { change: 'nights have gone by in which nothing begins or ends', night: 9, reused: FEEDS },
];

function appendDeal(site: Site, feed: string, suffix: string): void {
  const row = deal(suffix.split(',')[0] ?? '', '102', 'new', 'phone-barn', '40.00');
  appendFileSync(join(site.folder, `feeds/${feed}/deals.csv`), `${row},,,\n`);
}

describe('a build that reuses work of the build before', () => {
  it('gives the bytes of one that does not, regardless of what has changed', async () => {
    const site = await createSite(change);
    const control = `${site.store}-control`;
    await build(site, NOW);
    await build(site, NOW, control);
    expect(readStore(site.store)).toEqual(readStore(control));
    for (const { change: changed, night = 0, reused, make } of STEPS) {
      make?.(site);
      const now = new Date(NOW.getTime() + night * NIGHT_MS);
      rmSync(join(control, 'cache'), { recursive: true });
      const withCache = await build(site, now);
      expect([changed, withCache.reused, withCache.result.warnings]).toEqual([changed, reused, []]);
      expect((await build(site, now, control)).reused).toEqual([]);
      expect([changed, readStore(site.store)]).toEqual([changed, readStore(control)]);
    }
  }, 120_000);

  it.each(['code', 'joining', 'currency'])('reuses nothing that was made under another %s', async (circumstance) => {
    const site = await createSite();
    await build(site, NOW);
    const { feed, ...circumstances } = readKey(join(site.store, 'cache/house.deals'));
    const house = (await readConfig(site.configPath)).feeds.find(({ name }) => name === 'house');
    if (house === undefined) throw new Error('expected a feed called house');
    expect(feed).toEqual(house);
    const find = (changes: Readonly<Record<string, string>>) =>
      new FeedCache({
        store: site.store,
        configFolder: site.folder,
        now: NOW,
        keyParts: { ...circumstances, ...changes },
        isReadOnly: true,
      }).find(house);
    expect((await find({}))?.load()?.readCount).toBe(4);
    expect(await find({ [circumstance]: 'another' })).toBeUndefined();
  });
});

describe('what is kept for the next build', () => {
  it.each([
    ['is cut short', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['is cut to nothing', () => Buffer.alloc(0)],
    ['is something else', () => Buffer.from('deals\n'.repeat(100))],
    ['has another byte at its beginning', (bytes: Buffer) => flip(bytes, 0)],
    ['has another byte in its middle', (bytes: Buffer) => flip(bytes, bytes.length >> 1)],
    ['has another byte in its index', (bytes: Buffer) => flip(bytes, bytes.length - 60)],
    ['has another hash', (bytes: Buffer) => flip(bytes, bytes.length - 1)],
    ['has a byte more', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
    ['has other prices, and a hash that fits them', forge],
  ])('is not used when it %s', async (_, damage) => {
    const site = await createSite(change);
    await build(site, NOW);
    const before = readStore(site.store);
    const path = join(site.store, 'cache/house.deals');
    writeFileSync(path, damage(readFileSync(path)));
    const { result, reused } = await build(site, NOW);
    expect(reused).toEqual(['night']);
    expect(result.warnings).toEqual(['cache/house.deals is not what was written, so house was read from its files']);
    expect({ ...readStore(site.store), 'last-build.json': '' }).toEqual({ ...before, 'last-build.json': '' });
    expect((await build(site, NOW)).reused).toEqual(FEEDS);
  });

  it('may be deleted', async () => {
    const site = await createSite();
    await build(site, NOW);
    rmSync(join(site.store, 'cache'), { recursive: true });
    expect((await build(site, NOW)).reused).toEqual([]);
    expect((await build(site, NOW)).reused).toEqual(FEEDS);
  });

  it('is bound to the store by a key that its owner alone may read, and without it all feeds are read again', async () => {
    const site = await createSite();
    const path = join(site.store, 'cache.key');
    const damages: readonly ((key: string) => void)[] = [
      rmSync,
      (key) => writeFileSync(key, 'half'),
      (key) => {
        rmSync(key);
        spawnSync('mkfifo', [key]);
      },
    ];
    await build(site, NOW);
    for (const damage of damages) {
      expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
      damage(path);
      await site.build({ dryRun: true });
      const { result, reused } = await build(site, NOW);
      expect({ reused, warnings: result.warnings }).toEqual({ reused: [], warnings: [] });
      expect((await build(site, NOW)).reused).toEqual(FEEDS);
    }
  });

  it('is not waited for where a pipe has its place', async () => {
    const site = await createSite();
    await build(site, NOW);
    const path = join(site.store, 'cache/house.deals');
    rmSync(path);
    spawnSync('mkfifo', [path]);
    const { result, reused } = await build(site, NOW);
    expect(reused).toEqual(['night']);
    expect(result.warnings).toEqual(['cache/house.deals is not what was written, so house was read from its files']);
    expect(readFileSync(path).length).toBeGreaterThan(0);
  });

  it('goes when its feed is configured no more, with what a killed build left', async () => {
    const site = await createSite((sources) => {
      sources.config.gates = { maxLostDeals: 1, maxLostProducts: 1 };
    });
    await build(site, NOW);
    writeFileSync(join(site.store, 'cache/.new-0123456789abcdef'), 'half');
    editJson(site, 'catalogue.json', (config: { feeds: object[] }) => config.feeds.pop());
    await site.build({ accept: ['lost-deals', 'required-source'] }).catch(() => undefined);
    expect(readdirSync(join(site.store, 'cache'))).toEqual(['house.deals']);
  });

  it('does not keep a build from publishing when it cannot be written, and that is said once', async () => {
    const site = await createSite();
    mkdirSync(site.store, { recursive: true });
    // No folder can be made where a file is.
    writeFileSync(join(site.store, 'cache'), '');
    const { result } = await build(site, NOW);
    expect(result.outcome).toBe('published');
    expect(result.warnings).toEqual([
      expect.stringMatching(/^what was read of the feeds could not be kept for the next build: /),
    ]);
  });

  it('is read by a dry run and not written', async () => {
    const site = await createSite();
    await build(site, NOW);
    const path = join(site.store, 'cache/house.deals');
    const { ino, mtimeMs } = statSync(path);
    appendDeal(site, 'night', 'N-20,');
    appendFileSync(
      join(site.folder, 'feeds/house/deals.csv'),
      `${deal('H-30', '102', 'new', 'phone-barn', '41.00')}\n`,
    );
    await site.build({ dryRun: true });
    expect(statSync(path)).toMatchObject({ ino, mtimeMs });
  });

  it('is not made of a feed that breaks off', async () => {
    const site = await createSite();
    appendFileSync(join(site.folder, 'feeds/house/deals.csv'), '"H-40');
    await build(site, NOW);
    expect(readdirSync(join(site.store, 'cache'))).toEqual(['night.deals']);
  });
});

function readKey(path: string): Record<string, string> {
  const { head } = new CacheFileReader(openSync(path, 'r'), Buffer.alloc(0));
  return JSON.parse((head as { key: string }).key) as Record<string, string>;
}

/** Another total cost of the first deal, and the hash of all bytes before the trailer, as one who knows the format has them. */
function forge(bytes: Buffer): Buffer {
  const trailer = bytes.subarray(-44, -32);
  const index = bytes.subarray(-44 - trailer.readUInt32LE(8), -44).toString('utf8');
  const { lengths } = JSON.parse(index) as { lengths: number[] };
  const position = (lengths[0] ?? 0) * NUMBER_COLUMNS.indexOf('totalPence');
  const body = flip(bytes, position).subarray(0, -44);
  return Buffer.concat([body, trailer, createHash('sha256').update(body).digest()]);
}

function flip(bytes: Buffer, position: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[position] = (flipped[position] ?? 0) ^ 1;
  return flipped;
}
