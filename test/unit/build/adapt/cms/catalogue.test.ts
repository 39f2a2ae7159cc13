import { describe, expect, it } from 'vitest';
import type { CmsExport } from '../../../../../build/adapt/cms/adapter.ts';
import { readCatalogue } from '../../../../../build/adapt/cms/catalogue.ts';
import { createNoticeFormatter, formatNotice } from '../../../../../build/report/describe-build.ts';
import { createLocationFormatter } from '../../../../../data/report/source-location.ts';
import { memoryFile } from '../../source/memory-file.ts';

const PRODUCT = { id: '101', condition: 'new', name: 'Nokia X', slug: 'nokia-x' };
const GIFT = { id: '7', name: 'Earbuds', slug: 'earbuds' };

function read(value: unknown): Promise<CmsExport> {
  return readCatalogue(memoryFile(typeof value === 'string' ? value : JSON.stringify(value)));
}

describe('the catalogue adapter', () => {
  it('reads every list, with the position of each record', async () => {
    const file = await read({
      products: [PRODUCT, { ...PRODUCT, condition: 'refurbished', specs: { os: 'Android 14', '4g': 'Yes' } }],
      giftCategories: [{ id: '3', name: 'Audio', slug: 'audio', gifts: ['7'] }],
      gifts: [GIFT],
      networks: [{ id: '21', name: 'O2', slug: 'o2', aliases: ['O2 UK'] }],
      retailers: [{ id: '3235', name: 'House', slug: 'house' }],
      manufacturers: [{ slug: 'nokia', name: 'Nokia' }],
    });
    expect(file).toMatchObject({
      readCount: 7,
      excluded: [],
      notices: [],
      records: {
        products: [
          { record: { ...PRODUCT, status: 'published' }, origin: { source: 'feed', file: 'feed.csv', line: 1 } },
          { record: { specs: { os: 'Android 14', '4g': 'Yes' } }, origin: { line: 2 } },
        ],
        giftCategories: [{ record: { gifts: ['7'] } }],
        gifts: [{ record: GIFT }],
        networks: [{ record: { aliases: ['O2 UK'] } }],
        retailers: [{ record: { aliases: [] } }],
        manufacturers: [{ record: { slug: 'nokia', name: 'Nokia' } }],
      },
    });
  });

  it.each([
    [{}, 0],
    [{ gifts: [] }, 0],
  ])('reads %j, which has no records', async (value, readCount) => {
    expect((await read(value)).readCount).toBe(readCount);
  });

  it.each([
    [{ id: 10.5 }, 'malformed-field', 'id', 'a text', '10.5', '10.5/new'],
    [
      { id: '0101' },
      'malformed-field',
      'id',
      'decimal digits without a leading zero, such as "101"',
      '0101',
      '0101/new',
    ],
    [{ id: undefined }, 'missing-field', 'id', 'a text', undefined, undefined],
    [{ id: null }, 'missing-field', 'id', 'a text', undefined, 'null/new'],
    [{ condition: 'used' }, 'malformed-field', 'condition', '"new" or "refurbished"', 'used', '101/used'],
    [{ name: ' ' }, 'malformed-field', 'name', 'a text that is not empty', '', '101/new'],
    [
      { slug: 'Nokia X' },
      'malformed-field',
      'slug',
      'a lower-case URL-safe text with at least one letter, such as "google-pixel-9"',
      'Nokia X',
      '101/new',
    ],
    [{ specs: { os: 14 } }, 'malformed-field', 'specs.os', 'a text', '14', '101/new'],
    [{ specs: 'Android' }, 'malformed-field', 'specs', 'an object', 'Android', '101/new'],
    [
      { imageUrls: { largeFrontImageWebp: 'ftp://x' } },
      'malformed-field',
      'imageUrls.largeFrontImageWebp',
      'an http or https URL',
      'ftp://x',
      '101/new',
    ],
    [{ matches: { gtins: ['12'] } }, 'malformed-field', 'matches.gtins[0]', '8 to 14 digits', '12', '101/new'],
    [
      { matches: { feedIds: { awin: '4511' } } },
      'malformed-field',
      'matches.feedIds.awin',
      'a list',
      '4511',
      '101/new',
    ],
  ])('quarantines a product with %j', async (change, code, field, expected, found, record) => {
    const file = await read({ products: [PRODUCT, { ...PRODUCT, ...change }] });
    expect(file.records.products).toHaveLength(1);
    expect(file.excluded).toHaveLength(1);
    expect(file.excluded[0]).toMatchObject({ code, field, expected, source: 'feed', file: 'feed.csv', line: 2 });
    expect(file.excluded[0]?.found).toBe(found);
    expect(file.excluded[0]?.record).toBe(record);
  });

  it.each([
    [{ name: 4 }, 'name: expected a text, got 4; put it in quotes: "4"'],
    [{ id: 4.5 }, 'id: expected a text, got 4.5; correct the field in the source'],
    [{ id: 2 ** 60 }, 'id: expected a text, got 1152921504606847000; correct the field in the source'],
    [{ name: true }, 'name: expected a text, got true; correct the field in the source'],
    [{ name: ['a'] }, 'name: expected a text, got ["a"]; correct the field in the source'],
    [{ condition: 4 }, 'condition: expected "new" or "refurbished", got 4; correct the field in the source'],
    [{ condition: '4' }, 'condition: expected "new" or "refurbished", got "4"; correct the field in the source'],
    [{ specs: 7 }, 'specs: expected an object, got 7; correct the field in the source'],
    [{ specs: '7' }, 'specs: expected an object, got "7"; correct the field in the source'],
  ])('says of %j what stands there, a text in quotes and nothing else', async (change, sentence) => {
    const { excluded } = await read({ products: [{ ...PRODUCT, ...change }] });
    expect(excluded.map(formatNotice).map((text) => text.slice(-sentence.length))).toEqual([sentence]);
  });

  it('takes whole numbers for ids', async () => {
    const matches = { gtins: [840244706500], feedIds: { awin: [4511, 'a'] } };
    const { records, excluded } = await read({
      products: [{ ...PRODUCT, id: 101, matches }],
      giftCategories: [{ ...GIFT, id: 3, gifts: [7, '9'] }],
      networks: [{ id: 21, name: 'O2', slug: 'o2' }],
    });
    expect(excluded).toEqual([]);
    expect(records.products[0]?.record).toMatchObject({
      id: '101',
      matches: { gtins: ['840244706500'], feedIds: { awin: ['4511', 'a'] } },
    });
    expect(records.giftCategories[0]?.record).toMatchObject({ id: '3', gifts: ['7', '9'] });
    expect(records.networks[0]?.record.id).toBe('21');
  });

  it.each([
    ['networks', { id: '21', title: 'O2', slug: 'o2' }, 'the record has "title"; call it "name"'],
    ['products', { ...PRODUCT, name: undefined, productName: 'X' }, 'the record has "productName"; call it "name"'],
    ['gifts', { id: '7', name: 'Buds', url_key: 'buds' }, 'the record has "url_key"; call it "slug"'],
  ])('says in %s what a missing field is called there: %j', async (list, value, remedy) => {
    const { excluded } = await read({ [list]: [value] });
    expect(excluded).toMatchObject([{ code: 'missing-field', list, line: 1, remedy }]);
    expect(
      excluded.map(createNoticeFormatter(createLocationFormatter([{ name: 'feed', adapter: 'catalogue' }]))),
    ).toEqual([expect.stringContaining(`feed.csv ${list} (item 1) `)]);
  });

  it.each([
    [{ brand: 'nokia' }, 'manufacturer', 'if it should be read, call it "manufacturer"'],
    [{ image: 'a.png' }, 'images.front', 'if it should be read, put it in "images" as "front"'],
    [
      { description: 'A phone.' },
      'content.introduction',
      'if it should be read, put it in "content" as "introduction"',
    ],
    [{ ean: '1' }, 'matches.gtins', 'if it should be read, put it in "matches" as "gtins"'],
  ])('says what the key of %j is usually called', async (change, name, remedy) => {
    const { notices } = await read({ products: [{ ...PRODUCT, ...change }] });
    expect(notices).toMatchObject([{ code: 'unknown-key', expected: `perhaps ${name}`, remedy }]);
  });

  it('names every fault of a record in one notice', async () => {
    const { excluded } = await read({ products: [{ ...PRODUCT, name: undefined, slug: 'X' }] });
    expect(excluded).toMatchObject([
      {
        code: 'missing-field',
        field: 'name',
        remedy: expect.stringMatching(/^correct the field, and also slug: expected .*, got "X"$/) as string,
      },
    ]);
  });

  it.each([['text'], [null], [['list']], [7]])('quarantines the record %j', async (value) => {
    const { excluded, readCount } = await read({ gifts: [value, GIFT] });
    expect(readCount).toBe(2);
    expect(excluded).toMatchObject([{ code: 'malformed-record', field: 'gifts', expected: 'an object', line: 1 }]);
  });

  it.each([
    ['products', { ...PRODUCT, status: 'draft', matches: { gtins: ['0840244706500'] } }, '101/new'],
    ['products', { id: '102', condition: 'new', status: 'draft', name: 7 }, '102/new'],
    ['gifts', { ...GIFT, status: 'archived' }, '7'],
    ['giftCategories', { ...GIFT, status: '' }, '7'],
  ])('leaves out what is not published, of %s %j', async (list, value, record) => {
    const file = await read({ [list]: [value] });
    expect(file.readCount).toBe(1);
    expect(file.excluded).toMatchObject([{ code: 'unpublished', field: 'status', record }]);
    // Deals that mean it by these are told that it is left out.
    expect(file.excluded[0]?.matches).toEqual(value['matches' as keyof typeof value]);
  });

  it.each(['Published', 'published ', 'PUBLISHED'])(
    'says of the status %j that its letters keep the record out',
    async (status) => {
      const { excluded } = await read({ products: [{ ...PRODUCT, status }] });
      const expected = 'published, in small letters and without spaces';
      const remedy = 'if it is published, write "published" exactly so';
      expect(excluded).toMatchObject([{ code: 'unpublished', found: status, expected, remedy }]);
    },
  );

  it.each([
    [{ specs: { os: 'Android', colour: 'Blue' } }, 'specs.colour', undefined],
    [{ specs: { OS: 'Android' } }, 'specs.OS', 'if it should be read, call it "os"'],
    [{ manufaturer: 'nokia' }, 'manufaturer', 'if it should be read, call it "manufacturer"'],
    [{ images: { fornt: 'a.png' } }, 'images.fornt', 'if it should be read, call it "front"'],
    [{ content: { headng: 'x' } }, 'content.headng', 'if it should be read, call it "heading"'],
    [
      { imageUrls: { largeFrontImage: 'https://x.example' } },
      'imageUrls.largeFrontImage',
      'if it should be read, call it "largeFrontImagePng"',
    ],
  ])('drops a key that it does not know, with a notice: %j', async (change, field, remedy) => {
    const file = await read({ products: [{ ...PRODUCT, ...change }] });
    expect(file.excluded).toEqual([]);
    expect(file.notices).toMatchObject([{ code: 'unknown-key', field, record: '101/new', line: 1 }]);
    expect(file.notices[0]?.remedy).toBe(remedy);
    expect(JSON.stringify(file.records.products[0]?.record)).not.toContain(field.split('.').at(-1));
  });

  it('knows no status of networks', async () => {
    const { notices, records } = await read({ networks: [{ id: '1', name: 'O2', slug: 'o2', status: 'draft' }] });
    expect(records.networks).toHaveLength(1);
    expect(notices).toMatchObject([{ code: 'unknown-key', field: 'status' }]);
  });

  it('tells of a list that it does not know', async () => {
    expect((await read({ product: [PRODUCT] })).notices).toMatchObject([
      { code: 'unknown-key', field: 'product', expected: 'perhaps products' },
    ]);
  });

  it('takes null for absent', async () => {
    const { records } = await read({
      products: [{ ...PRODUCT, model: null, content: { heading: null, introduction: 'x' } }],
    });
    expect(records.products[0]?.record).toMatchObject({ content: { introduction: 'x' } });
    expect(records.products[0]?.record).not.toHaveProperty('model');
  });

  it('is not fooled by keys that stand for prototypes', async () => {
    const { records, notices } = await read(
      '{"products":[{"id":"1","condition":"new","name":"X","slug":"x","__proto__":{"model":"evil"}}],"__proto__":[]}',
    );
    expect(records.products[0]?.record.model).toBeUndefined();
    expect(notices.map(({ field }) => field)).toEqual(['__proto__', '__proto__']);
  });

  it.each([
    [
      '[]',
      'feed.csv: expected an object with any of products, giftCategories, gifts, networks, retailers, manufacturers, got []',
    ],
    ['{"products": {}}', 'feed.csv: expected products to be a list, got {}'],
    ['{"products": [\n{"id": "1",}]}', 'feed.csv:2:12: expected a key in double quotes, got "}"'],
    ['', 'feed.csv:1:1: expected a value, got the end of the file'],
  ])('refuses the file %j', async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'source-malformed', message });
  });
});
