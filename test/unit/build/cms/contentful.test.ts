import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCases, type NamedCase } from '../cases.ts';
import { expectReading, leftOutOf, readSite, type ExpectedReading, type SiteReading } from './reading.ts';

interface Sys {
  readonly version?: number;
  readonly publishedVersion?: number | null;
  readonly archivedVersion?: number;
  readonly revision?: number;
}

const LOCALES = [
  { code: 'en-GB', default: true, fallbackCode: null },
  { code: 'de-DE', default: false, fallbackCode: 'en-GB' },
  { code: 'fr-FR', default: false, fallbackCode: null },
];

function sysOf(id: string, sys: Sys): object {
  return { id, version: 4, publishedVersion: 3, updatedAt: '2026-11-01T10:00:00.000Z', ...sys };
}

function entry(id: string, type: string, fields: Readonly<Record<string, unknown>>, sys: Sys = {}): object {
  return {
    sys: {
      type: 'Entry',
      ...sysOf(id, sys),
      contentType: { sys: { type: 'Link', linkType: 'ContentType', id: type } },
    },
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { 'en-GB': value }])),
  };
}

function asset(id: string, url: string, contentType = 'image/png', sys: Sys = {}): object {
  return { sys: { type: 'Asset', ...sysOf(id, sys) }, fields: { file: { 'en-GB': { url, contentType } } } };
}

function link(id: string, linkType = 'Entry'): object {
  return { sys: { type: 'Link', linkType, id } };
}

const PHONE = { sku: 101, title: 'Nokia X', slug: 'nokia-x', condition: 'New' };

interface Export {
  readonly entries?: readonly unknown[];
  readonly assets?: readonly object[];
  readonly locales?: readonly object[];
  readonly contentTypes?: readonly object[];
  readonly editorInterfaces?: readonly object[];
}

/** An export, and what is read from it; null is no value. */
interface ExportCase extends Omit<ExpectedReading, 'product'> {
  readonly what?: string;
  /** The fields of one phone that differ from `PHONE`; another phone follows it. */
  readonly phone?: Readonly<Record<string, unknown>>;
  readonly id?: string;
  /** The same, by locale. */
  readonly texts?: object;
  readonly entries?: readonly (readonly [id: string, type: string, fields: Readonly<Record<string, unknown>>])[];
  readonly assets?: readonly (readonly [id: string, url: string, contentType?: string, sys?: Sys])[];
  readonly export?: Export;
  /** A whole file. */
  readonly text?: string;
  /** The mapping of more fields of a phone. */
  readonly fields?: object;
  readonly settings?: object;
  /** The record of the phone. */
  readonly product?: object | 'excluded';
}

const CASES = readCases(join(import.meta.dirname, 'cases', 'contentful.jsonl')) as readonly NamedCase<ExportCase>[];

/** The file of a case. */
function exportOf({
  id = 'p1',
  phone,
  texts,
  entries,
  assets = [],
  export: more = {},
  text,
}: ExportCase): Export | string {
  if (text !== undefined) return text;
  const phoneOf = (phoneId: string, fields: Readonly<Record<string, unknown>>): object => {
    const made = entry(phoneId, 'phone', fields) as { readonly fields: object };
    return { ...made, fields: { ...made.fields, ...texts } };
  };
  const phones = [phoneOf(id, resolveLinks({ ...PHONE, ...phone })), phoneOf('p2', { ...PHONE, sku: 102 })];
  return {
    entries: entries?.map(([entryId, type, fields]) => entry(entryId, type, resolveLinks(fields))) ?? phones,
    assets: assets.map((each) => asset(...each)),
    ...more,
  };
}

/** Makes links of the texts `entry:g1` and `asset:a1`; null is no field. */
function resolveLinks(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    const [, type, id = ''] = typeof value === 'string' ? (/^(entry|asset):(.*)$/.exec(value) ?? []) : [];
    return type === undefined ? value : link(id, type === 'entry' ? 'Entry' : 'Asset');
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, resolve(value)]])),
  );
}

const MAPPING = { products: { type: 'phone', fields: { id: 'sku' } } };

async function read(content: Export | string, settings: object = {}): Promise<SiteReading> {
  const text = typeof content === 'string' ? content : JSON.stringify({ locales: LOCALES, assets: [], ...content });
  const source = { adapter: 'contentful', files: ['cms/*.json'], mapping: MAPPING, ...settings };
  return readSite({ 'cms/export.json': text }, source);
}

