import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UnpackedImages } from '../../../build/cms/adapter.ts';
import { Ledger } from '../../../build/ledger/ledger.ts';
import { readCms } from '../../../build/read-source.ts';
import { readWith } from './feed/reading.ts';
import { writeSources } from './write-sources.ts';

const HEADER =
  'dealId,productId,retailer,network,contractName,contractMonths,dataGb,callMinutes,textMessages,upfrontCost,monthlyCost,dealLink,inStock';

function exportOf(id: string): string {
  return JSON.stringify({ gifts: [{ id, name: `Gift ${id}`, slug: `gift-${id}` }] });
}

function dealRow(id: string, inStock = 'true'): string {
  return `${id},101,house,o2,Plan,24,5,unlimited,unlimited,0,30,https://x.example/${id},${inStock}`;
}

describe('reading the CMS', () => {
  it('adds the files of all sources up, by code unit of their paths', async () => {
    const files = { 'a/2.json': exportOf('2'), 'a/1.json.gz': gzipSync(exportOf('1')), 'b/3.json': exportOf('3') };
    const cms = [
      { name: 'site', adapter: 'catalogue', files: ['a/*'] },
      { name: 'shop', adapter: 'catalogue', files: ['b/*'] },
    ];
    const ledger = new Ledger();
    const { records, states } = await readCms(await writeSources(files, { cms }), new UnpackedImages(), ledger);
    expect(records.gifts.map(({ record, origin }) => [record.id, origin.source, origin.file])).toEqual([
      ['1', 'site', 'a/1.json.gz'],
      ['2', 'site', 'a/2.json'],
      ['3', 'shop', 'b/3.json'],
    ]);
    const read = [{ path: 'a/1.json.gz' }, { path: 'a/2.json' }];
    expect(states).toMatchObject([
      { name: 'site', kind: 'cms', adapter: 'catalogue', state: 'fresh', files: read },
      { name: 'shop', state: 'fresh' },
    ]);
    expect(ledger.account('site').read).toBe(2);
  });
});

describe('reading a feed', () => {
  it('yields its deals and enters the rest', async () => {
    const csv = `${HEADER}\n${dealRow('H-1')}\n${dealRow('H-2', 'false')}\n`;
    const files = { 'feed-a.csv': csv, 'feed-b.csv.gz': gzipSync(`${HEADER}\n${dealRow('H-3')}\n`) };
    const { items, account, state } = await readWith({ adapter: 'deals' }, files);
    expect(items.map(({ deal, origin }) => [deal.key, origin.file, origin.line])).toEqual([
      ['H-1', 'feed-a.csv', 2],
      ['H-3', 'feed-b.csv.gz', 2],
    ]);
    expect(account).toMatchObject({ read: 3, kept: 2, outOfScope: 1 });
    const sha256 = createHash('sha256').update(csv).digest('hex');
    expect(state).toMatchObject({
      name: 'feed',
      kind: 'feed',
      adapter: 'deals',
      state: 'fresh',
      files: [{ path: 'feed-a.csv', bytes: Buffer.byteLength(csv), sha256 }, { path: 'feed-b.csv.gz' }],
    });
  });

  it('fails as a whole, and leaves nothing but the error in the ledger', async () => {
    const { account, notices, state } = await readWith(
      { adapter: 'deals' },
      {
        'feed-a.csv': `${HEADER},colour\n${dealRow('H-1')},\n${dealRow('H-2', 'false')},\n`,
        'feed-b.csv': `${HEADER}\n${dealRow('H-3')}\n"open,1\n`,
      },
    );
    expect(state).toMatchObject({ state: 'failed', files: [{ path: 'feed-a.csv' }] });
    expect(account).toEqual({ read: 0, kept: 0, duplicate: 0, outOfScope: 0, quarantined: 0 });
    expect(notices).toMatchObject([
      { code: 'unknown-column' },
      { code: 'source-malformed', file: 'feed-b.csv', line: 3 },
    ]);
  });
});
