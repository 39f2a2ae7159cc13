import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UnpackedImages } from '../../../../build/cms/adapter.ts';
import { MAX_SOURCE_IMAGE_BYTES } from '../../../../build/image/source-image.ts';
import { type CatalogueImages, renderRecordImages } from '../../../../build/records/images.ts';
import { hashFile } from '../../../../data/store/lines.ts';
import { FORMATS, GIFT_IMAGE_KEYS, IMAGE_KEYS, imageKey, VIEWS } from '../../../../data/field/image.ts';
import type { Notice } from '../../../../data/report/notice.ts';
import { pictureLineSchema } from '../../../../data/snapshot/format.ts';
import { cmsOf, join as joinRecords } from '../deals/sample-records.ts';
import { drawPicture } from '../image/draw-picture.ts';
import { createTemporaryFolder } from '../publish/temporary-store.ts';

const COLOURS = { front: '#ff0000', back: '#00ff00', left: '#0000ff', right: '#ffff00' } as const;

const product = (fields: object = {}) => ({
  id: '101',
  condition: 'new',
  name: 'Nova One',
  slug: 'nova-one',
  ...fields,
});
const gift = (fields: object = {}) => ({ id: '7', name: 'Buds', slug: 'buds', ...fields });
const giftCategory = (fields: object) => ({ id: '3', name: 'Audio', slug: 'audio', ...fields });
const network = (fields: object) => ({ id: '21', name: 'Aurora', slug: 'aurora', ...fields });
const retailer = (fields: object) => ({ id: '31', name: 'Phone Barn', slug: 'phone-barn', ...fields });

interface Originals {
  readonly folder: string;
  readonly images: string;
}

interface Rendered {
  readonly pictures: CatalogueImages;
  readonly notices: readonly Notice[];
}

/** A folder with a configuration's originals; records name them relative to `cms/site.json`. */
async function createOriginals(): Promise<Originals> {
  const folder = join(createTemporaryFolder(), 'site');
  for (const view of VIEWS) {
    writeOriginal(folder, `${view}.png`, await drawPicture({ width: 40, height: 80, colour: COLOURS[view] }));
  }
  return { folder, images: join(dirname(folder), 'store', 'images') };
}

function writeOriginal(folder: string, name: string, content: Buffer | string): void {
  mkdirSync(join(folder, 'cms', 'originals'), { recursive: true });
  writeFileSync(join(folder, 'cms', 'originals', name), content);
}

/** Renders the pictures of records, with originals of their own unless they are given. */
async function render(
  lists: Parameters<typeof cmsOf>[0],
  originals: Originals | Promise<Originals> = createOriginals(),
  options: { readonly render?: boolean; readonly persist?: boolean } = {},
): Promise<Rendered> {
  const { records } = joinRecords(cmsOf({ networks: [], retailers: [], ...lists })).joined;
  const { folder, images } = await originals;
  const notices: Notice[] = [];
  const pictures = await renderRecordImages(records, {
    unpacked: new UnpackedImages(),
    configFolder: folder,
    imagesFolder: images,
    persist: true,
    render: true,
    note: (notice) => notices.push(notice),
    ...options,
  });
  return { pictures, notices };
}

const ALL_VIEWS = Object.fromEntries(VIEWS.map((view) => [view, `originals/${view}.png`]));

