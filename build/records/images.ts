import { posix } from 'node:path';
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
import type { NetworkRecord, RetailerRecord } from '../../data/record/network-retailer.ts';
import { recordKey, type GiftCategoryRecord, type GiftRecord, type ProductRecord } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { Network, PictureLine, Retailer } from '../../data/snapshot/format.ts';
import type { PresetName } from '../image/presets.ts';
import {
  renderImages,
  type Rendering,
  type RenderOptions,
  type SourceImageReference,
} from '../image/rendered-images.ts';
import { createNotice } from '../ledger/ledger.ts';
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

type Rendered = Extract<Rendering, { kind: 'rendered' }>;

/** Renders the source images of all records, and returns the pictures of each record. */
export async function renderRecordImages(
  records: CatalogueRecords,
  options: RecordImageOptions,
): Promise<CatalogueImages> {
  const gallery = await renderImages(options.render ? listReferences(records) : [], options);
  const shown = new Map<string, PictureLine>();

  function show(url: string): string {
    const picture = gallery.pictureAt(url);
    if (picture !== undefined) shown.set(url, picture);
    return url;
  }

  function find(
    sourced: Sourced<Illustrated | Supplier>,
    preset: PresetName,
    path: string | undefined,
    field: string,
  ): Rendered | undefined {
    const [rendering] = referTo(sourced, preset, path).map((reference) => gallery.find(reference));
    if (rendering === undefined || rendering.kind === 'rendered') return rendering;
    const { code, found, expected } = rendering;
    const details = { code, field, found: truncateText(found), expected };
    options.note(createNotice(details, recordKey(sourced.record), sourced.origin));
    return undefined;
  }

  /** The pictures under `keys`. A view without one shows the front, or the first view that there is (D7); `imageUrls` win. */
  function imagesOf(sourced: Sourced<Illustrated>, preset: PresetName, keys: readonly ImageKey[]): ImageUrls {
    const { images = {}, imageUrls = {} } = sourced.record;
    const own = new Map<View, Rendered>();
    for (const view of VIEWS) {
      const rendering = find(sourced, preset, images[view], `images.${view}`);
      if (rendering !== undefined) own.set(view, rendering);
    }
    const [standIn] = own;
    const urls = new Map<ImageKey, string>();
    const missing: View[] = [];
    for (const view of VIEWS) {
      const rendering = own.get(view) ?? standIn?.[1];
      const unready = keysOfView(view).filter(({ key }) => keys.includes(key) && imageUrls[key] === undefined);
      for (const { key, size, format } of unready) if (rendering) urls.set(key, rendering.pathOf(size, format));
      if (unready.length > 0 && !own.has(view)) missing.push(view);
    }
    if (standIn !== undefined && missing.length > 0) {
      const expected = `a picture of ${missing.join(', ')}; ${standIn[0]} stands in`;
      const details = { code: 'picture-stand-in', field: 'images', expected } as const;
      options.note(createNotice(details, recordKey(sourced.record), sourced.origin));
    }
    return Object.fromEntries(
      keys.flatMap((key) => {
        const url = imageUrls[key] ?? urls.get(key);
        return url === undefined ? [] : [[key, show(url)]];
      }),
    );
  }

  /** The badges of a network or retailer in these sizes: the rendered logo, ready-made ones, or none. */
  function logosOf<Size extends string>(
    supplier: Sourced<Supplier>,
    preset: PresetName,
    sizes: readonly Size[],
  ): Record<Size, string> {
    const rendering = find(supplier, preset, supplier.record.logo, 'logo');
    const ready: Readonly<Partial<Record<string, string>>> = supplier.record.logos ?? {};
    const logos = sizes.map((size) => [size, show(rendering?.pathOf(size, 'webp') ?? ready[size] ?? '')]);
    // The keys are `sizes`.
    return Object.fromEntries(logos) as Record<Size, string>;
  }

  const { products, gifts, giftCategories, networks, retailers } = records;
  return {
    products: products.map((product) => imagesOf(product, 'product', IMAGE_KEYS)),
    gifts: gifts.map((gift) => imagesOf(gift, 'gift', GIFT_IMAGE_KEYS)),
    giftCategories: giftCategories.map((category) => imagesOf(category, 'gift', GIFT_IMAGE_KEYS)),
    networkLogos: networks.map((network) => logosOf(network, 'network', ['small', 'medium', 'large', 'deal'])),
    retailerLogos: retailers.map((retailer) => logosOf(retailer, 'retailer', ['large', 'deal'])),
    pictures: [...shown.values()].sort((a, b) => compareCodeUnits(a.path, b.path)),
  };
}

function keysOfView(view: View): { readonly key: ImageKey; readonly size: Size; readonly format: Format }[] {
  return SIZES.flatMap((size) => FORMATS.map((format) => ({ key: imageKey(size, view, format), size, format })));
}

/** The source images that the records name, relative to the configuration. */
export function listSourceImages(records: CatalogueRecords): readonly string[] {
  return [
    ...new Set(listReferences(records).map(({ namingFile, path }) => posix.join(posix.dirname(namingFile), path))),
  ];
}

function listReferences(records: CatalogueRecords): SourceImageReference[] {
  const viewsOf = (preset: PresetName) => (sourced: Sourced<Illustrated>) =>
    VIEWS.flatMap((view) => referTo(sourced, preset, sourced.record.images?.[view]));
  const logoOf = (preset: PresetName) => (sourced: Sourced<Supplier>) => referTo(sourced, preset, sourced.record.logo);
  return [
    ...records.products.flatMap(viewsOf('product')),
    ...[...records.gifts, ...records.giftCategories].flatMap(viewsOf('gift')),
    ...records.networks.flatMap(logoOf('network')),
    ...records.retailers.flatMap(logoOf('retailer')),
  ];
}

function referTo(
  { origin }: Sourced<unknown>,
  preset: PresetName,
  path: string | undefined,
): readonly SourceImageReference[] {
  return path === undefined ? [] : [{ preset, namingFile: origin.file, path }];
}
