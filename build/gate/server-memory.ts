import { bytesOfColumn } from '../../data/snapshot/column.ts';
import type { Catalogue, CatalogueDeals } from '../catalogue/catalogue.ts';

/** A server without a catalogue, with its cache of answers and the texts of products full. */
const SERVER_BYTES = 120_000_000;

/** What a server holds of an entry beside its texts: the object, and ready JSON for two places. Measured (build/README.md). */
const ENTRY_BYTES = { plan: 1_950, gift: 700, cashback: 500, picture: 640, linkTemplate: 1_250 } as const;
const RECORD_BYTES = 3_000;
/** 36 pictures, each with its address and its place in the list of pictures. */
const PICTURES_BYTES = 14_000;

/** The text of an entry is in the object and in the ready JSON. */
const COPIES = 2;

/** Rows whose links are looked at. */
const SAMPLED_ROWS = 1_000;

/** About what a server needs that takes a catalogue up while it answers from one like it, in bytes. */
export function estimateServerBytes({ deals, records }: Catalogue): number {
  const { plan, gift, cashback, picture, linkTemplate } = ENTRY_BYTES;
  const snapshot =
    sizeOfColumns(deals, records.products.length, records.retailers.length) +
    sizeOf(deals.plans, plan, ({ contractName }) => contractName.length) +
    sizeOf(deals.gifts, gift, (entry) => (entry.kind === 'text' ? entry.name.length : 0)) +
    sizeOf(deals.cashbacks, cashback, ({ type }) => type.length) +
    sizeOf(deals.pictures, picture, (url) => url.length) +
    sizeOf(deals.linkTemplates, linkTemplate, ({ prefix, suffix }) => prefix.length + suffix.length) +
    [records.products, records.gifts, records.giftCategories].reduce(
      (sum, list) => sum + sizeOf(list, RECORD_BYTES, ({ record }) => sizeOfRecord(record)),
      0,
    );
  return Math.round(SERVER_BYTES + 2 * snapshot);
}

function sizeOf<Entry>(entries: readonly Entry[], each: number, textLength: (entry: Entry) => number): number {
  return entries.reduce((sum, entry) => sum + each + COPIES * textLength(entry), 0);
}

function sizeOfRecord({
  images,
  imageUrls,
  ...texts
}: {
  readonly images?: object | undefined;
  readonly imageUrls?: object | undefined;
}): number {
  const hasPictures = Object.keys({ ...images, ...imageUrls }).length > 0;
  return JSON.stringify(texts).length + (hasPictures ? PICTURES_BYTES / COPIES : 0);
}

/** The columns of numbers as wide as they must be, money and ranks at four bytes; and the deals' own parts of links. */
function sizeOfColumns(deals: CatalogueDeals, productCount: number, retailerCount: number): number {
  const { rowCount } = deals;
  const counts = [
    productCount,
    retailerCount,
    deals.plans.length,
    deals.gifts.length,
    deals.cashbacks.length,
    deals.pictures.length,
    deals.linkTemplates.length,
  ];
  const numbers = counts.reduce((sum, count) => sum + bytesOfColumn(rowCount, count), 0);
  const step = Math.max(1, Math.floor(rowCount / SAMPLED_ROWS));
  let [linkBytes, sampled] = [0, 0];
  for (let row = 0; row < rowCount; row += step, sampled++) linkBytes += deals.linkPartAt(row).length;
  return numbers + rowCount * 5 * 4 + (sampled === 0 ? 0 : (linkBytes / sampled) * rowCount);
}