describe('the pictures of a product (spec §2.9, D7)', () => {
  it('are all 36, each view its own, and every one is in the store as listed', async () => {
    const originals = await createOriginals();
    const { pictures, notices } = await render({ products: [product({ images: ALL_VIEWS })] }, originals);
    expect(notices).toEqual([]);
    const [images = {}] = pictures.products;
    expect(Object.keys(images)).toEqual(IMAGE_KEYS);
    expect(new Set(Object.values(images)).size).toBe(36);
    expect(pictures.pictures.map(({ path }) => path)).toEqual(Object.values(images).toSorted());
    for (const line of pictures.pictures) {
      expect(pictureLineSchema.parse(line)).toEqual(line);
      const { path, bytes, sha256 } = line;
      expect(hashFile(join(dirname(originals.images), path))).toEqual({ bytes, sha256 });
    }
  });

  it('show the front where a view has none', async () => {
    const { pictures, notices } = await render({
      products: [product({ images: { front: ALL_VIEWS.front, back: ALL_VIEWS.back } })],
    });
    const [images = {}] = pictures.products;
    expect(Object.keys(images)).toEqual(IMAGE_KEYS);
    expect(images.smallLeftImagePng).toBe(images.smallFrontImagePng);
    expect(images.smallBackImagePng).not.toBe(images.smallFrontImagePng);
    expect(notices).toEqual([
      {
        code: 'picture-stand-in',
        source: 'site',
        file: 'cms/site.json',
        line: 1,
        record: '101/new',
        field: 'images',
        expected: 'a picture of left, right; front stands in',
      },
    ]);
  });

  it('are those of imageUrls where given, and what nothing shows is not listed', async () => {
    const imageUrls = { largeFrontImageWebp: 'https://cdn.example/a.webp' };
    const { pictures } = await render({ products: [product({ images: ALL_VIEWS, imageUrls })] });
    expect(pictures.products[0]?.largeFrontImageWebp).toBe('https://cdn.example/a.webp');
    expect(pictures.products[0]?.largeFrontImagePng).toMatch(/^\/images\//);
    expect(pictures.pictures).toHaveLength(35);
  });

  it('need no stand-in where imageUrls cover a view', async () => {
    const back = Object.fromEntries(
      IMAGE_KEYS.filter((key) => key.includes('Back')).map((key) => [key, `https://cdn.example/${key}`]),
    );
    const images = { front: ALL_VIEWS.front, left: ALL_VIEWS.left, right: ALL_VIEWS.right };
    const records = { products: [product({ images, imageUrls: back })] };
    expect((await render(records)).notices).toEqual([]);
  });

  it('are only the ready-made ones without rendering', async () => {
    const originals = await createOriginals();
    const imageUrls = { smallBackImagePng: 'https://cdn.example/b.png' };
    const records = {
      products: [product({ images: { front: 'originals/none.png' }, imageUrls })],
      networks: [network({ logo: 'originals/front.png', logos: { small: 'https://cdn.example/n.webp' } })],
    };
    const { pictures, notices } = await render(records, originals, { render: false });
    const [images = {}] = pictures.products;
    expect(Object.keys(images)).toEqual(VIEWS.map((view) => imageKey('small', view, 'png')));
    expect(new Set(Object.values(images))).toEqual(new Set(Object.values(imageUrls)));
    expect(pictures.networkLogos).toEqual([{ small: 'https://cdn.example/n.webp', medium: '', large: '', deal: '' }]);
    expect([pictures.pictures, notices.map(({ code }) => code)]).toEqual([[], ['picture-stand-in']]);
  });
});

describe('the pictures of gifts and gift categories (spec §2.11)', () => {
  it('are the large front in three formats', async () => {
    const { pictures, notices } = await render({
      gifts: [gift({ images: { front: 'originals/front.png', back: 'originals/back.png' } }), gift({ id: '8' })],
      giftCategories: [giftCategory({ images: { front: 'originals/back.png' } })],
    });
    expect(pictures.gifts.map((images) => Object.keys(images))).toEqual([GIFT_IMAGE_KEYS, []]);
    expect(pictures.giftCategories.map((images) => Object.keys(images))).toEqual([GIFT_IMAGE_KEYS]);
    expect(pictures.pictures).toHaveLength(6);
    expect(notices).toEqual([]);
  });

  it('show another view where there is no front, and take imageUrls', async () => {
    const imageUrls = {
      largeFrontImagePng: 'https://cdn.example/g.png',
      smallBackImagePng: 'https://cdn.example/x.png',
    };
    const { pictures, notices } = await render({
      gifts: [gift({ images: { right: 'originals/right.png' }, imageUrls })],
    });
    expect(Object.keys(pictures.gifts[0] ?? {})).toEqual(GIFT_IMAGE_KEYS);
    expect(pictures.gifts[0]?.largeFrontImagePng).toBe('https://cdn.example/g.png');
    expect(notices).toEqual([
      expect.objectContaining({
        code: 'picture-stand-in',
        record: '7',
        expected: 'a picture of front; right stands in',
      }),
    ]);
  });
});

describe('the logos of networks and retailers', () => {
  it('are rendered from the original, else ready-made, else empty (D10)', async () => {
    const { pictures } = await render({
      networks: [
        network({ logo: 'originals/front.png', logos: { small: 'https://cdn.example/n.webp' } }),
        network({ id: '22', slug: 'other', logos: { deal: 'https://cdn.example/d.webp' } }),
      ],
      retailers: [retailer({ logo: 'originals/back.png' }), retailer({ id: '32', slug: 'other' })],
    });
    const [rendered, ready] = pictures.networkLogos;
    expect(Object.entries(rendered ?? {}).map(([key, path]) => [key, path.replace(/^.*\//, '')])).toEqual([
      ['small', 'small.webp'],
      ['medium', 'medium.webp'],
      ['large', 'large.webp'],
      ['deal', 'deal.webp'],
    ]);
    expect(ready).toEqual({ small: '', medium: '', large: '', deal: 'https://cdn.example/d.webp' });
    expect(pictures.retailerLogos.map(({ large, deal }) => [large.slice(-10), deal.slice(-9)])).toEqual([
      ['large.webp', 'deal.webp'],
      ['', ''],
    ]);
    expect(pictures.pictures).toHaveLength(6);
  });
});

describe('an original that cannot be used is a notice, and the record is served without it', () => {
  it.each<[string, string, (folder: string) => void, Partial<Notice>]>([
    [
      'a missing file',
      'none.png',
      () => {},
      { code: 'missing-picture', found: 'originals/none.png', expected: 'the path of a file (ENOENT)' },
    ],
    ['a folder', '.', () => {}, { code: 'missing-picture', expected: 'a file' }],
    [
      'a path below a file',
      'front.png/x',
      () => {},
      { code: 'missing-picture', expected: 'the path of a file (ENOTDIR)' },
    ],
    [
      'a file outside the folder of the configuration',
      '../../../outside.png',
      (folder) =>
        writeFileSync(join(dirname(folder), 'outside.png'), readFileSync(join(folder, 'cms/originals/front.png'))),
      { code: 'missing-picture', expected: 'a file in the folder of the configuration' },
    ],
    [
      'a symbolic link to the outside',
      'link.png',
      (folder) => {
        writeFileSync(join(dirname(folder), 'outside.png'), 'x');
        symlinkSync(join(dirname(folder), 'outside.png'), join(folder, 'cms/originals/link.png'));
      },
      { code: 'missing-picture', expected: 'a file in the folder of the configuration' },
    ],
    [
      'no picture',
      'text.png',
      (folder) => writeOriginal(folder, 'text.png', 'not a picture'),
      { code: 'unreadable-picture', found: 'originals/text.png: Input buffer contains unsupported image format' },
    ],
    ['an empty file', 'empty.png', (folder) => writeOriginal(folder, 'empty.png', ''), { code: 'unreadable-picture' }],
    [
      'a file above the limit',
      'large.png',
      (folder) => {
        writeOriginal(folder, 'large.png', '');
        truncateSync(join(folder, 'cms/originals/large.png'), MAX_SOURCE_IMAGE_BYTES + 1);
      },
      { code: 'unreadable-picture', found: 'originals/large.png: 25000001 bytes', expected: 'at most 25000000 bytes' },
    ],
  ])('%s', async (_, name, prepare, notice) => {
    const originals = await createOriginals();
    prepare(originals.folder);
    const images = { front: `originals/${name}`, back: 'originals/back.png' };
    const { pictures, notices } = await render({ products: [product({ images })] }, originals);
    expect(notices[0]).toMatchObject({ ...notice, source: 'site', record: '101/new', field: 'images.front' });
    expect(Object.keys(pictures.products[0] ?? {})).toEqual(IMAGE_KEYS);
    expect(pictures.products[0]?.largeFrontImageWebp).toBe(pictures.products[0]?.largeBackImageWebp);
  });
});

describe('renditions are kept by content', () => {
  it('records that share an original share its pictures', async () => {
    const originals = await createOriginals();
    writeOriginal(originals.folder, 'copy.png', readFileSync(join(originals.folder, 'cms/originals/front.png')));
    const records = {
      products: [
        product({ images: { front: 'originals/front.png' } }),
        product({ id: '102', images: { front: './originals/front.png' } }),
        product({ id: '103', images: { front: 'originals/copy.png' } }),
      ],
    };
    const { pictures } = await render(records, originals);
    expect(readdirSync(originals.images)).toHaveLength(1);
    expect(pictures.pictures).toHaveLength(9);
    expect(pictures.products[1]).toEqual(pictures.products[0]);
    expect(pictures.products[2]).toEqual(pictures.products[0]);
  });

  it('are used again, and rendered again when one of them is damaged', async () => {
    const originals = await createOriginals();
    const records = { products: [product({ images: { front: 'originals/front.png' } })] };
    const first = await render(records, originals);
    const [hash = ''] = readdirSync(originals.images);
    const folder = join(originals.images, hash);
    const { ino } = statSync(folder);
    expect(await render(records, originals)).toEqual(first);
    expect(statSync(folder).ino).toBe(ino);
    for (const damage of [
      () => writeFileSync(join(folder, 'large.webp'), 'x'),
      () => rmSync(join(folder, 'small.png')),
      () => writeFileSync(join(folder, 'renditions.json'), '{'),
    ]) {
      damage();
      expect(await render(records, originals)).toEqual(first);
      for (const { path, sha256 } of first.pictures.pictures) {
        expect(hashFile(join(dirname(originals.images), path)).sha256).toBe(sha256);
      }
    }
    expect(readdirSync(originals.images)).toEqual([hash]);
  });

  it('are the same, and nothing is written, on a dry run', async () => {
    const originals = await createOriginals();
    const records = { products: [product({ images: ALL_VIEWS })] };
    const dry = await render(records, originals, { persist: false });
    expect(() => statSync(originals.images)).toThrow('ENOENT');
    expect(await render(records, originals)).toEqual(dry);
  });

  it('have a new name when the original changes', async () => {
    const originals = await createOriginals();
    const records = { gifts: [gift({ images: { front: 'originals/front.png' } })] };
    const before = await render(records, originals);
    writeOriginal(originals.folder, 'front.png', await drawPicture({ width: 40, height: 81 }));
    const after = await render(records, originals);
    for (const format of FORMATS) {
      const key = imageKey('large', 'front', format);
      expect(after.pictures.gifts[0]?.[key]).not.toBe(before.pictures.gifts[0]?.[key]);
    }
  });
});
