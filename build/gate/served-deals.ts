import type { Notice } from '../../data/report/notice.ts';
import { recordKey } from '../../data/record/product.ts';
import type { ProductLine, Retailer } from '../../data/snapshot/format.ts';
import { parseLines, type SnapshotLines } from '../../data/store/lines.ts';
import { readDeals } from '../../data/store/published-deals.ts';
import { hashText } from '../deals/hash-text.ts';
import { groupBy } from '../source/record.ts';
import { DealDescriber, type DealFacts } from './deal-facts.ts';

/** A price that the snapshot being served holds out. */
export type HeldOutPrice = NonNullable<Notice['prices']>;

/** The earlier deals of a product. */
export interface ServedProduct {
  readonly deals: number;
  readonly totalPence: number;
}

/**
 * The deals that a build is compared with, by key: feed, id of the retailer, and id of the deal. A key is stored as a hash
 * of 53 bits: among a million deals, two share one in 20,000 builds.
 */
export class ServedDeals {
  /** Describes these deals and those of the build, so that both share their texts. */
  readonly describer = new DealDescriber();
  /** In the order of the lines of the snapshot being served, and then those that were added. */
  readonly all: DealFacts[] = [];
  readonly #ofFeed = new Map<string, DealFacts[]>();
  /** By the hash of the key. */
  readonly #byKey = new Map<number, DealFacts>();
  readonly #heldOut = new Map<number, Notice & { readonly prices: HeldOutPrice }>();
  /** By slug. */
  readonly #retailerIds: ReadonlyMap<string, string>;

  /** @param retailers of the snapshot being served */
  constructor(retailers: readonly Retailer[]) {
    this.#retailerIds = new Map(retailers.map(({ slug, id }) => [slug, id]));
  }

  /**
   * Adds the deals of a snapshot, in the order of its lines.
   * @param isWanted whether a deal is compared with: of a feed, a retailer and a network by their slugs
   */
  addSnapshot(
    lines: SnapshotLines,
    isWanted: (feed: string, retailer: string, network: string) => boolean = () => true,
  ): void {
    const products = Array.from(parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson'), recordKey);
    for (const deal of readDeals(lines)) {
      const { feed, retailer, network, gift, key } = deal;
      if (!isWanted(feed, retailer.slug, network.slug)) continue;
      const facts = this.describer.describe({
        ...deal,
        product: products[deal.productRow] as string,
        retailer: retailer.id,
        network: network.id,
        gift: gift?.name ?? '',
        total: deal.totalPence,
        upfront: deal.upfrontPence,
        monthly: deal.monthlyPence,
      });
      this.all.push(facts);
      const ofFeed = this.#ofFeed.get(feed) ?? [];
      this.#ofFeed.set(feed, ofFeed);
      ofFeed.push(facts);
      this.#byKey.set(hashKey(feed, retailer.id, key), facts);
    }
  }

  /**
   * Adds the deals that a snapshot holds out for their price, and its duplicates, which have the price of the deal that
   * stands for them. Call it after `addSnapshot`.
   */
  addExcluded(notices: readonly Notice[]): void {
    const hashOf = ({ source, record }: Pick<Notice, 'source' | 'record'>, slug = ''): number | undefined => {
      const id = this.#retailerIds.get(slug);
      return id === undefined || record === undefined ? undefined : hashKey(source, id, record);
    };
    for (const notice of notices) {
      const hash = hashOf(notice, notice.retailer);
      const { prices } = notice;
      if (hash !== undefined && prices !== undefined) this.#heldOut.set(hash, { ...notice, prices });
    }
    for (const notice of notices) {
      const { retailer, other } = notice;
      const hash = hashOf(notice, retailer);
      const otherHash = other === undefined ? undefined : hashOf(other, retailer);
      if (hash === undefined || otherHash === undefined) continue;
      const deal = this.#byKey.get(otherHash);
      const heldOut = this.#heldOut.get(otherHash);
      if (deal !== undefined && !this.#byKey.has(hash)) this.#byKey.set(hash, deal);
      if (heldOut !== undefined && !this.#heldOut.has(hash)) this.#heldOut.set(hash, heldOut);
    }
  }

  ofFeed(feed: string): readonly DealFacts[] {
    return this.#ofFeed.get(feed) ?? [];
  }

  find(feed: string, retailerId: string, key: string): DealFacts | undefined {
    return this.#byKey.get(hashKey(feed, retailerId, key));
  }

  /** The deals that have the key of a record: of its retailer, or of any in the feed where that is not known. */
  findAll({ source, retailer, record }: Notice): readonly DealFacts[] {
    if (record === undefined) return [];
    const id = this.#retailerIds.get(retailer ?? '');
    const ids = id === undefined ? this.#retailerIds.values() : [id];
    return [...ids].map((each) => this.find(source, each, record)).filter((deal) => deal !== undefined);
  }

  /** The price with which a key is held out. */
  findHeldOut(feed: string, retailerId: string, key: string): HeldOutPrice | undefined {
    return this.#heldOut.size === 0 ? undefined : this.#heldOut.get(hashKey(feed, retailerId, key))?.prices;
  }

  /** What the snapshot holds out of a feed. */
  heldOutOf(feed: string): readonly Notice[] {
    return [...new Set(this.#heldOut.values())].filter(({ source }) => source === feed);
  }

  /** By product (`101/new`), how many deals it has, and the total of the cheapest. */
  cheapestByProduct(): ReadonlyMap<string, ServedProduct> {
    return new Map(
      Array.from(
        groupBy(this.all, ({ product }) => [product]),
        ([product, deals]) => [
          product,
          { deals: deals.length, totalPence: deals.reduce((least, { total }) => Math.min(least, total), Infinity) },
        ],
      ),
    );
  }
}

function hashKey(feed: string, retailerId: string, key: string): number {
  return hashText(`${retailerId} ${feed} ${key}`);
}
