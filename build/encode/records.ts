import { SPEC_KEYS } from '../../data/field/spec.ts';
import type { Content, GiftRecord, MetaData, Specs } from '../../data/record/product.ts';
import type {
  Dictionaries,
  GiftCategoryLine,
  GiftLine,
  Plan,
  ProductLine,
  ProductOriginLine,
} from '../../data/snapshot/format.ts';
import type { Catalogue, DealGift } from '../records/catalogue.ts';
import type { CatalogueImages, ImageUrls } from '../records/images.ts';
import type { Sourced } from '../source/record.ts';

/** The lines of `products.ndjson`. Keys are in a fixed order, and an empty text counts as absent (D6). */
export function* encodeProducts(
  { records }: Catalogue,
  pictures: CatalogueImages,
  priceHistories: readonly string[],
): Generator<string> {
  for (const [row, { record }] of records.products.entries()) {
    const line: ProductLine = {
      id: record.id,
      condition: record.condition,
      name: record.name,
      slug: record.slug,
      ...(record.model === undefined ? {} : { model: record.model }),
      ...(record.manufacturer === undefined ? {} : { manufacturer: record.manufacturer }),
      content: contentOf(record.content),
      pageContent: contentOf(record.pageContent),
      metaData: metaDataOf(record.metaData),
      specs: specsOf(record.specs),
      images: pictures.products[row] ?? {},
      priceHistory: priceHistories[row],
    };
    yield JSON.stringify(line);
  }
}

/** The lines of `product-origins.ndjson`, parallel to those of `products.ndjson`. */
export function* encodeProductOrigins({ records }: Catalogue): Generator<string> {
  for (const { record, origin } of records.products) {
    const { source, file, line } = origin;
    const { id, condition } = record;
    yield JSON.stringify({ id, condition, source, file, line } satisfies ProductOriginLine);
  }
}

/** The lines of `gifts.ndjson`. */
export function* encodeGifts({ records }: Catalogue, pictures: CatalogueImages): Generator<string> {
  for (const [row, gift] of records.gifts.entries()) {
    yield JSON.stringify(giftLineOf(gift, pictures.gifts[row]));
  }
}

/** The lines of `gift-categories.ndjson`; gifts in the order of the editor (D9). */
export function* encodeGiftCategories({ records }: Catalogue, pictures: CatalogueImages): Generator<string> {
  const giftsById = new Map(records.gifts.map(({ record }) => [record.id, record]));
  for (const [row, category] of records.giftCategories.entries()) {
    const { record } = category;
    const line: GiftCategoryLine = {
      ...giftLineOf(category, pictures.giftCategories[row]),
      pageContent: contentOf(record.pageContent),
      gifts: record.gifts.map((id) => referTo(giftsById.get(id), id)),
    };
    yield JSON.stringify(line);
  }
}

function referTo(gift: GiftRecord | undefined, id: string): GiftCategoryLine['gifts'][number] {
  if (gift === undefined) throw new Error(`gift ${id} is listed by a category and not published`);
  return { id: gift.id, name: gift.name, slug: gift.slug };
}

function giftLineOf({ record }: Sourced<GiftRecord>, images: ImageUrls | undefined): GiftLine {
  return {
    id: record.id,
    name: record.name,
    slug: record.slug,
    content: contentOf(record.content),
    metaData: metaDataOf(record.metaData),
    images: images ?? {},
  };
}

function contentOf(content: Content | undefined): ProductLine['content'] {
  return withoutEmpty({ heading: content?.heading, introduction: content?.introduction });
}

function metaDataOf(metaData: MetaData | undefined): ProductLine['metaData'] {
  return withoutEmpty({
    title: metaData?.title,
    description: metaData?.description,
    keywords: metaData?.keywords,
  });
}

function specsOf(specs: Specs | undefined): ProductLine['specs'] {
  return withoutEmpty(Object.fromEntries(SPEC_KEYS.map((key) => [key, specs?.[key]])));
}

function withoutEmpty<Key extends string>(texts: Record<Key, string | undefined>): Partial<Record<Key, string>> {
  const kept: Partial<Record<Key, string>> = {};
  for (const [key, text] of Object.entries<string | undefined>(texts)) {
    // The key is one of `texts`.
    if (text !== undefined && text !== '') kept[key as Key] = text;
  }
  return kept;
}

/** The one line of `dictionaries.json`. Networks and retailers without a deal are in it too: filters know them (D13). */
export function encodeDictionaries(
  { records, deals }: Catalogue,
  pictures: CatalogueImages,
  currency: Dictionaries['currency'],
): string {
  const dictionaries: Dictionaries = {
    currency: { code: currency.code, label: currency.label },
    networks: records.networks.map(({ record: { id, name, slug } }, row) => ({
      id,
      name,
      slug,
      logos: pictures.networkLogos[row] ?? { small: '', medium: '', large: '', deal: '' },
    })),
    retailers: records.retailers.map(({ record: { id, name, slug } }, row) => ({
      id,
      name,
      slug,
      logos: pictures.retailerLogos[row] ?? { large: '', deal: '' },
    })),
    manufacturers: records.manufacturers.map(({ slug, name }) => ({ slug, name })),
    plans: deals.plans.map(planOf),
    gifts: deals.gifts.map((gift) => giftOf(gift, { records, deals }, pictures)),
    cashbacks: deals.cashbacks.map(({ type, valuePence }) => ({ type, valuePence })),
    linkTemplates: deals.linkTemplates.map(({ prefix, suffix }) => ({ prefix, suffix })),
    pictures: [...deals.pictures],
  };
  return JSON.stringify(dictionaries);
}

/** Fixes the order of the keys. */
function planOf(plan: Plan): Plan {
  return {
    network: plan.network,
    dealType: plan.dealType,
    contractName: plan.contractName,
    contractMonths: plan.contractMonths,
    dataMegabytes: plan.dataMegabytes,
    callMinutes: plan.callMinutes,
    textMessages: plan.textMessages,
  };
}

/** `giftImg` is the gift's `largeFrontImageWebp` (D10); a gift that is only a feed's text has no picture. */
function giftOf(gift: DealGift, { records }: Catalogue, pictures: CatalogueImages): Dictionaries['gifts'][number] {
  if (gift.kind === 'text') return { name: gift.name, image: '' };
  const record = records.gifts[gift.giftRow]?.record;
  if (record === undefined) throw new Error(`gift row ${gift.giftRow} is used by a deal and not published`);
  return { name: record.name, image: pictures.gifts[gift.giftRow]?.largeFrontImageWebp ?? '' };
}
