import { compareCodeUnits } from '../../data/record/code-unit.ts';
import { compareIds } from '../../data/record/id.ts';
import type {
  CatalogueSummary,
  CmsSummary,
  DealFigures,
  EntryCounts,
  FeedSummary,
  PartSummary,
} from '../../data/report/summary.ts';
import type { ProductRecord } from '../../data/record/product.ts';
import type { NetworkRecord, RetailerRecord } from '../../data/record/supplier.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { Sourced } from '../adapt/adapter.ts';
import type { Catalogue, CatalogueDeals } from '../catalogue/catalogue.ts';
import { HashIndex, hashText } from '../catalogue/hash-index.ts';
import { NumberColumn } from '../catalogue/number-column.ts';
import { estimateServerBytes } from './server-memory.ts';

/** What the gates compare, of the catalogue that was built. One pass over the deals; it keeps their totals and no text. */
export function summariseCatalogue(catalogue: Catalogue, currency: string): CatalogueSummary {
  return {
    currency,
    cms: summariseProducts(catalogue),
    feeds: summariseDeals(catalogue),
    serverBytes: estimateServerBytes(catalogue),
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
  const links = new LinkCounter();
  const feeds = new Map<string, FeedFigures>();
  for (const product of records.products.keys()) {
    const end = deals.rangeStart[product + 1] ?? 0;
    for (let row = deals.rangeStart[product] ?? 0; row < end; row++) {
      const { source } = deals.originAt(row);
      const plan = deals.plans[deals.plan[row] ?? 0] as Plan;
      const retailer = deals.retailer[row] ?? 0;
      const facts: DealFacts = {
        product,
        retailer,
        network: plan.network,
        totalPence: deals.totalPence[row] ?? 0,
        upfrontPence: deals.upfrontPence[row] ?? 0,
        monthlyPence: deals.monthlyPence[row] ?? 0,
        isUnlimited: plan.dataMegabytes === 'unlimited',
        isFirstOfLink: links.isFirst(`${source} ${retailer} ${deals.linkTemplate[row]}`, deals.linkPartAt(row)),
      };
      const feed = feeds.get(source) ?? createFeedFigures();
      feeds.set(source, feed);
      feed.all.add(facts);
      feed.entries.add(deals, row);
      partOf(feed.retailers, facts.retailer).add(facts);
      partOf(feed.networks, facts.network).add(facts);
    }
  }
  return [...feeds]
    .map(([name, feed]) => listFeed(name, feed, catalogue))
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}

interface DealFacts {
  readonly product: number;
  readonly retailer: number;
  readonly network: number;
  readonly totalPence: number;
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  readonly isUnlimited: boolean;
  /** No deal before it in the feed, of the same retailer, has its link. */
  readonly isFirstOfLink: boolean;
}

interface FeedFigures {
  readonly all: FigureCounter;
  readonly entries: EntryCounter;
  readonly retailers: Map<number, FigureCounter>;
  readonly networks: Map<number, FigureCounter>;
}

function createFeedFigures(): FeedFigures {
  return { all: new FigureCounter(), entries: new EntryCounter(), retailers: new Map(), networks: new Map() };
}

/** Counts deals that come product by product. */
class FigureCounter {
  readonly #totals = new NumberColumn('totalPence');
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

/** Counts what deals share: 0 is none of a gift, cashback or picture. */
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

function partOf(parts: Map<number, FigureCounter>, row: number): FigureCounter {
  const part = parts.get(row) ?? new FigureCounter();
  parts.set(row, part);
  return part;
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

/** Tells links apart: by the number of their template and their own part, each as a hash. */
class LinkCounter {
  readonly #seeds = new Map<string, number>();
  readonly #links = new HashIndex();

  isFirst(template: string, part: string): boolean {
    let seed = this.#seeds.get(template);
    if (seed === undefined) {
      seed = hashText(template, 0);
      this.#seeds.set(template, seed);
    }
    const count = this.#links.size;
    this.#links.set(hashText(part, seed), 0);
    return this.#links.size > count;
  }
}
