import { z } from 'zod';
import { type Notice, NOTICES, noticeSchema } from '../../data/report/notice.ts';
import type { SnapshotReport } from '../../data/report/report.ts';
import {
  type DealsLine,
  type Dictionaries,
  dictionariesSchema,
  giftCategoryLineSchema,
  giftLineSchema,
  MAX_DEALS_PER_LINE,
  pictureLineSchema,
  productLineSchema,
  productOriginLineSchema,
  type ProvenanceLine,
} from '../../data/snapshot/format.ts';
import type { Catalogue, CatalogueDeals } from '../deals/catalogue-deals.ts';
import type { MatchEvidence } from '../match/match-product.ts';
import type { SnapshotContent } from '../publish/publish.ts';
import type { CatalogueImages } from '../records/images.ts';
import { pick } from '../source/record.ts';

const NOTICE_KEYS = Object.keys(noticeSchema.shape) as readonly (keyof Notice)[];

/** What a record that is not served has become: these are in `quarantine.ndjson`, all else is in `notices.ndjson`. */
const EXCLUDING_OUTCOMES: ReadonlySet<string> = new Set(['quarantined', 'out-of-scope', 'duplicate']);

/** The parts of a snapshot. */
export interface SnapshotParts {
  readonly catalogue: Catalogue;
  readonly pictures: CatalogueImages;
  /** By row of the product. */
  readonly priceHistories: readonly string[];
  readonly currency: Dictionaries['currency'];
  readonly report: SnapshotReport;
  readonly notices: readonly Notice[];
}

/**
 * The lines of every file of a snapshot, made one by one while they are written, so that a large catalogue is never in
 * memory as text. The same parts give the same bytes.
 */
export function encodeSnapshot({
  catalogue,
  pictures,
  priceHistories,
  currency,
  report,
  notices,
}: SnapshotParts): SnapshotContent {
  const { products, gifts, giftCategories } = catalogue.records;
  const giftsById = new Map(gifts.map(({ record }) => [record.id, record]));
  const ofNotices = (areExcluded: boolean) => () =>
    mapLines(
      notices.filter(({ code }) => EXCLUDING_OUTCOMES.has(NOTICES[code].outcome) === areExcluded),
      orderNotice,
    );
  return {
    'dictionaries.json': () => [JSON.stringify(toDictionaries(catalogue, pictures, currency))],
    'products.ndjson': () =>
      mapLines(products, ({ record }, row) =>
        shape(productLineSchema, { ...record, images: pictures.products[row], priceHistory: priceHistories[row] }),
      ),
    'gifts.ndjson': () =>
      mapLines(gifts, ({ record }, row) => shape(giftLineSchema, { ...record, images: pictures.gifts[row] })),
    'gift-categories.ndjson': () =>
      mapLines(giftCategories, ({ record }, row) =>
        shape(giftCategoryLineSchema, {
          ...record,
          // In the order of the editor (D9); a category lists published gifts only.
          gifts: record.gifts.map((id) => giftsById.get(id)),
          images: pictures.giftCategories[row],
        }),
      ),
    'pictures.ndjson': () => mapLines(pictures.pictures, (line) => shape(pictureLineSchema, line)),
    'deals.ndjson': () => encodeDeals(catalogue.deals),
    'product-origins.ndjson': () =>
      mapLines(products, ({ record, origin }) => shape(productOriginLineSchema, { ...record, ...origin })),
    'provenance.ndjson': () => encodeProvenance(catalogue.deals),
    'quarantine.ndjson': ofNotices(true),
    'notices.ndjson': ofNotices(false),
    'report.json': () => [encodeReport(report)],
  };
}

function* mapLines<Value>(values: readonly Value[], toJson: (value: Value, row: number) => unknown): Generator<string> {
  for (const [row, value] of values.entries()) yield JSON.stringify(toJson(value, row));
}

/**
 * What a schema has of a value, with keys in the order of the schema. An object that is not there is empty, and an empty
 * text that may be missing is (D6).
 */
