import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tarOf } from '../unit/build/source/tar-archive.ts';
import { codesOf, leftOutOf, readSite, type Files } from '../unit/build/cms/reading.ts';

/** Real exports are not part of the project; their folder lies beside the project's. */
const REAL_EXPORTS = new URL('../../../shared/data/cms/', import.meta.url).pathname;

const hasRealExports = existsSync(REAL_EXPORTS);
if (!hasRealExports) console.log('skipped: the real exports are not beside the project (test/real/exports.test.ts)');

/** The files of a folder, by their path in it. */
function readFolder(folder: string): Files {
  const entries = readdirSync(join(REAL_EXPORTS, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [relative(join(REAL_EXPORTS, folder), file), readFileSync(file)]));
}

function readExport(path: string): Files {
  return { 'cms/export': readFileSync(join(REAL_EXPORTS, path)) };
}

/** None of the exports is of phones: each is read as if its pages were. */
const NEW = { condition: { constant: 'new' } };

describe.skipIf(!hasRealExports)('a real export of WordPress', () => {
  const mapping = { products: { type: 'post', fields: NEW }, gifts: { type: 'page' } };

  it.each([
    // Its posts have no slug; the one in a hijacked namespace is no post.
    ['namespace-edge-cases.xml', { read: 5, kept: 0, outOfScope: 0, quarantined: 5 }, ['missing-type']],
    ['small-export.xml', { read: 11, kept: 9, outOfScope: 2, quarantined: 0 }, []],
    // A post without a title, and pages with Greek slugs.
    ['themeunittestdata.wordpress.xml', { read: 79, kept: 73, outOfScope: 3, quarantined: 3 }, ['unmapped-type']],
    ['valid-wxr-1.1.xml', { read: 2, kept: 2, outOfScope: 0, quarantined: 0 }, []],
    // Its only post has a slug of right-to-left marks and pictures.
    ['wxr-utf-8-challenges.xml', { read: 1, kept: 0, outOfScope: 0, quarantined: 1 }, ['missing-type']],
  ])('%s', async (name, account, codes) => {
    const source = { adapter: 'wordpress', files: ['cms/export'], mapping };
    const site = await readSite(readExport(`wordpress/${name}`), source);
    expect(site.states).toMatchObject([{ state: 'fresh' }]);
    expect(site.account).toEqual({ duplicate: 0, ...account });
    const ofTheExport = site.notices.filter(({ line }) => line === undefined).map(({ code }) => code);
    expect(ofTheExport).toEqual(codes);
    expect(leftOutOf(site).every(({ line }) => line !== undefined && line > 1)).toBe(true);
  });

  it.each([
    ['namespace-edge-cases.xml', 'mixed-namespaces'],
    ['wxr-utf-8-challenges.xml', 'the-road-not-taken-by-robert-frost'],
  ])('%s is read whole when its slugs are made of its titles', async (name, slug) => {
    const fields = { ...NEW, slug: { slugOf: 'title' } };
    const source = { adapter: 'wordpress', files: ['cms/export'], mapping: { products: { type: 'post', fields } } };
    const site = await readSite(readExport(`wordpress/${name}`), source);
    expect(site.account).toMatchObject({ quarantined: 0 });
    expect(site.records.products[0]?.record.slug).toBe(slug);
  });

  it('has plain texts, and pictures of its attachments', async () => {
    const source = { adapter: 'wordpress', files: ['cms/export'], mapping };
    const site = await readSite(readExport('wordpress/themeunittestdata.wordpress.xml'), source);
    const records = [...site.records.products, ...site.records.gifts].map(({ record }) => record);
    const texts = records.map(({ content }) => content?.introduction ?? '');
    expect(texts.filter((text) => /<\/(?:p|div|h2)>|\[(?:gallery|caption)/.test(text))).toEqual([]);
    const pictured = records.filter(({ imageUrls }) => imageUrls !== undefined);
    expect(pictured.length).toBeGreaterThan(5);
    expect(
      pictured.every(({ imageUrls }) => /^https?:.*\.(?:jpe?g|png)$/.test(imageUrls?.largeFrontImagePng ?? '')),
    ).toBe(true);
  });
});

describe.skipIf(!hasRealExports)('a real export of Contentful', () => {
  it('of blog posts, in a space with two default locales', async () => {
    const fields = {
      id: { hashed: 'sys.id' },
      ...NEW,
      'images.front': 'heroImage',
      model: 'author.sys.contentType.sys.id',
      'content.introduction': 'body',
    };
    const source = {
      adapter: 'contentful',
      files: ['cms/export'],
      mapping: { products: { type: 'blogPost', fields } },
    };
    const site = await readSite(readExport('contentful/contentful-import.sample-space.json'), source);
    expect(site.account).toMatchObject({ read: 3, kept: 3 });
    const texts = site.records.products.map(({ record }) => record.content?.introduction ?? '');
    expect(texts.every((text) => text.length > 100)).toBe(true);
    expect(texts.filter((text) => /\]\(|^#{1,6} |\*\*|<\/|^\* /m.test(text))).toEqual([]);
    expect(site.notices.filter(({ line }) => line === undefined)).toMatchObject([
      { code: 'unmapped-type', found: 'person (1)' },
    ]);
    expect(site.records.products[0]?.record).toMatchObject({
      name: 'Automate with webhooks',
      slug: 'automate-with-webhooks',
      model: 'person',
      imageUrls: {
        largeFrontImageWebp:
          'https://images.contentful.com/28p9vvm1oxuw/4shwYI3POEGkw0Eg6kcyaQ/eeaa6df85fb4452ea69ad18c98ffc015/felix-russell-saw-112140.jpg?w=200&h=400&fit=pad&fm=webp',
      },
    });
  });

  it('of entries without a slug', async () => {
    const fields = { id: { hashed: 'sys.id' }, slug: { slugOf: 'name' }, ...NEW };
    const source = { adapter: 'contentful', files: ['cms/export'], mapping: { products: { type: 'post', fields } } };
    const site = await readSite(readExport('contentful/contentful-import.with-assets.json'), source);
    expect(site.account).toMatchObject({ read: 2, kept: 2 });
    expect(site.records.products.every(({ record }) => Object.keys(record.imageUrls ?? {}).length === 36)).toBe(true);
    expect(site.records.products.map(({ record }) => record.slug)).toEqual(['an-entry', 'another-entry']);
  });
});

describe.skipIf(!hasRealExports)('a real export of Strapi', () => {
  const FOLDER = 'strapi/v5-export-smysl-bakery';
  const mapping = {
    products: {
      fields: {
        id: { hashed: 'documentId' },
        slug: { slugOf: 'name' },
        ...NEW,
        'images.front': 'product_photo',
        'specs.weight': 'weight',
      },
    },
  };

  it.each([
    ['in a folder', 'cms/export/metadata.json', async () => inFolder(readFolder(FOLDER))],
    ['as an archive', 'cms/export.tar', async () => ({ 'cms/export.tar': await tarOf(readFolder(FOLDER)) })],
    [
      'as a packed archive',
      'cms/export.tar.gz',
      async () => ({ 'cms/export.tar.gz': gzipSync(await tarOf(readFolder(FOLDER))) }),
    ],
  ])('%s: nine documents of two rows each', async (_what, glob, pack) => {
    const site = await readSite(await pack(), { adapter: 'strapi', files: [glob], mapping });
    expect(site.states).toMatchObject([{ state: 'fresh' }]);
    expect(site.account).toMatchObject({ read: 9, kept: 9 });
    expect(codesOf(site)).toEqual([]);
    expect(site.records.products[0]?.record).toMatchObject({
      name: 'Пшеничный',
      slug: expect.stringMatching(/^product-[0-9]+$/) as string,
      specs: { weight: '400' },
      images: { front: '../assets/uploads/hl1_1_0915149095.png' },
      updatedAt: '2025-12-12T18:35:12.820Z',
    });
  });

  function inFolder(files: Files): Files {
    return Object.fromEntries(Object.entries(files).map(([path, content]) => [`cms/export/${path}`, content]));
  }
});
