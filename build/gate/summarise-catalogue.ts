import { compareCodeUnits } from '../../data/record/code-unit.ts';
import { compareIds } from '../../data/record/id.ts';
import type {
  CatalogueSummary,
  CmsSummary,
  DealFigures,
  DealSample,
  FeedSummary,
  PartSummary,
} from '../../data/report/summary.ts';
import type { NetworkRecord, RetailerRecord } from '../../data/record/supplier.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { Sourced } from '../adapt/adapter.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { NumberColumn } from '../catalogue/number-column.ts';
import { hashText } from './hash-text.ts';
import { LowestHashes } from './lowest-hashes.ts';

/** What the gates compare, of the catalogue that was built. One pass over the deals; it keeps their totals and no text. */
export function summariseCatalogue(catalogue: Catalogue, currency: string): CatalogueSummary {
  return { currency, cms: summariseProducts(catalogue), feeds: summariseDeals(catalogue) };
}

function summariseProducts({ records }: Catalogue): CmsSummary[] {
  const sources = new Map<string, { products: number; readonly sample: LowestHashes<{ readonly hash: number }> }>();
  for (const { record, origin } of records.products) {
    const source = sources.get(origin.source) ?? { products: 0, sample: new LowestHashes() };
    sources.set(origin.source, source);
    source.products++;
    const hash = hashText(`${record.id}/${record.condition}`);
    source.sample.offer(hash, () => ({ hash }));
  }
  return [...sources]
    .map(([name, { products, sample }]) => ({ name, products, sample: sample.list().map(({ hash }) => hash) }))
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}

function summariseDeals(catalogue: Catalogue): FeedSummary[] {
  const { deals, records } = catalogue;
  const plans = deals.plans.map(describePlan(catalogue));
  const hosts = deals.linkTemplates.map(({ prefix }) => hostOf(prefix));
  const feeds = new Map<string, FeedFigures>();
  for (const [product, { record }] of records.products.entries()) {
    const phone = `${record.id}/${record.condition}`;
    const end = deals.runStart[product + 1] ?? 0;
    for (let row = deals.runStart[product] ?? 0; row < end; row++) {
      const { source } = deals.originAt(row);
      const plan = deals.plans[deals.plan[row] ?? 0] as Plan;
      const facts: DealFacts = {
        product,
        retailer: deals.retailer[row] ?? 0,
        network: plan.network,
        totalPence: deals.totalPence[row] ?? 0,
        upfrontPence: deals.upfrontPence[row] ?? 0,
        monthlyPence: deals.monthlyPence[row] ?? 0,
        isUnlimited: plan.dataMegabytes === 'unlimited',
      };
      const feed = feeds.get(source) ?? createFeedFigures();
      feeds.set(source, feed);
      feed.all.add(facts);
      partOf(feed.retailers, facts.retailer).add(facts);
      partOf(feed.networks, facts.network).add(facts);
      const hash = hashText(`${records.retailers[facts.retailer]?.record.id} ${deals.keyAt(row)}`);
      feed.sample.offer(hash, () => {
        const link = hosts[deals.linkTemplate[row] ?? 0] ?? hostOf(deals.linkPartAt(row));
        return { hash, offer: hashText(`${phone} ${plans[deals.plan[row] ?? 0]} ${link}`), ...facts };
      });
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
}

interface SampledDeal extends DealFacts {
  readonly hash: number;
  readonly offer: number;
}

interface FeedFigures {
  readonly all: FigureCounter;
  readonly retailers: Map<number, FigureCounter>;
  readonly networks: Map<number, FigureCounter>;
  readonly sample: LowestHashes<SampledDeal>;
}

function createFeedFigures(): FeedFigures {
  return { all: new FigureCounter(), retailers: new Map(), networks: new Map(), sample: new LowestHashes() };
}

/** Counts deals that come product by product. */
class FigureCounter {
  readonly #totals = new NumberColumn('totalPence');
  #products = 0;
  #lastProduct = -1;
  #zeroUpfront = 0;
  #zeroMonthly = 0;
  #unlimitedData = 0;

  add({ product, totalPence, upfrontPence, monthlyPence, isUnlimited }: DealFacts): void {
    this.#totals.append(totalPence);
    if (product !== this.#lastProduct) this.#products++;
    this.#lastProduct = product;
    if (upfrontPence === 0) this.#zeroUpfront++;
    if (monthlyPence === 0) this.#zeroMonthly++;
    if (isUnlimited) this.#unlimitedData++;
  }

  figures(): DealFigures {
    const totals = this.#totals.values().slice().sort();
    return {
      deals: totals.length,
      products: this.#products,
      zeroUpfront: this.#zeroUpfront,
      zeroMonthly: this.#zeroMonthly,
      unlimitedData: this.#unlimitedData,
      medianTotalPence: totals[(totals.length - 1) >> 1] ?? 0,
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
    retailers: listParts(feed.retailers, records.retailers),
    networks: listParts(feed.networks, records.networks),
    sample: listSample(feed.sample.list()),
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

function listSample(deals: readonly SampledDeal[]): DealSample {
  return {
    key: deals.map(({ hash }) => hash),
    offer: deals.map(({ offer }) => offer),
    totalPence: deals.map(({ totalPence }) => totalPence),
    monthlyPence: deals.map(({ monthlyPence }) => monthlyPence),
  };
}

/** Without the name: a network that renames a contract sells the same one. */
function describePlan({ records }: Catalogue): (plan: Plan) => string {
  return ({ network, contractMonths, dataMegabytes, callMinutes, textMessages }) =>
    `${records.networks[network]?.record.id} ${contractMonths} ${dataMegabytes} ${callMinutes} ${textMessages}`;
}

/** The host in the part of a link before the deal's own, or undefined where that begins within the host. */
function hostOf(prefix: string): string | undefined {
  return /^[a-z]+:\/\/([^/?#]+)/i.exec(prefix)?.[1]?.toLowerCase();
}
