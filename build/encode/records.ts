import type { GiftRecord } from '../../data/record/product.ts';
import {
  type Dictionaries,
  dictionariesSchema,
  type GiftCategoryLine,
  type GiftLine,
  type Network,
  type Plan,
  type ProductLine,
  productLineSchema,
  type ProductOriginLine,
  type Retailer,
} from '../../data/snapshot/format.ts';
import type { Catalogue } from '../records/catalogue.ts';
import type { CatalogueImages, ImageUrls } from '../records/images.ts';
import { pick } from '../source/record.ts';

const { content: CONTENT, metaData: META_DATA, specs: SPECS } = productLineSchema.shape;
const PLAN_KEYS = Object.keys(dictionariesSchema.shape.plans.element.shape) as readonly (keyof Plan)[];

/** The lines of `products.ndjson`. Keys are in a fixed order, and an empty text counts as absent (D6). */
export function* encodeProducts(
  { records }: Catalogue,
  pictures: CatalogueImages,
  priceHistories: readonly string[],
): Generator<string> {
  for (const [row, { record }] of records.products.entries()) {
    const line: ProductLine = {
      ...pick(record, ['id', 'condition', 'name', 'slug', 'model', 'manufacturer']),
      content: textsOf(record.content, CONTENT),
      pageContent: textsOf(record.pageContent, CONTENT),
      metaData: textsOf(record.metaData, META_DATA),
      specs: textsOf(record.specs, SPECS),
      images: pictures.products[row] ?? {},
      priceHistory: priceHistories[row],
    };
    yield JSON.stringify(line);
  }
}

/** The lines of `product-origins.ndjson`, parallel to those of `products.ndjson`. */
export function* encodeProductOrigins({ records }: Catalogue): Generator<string> {
  for (const { record, origin } of records.products) {
    const line: ProductOriginLine = {
      ...pick(record, ['id', 'condition']),
      ...pick(origin, ['source', 'file', 'line']),
    };
    yield JSON.stringify(line);
  }
}

/** The lines of `gifts.ndjson`. */
export function* encodeGifts({ records }: Catalogue, pictures: CatalogueImages): Generator<string> {
  for (const [row, { record }] of records.gifts.entries())
    yield JSON.stringify(giftLineOf(record, pictures.gifts[row]));
}

/** The lines of `gift-categories.ndjson`; gifts in the order of the editor (D9). */
export function* encodeGiftCategories({ records }: Catalogue, pictures: CatalogueImages): Generator<string> {
  const giftsById = new Map(records.gifts.map(({ record }) => [record.id, record]));
  for (const [row, { record }] of records.giftCategories.entries()) {
    const line: GiftCategoryLine = {
      ...giftLineOf(record, pictures.giftCategories[row]),
      pageContent: textsOf(record.pageContent, CONTENT),
      // A category lists published gifts only.
      gifts: record.gifts.map((id) => pick(giftsById.get(id) as GiftRecord, ['id', 'name', 'slug'])),
    };
    yield JSON.stringify(line);
  }
}

function giftLineOf(record: GiftRecord, images: ImageUrls = {}): GiftLine {
  return {
    ...pick(record, ['id', 'name', 'slug']),
    content: textsOf(record.content, CONTENT),
    metaData: textsOf(record.metaData, META_DATA),
    images,
  };
}

/** The texts that are there and not empty, in the order of their schema. */
function textsOf<Key extends string>(
  texts: Readonly<Partial<Record<Key, string>>> | undefined,
  { shape }: { readonly shape: Readonly<Record<Key, unknown>> },
): Partial<Record<Key, string>> {
  const kept: Partial<Record<Key, string>> = {};
  for (const key of Object.keys(shape) as Key[]) if (texts?.[key] !== '') kept[key] = texts?.[key];
  return kept;
}

/** The one line of `dictionaries.json`. Networks and retailers without a deal are in it too: filters know them (D13). */
export function encodeDictionaries(
  { records, deals }: Catalogue,
  pictures: CatalogueImages,
  currency: Dictionaries['currency'],
): string {
  const dictionaries: Dictionaries = {
    currency: pick(currency, ['code', 'label']),
    // The lists of pictures are parallel to those of the records.
    networks: records.networks.map(({ record }, row) => ({
      ...pick(record, ['id', 'name', 'slug']),
      logos: pictures.networkLogos[row] as Network['logos'],
    })),
    retailers: records.retailers.map(({ record }, row) => ({
      ...pick(record, ['id', 'name', 'slug']),
      logos: pictures.retailerLogos[row] as Retailer['logos'],
    })),
    manufacturers: records.manufacturers.map((maker) => pick(maker, ['slug', 'name'])),
    plans: deals.plans.map((plan) => pick(plan, PLAN_KEYS)),
    // `giftImg` (D10); a gift that is only a feed's text has no picture.
    gifts: deals.gifts.map(({ name, row = -1 }) => ({ name, image: pictures.gifts[row]?.largeFrontImageWebp ?? '' })),
    cashbacks: deals.cashbacks.map((cashback) => pick(cashback, ['type', 'valuePence'])),
    linkTemplates: deals.linkTemplates.map((template) => pick(template, ['prefix', 'suffix'])),
    pictures: [...deals.pictures],
  };
  return JSON.stringify(dictionaries);
}
