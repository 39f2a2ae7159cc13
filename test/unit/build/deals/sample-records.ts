import type { FeedDeal } from '../../../../build/feed/parse-deal.ts';
import type { ExcludeRule } from '../../../../build/config/config.ts';
import { DealCollector, FeedCollector } from '../../../../build/deals/collect-deals.ts';
import { Ledger } from '../../../../build/ledger/ledger.ts';
import { ExcludeRules } from '../../../../build/records/exclude.ts';
import { joinRecords, type JoinedRecords } from '../../../../build/records/join-records.ts';
import type { CmsRecords, Sourced } from '../../../../build/source/record.ts';
import { dealRecordSchema, type DealRecord } from '../../../../data/record/deal.ts';
import {
  networkRecordSchema,
  retailerRecordSchema,
  type ManufacturerRecord,
  giftCategoryRecordSchema,
  giftRecordSchema,
  productRecordSchema,
  type ProductRecord,
} from '../../../../data/record/product.ts';
import type { UnmatchedName } from '../../../../data/report/report.ts';

const NOW = new Date('2026-11-20T02:30:00Z');

export const MONEY = {
  maxMonthlyPence: 30_000,
  maxUpfrontPence: 500_000,
  maxCashbackPence: 100_000,
  zeroMonthlyCost: false,
};

const MANUFACTURERS: readonly ManufacturerRecord[] = [
  { slug: 'apple', name: 'Apple' },
  { slug: 'fairphone', name: 'Fairphone' },
  { slug: 'google', name: 'Google' },
  { slug: 'honor', name: 'Honor' },
  { slug: 'motorola', name: 'Motorola' },
  { slug: 'nokia', name: 'Nokia' },
  { slug: 'nothing', name: 'Nothing' },
  { slug: 'one-plus', name: 'OnePlus' },
  { slug: 'oppo', name: 'Oppo' },
  { slug: 'samsung', name: 'Samsung' },
  { slug: 'sony', name: 'Sony' },
  { slug: 'vodafone', name: 'Vodafone' },
  { slug: 'xiaomi', name: 'Xiaomi' },
];

/** Records of one list, as if they were lines of `cms/site.json`. */
function sourced<Record>(records: readonly Record[], file = 'cms/site.json'): readonly Sourced<Record>[] {
  return records.map((record, i) => ({ record, origin: { source: 'site', file, line: i + 1 } }));
}

export type ProductParts = Partial<Record<keyof ProductRecord, unknown>> & { readonly name: string };

export function product(parts: ProductParts): ProductRecord {
  return productRecordSchema.parse({ id: '101', condition: 'new', slug: 'a-phone', ...parts });
}

/** Products of the names, with ids from 1, of the maker that the name begins with or that is given after a bar. */
export function productsNamed(names: readonly string[]): readonly ProductRecord[] {
  return names.map((text, i) => {
    const [name = '', maker] = text.split(' | ');
    const condition = name.startsWith('Refurbished') ? 'refurbished' : 'new';
    return product({ id: String(i + 1), name, condition, slug: `phone-${i + 1}`, manufacturer: maker });
  });
}

export function cmsOf(lists: Partial<{ readonly [List in keyof CmsRecords]: readonly unknown[] }>): CmsRecords {
  return {
    products: sourced((lists.products ?? []).map((record) => productRecordSchema.parse(record))),
    giftCategories: sourced((lists.giftCategories ?? []).map((record) => giftCategoryRecordSchema.parse(record))),
    gifts: sourced((lists.gifts ?? []).map((record) => giftRecordSchema.parse(record))),
    networks: sourced((lists.networks ?? NETWORKS).map((record) => networkRecordSchema.parse(record))),
    retailers: sourced((lists.retailers ?? RETAILERS).map((record) => retailerRecordSchema.parse(record))),
    manufacturers: sourced((lists.manufacturers ?? MANUFACTURERS) as readonly ManufacturerRecord[]),
  };
}

const NETWORKS = [
  { id: '21', name: 'O2', slug: 'o2', aliases: ['O2 UK'] },
  { id: '8', name: 'EE', slug: 'ee' },
];

const RETAILERS = [
  { id: '3235', name: 'O2 Mobiles', slug: 'o2-mobiles' },
  { id: '77', name: 'House Phones', slug: 'house', aliases: ['The House'] },
];

/** The ledger after the adapters have read `cms`. */
function ledgerOf(cms: CmsRecords): Ledger {
  const ledger = new Ledger();
  for (const list of Object.values(cms) as readonly (readonly Sourced<unknown>[])[]) {
    for (const { origin } of list) ledger.read(origin.source);
  }
  return ledger;
}

export interface Join {
  readonly joined: JoinedRecords;
  readonly ledger: Ledger;
  readonly exclusions: ExcludeRules;
}

export function join(cms: CmsRecords, exclude: readonly ExcludeRule[] = []): Join {
  const ledger = ledgerOf(cms);
  const exclusions = new ExcludeRules(exclude, NOW);
  return {
    joined: joinRecords({ records: cms, excludedProducts: [] }, exclusions, ledger),
    ledger,
    exclusions,
  };
}

export function collectorOf({ joined, ledger, exclusions }: Join, money = MONEY): DealCollector {
  return new DealCollector({ joined, exclusions, money, ledger });
}

/** Parts of a deal; a retailer or network in a list is what a feed of ours has in the field. */
export type DealParts = Partial<Record<keyof DealRecord, unknown>>;

/** A sound deal for product 101/new, except for `parts`. */
function deal(parts: DealParts = {}): DealRecord {
  return dealRecordSchema.parse({
    key: 'H-1',
    product: { id: '101', feedIds: [], condition: 'new' },
    contractName: 'Plan 10',
    contractMonths: 24,
    dataMegabytes: 10_000,
    callMinutes: 'unlimited',
    textMessages: 'unlimited',
    upfrontPence: 2_000,
    monthlyPence: 3_000,
    link: 'https://shop.example/deal/H-1',
    ...parts,
    retailer: referenceOf(parts.retailer ?? ['house']),
    network: referenceOf(parts.network ?? ['o2']),
  });
}

function referenceOf(part: unknown): unknown {
  return Array.isArray(part) ? { key: part[0] as unknown } : part;
}

export function item(parts: DealParts = {}, line = 1, source = 'house'): FeedDeal {
  return { deal: deal(parts), origin: { source, file: `feeds/${source}.csv`, line }, notices: [] };
}

/** Streams the items, each to the source of its origin, as readers do. Returns the names that matched nothing. */
export function collect(
  collector: DealCollector,
  ledger: Ledger,
  items: readonly FeedDeal[],
): readonly UnmatchedName[] {
  const names: UnmatchedName[] = [];
  for (const feed of new Set(items.map(({ origin }) => origin.source))) {
    const source = new FeedCollector(feed, collector);
    for (const one of items) {
      if (one.origin.source !== feed) continue;
      ledger.read(feed);
      source.add(one);
    }
    source.finish();
    names.push(...source.unmatchedNames());
  }
  return names;
}
