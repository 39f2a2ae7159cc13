import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UnpackedImages } from '../../../build/cms/adapter.ts';
import type { FeedDeal } from '../../../build/feed/feed-checks.ts';
import { keepEvery } from '../../../build/check.ts';
import { readCms } from '../../../build/read-cms.ts';
import { readFeed } from '../../../build/read-feed.ts';
import type { CmsSourceConfig, FeedConfig } from '../../../build/registry.ts';
import { Ledger } from '../../../build/ledger/ledger.ts';
import { NOW } from './feed/reading.ts';

type Files = Readonly<Record<string, string | Buffer>>;

async function writeFolder(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deals-sources-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

function cmsSource(name: string, ...files: string[]): CmsSourceConfig {
  return { name, adapter: 'catalogue', files, required: false, maxMegabytes: 1 };
}

function exportOf(...ids: string[]): string {
  return JSON.stringify({ gifts: ids.map((id) => ({ id, name: `Gift ${id}`, slug: `gift-${id}` })) });
}

const HEADER =
  'dealId,productId,retailer,network,contractName,contractMonths,dataGb,callMinutes,textMessages,upfrontCost,monthlyCost,dealLink,inStock';

function dealRow(id: string, inStock = 'true'): string {
  return `${id},101,house,o2,Plan,24,5,unlimited,unlimited,0,30,https://x.example/${id},${inStock}`;
}

type FeedSettings =
  | Partial<Extract<FeedConfig, { adapter: 'deals' }>>
  | Pick<Extract<FeedConfig, { adapter: 'awin' }>, 'adapter' | 'merchants'>;

async function readFeedFrom(files: Files, settings: FeedSettings = {}) {
  const folder = await writeFolder(files);
  const feed: FeedConfig = {
    name: 'house',
    adapter: 'deals',
    files: ['feeds/*'],
    required: false,
    maxMegabytes: 1,
    missingAllowance: 'quarantine',
    conditionWords: 'quarantine',
    ...settings,
  };
  const ledger = new Ledger();
  const deals: FeedDeal[] = [];
  const taker = { ...keepEvery('house', ledger), add: (deal: FeedDeal) => deals.push(deal) };
  const state = await readFeed(feed, taker, { folder, now: NOW, currency: 'GBP', ledger });
  return { ledger, deals, state };
}

describe('reading the CMS', () => {
  it('adds the files of all sources up, by code unit of their paths', async () => {
    const folder = await writeFolder({
      'a/2.json': exportOf('2'),
      'a/1.json.gz': gzipSync(exportOf('1')),
      'b/3.json': exportOf('3'),
    });
    const ledger = new Ledger();
    const { records, states } = await readCms(
      { folder, cms: [cmsSource('site', 'a/*'), cmsSource('shop', 'b/*')] },
      new UnpackedImages(),
      ledger,
    );
    expect(records.gifts.map(({ record, origin }) => [record.id, origin.source, origin.file])).toEqual([
      ['1', 'site', 'a/1.json.gz'],
      ['2', 'site', 'a/2.json'],
      ['3', 'shop', 'b/3.json'],
    ]);
    expect(states).toMatchObject([
      {
        name: 'site',
        kind: 'cms',
        adapter: 'catalogue',
        state: 'fresh',
        files: [{ path: 'a/1.json.gz' }, { path: 'a/2.json' }],
      },
      { name: 'shop', state: 'fresh' },
    ]);
    expect(ledger.account('site').read).toBe(2);
  });

  it('enters what is left out', async () => {
    const folder = await writeFolder({
      'a.json': '{"gifts":[{"id":"1","name":"X","slug":"x","status":"draft"},{"id":"2"}],"gift":[]}',
    });
    const ledger = new Ledger();
    await readCms({ folder, cms: [cmsSource('site', 'a.json')] }, new UnpackedImages(), ledger);
    expect(ledger.account('site')).toMatchObject({ read: 2, outOfScope: 1, quarantined: 1 });
    expect(ledger.notices.map(({ code }) => code).toSorted()).toEqual(['missing-field', 'unknown-key', 'unpublished']);
    ledger.check();
  });
});

describe('reading a feed', () => {
  it('yields its deals and enters the rest', async () => {
    const csv = `${HEADER}\n${dealRow('H-1')}\n${dealRow('H-2', 'false')}\n`;
    const { ledger, deals, state } = await readFeedFrom({
      'feeds/a.csv': csv,
      'feeds/b.csv.gz': gzipSync(`${HEADER}\n${dealRow('H-3')}\n`),
    });
    expect(deals.map(({ deal, origin }) => [deal.key, origin.file, origin.line])).toEqual([
      ['H-1', 'feeds/a.csv', 2],
      ['H-3', 'feeds/b.csv.gz', 2],
    ]);
    expect(ledger.account('house')).toMatchObject({ read: 3, kept: 0, outOfScope: 1 });
    expect(state).toMatchObject({
      name: 'house',
      kind: 'feed',
      adapter: 'deals',
      state: 'fresh',
      files: [
        { path: 'feeds/a.csv', bytes: Buffer.byteLength(csv), sha256: createHash('sha256').update(csv).digest('hex') },
        { path: 'feeds/b.csv.gz' },
      ],
    });
  });

  it('fails as a whole, and leaves nothing but the error in the ledger', async () => {
    const { ledger, state } = await readFeedFrom({
      'feeds/a.csv': `${HEADER},colour\n${dealRow('H-1')},\n${dealRow('H-2', 'false')},\n`,
      'feeds/b.csv': `${HEADER}\n${dealRow('H-3')}\n"open,1\n`,
    });
    expect(state).toMatchObject({ state: 'failed', files: [{ path: 'feeds/a.csv' }] });
    expect(ledger.account('house')).toEqual({ read: 0, kept: 0, duplicate: 0, outOfScope: 0, quarantined: 0 });
    expect(ledger.notices).toMatchObject([
      { code: 'unknown-column' },
      { code: 'source-malformed', file: 'feeds/b.csv', line: 3 },
    ]);
  });
});
