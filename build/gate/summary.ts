import { compareCodeUnits, compareIds } from '../../data/record/id.ts';
import type { NetworkRecord, RetailerRecord } from '../../data/record/network-retailer.ts';
import type { ProductRecord } from '../../data/record/product.ts';
import type {
  CatalogueSummary,
  CmsSummary,
  DealFigures,
  EntryCounts,
  FeedSummary,
  PartSummary,
} from '../../data/report/summary.ts';
import { columnByteLength } from '../../data/snapshot/column.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import { GrowableNumberColumn } from '../join/columns.ts';
import { HashIndex } from '../join/hash-index.ts';
import type { Catalogue, CatalogueDeals } from '../records/catalogue.ts';
import type { Sourced } from '../source/record.ts';

/**
 * The figures of the built catalogue that gates compare. It passes once over the deals, and keeps totals and no texts.
 */
export function summariseCatalogue(
  catalogue: Catalogue,
  currency: string,
  priceHistories: readonly string[] = [],
): CatalogueSummary {
  return {
    currency,
    cms: summariseProducts(catalogue),
    feeds: summariseDeals(catalogue),
    serverBytes: estimateServerBytes(catalogue, priceHistories),
  };
}

function summariseProducts({ records }: Catalogue): CmsSummary[] {
  const { products, networks, retailers, gifts, giftCategories } = records;
  const lists = [products, networks, retailers, gifts, giftCategories];
  const names = new Set(lists.flatMap((list) => list.map(({ origin }) => origin.source)));
  return [...names].sort(compareCodeUnits).map((name) => {
    const isOfSource = ({ origin }: Sourced<unknown>): boolean => origin.source === name;
    const own = products.filter(isOfSource).map(({ record }) => record);
    const countOf = (has: (record: ProductRecord) => unknown): number =>
      own.filter((record) => has(record) !== undefined).length;
    return {
      name,
      products: own.length,
      parts: {
        networks: networks.filter(isOfSource).length,
        retailers: retailers.filter(isOfSource).length,
        gifts: gifts.filter(isOfSource).length,
        giftCategories: giftCategories.filter(isOfSource).length,
        texts: countOf(({ content, pageContent }) => content ?? pageContent),
        specs: countOf(({ specs }) => specs),
        pictures: countOf(({ images, imageUrls }) => images ?? imageUrls),
      },
    };
  });
}

function summariseDeals(catalogue: Catalogue): FeedSummary[] {
  const { deals, records } = catalogue;
  const feeds = new Map<string, FeedFigures>();
  for (const product of records.products.keys()) {
    const end = deals.rangeStart[product + 1] ?? 0;
    for (let row = deals.rangeStart[product] ?? 0; row < end; row++) {
      const { source } = deals.originAt(row);
      const plan = deals.plans[deals.plan[row] ?? 0] as Plan;
      const feed = getOrCreate(feeds, source, createFeedFigures);
      const retailer = deals.retailer[row] ?? 0;
      const facts: DealFacts = {
        product,
        totalPence: deals.totalPence[row] ?? 0,
        upfrontPence: deals.upfrontPence[row] ?? 0,
        monthlyPence: deals.monthlyPence[row] ?? 0,
        isUnlimited: plan.dataMegabytes === 'unlimited',
        isFirstOfLink: feed.links.isFirst(retailer, deals.linkHashAt(row, deals.linkTemplate[row] ?? 0)),
      };
      feed.all.add(facts);
      feed.entries.add(deals, row);
      getOrCreate(feed.retailers, retailer, () => new FigureCounter()).add(facts);
      getOrCreate(feed.networks, plan.network, () => new FigureCounter()).add(facts);
    }
  }
  return [...feeds]
    .map(([name, feed]) => listFeed(name, feed, catalogue))
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}

interface DealFacts {
  readonly product: number;
  readonly totalPence: number;
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  readonly isUnlimited: boolean;
  /** No earlier deal of the same feed and retailer has its link. */
  readonly isFirstOfLink: boolean;
}

interface FeedFigures {
  readonly all: FigureCounter;
  readonly entries: EntryCounter;
  readonly links: LinkCounter;
  readonly retailers: Map<number, FigureCounter>;
  readonly networks: Map<number, FigureCounter>;
}

function createFeedFigures(): FeedFigures {
  return {
    all: new FigureCounter(),
    entries: new EntryCounter(),
    links: new LinkCounter(),
    retailers: new Map(),
    networks: new Map(),
  };
}

/** Counts deals that come product by product. */
class FigureCounter {
  readonly #totals = new GrowableNumberColumn('totalPence');
  #products = 0;
  #lastProduct = -1;
  #zeroUpfront = 0;
  #zeroMonthly = 0;
  #unlimitedData = 0;
  #links = 0;

