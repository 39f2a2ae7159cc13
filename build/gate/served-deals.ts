import type { Notice } from '../../data/report/notice.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Dictionaries, Plan, ProductLine } from '../../data/snapshot/format.ts';
import { parseLines, readDealLines, readDictionaries, type SnapshotLines } from '../../data/store/lines.ts';
import { HashIndex, hashText } from '../deals/hash-index.ts';
import { createAppender, DealFacts, describeCashback, Names } from './deal-facts.ts';

/** A price that the snapshot being served holds out. */
export type HeldOutPrice = NonNullable<Notice['prices']>;

/** The earlier deals of a product. */
export interface ServedProduct {
  readonly deals: number;
  readonly totalPence: number;
}

/**
 * The deals that a build is compared with, by key: feed, retailer and id of the deal. A key is stored as a hash of 53 bits:
 * among a million deals, two share one in 20,000 builds.
 */
export class ServedDeals {
  readonly facts = new DealFacts(new Names());
  readonly #rows = new HashIndex();
  readonly #byFeed = new Map<string, number[]>();
  readonly #seeds = new Map<string, Map<string, number>>();
  readonly #heldOut = new Map<number, HeldOutPrice>();
  readonly #heldOutNotices: Notice[] = [];

  /**
   * Adds the deals of a snapshot, in the order of its lines.
   * @param isWanted whether a deal is compared with: of a feed, a retailer and a network by their slugs
   */
  addSnapshot(
    lines: SnapshotLines,
    isWanted: (feed: string, retailer: string, network: string) => boolean = () => true,
  ): void {
    const { networks, retailers, plans, gifts, cashbacks, linkTemplates } = readDictionaries(lines);
    const products = Array.from(parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson'), recordKey);
    const append = createAppender(this.facts, {
      productAt: (code) => products[code] as string,
      retailerAt: (code) => (retailers[code] as Dictionaries['retailers'][number]).id,
      planAt: (code) => plans[code] as Plan,
      networkAt: (code) => (networks[code] as Dictionaries['networks'][number]).id,
      giftAt: (entry) => (gifts[entry] as Dictionaries['gifts'][number]).name,
      cashbackAt: (entry) => describeCashback(cashbacks[entry] as Dictionaries['cashbacks'][number]),
      linkTemplates,
    });
    for (const { deals, provenance } of readDealLines(lines)) {
      const at = (codes: readonly number[] | undefined, i: number): number => codes?.[i] ?? 0;
      for (const [i, key] of provenance.key.entries()) {
        const feed = provenance.source[i] as string;
        const retailer = retailers[at(deals.retailer, i)] as Dictionaries['retailers'][number];
        const network = networks[(plans[at(deals.plan, i)] as Plan).network] as Dictionaries['networks'][number];
        if (!isWanted(feed, retailer.slug, network.slug)) continue;
        this.#appendKey(feed, retailer.id, key);
        append({
          product: deals.product,
          retailer: at(deals.retailer, i),
          plan: at(deals.plan, i),
          gift: at(deals.gift, i),
          cashback: at(deals.cashback, i),
          linkTemplate: at(deals.linkTemplate, i),
          linkPart: deals.linkPart[i] as string,
          total: at(deals.totalPence, i),
          upfront: at(deals.upfrontPence, i),
          monthly: at(deals.monthlyPence, i),
        });
      }
    }
  }

  #appendKey(feed: string, retailerId: string, key: string): void {
    const row = this.facts.rowCount;
    this.#rows.set(this.hashOf(feed, retailerId, key), row);
    const rows = this.#byFeed.get(feed);
    if (rows === undefined) this.#byFeed.set(feed, [row]);
    else rows.push(row);
  }

  /**
   * Adds the deals that a snapshot holds out for their price, and its duplicates, which have the price of the deal that
   * stands for them. Call it after `addSnapshot`.
   * @param retailerIds by slug
   */
  addExcluded(notices: readonly Notice[], retailerIds: ReadonlyMap<string, string>): void {
    const hashOf = (source: string, slug: string | undefined, key: string | undefined): number | undefined => {
      const id = retailerIds.get(slug ?? '');
      return id === undefined || key === undefined ? undefined : this.hashOf(source, id, key);
    };
    for (const notice of notices) {
      const hash = hashOf(notice.source, notice.retailer, notice.record);
      if (hash === undefined || notice.prices === undefined) continue;
      this.#heldOutNotices.push(notice);
      this.#heldOut.set(hash, notice.prices);
    }
    for (const { source, retailer, record, other } of notices) {
      const hash = hashOf(source, retailer, record);
      const otherHash = other === undefined ? undefined : hashOf(other.source, retailer, other.record);
      if (hash === undefined || otherHash === undefined) continue;
      const row = this.find(otherHash);
      const prices = this.findHeldOut(otherHash);
      if (row !== undefined && this.find(hash) === undefined) this.#rows.set(hash, row);
      if (prices !== undefined && !this.#heldOut.has(hash)) this.#heldOut.set(hash, prices);
    }
  }

  rowsOf(feed: string): readonly number[] {
    return this.#byFeed.get(feed) ?? [];
  }

  hashOf(feed: string, retailerId: string, key: string): number {
    return hashText(key, this.seedOf(feed, retailerId));
  }

  /** The seed of the hashes of the keys of a retailer in a feed. */
  seedOf(feed: string, retailerId: string): number {
    const seeds = this.#seeds.get(feed) ?? new Map<string, number>();
    this.#seeds.set(feed, seeds);
    const seed = seeds.get(retailerId) ?? hashText(`${retailerId} ${feed}`, 0);
    seeds.set(retailerId, seed);
    return seed;
  }

  /** The rows that have a key: of a retailer, or of any in the feed where it is not known. */
  findRows(feed: string, retailerId: string | undefined, key: string): readonly number[] {
    const seeds =
      retailerId === undefined ? [...(this.#seeds.get(feed)?.values() ?? [])] : [this.seedOf(feed, retailerId)];
    return seeds.map((seed) => this.find(hashText(key, seed))).filter((row) => row !== undefined);
  }

  /** The row of a key; undefined where there is no such deal. */
  find(hash: number): number | undefined {
    return this.#rows.get(hash);
  }

  /** The price with which a key is held out. */
  findHeldOut(hash: number): HeldOutPrice | undefined {
    return this.#heldOut.get(hash);
  }

  /** What the snapshot holds out of a feed. */
  heldOutOf(feed: string): readonly Notice[] {
    return this.#heldOutNotices.filter(({ source }) => source === feed);
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
