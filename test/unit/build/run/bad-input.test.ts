import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../../build/publish/verify.ts';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { createNoticeFormatter } from '../../../../build/report/describe-build.ts';
import { ConfigError } from '../../../../build/source/errors.ts';
import { NOTICES, type NoticeCode } from '../../../../data/report/notice.ts';
import { createLocationFormatter } from '../../../../data/report/source-location.ts';
import { countNotices, createSite, deal, HEADER, samplesOf, type Site, type Sources } from './write-sources.ts';

function edit(site: Site, path: string, change: (text: string) => string | Buffer): void {
  const file = join(site.folder, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** The findings of a code as a person reads them. */
function sentencesOf(result: BuildResult, code: NoticeCode): readonly string[] {
  return samplesOf(result, code).map(createNoticeFormatter(createLocationFormatter(result.report.sources)));
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
      'a gzip file cut short',
      'source-malformed',
      (site) => {
        const file = join(site.folder, 'feeds/house/deals.csv');
        const packed = gzipSync(readFileSync(file));
        rmSync(file);
        writeFileSync(`${file}.gz`, packed.subarray(0, packed.length - 20));
      },
      'feeds/house/deals.csv.gz: expected the rest of the packed file, got its end; fetch it again',
    ],
    [
      'a second file of it that cannot be read',
      'missing-column',
      (site) => writeFileSync(join(site.folder, 'feeds/house/more.csv.gz'), 'not gzip'),
      'feeds/house/more.csv.gz:1: expected the columns dealId, ',
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
    [
      'a quote that is never closed',
      'source-malformed',
      (site) => edit(site, 'feeds/house/deals.csv', (text) => text.replace('H-2,', '"H-2,')),
      'feeds/house/deals.csv:3: expected every quoted cell of the row to end in a quote and a comma or line end, got a quote that stays open',
    ],
    [
      'a page of HTML in its place',
      'source-malformed',
      (site) => edit(site, 'feeds/house/deals.csv', () => '<html><body>Not found</body></html>\n'),
      'feeds/house/deals.csv:1: expected a row that names the columns, got an HTML page, "<html><body>Not found',
    ],
    [
      'an empty file',
      'source-malformed',
      (site) => edit(site, 'feeds/house/deals.csv', () => ''),
      'feeds/house/deals.csv:1: expected a row that names the columns, got an empty file',
    ],
    [
      'a missing column',
      'missing-column',
      (site) => edit(site, 'feeds/house/deals.csv', (text) => text.replace('monthlyCost', 'monthly')),
      'feeds/house/deals.csv:1: expected the columns monthlyCost (perhaps "monthly"), got ',
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

describe('a faulty record costs no other record', () => {
  it.each<[string, NoticeCode, (sources: Sources) => void, string, number?]>([
    [
      'a row with a cell too many',
      'column-count',
      ({ house }) => house.push(`${deal('H-5', '101', 'new', 'phone-barn', '30.00')},extra`),
      'feeds/house/deals.csv:6: expected 14 cells, got "15 cells"; look for a stray delimiter or quote in the row',
    ],
    [
      'a negative price',
      'negative-money',
      ({ house }) => house.push(deal('H-5', '101', 'new', 'phone-barn', '-1.00')),
      'feeds/house/deals.csv:6 H-5 monthlyCost: expected zero or more, got "-1.00"; tell the feed',
    ],
    [
      'a price with a currency sign',
      'malformed-field',
      ({ house }) => house.push(deal('H-5', '101', 'new', 'phone-barn', '£30')),
      'feeds/house/deals.csv:6 H-5 monthlyCost: expected an amount such as 29.99, got "£30"; correct the field in the source',
    ],
    [
      'an unknown product',
      'unknown-product',
      ({ house }) => house.push(deal('H-5', '999', 'new', 'phone-barn', '30.00')),
      'feeds/house/deals.csv:6 H-5 productId: expected the id of a product, got "999"; add product 999/new to the CMS, or correct the id in the feed',
    ],
    [
      'an unknown network',
      'unknown-network',
      ({ house }) => house.push(deal('H-5', '101', 'new', 'phone-barn', '30.00').replace('aurora', 'austral')),
      'feeds/house/deals.csv:6 H-5 network: expected one of "Aurora", "Borealis", got "austral"; add "aliases": ["austral"] to the right network, or add the network',
    ],
    [
      'an unknown retailer',
      'unknown-retailer',
      ({ house }) => house.push(deal('H-5', '101', 'new', 'phone-bran', '30.00')),
      'feeds/house/deals.csv:6 H-5 retailer: expected one of "Phone Barn", "Night Owl", got "phone-bran"; add "aliases": ["phone-bran"] to the right retailer, or add the retailer',
    ],
    [
      'a gift id that is not there',
      'unknown-gift',
      ({ house }) => house.push(deal('H-5', '101', 'new', 'phone-barn', '30.00', '99')),
      'feeds/house/deals.csv:6 H-5 gift: the gift is an id that the catalogue does not have, got "99"; add the gift, or correct the id',
    ],
    [
      'a script for a link',
      'malformed-field',
      ({ house }) =>
        house.push(deal('H-5', '101', 'new', 'phone-barn', '30.00').replace('https://shop.example/', 'javascript:')),
      'feeds/house/deals.csv:6 H-5 dealLink: expected an http or https URL, got "javascript:H-5"; correct the field in the source',
    ],
    [
      'a deal id used twice',
      'duplicate-id',
      ({ house }) => house.push(deal('H-1', '102', 'new', 'phone-barn', '31.00')),
      'feeds/house/deals.csv:6 H-1 dealId: expected one deal with this id of the retailer; feeds/house/deals.csv:2 has it too, got "H-1"; give each its own id',
    ],
    [
      'a deal that differs from another only in its id and link',
      'duplicate-deal',
      ({ house }) => house.push(deal('H-9', '101', 'new', 'phone-barn', '29.99')),
      'feeds/house/deals.csv:6 H-9: the deal differs from another of the product only in id, link, picture or colour, got "H-1"; nothing needs to be done: the one with the lowest key is served',
    ],
    [
      'a product without a name',
      'missing-field',
      ({ cms }) => cms.products.push({ id: '103', condition: 'new', slug: 'x' }),
      'cms/site.json products (item 4) 103/new name: expected a text; fill the field in the source',
    ],
    [
      'a product that is a draft',
      'unpublished',
      ({ cms }) => cms.products.push({ id: '103', condition: 'new', name: 'X', slug: 'x', status: 'draft' }),
      'cms/site.json products (item 4) 103/new status: expected published, got "draft"; publish it there when it is ready',
    ],
    [
      'a gift category that names a gift that is not there',
      'dead-reference',
      ({ cms }) => cms.giftCategories.push({ id: '4', name: 'Other', slug: 'other', gifts: ['7', '99'] }),
      'cms/site.json giftCategories (item 2) 4 gifts: expected the id of a published gift, got "99"; correct the list, or publish the gift',
    ],
    [
      'a product whose picture is missing',
      'missing-picture',
      ({ cms }) =>
        cms.products.push({ id: '103', condition: 'new', name: 'X', slug: 'x', images: { front: 'images/none.png' } }),
      'cms/site.json products (item 4) 103/new images.front: expected the path of a file, got "images/none.png"; put the file there, or correct the path',
      4,
    ],
    [
      'a product whose picture is no picture',
      'unreadable-picture',
      ({ cms }) =>
        cms.products.push({ id: '103', condition: 'new', name: 'X', slug: 'x', images: { front: 'site.json' } }),
      'cms/site.json products (item 4) 103/new images.front: expected a PNG, JPEG, WebP, GIF, TIFF or AVIF picture of at most 50 megapixels, got "site.json: Input buffer contains unsupported image format"; save the picture again as PNG, JPEG or WebP',
      4,
    ],
  ])('%s', async (_, code, change, message, productCount = 3) => {
    const site = await createSite(change);
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
    ['is not JSON', '{"products": [', 'cms/site.json:1:15: expected a value, got the end of the file'],
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
    const result = await site.build({ accept: ['required-source:more'] });
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

describe('a broken configuration ends the build before it reads anything', () => {
  it.each([
    ['{', ':1:2: expected a key in double quotes, got the end of the file'],
    ['{}', ': cms: expected a list, got nothing'],
    [
      '{"cms":[{"name":"site","adapter":"catalogue","files":["cms/*.json"]}],"feedz":[]}',
      ': feedz: unknown key; did you mean "feeds"?',
    ],
  ])('%s', async (text, message) => {
    const site = await createSite();
    edit(site, 'catalogue.json', () => text);
    await expect(site.build()).rejects.toThrow(new ConfigError([`${site.configPath}${message}`]));
  });
});
