import { availableParallelism } from 'node:os';
import {
  GIFT_IMAGE_KEYS,
  IMAGE_FIELDS,
  IMAGE_KEYS,
  imageKey,
  LOGO_BOX,
  VIEWS,
  type Format,
  type ImageKey,
  type View,
} from '../../data/field/image.ts';
import { compareCodeUnits } from '../../data/record/id.ts';
import {
  type NetworkRecord,
  type RetailerRecord,
  recordKey,
  type GiftCategoryRecord,
  type GiftRecord,
  type ProductRecord,
} from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { Network, PictureLine, Retailer } from '../../data/snapshot/format.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { createImageRenderer, type Rendering, type RenderOptions } from '../image/renditions.ts';
import { PictureError, renditionFile, type PresetName } from '../image/source-image.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { noticeAt } from '../source/errors.ts';
import type { Sourced } from '../source/record.ts';
import type { CatalogueRecords } from './join-records.ts';

/** The `images` object of a record: URLs of the editor, or paths of rendered pictures, in the order of the keys. */
type ImageUrls = Readonly<Partial<Record<ImageKey, string>>>;

/** The pictures of all records that have any; each list is parallel to that of the records. */
export interface CatalogueImages {
  readonly products: readonly ImageUrls[];
  readonly gifts: readonly ImageUrls[];
  readonly giftCategories: readonly ImageUrls[];
  readonly networkLogos: readonly Network['logos'][];
  readonly retailerLogos: readonly Retailer['logos'][];
  /** Every rendered picture that is shown, in order of path. */
  readonly pictures: readonly PictureLine[];
}

interface RecordImageOptions extends RenderOptions {
  /** `images.render` of the configuration: without it only ready-made URLs are served. */
  readonly render: boolean;
  note(notice: Notice): void;
}

type Illustrated = ProductRecord | GiftRecord | GiftCategoryRecord;
type Supplier = NetworkRecord | RetailerRecord;

/** Each rendering holds a source image and its pixels, up to 150 MB: a limit of memory more than of cores. */
const MAX_CONCURRENT = Math.min(2, availableParallelism());

/** Renders the source images of all records, and returns the pictures of each record. */
export async function renderRecordImages(
  records: CatalogueRecords,
  options: RecordImageOptions,
): Promise<CatalogueImages> {
  const render = createImageRenderer(options);
  const shown = new Map<string, PictureLine>();

  function note({ record, origin }: Sourced<Illustrated | Supplier>, details: NoticeDetails): void {
    options.note(noticeAt({ ...origin, record: recordKey(record) }, details));
  }

  async function find(
    sourced: Sourced<Illustrated | Supplier>,
    preset: PresetName,
    path: string | undefined,
    field: string,
  ): Promise<Rendering | undefined> {
    if (!options.render || path === undefined) return undefined;
    try {
      return await render(preset, sourced.origin.file, path);
    } catch (error) {
      if (!(error instanceof PictureError)) throw error;
      const found = error.message === '' ? path : `${path}: ${error.message}`;
      note(sourced, { code: error.code, field, found, expected: error.expected });
      return undefined;
    }
  }

  function show(rendering: Rendering | undefined, name: string, format: Format): string | undefined {
    const picture = rendering?.get(renditionFile(name, format));
    if (picture !== undefined) shown.set(picture.path, picture);
    return picture?.path;
  }

  /**
   * The pictures under `keys`. A view without one shows the front, or the first view that has one (D7); `imageUrls` win
   * over what is rendered.
   */
  async function imagesOf(
    sourced: Sourced<Illustrated>,
    preset: PresetName,
    keys: readonly ImageKey[],
  ): Promise<ImageUrls> {
    const { images = {}, imageUrls = {} } = sourced.record;
    const own = new Map<View, Rendering>();
    for (const view of VIEWS) {
      const rendering = await find(sourced, preset, images[view], `images.${view}`);
      if (rendering !== undefined) own.set(view, rendering);
    }
    const urls: Partial<Record<ImageKey, string>> = {};
    const standIns = new Map<View, View>();
    for (const { key, view, size, format } of IMAGE_FIELDS) {
      if (!keys.includes(key)) continue;
      for (const from of [view, ...VIEWS]) {
        const url = imageUrls[imageKey(size, from, format)] ?? show(own.get(from), size, format);
        if (url === undefined) continue;
        urls[key] = url;
        if (from !== view) standIns.set(view, from);
        break;
      }
    }
    if (standIns.size > 0) {
      const others = [...new Set(standIns.values())];
      const expected = `a picture of ${[...standIns.keys()].join(', ')}; ${others.join(', ')} stands in`;
      note(sourced, { code: 'picture-stand-in', field: 'images', expected });
    }
    return urls;
  }

  /** The badges of a network or retailer: the rendered logo, ready-made ones, or none. */
  async function logosOf<Kind extends keyof typeof LOGO_BOX>(
    kind: Kind,
    supplier: Sourced<Supplier>,
  ): Promise<Record<keyof (typeof LOGO_BOX)[Kind], string>> {
    const rendering = await find(supplier, kind, supplier.record.logo, 'logo');
    const ready: Readonly<Partial<Record<string, string>>> = supplier.record.logos ?? {};
    const logos = Object.keys(LOGO_BOX[kind]).map((size) => [size, show(rendering, size, 'webp') ?? ready[size] ?? '']);
    // The keys are the sizes.
    return Object.fromEntries(logos) as Record<keyof (typeof LOGO_BOX)[Kind], string>;
  }

  const { products, gifts, giftCategories, networks, retailers } = records;
  const each = <Item, Result>(list: readonly Item[], work: (item: Item) => Promise<Result>) =>
    mapConcurrently(list, MAX_CONCURRENT, work);
  return {
    products: await each(products, (product) => imagesOf(product, 'product', IMAGE_KEYS)),
    gifts: await each(gifts, (gift) => imagesOf(gift, 'gift', GIFT_IMAGE_KEYS)),
    giftCategories: await each(giftCategories, (category) => imagesOf(category, 'gift', GIFT_IMAGE_KEYS)),
    networkLogos: await each(networks, (network) => logosOf('network', network)),
    retailerLogos: await each(retailers, (retailer) => logosOf('retailer', retailer)),
    pictures: [...shown.values()].sort((a, b) => compareCodeUnits(a.path, b.path)),
  };
}
