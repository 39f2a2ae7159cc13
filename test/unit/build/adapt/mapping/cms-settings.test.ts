import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, type BuildConfig } from '../../../../../build/config/config.ts';
import { ConfigError } from '../../../../../build/source/errors.ts';

async function read(source: object): Promise<BuildConfig> {
  const path = join(await mkdtemp(join(tmpdir(), 'deals-cms-settings-')), 'catalogue.json');
  await writeFile(path, JSON.stringify({ cms: [{ name: 'site', files: ['cms/*'], ...source }] }));
  return readConfig(path);
}

/** The faults, without the file. */
async function faultsOf(source: object): Promise<readonly string[]> {
  const error: unknown = await read(source).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).faults.map((fault) => fault.replace(/^.*?catalogue\.json: /, ''));
}

const ID =
  'the field that holds decimal digits which never change, such as "sku", or {"hashed": "slug"} for a number made of a text that never changes';
const RULE =
  'a path such as "seo.metaTitle" or "gallery[0]", a list of paths, {"constant": "new"}, {"from": "state", "values": {"Used": "refurbished"}}, {"hashed": "documentId"} or null';

const STRAPI = { adapter: 'strapi', mapping: { products: { fields: { id: 'sku' } } } };
const WORDPRESS = { adapter: 'wordpress', mapping: { products: {} } };

describe('the settings of a CMS', () => {
  it('have defaults', async () => {
    expect((await read(STRAPI)).cms[0]).toMatchObject({ locale: 'en', maxBytes: 4_000_000_000 });
    expect((await read({ ...STRAPI, adapter: 'contentful' })).cms[0]).toMatchObject({ maxBytes: 100_000_000 });
    expect((await read(WORDPRESS)).cms[0]).toMatchObject({ maxBytes: 4_000_000_000 });
  });

  it.each([
    'title',
    ['title', 'name'],
    { constant: 'x' },
    { constant: ['x', 'y'] },
    { hashed: 'slug' },
    { from: 'state', values: { Used: 'refurbished' } },
    { from: ['state', 'condition'], values: {} },
    null,
  ])('know the rule %j', async (rule) => {
    const mapping = { products: { fields: { id: 'sku', name: rule } } };
    await expect(read({ adapter: 'contentful', mapping })).resolves.toBeDefined();
  });

  it.each([
    7,
    '',
    'a..b',
    [],
    ['a', 7],
    {},
    { constant: 7 },
    { form: 'a' },
    { from: 'a' },
    { hashed: 'a', values: {} },
  ])('know no rule %j', async (rule) => {
    const mapping = { products: { fields: { name: rule } } };
    expect(await faultsOf({ adapter: 'wordpress', mapping })).toEqual([
      `cms[0].mapping.products.fields.name: expected ${RULE}, got ${JSON.stringify(rule)}`,
    ]);
  });

  it.each([
    [{ adapter: 'wordpress' }, 'cms[0].mapping: expected an object, got nothing'],
    [
      { adapter: 'wordpress', mapping: {} },
      'cms[0].mapping: expected at least one of products, giftCategories, gifts, networks, retailers, manufacturers, got {}',
    ],
    [{ ...WORDPRESS, locale: 'en' }, /^cms\[0\]\.locale: unknown key; /],
    [
      { adapter: 'wordpress', mapping: { gifts: {}, product: {} } },
      'cms[0].mapping.product: unknown key; did you mean "products"?',
    ],
    [
      { adapter: 'wordpress', mapping: { products: { fields: { 'metaData.tite': 'x' } } } },
      'cms[0].mapping.products.fields.metaData.tite: unknown key; did you mean "metaData.title"?',
    ],
    [
      { adapter: 'wordpress', mapping: { manufacturers: { feedIds: {} } } },
      'cms[0].mapping.manufacturers.feedIds: unknown key; expected one of type, fields',
    ],
    [
      { adapter: 'strapi', mapping: { products: {} } },
      `cms[0].mapping.products.fields.id: expected ${ID}, got nothing`,
    ],
    [
      { adapter: 'contentful', mapping: { gifts: { type: 'gift' } } },
      `cms[0].mapping.gifts.fields.id: expected ${ID}, got nothing`,
    ],
    [
      { ...STRAPI, mapping: { products: { type: 'admin::user', fields: { id: 'x' } } } },
      'cms[0].mapping.products.type: expected a content type such as "api::phone.phone", got "admin::user"',
    ],
    [{ ...STRAPI, assetsUrl: 'ftp://x' }, 'cms[0].assetsUrl: expected an http or https URL, got "ftp://x"'],
    [{ adapter: 'catalogue', mapping: {} }, /^cms\[0\]\.mapping: unknown key; /],
    [{ adapter: 'drupal' }, /^cms\[0\]\.adapter: expected /],
  ])('refuse %j', async (source, fault) => {
    const faults = await faultsOf(source);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });

  it('need no id of a manufacturer, which is known by its slug', async () => {
    await expect(read({ adapter: 'contentful', mapping: { manufacturers: {} } })).resolves.toBeDefined();
  });
});
