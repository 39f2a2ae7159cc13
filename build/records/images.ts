import { availableParallelism } from 'node:os';
import {
  FORMATS,
  GIFT_IMAGE_KEYS,
  IMAGE_KEYS,
  imageKey,
  SIZES,
  VIEWS,
  type Format,
  type ImageKey,
  type Size,
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
import { renditionFile, type PresetName } from '../image/presets.ts';
import { createImageRenderer, type Rendering, type RenderOptions } from '../image/rendered-images.ts';
import { PictureError } from '../image/source-image.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { noticeAt } from '../source/errors.ts';
import { truncateText } from '../source/quote.ts';
import type { Sourced } from '../source/record.ts';
import type { CatalogueRecords } from './catalogue.ts';

/** The `images` object of a record: URLs of the editor, or paths of rendered pictures, in the order of the keys. */
export type ImageUrls = Readonly<Partial<Record<ImageKey, string>>>;

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

export interface RecordImageOptions extends RenderOptions {
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
      const found = truncateText(error.message === '' ? path : `${path}: ${error.message}`);
      note(sourced, { code: error.code, field, found, expected: error.expected });
      return undefined;
    }
  }

  function show(rendering: Rendering | undefined, name: string, format: Format): string | undefined {
    const picture = rendering?.get(renditionFile(name, format));
    if (picture !== undefined) shown.set(picture.path, picture);
    return picture?.path;
  }

  /** The pictures under `keys`. A view without one shows the front, or the first view that there is (D7); `imageUrls` win. */
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
    const [standIn] = own;
    const urls: Partial<Record<ImageKey, string>> = { ...imageUrls };
    const missing: View[] = [];
    for (const view of VIEWS) {
      const unready = keysOfView(view).filter(({ key }) => keys.includes(key) && imageUrls[key] === undefined);
      const rendering = own.get(view) ?? standIn?.[1];
      for (const { key, size, format } of unready) urls[key] = show(rendering, size, format);
      if (unready.length > 0 && !own.has(view)) missing.push(view);
    }
    if (standIn !== undefined && missing.length > 0) {
      const expected = `a picture of ${missing.join(', ')}; ${standIn[0]} stands in`;
      note(sourced, { code: 'picture-stand-in', field: 'images', expected });
    }
    return Object.fromEntries(keys.filter((key) => urls[key] !== undefined).map((key) => [key, urls[key]]));
  }

  /** The badges of a network or retailer in these sizes: the rendered logo, ready-made ones, or none. */
  async function logosOf<Size extends string>(
    supplier: Sourced<Supplier>,
    preset: PresetName,
    sizes: readonly Size[],
  ): Promise<Record<Size, string>> {
    const rendering = await find(supplier, preset, supplier.record.logo, 'logo');
    const ready: Readonly<Partial<Record<string, string>>> = supplier.record.logos ?? {};
    const logos = sizes.map((size) => [size, show(rendering, size, 'webp') ?? ready[size] ?? '']);
    // The keys are `sizes`.
    return Object.fromEntries(logos) as Record<Size, string>;
  }

  const { products, gifts, giftCategories, networks, retailers } = records;
  const each = <Item, Result>(list: readonly Item[], work: (item: Item) => Promise<Result>) =>
    mapConcurrently(list, MAX_CONCURRENT, work);
  return {
    products: await each(products, (product) => imagesOf(product, 'product', IMAGE_KEYS)),
    gifts: await each(gifts, (gift) => imagesOf(gift, 'gift', GIFT_IMAGE_KEYS)),
    giftCategories: await each(giftCategories, (category) => imagesOf(category, 'gift', GIFT_IMAGE_KEYS)),
    networkLogos: await each(networks, (network) => logosOf(network, 'network', ['small', 'medium', 'large', 'deal'])),
    retailerLogos: await each(retailers, (retailer) => logosOf(retailer, 'retailer', ['large', 'deal'])),
    pictures: [...shown.values()].sort((a, b) => compareCodeUnits(a.path, b.path)),
  };
}

function keysOfView(view: View): { readonly key: ImageKey; readonly size: Size; readonly format: Format }[] {
  return SIZES.flatMap((size) => FORMATS.map((format) => ({ key: imageKey(size, view, format), size, format })));
}
