import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = new URL('../../../../data/sample/', import.meta.url);

function read(path: string): Buffer {
  return readFileSync(new URL(path, ROOT));
}

function committedPaths(): string[] {
  return readdirSync(fileURLToPath(ROOT), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(fileURLToPath(ROOT).length).replace(/^\//, ''))
    .sort();
}

const paths = committedPaths();
const pictures = new Set(paths.filter((path) => path.endsWith('.webp')));

const PICTURE_COUNT = 154;

/** The size of a picture by its path, as the page of the sample states it. */
const PICTURE_SIZES: readonly (readonly [RegExp, RegExp])[] = [
  [/\/phones\//, /^200x400$/],
  [/\/gifts\//, /^200x250$/],
  [/\/(?:networks|retailers)\//, /^(?:200x100|100x100)$/],
];

describe('the pictures', () => {
  it('are WebP files of the sizes that the README states', async () => {
    expect(pictures.size).toBe(PICTURE_COUNT);
    for (const path of pictures) {
      const { format, width, height } = await sharp(read(path)).metadata();
      const expected = PICTURE_SIZES.find(([folder]) => folder.test(path))?.[1];
      expect({ path, format, isOfItsSize: expected?.test(`${width}x${height}`) }).toEqual({
        path,
        format: 'webp',
        isOfItsSize: true,
      });
    }
  });

  it('are all different', () => {
    const drawings = [...pictures].map((path) => read(path).toString('base64'));
    expect(new Set(drawings).size).toBe(pictures.size);
  });

  it('are small, and so is the whole sample', () => {
    expect(Math.max(...[...pictures].map((path) => read(path).length))).toBeLessThan(5_000);
    expect(paths.reduce((sum, path) => sum + read(path).length, 0)).toBeLessThan(800_000);
  });
});

const cmsFile = z.object({
  manufacturers: z.array(z.object({ slug: z.string() })).default([]),
  products: z
    .array(
      z.object({
        id: z.string(),
        condition: z.string(),
        name: z.string(),
        slug: z.string(),
        model: z.string(),
        specs: z.record(z.string(), z.string()).optional(),
        images: z.record(z.string(), z.string()).default({}),
        imageUrls: z.record(z.string(), z.string()).optional(),
        status: z.string(),
      }),
    )
    .default([]),
  giftCategories: z.array(z.object({ id: z.string(), gifts: z.array(z.string()) })).default([]),
  gifts: z.array(z.object({ id: z.string(), status: z.string() })).default([]),
  networks: z.array(z.object({ id: z.string() })).default([]),
  retailers: z.array(z.object({ id: z.string() })).default([]),
});

const cms = paths
  .filter((path) => /^cms\/[^/]+\.json$/.test(path))
  .map((path) => cmsFile.parse(JSON.parse(read(path).toString('utf8'))));

describe('the sample promises', () => {
  // A draft and a malformed slug are in the files and never served.
  const products = cms
    .flatMap((file) => file.products)
    .filter(({ slug, status }) => status === 'published' && /^[a-z0-9-]+$/.test(slug));
  const refurbished = products.filter(({ condition }) => condition === 'refurbished');

  it('70 products of 30 models by 7 makers', () => {
    expect(products).toHaveLength(70);
    expect(new Set(products.map(({ model }) => model)).size).toBe(30);
    expect(cms.flatMap((file) => file.manufacturers)).toHaveLength(7);
    expect(new Set(products.map(({ id, condition }) => `${id} ${condition}`)).size).toBe(70);
    expect(new Set(products.map(({ slug }) => slug)).size).toBe(70);
  });

  it('a third of the models refurbished as well, under the id of the new one (spec §2.2)', () => {
    expect(new Set(refurbished.map(({ model }) => model)).size).toBeGreaterThanOrEqual(10);
    for (const { id } of refurbished) expect(products.filter((product) => product.id === id)).toHaveLength(2);
    // One editor forgot the word: that is a notice of its own.
    expect(refurbished.filter(({ name }) => !name.startsWith('Refurbished '))).toHaveLength(1);
  });

  it('9 networks, 8 retailers, 14 gifts in 5 categories', () => {
    expect(cms.flatMap((file) => file.networks)).toHaveLength(9);
    expect(cms.flatMap((file) => file.retailers)).toHaveLength(8);
    expect(cms.flatMap((file) => file.gifts).filter(({ status }) => status === 'published')).toHaveLength(14);
    expect(cms.flatMap((file) => file.giftCategories)).toHaveLength(5);
  });

  it('all 25 attributes of spec §2.8, and no phone that must have them all', () => {
    expect(new Set(products.flatMap(({ specs = {} }) => Object.keys(specs))).size).toBe(25);
    expect(products.some(({ specs = {} }) => Object.keys(specs).length < 25)).toBe(true);
  });

  it('one product without pictures, one with a picture of its own, one with a picture that is lost', () => {
    expect(products.filter(({ images }) => Object.keys(images).length === 0)).toHaveLength(1);
    expect(products.filter(({ imageUrls }) => imageUrls !== undefined)).toHaveLength(1);
    const lost = products.flatMap(({ images }) => Object.values(images)).filter((path) => !pictures.has(`cms/${path}`));
    expect(lost).toHaveLength(1);
  });

  it('1,781 rows in the two feeds', () => {
    const feeds = [read('feeds/house/deals.csv'), gunzipSync(read('feeds/awin/datafeed.csv.gz'))];
    const rowCount = feeds.reduce((sum, feed) => sum + feed.toString('utf8').trimEnd().split('\n').length - 1, 0);
    expect(rowCount).toBe(1781);
  });
});
