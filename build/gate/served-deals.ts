import type { Notice } from '../../data/report/notice.ts';
import { recordKey } from '../../data/record/product.ts';
import type { ProductLine, Retailer } from '../../data/snapshot/format.ts';
import { parseLines, type SnapshotLines } from '../../data/store/lines.ts';
import { readDeals, type PublishedDeal } from '../../data/store/published-deals.ts';
import type { FeedDeal } from '../feed/parse-deal.ts';
import type { MatchEvidence } from '../match/match-product.ts';
import { createFactColumns, DealCoder, hashText, type FactColumns } from './facts.ts';

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
  /** Codes these deals and those of the build, so that both have the same numbers. */
  readonly coder = new DealCoder();
  /** In the order of the lines of the snapshot being served, and then those that were added. */
  readonly columns: FactColumns;
  /** By the hash of the key. */
  readonly #rows = new Map<number, number>();
  readonly #feeds: string[] = [];
  readonly #heldOut = new Map<number, Notice & { readonly prices: HeldOutPrice }>();
  /** By slug. */
  readonly #retailerIds: ReadonlyMap<string, string>;

  /** @param retailers of the snapshot being served, which has `dealCount` deals */
  constructor(retailers: readonly Retailer[], dealCount: number) {
    this.columns = createFactColumns(dealCount);
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
      this.#rows.set(hashKey(feed, retailer.id, key), this.#feeds.push(feed) - 1);
      this.coder.add(this.columns, {
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
      const row = this.#rows.get(otherHash);
      const heldOut = this.#heldOut.get(otherHash);
      if (row !== undefined && !this.#rows.has(hash)) this.#rows.set(hash, row);
      if (heldOut !== undefined && !this.#heldOut.has(hash)) this.#heldOut.set(hash, heldOut);
    }
  }

  /** For each row, 1 if it is a deal of the feed that is wanted. */
  markFeed(feed: string, isWanted: (row: number) => boolean = () => true): Uint8Array {
    return Uint8Array.from(this.#feeds, (each, row) => (each === feed && isWanted(row) ? 1 : 0));
  }

  /** The row of a key; undefined where there is no such deal. */
  find(feed: string, retailerId: string, key: string): number | undefined {
    return this.#rows.get(hashKey(feed, retailerId, key));
  }

  /** The rows that have the key of a record: of its retailer, or of any in the feed where that is not known. */
  findAll({ source, retailer, record }: Notice): readonly number[] {
    if (record === undefined) return [];
    const id = this.#retailerIds.get(retailer ?? '');
    const ids = id === undefined ? [...this.#retailerIds.values()] : [id];
    return ids.map((each) => this.find(source, each, record)).filter((row) => row !== undefined);
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
    const products = new Map<string, ServedProduct>();
    for (let row = 0; row < this.#feeds.length; row++) {
      const name = this.coder.textOf(this.columns.product.at(row));
      const { deals, totalPence } = products.get(name) ?? { deals: 0, totalPence: Infinity };
      products.set(name, { deals: deals + 1, totalPence: Math.min(totalPence, this.columns.total.at(row)) });
    }
    return products;
  }
}

function hashKey(feed: string, retailerId: string, key: string): number {
  return hashText(`${retailerId} ${feed} ${key}`);
}

/**
 * The deals of a feed in a snapshot, as it gave them, with ids in place of names. They are checked again like any
 * other, because their product, network or retailer may
 * be gone, or `exclude` may name them.
 * @param isWanted whether a deal is served from there, by its position among all deals of the snapshot
 */
export function* readDealsOfFeed(
  lines: SnapshotLines,
  feed: string,
  isWanted: (row: number) => boolean,
): Generator<{ readonly item: FeedDeal; readonly evidence: MatchEvidence }> {
  const products = [...parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson')];
  let row = 0;
  for (const deal of readDeals(lines)) {
    const product = products[deal.productRow] as ProductLine;
    if (deal.feed === feed && isWanted(row)) yield { item: toFeedDeal(deal, product), evidence: deal.match };
    row++;
  }
}

function toFeedDeal(deal: PublishedDeal, product: ProductLine): FeedDeal {
  const { plan, retailer, network, cashback, gift, picture } = deal;
  return {
    deal: {
      ...plan,
      key: deal.key,
      product: { id: product.id, condition: product.condition, feedIds: [] },
      retailer: { id: retailer.id, names: [], feedIds: [] },
      network: { id: network.id, names: [], feedIds: [] },
      upfrontPence: deal.upfrontPence,
      monthlyPence: deal.monthlyPence,
      statedTotalPence: deal.totalPence,
      cashbackType: cashback?.type,
      cashbackPence: cashback?.valuePence,
      gift: gift?.name,
      link: deal.link,
      productImage: picture,
    },
    origin: { source: deal.feed, file: deal.file, line: deal.line },
    notices: [],
  };
}
