import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../../build/publish/verify.ts';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { formatNotice } from '../../../../build/report/describe-notice.ts';
import { NOTICES, type NoticeCode } from '../../../../data/report/notice.ts';
import { createLocationFormatter } from '../../../../data/report/source-location.ts';
import { countNotices, createSite, deal, HEADER, samplesOf, type Site } from './write-sources.ts';
import { readTable } from '../../../support/table.ts';

function edit(site: Site, path: string, change: (text: string) => string | Buffer): void {
  const file = join(site.folder, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** The findings of a code as a person reads them. */
function sentencesOf(result: BuildResult, code: NoticeCode): readonly string[] {
  return samplesOf(result, code).map((notice) => formatNotice(notice, createLocationFormatter(result.report.sources)));
}

/** Nothing disappears: what was read adds up, and quarantine.ndjson has a line for each record that is not served. */
function expectAccountsToBalance(result: BuildResult, store: string): void {
  let leftOut = 0;
  for (const { name, read, kept, duplicate, outOfScope, quarantined } of result.report.sources) {
    expect({ name, read }).toEqual({ name, read: kept + duplicate + outOfScope + quarantined });
    leftOut += duplicate + outOfScope + quarantined;
  }
  const lines = readFileSync(join(store, result.snapshot ?? '', 'quarantine.ndjson'), 'utf8')
    .split('\n')
    .slice(0, -1);
  expect(lines).toHaveLength(leftOut);
  expect(verifySnapshot(store, result.snapshot ?? '')).toEqual([]);
}

describe('a feed that cannot be read costs no other feed', () => {
  it.each<[string, NoticeCode, (site: Site) => void, string]>([
    [
      'no file',
      'source-missing',
      (site) => rmSync(join(site.folder, 'feeds/house/deals.csv')),
      'house: expected a file that matches feeds/house/*; put the file there, or mend `files` in the configuration',
    ],
    [
      'a second file of it that cannot be read',
      'missing-column',
      (site) => writeFileSync(join(site.folder, 'feeds/house/more.csv.gz'), 'not gzip'),
      'feeds/house/more.csv.gz:1: expected the columns "dealId"',
    ],
    [
      'a link out of its folder',
      'source-unreadable',
      (site) => {
        rmSync(join(site.folder, 'feeds/house/deals.csv'));
        symlinkSync('../night/deals.csv', join(site.folder, 'feeds/house/deals.csv'));
      },
      'feeds/house/deals.csv: expected a file in ',
    ],
  ])('%s', async (_, code, damage, message) => {
    const site = await createSite();
    damage(site);
    const result = await site.build();
    const [notice, ...others] = sentencesOf(result, code);
    expect(notice?.slice(0, message.length)).toBe(message);
    expect(others).toEqual([]);
    expect(NOTICES[code].outcome).toBe('source');
    expect(result).toMatchObject({ outcome: 'published', counts: { products: 3, deals: 4 } });
    expect(result.report.sources.map(({ name, state, kept }) => [name, state, kept])).toEqual([
      ['site', 'fresh', 10],
      ['house', code === 'source-missing' ? 'absent' : 'failed', 0],
      ['night', 'fresh', 4],
    ]);
    expectAccountsToBalance(result, site.store);
  });
});

/** A faulty record that is added to the sources, and what the report says of it. */
interface FaultyRecord {
  readonly name: string;
  readonly code: NoticeCode;
  readonly message: string;
  readonly house?: string;
  readonly products?: Record<string, unknown>;
  readonly giftCategories?: Record<string, unknown>;
  readonly productCount?: number;
}

describe('a faulty record costs no other record', () => {
  const rows = readTable<FaultyRecord>(import.meta.url, 'fixture/faulty-records.ndjson');

  it.each(rows)('$name', async ({ code, message, house, products, giftCategories, productCount = 3 }) => {
    const site = await createSite((sources) => {
      if (house !== undefined) sources.house.push(house);
      if (products !== undefined) sources.cms.products.push(products);
      if (giftCategories !== undefined) sources.cms.giftCategories.push(giftCategories);
    });
    const result = await site.build();
    expect(sentencesOf(result, code)).toEqual([message]);
    expect(Object.values(countNotices(result))).toEqual([1]);
    expect(result).toMatchObject({ outcome: 'published', counts: { products: productCount, deals: 8 } });
    expectAccountsToBalance(result, site.store);
  });

  it('two products with one id and condition are both left out, and so are their deals', async () => {
    const site = await createSite(({ cms }) => {
      cms.products.push({ id: '102', condition: 'new', name: 'Nova Other', slug: 'nova-other' });
    });
    const result = await site.build();
    expect(countNotices(result)).toEqual({
      'site duplicate-id': 2,
      'house unknown-product': 1,
      'night unknown-product': 2,
    });
    expect(sentencesOf(result, 'duplicate-id')).toEqual([
      'cms/site.json products (item 3) 102/new id: expected one record with this id; cms/site.json products (item 4) has it too, got "102/new"; give each its own id',
      'cms/site.json products (item 4) 102/new id: expected one record with this id; cms/site.json products (item 3) has it too, got "102/new"; give each its own id',
    ]);
    expect(result).toMatchObject({ outcome: 'published', counts: { products: 2, deals: 5 } });
    expectAccountsToBalance(result, site.store);
  });

  it('a line of a feed that should hold JSON and does not', async () => {
    const site = await createSite();
    const cells = deal('H-8', '102', 'new', 'phone-barn', '31.99').split(',');
    const sound = JSON.stringify(Object.fromEntries(HEADER.split(',').map((name, i) => [name, cells[i]])));
    writeFileSync(join(site.folder, 'feeds/house/more.ndjson'), `${sound}\n{"dealId":"H-9",\n`);
    const result = await site.build();
    expect(sentencesOf(result, 'malformed-record')).toEqual([
      'feeds/house/more.ndjson:2: expected a JSON object, got "{\\"dealId\\":\\"H-9\\","; mend the line in the source',
    ]);
    expect(result).toMatchObject({ outcome: 'published', counts: { products: 3, deals: 9 } });
    expectAccountsToBalance(result, site.store);
  });
});

describe('a CMS export that cannot be read', () => {
  it.each([
    ['is not JSON', '{"products": [', 'cms/site.json:1:15: expected the end of the list, "]", got the end of the file'],
    ['has another shape', '[]', 'cms/site.json: expected an object with any of products, '],
  ])('publishes no empty catalogue: %s', async (_, text, message) => {
    const site = await createSite();
    edit(site, 'cms/site.json', () => text);
    const result = await site.build();
    expect(sentencesOf(result, 'source-malformed')[0]?.slice(0, message.length)).toBe(message);
    expect(result).toMatchObject({ outcome: 'refused', counts: { products: 0, deals: 0 } });
    expect(result.report.gates).toContainEqual({
      gate: 'no-products',
      state: 'refused',
      detail: 'the catalogue has 0 products',
    });
  });

  it('costs no other export, and refuses the build until it is accepted', async () => {
    const site = await createSite(({ config }) => {
      config.cms = [
        { name: 'site', adapter: 'catalogue', files: ['cms/*.json'] },
        { name: 'blog', adapter: 'catalogue', files: ['blog/*.json'] },
        { name: 'more', adapter: 'catalogue', files: ['feeds/house/*.csv'] },
      ];
    });
    expect(await site.build()).toMatchObject({ outcome: 'refused' });
    const result = await site.build({ accept: ['unread:more'] });
    expect(result).toMatchObject({ outcome: 'published', counts: { products: 3, deals: 8 } });
    expect(result.report.sources.map(({ name, state }) => [name, state])).toEqual([
      ['site', 'fresh'],
      ['blog', 'absent'],
      ['more', 'failed'],
      ['house', 'fresh'],
      ['night', 'fresh'],
    ]);
  });
});
