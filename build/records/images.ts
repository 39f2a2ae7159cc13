import { posix } from 'node:path';
import {
  FORMATS,
  GIFT_IMAGE_KEYS,
  IMAGE_KEYS,
  imageKey,
  SIZES,
  VIEWS,
  type ImageKey,
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
  type RenderedImages,
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

/** A rendered view of a record. */
type OwnViews = ReadonlyMap<View, Extract<Rendering, { kind: 'rendered' }>>;

/** Renders the source images of all records, and returns the pictures of each record. */
export async function renderRecordImages(
  records: CatalogueRecords,
  options: RecordImageOptions,
): Promise<CatalogueImages> {
  const references = options.render ? listReferences(records) : [];
  const assembler = new ImageAssembler(await renderImages(references, options), options);
  return {
    products: records.products.map((product) => assembler.productImages(product)),
    gifts: records.gifts.map((gift) => assembler.giftImages(gift)),
    giftCategories: records.giftCategories.map((category) => assembler.giftImages(category)),
    networkLogos: records.networks.map((network) => assembler.networkLogos(network)),
    retailerLogos: records.retailers.map((retailer) => assembler.retailerLogos(retailer)),
    pictures: assembler.shownPictures(),
  };
}

/** The source images that the records name, relative to the configuration. */
export function listSourceImages(records: CatalogueRecords): readonly string[] {
  return [
    ...new Set(listReferences(records).map(({ namingFile, path }) => posix.join(posix.dirname(namingFile), path))),
  ];
}

function listReferences(records: CatalogueRecords): SourceImageReference[] {
  const illustrated = (preset: PresetName) => (sourced: Sourced<Illustrated>) =>
    VIEWS.flatMap((view) => sourceImageOf(sourced, view, preset) ?? []);
  const badged = (preset: PresetName) => (sourced: Sourced<Supplier>) => logoOf(sourced, preset) ?? [];
  return [
    ...records.products.flatMap(illustrated('product')),
    ...records.gifts.flatMap(illustrated('gift')),
    ...records.giftCategories.flatMap(illustrated('gift')),
    ...records.networks.flatMap(badged('network')),
    ...records.retailers.flatMap(badged('retailer')),
  ];
}

function sourceImageOf(
  { record, origin }: Sourced<Illustrated>,
  view: View,
  preset: PresetName,
): SourceImageReference | undefined {
  const path = record.images?.[view];
  return path === undefined ? undefined : { preset, namingFile: origin.file, path };
}

function logoOf({ record, origin }: Sourced<Supplier>, preset: PresetName): SourceImageReference | undefined {
  return record.logo === undefined ? undefined : { preset, namingFile: origin.file, path: record.logo };
}

/** Assigns the pictures of each record, notes errors in them, and collects the pictures that are shown. */
class ImageAssembler {
  readonly #gallery: RenderedImages;
  readonly #options: RecordImageOptions;
  readonly #shown = new Map<string, PictureLine>();

  constructor(gallery: RenderedImages, options: RecordImageOptions) {
    this.#gallery = gallery;
    this.#options = options;
  }

  /** 36 keys, where a view without a picture shows the front (D7); `imageUrls` win. */
  productImages(product: Sourced<ProductRecord>): ImageUrls {
    const views = this.#ownViews(product, 'product');
    const standIn = firstView(views);
    const { imageUrls = {} } = product.record;
    if (standIn !== undefined) this.#noteStandIns(product, views, standIn, VIEWS, IMAGE_KEYS);
    const rendered = new Map<ImageKey, string>();
    for (const view of VIEWS) {
      const rendering = views.get(view) ?? (standIn === undefined ? undefined : views.get(standIn));
      if (rendering === undefined) continue;
      for (const size of SIZES) {
        for (const format of FORMATS) rendered.set(imageKey(size, view, format), rendering.pathOf(size, format));
      }
    }
    return this.#merge(IMAGE_KEYS, imageUrls, rendered);
  }

  /** The three large front keys of a gift or a gift category (spec §2.11); `imageUrls` win. */
  giftImages(gift: Sourced<GiftRecord | GiftCategoryRecord>): ImageUrls {
    const views = this.#ownViews(gift, 'gift');
    const standIn = firstView(views);
    const rendered = new Map<ImageKey, string>();
    if (standIn !== undefined) {
      this.#noteStandIns(gift, views, standIn, ['front'], GIFT_IMAGE_KEYS);
      for (const format of FORMATS) {
        const path = views.get(standIn)?.pathOf('large', format);
        if (path !== undefined) rendered.set(imageKey('large', 'front', format), path);
      }
    }
    return this.#merge(GIFT_IMAGE_KEYS, gift.record.imageUrls ?? {}, rendered);
  }

  networkLogos(network: Sourced<NetworkRecord>): Network['logos'] {
    const logo = this.#logo(network, 'network');
    const { logos = {} } = network.record;
    return {
      small: this.#show(logo('small') ?? logos.small ?? ''),
      medium: this.#show(logo('medium') ?? logos.medium ?? ''),
      large: this.#show(logo('large') ?? logos.large ?? ''),
      deal: this.#show(logo('deal') ?? logos.deal ?? ''),
    };
  }

  retailerLogos(retailer: Sourced<RetailerRecord>): Retailer['logos'] {
    const logo = this.#logo(retailer, 'retailer');
    const { logos = {} } = retailer.record;
    return {
      large: this.#show(logo('large') ?? logos.large ?? ''),
      deal: this.#show(logo('deal') ?? logos.deal ?? ''),
    };
  }

  shownPictures(): readonly PictureLine[] {
    return [...this.#shown.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
  }

  /** The views with a picture of the record's own. */
  #ownViews(sourced: Sourced<Illustrated>, preset: PresetName): OwnViews {
    const views = new Map<View, Extract<Rendering, { kind: 'rendered' }>>();
    for (const view of VIEWS) {
      const rendering = this.#find(sourced, sourceImageOf(sourced, view, preset), `images.${view}`);
      if (rendering !== undefined) views.set(view, rendering);
    }
    return views;
  }

  #logo(sourced: Sourced<Supplier>, preset: PresetName): (name: string) => string | undefined {
    const rendering = this.#find(sourced, logoOf(sourced, preset), 'logo');
    return (name) => rendering?.pathOf(name, 'webp');
  }

  #find(
    sourced: Sourced<Illustrated | Supplier>,
    reference: SourceImageReference | undefined,
    field: string,
  ): Extract<Rendering, { kind: 'rendered' }> | undefined {
    const rendering = reference === undefined ? undefined : this.#gallery.find(reference);
    if (rendering === undefined || rendering.kind === 'rendered') return rendering;
    const { code, found, expected } = rendering;
    this.#options.note(
      createNotice({ code, field, found: truncateText(found), expected }, recordKey(sourced.record), sourced.origin),
    );
    return undefined;
  }

  /** Notes which of `views` show the picture of another view, unless ready-made URLs cover them. */
  #noteStandIns(
    sourced: Sourced<Illustrated>,
    own: OwnViews,
    standIn: View,
    views: readonly View[],
    keys: readonly ImageKey[],
  ): void {
    const { imageUrls = {} } = sourced.record;
    const isServedReady = (view: View) =>
      SIZES.flatMap((size) => FORMATS.map((format) => imageKey(size, view, format)))
        .filter((key) => keys.includes(key))
        .every((key) => imageUrls[key] !== undefined);
    const missing = views.filter((view) => !own.has(view) && !isServedReady(view));
    if (missing.length === 0) return;
    const expected = `a picture of ${missing.join(', ')}; ${standIn} stands in`;
    const details = { code: 'picture-stand-in', field: 'images', expected } as const;
    this.#options.note(createNotice(details, recordKey(sourced.record), sourced.origin));
  }

  #merge(
    keys: readonly ImageKey[],
    imageUrls: Readonly<Partial<Record<ImageKey, string | undefined>>>,
    rendered: ReadonlyMap<ImageKey, string>,
  ): ImageUrls {
    return Object.fromEntries(
      keys.flatMap((key) => {
        const url = imageUrls[key] ?? rendered.get(key);
        return url === undefined ? [] : [[key, this.#show(url)]];
      }),
    );
  }

  #show(url: string): string {
    const picture = this.#gallery.pictureAt(url);
    if (picture !== undefined) this.#shown.set(url, picture);
    return url;
  }
}

/** The front, or the first view that there is. */
function firstView(views: OwnViews): View | undefined {
  return VIEWS.find((view) => views.has(view));
}
