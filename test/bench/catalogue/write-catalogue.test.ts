import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBuild } from '../../../build/run.ts';
import { loadSnapshot } from '../../../server/snapshot/load-snapshot.ts';
import { readCurrentId } from '../../../data/store/read-store.ts';
import { multiplySnapshot } from '../multiply-snapshot.ts';
import { FEEDS } from './market.ts';
import { createPhoneRange } from './phone-range.ts';
import { streamDealsFeed } from './deals-feed.ts';
import { writeCatalogue, type CatalogueOptions } from './write-catalogue.ts';

const NOW = new Date('2026-11-22T02:30:00Z');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deals-catalogue-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the catalogues of the bench', () => {
  it('are the same bytes whenever they are written', async () => {
    const first = await hashFolder(await write('first', 'deals'));
    const second = await hashFolder(await write('second', 'deals'));
    expect(second).toEqual(first);
    expect(first.size).toBeGreaterThan(FEEDS.length);
  });

  it('are served to the last deal: what is not is a colour, out of stock, or of an unknown network', async () => {
    const { outcome, counts, report } = await build(await write('house', 'deals'), 'house-store');
    expect(outcome).toBe('published');
    expect(counts).toEqual({ products: 20, deals: 200 });
    const feeds = report.sources.filter(({ name }) => name !== 'site');
    expect(sum(feeds.map(({ quarantined }) => quarantined))).toBeLessThan(5);
    expect(sum(feeds.map(({ duplicate }) => duplicate))).toBeGreaterThan(0);
  });

  it('match as Awin rows too, by edition', async () => {
    const { outcome, counts, report } = await build(await write('awin', 'awin'), 'awin-store');
    const awin = report.sources.find(({ name }) => name === 'awin');
    expect(outcome).toBe('published');
    expect(awin).toMatchObject({ read: 200, quarantined: 0 });
    expect(counts.deals).toBeGreaterThan(100);
  });

  it('change in one price of fifty from revision to revision, and in nothing else', () => {
    const [feed] = FEEDS;
    if (feed === undefined) throw new Error('expected a feed');
    const phones = createPhoneRange(20);
    // So many deals of so few phones that some are drawn twice.
    const linesOf = (revision: number) => [...streamDealsFeed(feed, phones, { seed: 3, offerCount: 20_000, revision })];
    const before = linesOf(0);
    const after = linesOf(1);
    const changedCount = before.filter((line, i) => line !== after[i]).length;
    expect(after).toHaveLength(before.length);
    expect(changedCount / before.length).toBeGreaterThan(0.015);
    expect(changedCount / before.length).toBeLessThan(0.025);
  });

  it('can be multiplied without a build', async () => {
    await build(await write('one', 'deals'), 'one-store');
    await multiplySnapshot(join(folder, 'one-store'), join(folder, 'three-store'), 3);
    const store = join(folder, 'three-store');
    const { index } = await loadSnapshot(store, await readCurrentId(store), { publicUrl: '' });
    expect(index.deals.rowCount).toBe(600);
    expect(index.products).toHaveLength(20);
  });
});

async function write(name: string, shape: CatalogueOptions['shape']): Promise<string> {
  const path = join(folder, name);
  await writeCatalogue({ folder: path, productCount: 20, dealCount: 200, shape });
  return path;
}

function build(source: string, store: string) {
  return runBuild({
    configPath: join(source, 'catalogue.json'),
    store: join(folder, store),
    now: NOW,
    dryRun: false,
    accept: [],
  });
}

async function hashFolder(path: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hashes = new Map<string, string>();
  for (const file of files.sort()) {
    hashes.set(
      file.slice(path.length),
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    );
  }
  return hashes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
