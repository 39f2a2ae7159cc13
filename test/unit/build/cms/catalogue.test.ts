import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EntityType } from '../../../../build/cms/fields.ts';
import { formatNotice } from '../../../../build/report/describe-notice.ts';
import { expectParts, readCases, type NamedCase } from '../cases.ts';
import { leftOutOf, readSite, type SiteReading } from './reading.ts';

const PRODUCT = { id: '101', condition: 'new', name: 'Nokia X', slug: 'nokia-x' };
const GIFT = { id: '7', name: 'Earbuds', slug: 'earbuds' };

/** A sound record of each list, which follows the record of a case. */
const SECOND: Readonly<Record<EntityType, object>> = {
  products: { ...PRODUCT, id: '999', slug: 'second' },
  giftCategories: { ...GIFT, id: '999' },
  gifts: { ...GIFT, id: '999' },
  networks: { id: '999', name: 'Second', slug: 'second' },
  retailers: { id: '999', name: 'Second', slug: 'second' },
  manufacturers: { slug: 'second', name: 'Second' },
};

/** A record, or a sound product with a change, and what comes of it; null is no value. */
interface RecordCase {
  readonly what?: string;
  readonly list?: EntityType;
  readonly value?: unknown;
  readonly product?: Readonly<Record<string, unknown>>;
  readonly excluded?: object;
  /** The end of the sentence about an excluded record. */
  readonly sentence?: string;
  readonly notice?: object;
}

function recordOf({ value, product }: RecordCase): unknown {
  return product === undefined ? value : { ...PRODUCT, ...product };
}

const CASES = readCases(join(import.meta.dirname, 'cases', 'catalogue.jsonl')) as readonly NamedCase<RecordCase>[];

function read(value: unknown): Promise<SiteReading> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return readSite({ 'cms/site.json': text }, { adapter: 'catalogue', files: ['cms/*'] });
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
      account: { read: 7, kept: 7 },
      notices: [],
      records: {
        products: [
          { record: { ...PRODUCT, status: 'published' }, origin: { source: 'site', file: 'cms/site.json', line: 1 } },
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

  it.each(CASES.filter(([, { notice }]) => notice === undefined))(
    'excludes %s, and no other record',
    async (_, each) => {
      const { list = 'products', sentence = '' } = each;
      const file = await read({ [list]: [recordOf(each), SECOND[list]] });
      expect(file.account.read).toBe(2);
      expect(file.records[list].map(({ record }) => record)).toMatchObject([SECOND[list]]);
      expectParts(file.notices, [{ source: 'site', file: 'cms/site.json', line: 1, ...each.excluded }]);
      const [{ record } = {}] = list === 'products' ? file.notices : [];
      expect(file.excludedProducts.map(({ key }) => key)).toEqual([record ?? []].flat());
      const inItem = expect.stringContaining(`site.json ${list} (item 1) `) as string;
      expect(leftOutOf(file).map(formatNotice)).toEqual([inItem]);
      expect(file.notices.map(formatNotice).map((text) => text.endsWith(sentence))).toEqual([true]);
    },
  );

  it.each(CASES.filter(([, { notice }]) => notice !== undefined))(
    'drops a key of %s, with a notice',
    async (_, each) => {
      const { list = 'products', notice = {} } = each;
      const file = await read({ [list]: [recordOf(each), SECOND[list]] });
      expectParts(file.notices, [notice]);
      const key = file.notices[0]?.field?.split('.').at(-1);
      expect(file.records[list]).toHaveLength(2);
      expect(JSON.stringify(file.records[list][0]?.record)).not.toContain(`"${key}"`);
    },
  );

  it('takes whole numbers for ids', async () => {
    const matches = { gtins: [840244706500], feedIds: { awin: [4511, 'a'] } };
    const { records, notices } = await read({
      products: [{ ...PRODUCT, id: 101, matches }],
      giftCategories: [{ ...GIFT, id: 3, gifts: [7, '9'] }],
      networks: [{ id: 21, name: 'O2', slug: 'o2' }],
    });
    expect(notices).toEqual([]);
    expect(records.products[0]?.record).toMatchObject({
      id: '101',
      matches: { gtins: ['840244706500'], feedIds: { awin: ['4511', 'a'] } },
    });
    expect(records.giftCategories[0]?.record).toMatchObject({ id: '3', gifts: ['7', '9'] });
    expect(records.networks[0]?.record.id).toBe('21');
  });

  it('tells of unknown keys of a record that is excluded, too', async () => {
    const { notices } = await read({ products: [{ ...PRODUCT, name: null, nmae: 'X' }] });
    expect(notices.toSorted((a, b) => (a.code < b.code ? -1 : 1))).toMatchObject([
      { code: 'missing-field', field: 'name' },
      { code: 'unknown-key', field: 'nmae', expected: 'perhaps name' },
    ]);
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
      'cms/site.json: expected an object with any of products, giftCategories, gifts, networks, retailers, manufacturers, got []',
    ],
    ['{"products": {}}', 'cms/site.json: expected products to be a list, got {}'],
    ['', 'cms/site.json:1: expected JSON, got the end of the file in column 1: value expected'],
  ])('refuses the file %j', async (text, message) => {
    expect((await read(text)).notices).toMatchObject([{ code: 'source-malformed', found: message }]);
  });
});