  add(facts: DealFacts): void {
    const { product, totalPence, upfrontPence, monthlyPence, isUnlimited, isFirstOfLink } = facts;
    this.#totals.append(totalPence);
    if (product !== this.#lastProduct) this.#products++;
    this.#lastProduct = product;
    if (upfrontPence === 0) this.#zeroUpfront++;
    if (monthlyPence === 0) this.#zeroMonthly++;
    if (isUnlimited) this.#unlimitedData++;
    if (isFirstOfLink) this.#links++;
  }

  figures(): DealFigures {
    const totals = this.#totals.values().slice().sort();
    return {
      deals: totals.length,
      products: this.#products,
      zeroUpfront: this.#zeroUpfront,
      zeroMonthly: this.#zeroMonthly,
      unlimitedData: this.#unlimitedData,
      links: this.#links,
      medianTotalPence: totals[(totals.length - 1) >> 1] ?? 0,
    };
  }
}

/** Counts the entries that deals share: 0 is no gift, cashback or picture. */
class EntryCounter {
  readonly #plans = new Set<number>();
  readonly #gifts = new Set([0]);
  readonly #cashbacks = new Set([0]);
  readonly #pictures = new Set([0]);
  readonly #linkTemplates = new Set<number>();

  add(deals: CatalogueDeals, row: number): void {
    this.#plans.add(deals.plan[row] ?? 0);
    this.#gifts.add(deals.gift[row] ?? 0);
    this.#cashbacks.add(deals.cashback[row] ?? 0);
    this.#pictures.add(deals.picture[row] ?? 0);
    this.#linkTemplates.add(deals.linkTemplate[row] ?? 0);
  }

  counts(): EntryCounts {
    return {
      plans: this.#plans.size,
      gifts: this.#gifts.size - 1,
      cashbacks: this.#cashbacks.size - 1,
      pictures: this.#pictures.size - 1,
      linkTemplates: this.#linkTemplates.size,
    };
  }
}

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}

function listFeed(name: string, feed: FeedFigures, { records }: Catalogue): FeedSummary {
  return {
    name,
    ...feed.all.figures(),
    entries: feed.entries.counts(),
    retailers: listParts(feed.retailers, records.retailers),
    networks: listParts(feed.networks, records.networks),
  };
}

function listParts(
  figures: ReadonlyMap<number, FigureCounter>,
  suppliers: Catalogue['records']['retailers'] | Catalogue['records']['networks'],
): PartSummary[] {
  return [...figures]
    .map(([row, counter]) => {
      const { id, slug } = (suppliers[row] as Sourced<RetailerRecord | NetworkRecord>).record;
      return { id, slug, ...counter.figures() };
    })
    .sort((a, b) => compareIds(a.id, b.id));
}

/** The different links of each retailer of a feed, as hashes. */
class LinkCounter {
  readonly #links = new Map<number, HashIndex>();

  isFirst(retailer: number, link: number): boolean {
    const links = getOrCreate(this.#links, retailer, () => new HashIndex());
    const count = links.size;
    links.set(link, 0);
    return links.size > count;
  }
}

/** A server without a catalogue, with its cache of answers and the texts of products full. */
const SERVER_BYTES = 120_000_000;

/** Memory of a server for an entry without its texts: the object, and ready JSON for two places (data/spec/measured.md). */
const ENTRY_BYTES = { plan: 1_950, gift: 700, cashback: 500, picture: 640, linkTemplate: 1_250 } as const;
const RECORD_BYTES = 3_000;
/** 36 pictures, each with its address and its place in the list of pictures. */
const PICTURES_BYTES = 14_000;

/** The text of an entry is in the object and in the ready JSON. */
const COPIES = 2;

/** The number of rows whose links are sampled. */
const SAMPLED_ROWS = 1_000;

/** The approximate memory of a server, in bytes, that loads a catalogue while it answers from one like it. */
function estimateServerBytes({ deals, records }: Catalogue, priceHistories: readonly string[]): number {
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
    ) +
    priceHistories.reduce((sum, text) => sum + text.length, 0);
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

/**
 * The size of the number columns at their narrowest width, with money and ranks at four bytes, and of the deals' own
 * parts of links.
 */
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
  const numbers = counts.reduce((sum, count) => sum + columnByteLength(rowCount, count), 0);
  const step = Math.max(1, Math.floor(rowCount / SAMPLED_ROWS));
  let [linkBytes, sampled] = [0, 0];
  for (let row = 0; row < rowCount; row += step, sampled++) linkBytes += deals.linkPartAt(row).length;
  return numbers + rowCount * 5 * 4 + (sampled === 0 ? 0 : (linkBytes / sampled) * rowCount);
}