function shape(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional) return value === '' ? undefined : value;
  if (schema instanceof z.ZodArray) return (value as readonly unknown[]).map((item) => shape(schema.element, item));
  if (!(schema instanceof z.ZodObject)) return value;
  const fields = Object.entries(schema.shape);
  const values = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.map(([key, field]) => [key, shape(field, values[key])]));
}

/** Networks and retailers without a deal are in it too: filters know them (D13). */
function toDictionaries(
  { records, deals }: Catalogue,
  pictures: CatalogueImages,
  currency: Dictionaries['currency'],
): unknown {
  // The lists of pictures are parallel to those of the records.
  return shape(dictionariesSchema, {
    ...deals,
    currency,
    networks: records.networks.map(({ record }, row) => ({ ...record, logos: pictures.networkLogos[row] })),
    retailers: records.retailers.map(({ record }, row) => ({ ...record, logos: pictures.retailerLogos[row] })),
    manufacturers: records.manufacturers,
    // `giftImg` (D10); a gift that is only a feed's text has no picture.
    gifts: deals.gifts.map(({ name, row = -1 }) => ({
      id: records.gifts[row]?.record.id,
      name,
      image: pictures.gifts[row]?.largeFrontImageWebp ?? '',
    })),
  });
}

function encodeReport(report: SnapshotReport): string {
  const { sources, notices, unmatchedNames, withoutDeals, summary } = report;
  const ordered = notices.map((each) => ({ ...each, samples: each.samples.map(orderNotice) }));
  return JSON.stringify({ sources, notices: ordered, unmatchedNames, withoutDeals, summary }, null, 2);
}

/** A notice with its keys in a fixed order. */
function orderNotice(notice: Notice): object {
  return pick(notice, NOTICE_KEYS);
}

/** The lines of `deals.ndjson`: parallel arrays, without those that are all 0. */
function* encodeDeals(deals: CatalogueDeals): Generator<string> {
  for (const { product, rows } of listRanges(deals)) {
    const cells = (column: Uint32Array) => rows.map((row) => column[row] as number);
    const usedCells = (column: Uint32Array) => (rows.some((row) => column[row] !== 0) ? cells(column) : undefined);
    const line: DealsLine = {
      product,
      rank: cells(deals.rank),
      plan: cells(deals.plan),
      retailer: cells(deals.retailer),
      totalPence: cells(deals.totalPence),
      upfrontPence: cells(deals.upfrontPence),
      monthlyPence: cells(deals.monthlyPence),
      gift: usedCells(deals.gift),
      cashback: usedCells(deals.cashback),
      picture: usedCells(deals.picture),
      linkTemplate: cells(deals.linkTemplate),
      linkPart: rows.map((row) => deals.linkPartAt(row)),
    };
    yield JSON.stringify(line);
  }
}

/** The lines of `provenance.ndjson`, parallel to those of `deals.ndjson`. */
function* encodeProvenance(deals: CatalogueDeals): Generator<string> {
  for (const { product, rows } of listRanges(deals)) {
    const origins = rows.map((row) => deals.originAt(row));
    const evidence = rows.map((row) => deals.matchAt(row));
    // Each evidence once, in the order of first use in the line.
    const codes = new Map<MatchEvidence, number>();
    for (const each of evidence) if (!codes.has(each)) codes.set(each, codes.size);
    const line: ProvenanceLine = {
      product,
      source: origins.map(({ source }) => source),
      file: origins.map(({ file }) => file),
      line: origins.map(({ line }) => line),
      key: rows.map((row) => deals.keyAt(row)),
      matches: [...codes.keys()].map(({ rule, found }) => ({ rule, found })),
      match: evidence.map((each) => codes.get(each) as number),
    };
    yield JSON.stringify(line);
  }
}

/** The rows of each line: deals of one product. */
function* listRanges({ rangeStart }: CatalogueDeals): Generator<{ product: number; rows: readonly number[] }> {
  for (let product = 0; product + 1 < rangeStart.length; product++) {
    const last = rangeStart[product + 1] ?? 0;
    for (let start = rangeStart[product] ?? 0; start < last; start += MAX_DEALS_PER_LINE) {
      const length = Math.min(last - start, MAX_DEALS_PER_LINE);
      yield { product, rows: Array.from({ length }, (_, i) => start + i) };
    }
  }
}
