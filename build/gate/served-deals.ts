import type { Notice } from '../../data/report/notice.ts';
import { recordKey } from '../../data/record/product.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import { parseLines, type SnapshotLines } from '../../data/store/lines.ts';
import { readDeals } from '../../data/store/published-deals.ts';
import { hashText } from '../deals/hash-text.ts';
import { DealFacts, Names } from './deal-facts.ts';

/** A price that the snapshot being served holds out. */
export type HeldOutPrice = NonNullable<Notice['prices']>;

/** The earlier deals of a product. */
export interface ServedProduct {
  readonly deals: number;
  readonly totalPence: number;
}

/** The deals of a feed. */
interface ServedFeed {
  readonly rows: number[];
  /** Ids. */
  readonly retailers: Set<string>;
}

/**
 * The deals that a build is compared with, by key: feed, id of the retailer, and id of the deal. A key is stored as a hash
 * of 53 bits: among a million deals, two share one in 20,000 builds.
 */
export class ServedDeals {
  readonly facts = new DealFacts(new Names());
  /** By the hash of the key. */
  readonly #rows = new Map<number, number>();
  readonly #feeds = new Map<string, ServedFeed>();
  readonly #heldOut = new Map<number, Notice & { readonly prices: HeldOutPrice }>();

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
      const row = this.facts.rowCount;
      const { rows, retailers } = this.#feeds.get(feed) ?? { rows: [], retailers: new Set() };
      this.#feeds.set(feed, { rows, retailers });
      rows.push(row);
      retailers.add(retailer.id);
      this.#rows.set(hashKey(feed, retailer.id, key), row);
      this.facts.add({
        ...deal,
        product: products[deal.productRow] as string,
        retailer: retailer.id,
        network: network.id,
        gift: gift?.name ?? '',
        total: deal.totalPence,
        upfront: deal.upfrontPence,
        monthly: deal.monthlyPence,
      });
    }
  }

  /**
   * Adds the deals that a snapshot holds out for their price, and its duplicates, which have the price of the deal that
   * stands for them. Call it after `addSnapshot`.
   * @param retailerIds by slug
   */
  addExcluded(notices: readonly Notice[], retailerIds: ReadonlyMap<string, string>): void {
    const hashOf = (source: string, slug = '', key?: string): number | undefined => {
      const id = retailerIds.get(slug);
      return id === undefined || key === undefined ? undefined : hashKey(source, id, key);
    };
    for (const notice of notices) {
      const hash = hashOf(notice.source, notice.retailer, notice.record);
      const { prices } = notice;
      if (hash !== undefined && prices !== undefined) this.#heldOut.set(hash, { ...notice, prices });
    }
    for (const { source, retailer, record, other } of notices) {
      const hash = hashOf(source, retailer, record);
      const otherHash = other === undefined ? undefined : hashOf(other.source, retailer, other.record);
      if (hash === undefined || otherHash === undefined) continue;
      const row = this.#rows.get(otherHash);
      const heldOut = this.#heldOut.get(otherHash);
      if (row !== undefined && this.#rows.get(hash) === undefined) this.#rows.set(hash, row);
      if (heldOut !== undefined && !this.#heldOut.has(hash)) this.#heldOut.set(hash, heldOut);
    }
  }

  rowsOf(feed: string): readonly number[] {
    return this.#feeds.get(feed)?.rows ?? [];
  }

  /** The row of a key; undefined where there is no such deal. */
  find(feed: string, retailerId: string, key: string): number | undefined {
    return this.#rows.get(hashKey(feed, retailerId, key));
  }

  /** The rows that have a key: of a retailer, or of any in the feed where it is not known. */
  findRows(feed: string, retailerId: string | undefined, key: string): readonly number[] {
    const ids = retailerId === undefined ? [...(this.#feeds.get(feed)?.retailers ?? [])] : [retailerId];
    return ids.map((id) => this.find(feed, id, key)).filter((row) => row !== undefined);
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
    const cheapest = new Map<string, ServedProduct>();
    for (let row = 0; row < this.facts.rowCount; row++) {
      const product = this.facts.textAt('product', row);
      const { deals, totalPence } = cheapest.get(product) ?? { deals: 0, totalPence: Infinity };
      cheapest.set(product, {
        deals: deals + 1,
        totalPence: Math.min(totalPence, this.facts.columns.total.at(row)),
      });
    }
    return cheapest;
  }
}

function hashKey(feed: string, retailerId: string, key: string): number {
  return hashText(`${retailerId} ${feed} ${key}`);
}