describe('the contentful adapter', () => {
  it.each(CASES)('reads %s', async (_what, each) => {
    const { fields, settings, product, ...expected } = each;
    const mapping = { products: { type: 'phone', fields: { id: 'sku', ...fields } } };
    const site = await read(exportOf(each), { mapping, ...settings });
    if (product === undefined) return expectReading(site, expected);
    const isExcluded = product === 'excluded';
    const account = { read: 2, kept: isExcluded ? 1 : 2 };
    expectReading(site, { ...expected, product: isExcluded ? { id: '102' } : product, account });
  });

  it('reads entries by the mapping and by convention', async () => {
    const seo = entry('seo1', 'seo', { metaTitle: 'Nokia X deals', metaDescription: 'Cheap', keywords: ['a', 'b'] });
    const brand = entry('brand1', 'manufacturer', { slug: 'nokia', name: 'Nokia' });
    const specs = { os: 'Android 14', '4g': true, nfc: false, weight: 180, sensors: ['gyro', 'compass'] };
    const phone = entry('p1', 'phone', {
      ...PHONE,
      heading: 'Nokia X',
      introduction: 'A phone.',
      seo: link('seo1'),
      manufacturer: link('brand1'),
      specs,
      gtins: ['0840244706500'],
      matchNames: 'X phone\nNokia phone X',
    });
    const mapping = { products: { ...MAPPING.products, feedIds: { awin: 'sys.id' } }, manufacturers: {} };
    const site = await read({ entries: [seo, brand, phone] }, { mapping });
    expect(site.records.manufacturers.map(({ record }) => record)).toEqual([{ slug: 'nokia', name: 'Nokia' }]);
    expect(site.records.products).toEqual([
      {
        record: {
          id: '101',
          condition: 'new',
          name: 'Nokia X',
          slug: 'nokia-x',
          manufacturer: 'nokia',
          content: { heading: 'Nokia X', introduction: 'A phone.' },
          metaData: { title: 'Nokia X deals', description: 'Cheap', keywords: 'a, b' },
          specs: { os: 'Android 14', '4g': 'Yes', nfc: 'No', weight: '180', sensors: 'gyro, compass' },
          matches: {
            gtins: ['0840244706500'],
            names: ['X phone', 'Nokia phone X'],
            feedIds: { awin: ['p1'] },
          },
          status: 'published',
          updatedAt: '2026-11-01T10:00:00.000Z',
        },
        origin: { source: 'site', file: 'cms/export.json', line: 3, list: 'entries' },
      },
    ]);
    expect(site.notices).toEqual([
      { code: 'unmapped-type', source: 'site', file: 'cms/export.json', found: 'seo (1)' },
    ]);
  });

  it('survives a value of any depth', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const rich = `${'{"nodeType":"document","content":['.repeat(20_000)}${']}'.repeat(20_000)}`;
    const fields = { ...PHONE, title: 'DEEP', introduction: 'RICH', gtins: 'DEEP', heading: 'DEEP', image: 'DEEP' };
    const text = JSON.stringify({ entries: [entry('p1', 'phone', fields)], locales: LOCALES });
    const site = await read(text.replaceAll('"DEEP"', deep).replace('"RICH"', rich));
    expect(leftOutOf(site)).toMatchObject([
      { code: 'malformed-field', field: 'name', found: 'a value nested too deep to be shown' },
    ]);
  });

  it('makes a slug that no record takes which is published later', async () => {
    const made = (id: string, sku: number, month: number, sys: Sys = {}): object => {
      const each = entry(id, 'phone', { sku, title: 'Nokia X', condition: 'new' }, sys) as { readonly sys: object };
      return { ...each, sys: { ...each.sys, createdAt: `2025-0${month}-01T00:00:00.000Z` } };
    };
    const entries = [made('b', 100, 2), made('a', 500, 1, { publishedVersion: null })];
    const mapping = { products: { type: 'phone', fields: { id: 'sku', slug: { slugOf: 'name' } } } };
    expectReading(await read({ entries }, { mapping }), {
      product: { id: '100', slug: 'nokia-x-100' },
      notices: [{ code: 'unpublished' }],
    });
  });

  it('makes slugs that a category, a product and its maker agree about', async () => {
    const brand = entry('brand1', 'manufacturer', { name: 'Müller & Söhne' });
    const phone = entry('p1', 'phone', { ...PHONE, series: 'X 1', manufacturer: link('brand1') });
    const fields = { id: 'sku', model: { slugOf: 'series' } };
    const manufacturers = { fields: { slug: { slugOf: 'name' } } };
    const site = await read(
      { entries: [brand, phone] },
      { mapping: { products: { type: 'phone', fields }, manufacturers } },
    );
    expect(site.records.manufacturers[0]?.record).toEqual({ slug: 'muller-and-sohne', name: 'Müller & Söhne' });
    expect(site.records.products[0]?.record).toMatchObject({ model: 'x-1', manufacturer: 'muller-and-sohne' });
  });
});
