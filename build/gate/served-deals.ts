import type { Notice } from '../../data/report/notice.ts';
import { recordKey } from '../../data/record/product.ts';
import type { DealsLine, Dictionaries, ProductLine } from '../../data/snapshot/format.ts';
import { readDealLines, readDictionaries, parseLines, type SnapshotLines } from '../../data/store/lines.ts';
import { HashIndex, hashText } from '../deals/hash-index.ts';
import { LinkSites } from '../deals/links.ts';
import { DealFacts, FactNumbers } from './deal-facts.ts';

/** A price that the snapshot being served holds out. */
export type HeldOutPrice = NonNullable<Notice['prices']>;

/**
 * The deals that a build is compared with, by key: feed, retailer and id of the deal. A key is stored as a hash of 53 bits:
 * among a million deals, two share one in 20,000 builds.
 */
export class ServedDeals {
  readonly numbers: FactNumbers;
  readonly facts: DealFacts;
  readonly #rows = new HashIndex();
  readonly #byFeed = new Map<string, number[]>();
  readonly #seeds = new Map<string, Map<string, number>>();
  readonly #heldOut = new Map<number, HeldOutPrice>();
  readonly #heldOutNotices: Notice[] = [];

  constructor(numbers = new FactNumbers()) {
    this.numbers = numbers;
    this.facts = new DealFacts(numbers);
  }

  /**
   * Adds the deals of a snapshot.
   * @param isWanted whether a deal is compared with: of a feed, a retailer and a network by their slugs
   */
  addSnapshot(
    lines: SnapshotLines,
    isWanted: (feed: string, retailer: string, network: string) => boolean = () => true,
  ): void {
    const dictionaries = readDictionaries(lines);
    const products = Array.from(parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson'), recordKey);
    const encode = createEncoder(this.numbers, dictionaries);
    for (const { deals, provenance } of readDealLines(lines)) {
      const product = this.numbers.name(this.numbers.products, products[deals.product] as string);
      for (const [i, key] of provenance.key.entries()) {
        const feed = provenance.source[i] as string;
        const retailer = dictionaries.retailers[deals.retailer[i] as number] as Dictionaries['retailers'][number];
        const plan = dictionaries.plans[deals.plan[i] as number] as Dictionaries['plans'][number];
        const network = dictionaries.networks[plan.network] as Dictionaries['networks'][number];
        if (!isWanted(feed, retailer.slug, network.slug)) continue;
        this.#append(feed, retailer.id, key);
        this.facts.append({ product, ...encode(deals, i) });
      }
    }
  }

  #append(feed: string, retailerId: string, key: string): void {
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
      const prices = this.#heldOut.get(otherHash);
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

  /** The seeds of all retailers of a feed, for a key whose retailer is not known. */
  seedsOf(feed: string): readonly number[] {
    return [...(this.#seeds.get(feed)?.values() ?? [])];
  }

  /** The row of a key of the retailer with this seed. */
  findKey(key: string, seed: number): number | undefined {
    return this.#rows.get(hashText(key, seed));
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
    const cheapest = new Map<string, { deals: number; totalPence: number }>();
    for (let row = 0; row < this.facts.rowCount; row++) {
      const product = this.facts.productAt(row);
      const totalPence = this.facts.columns.total.at(row);
      const known = cheapest.get(product);
      if (known === undefined) cheapest.set(product, { deals: 1, totalPence });
      else {
        known.deals++;
        known.totalPence = Math.min(known.totalPence, totalPence);
      }
    }
    return cheapest;
  }
}

/** The earlier deals of a product. */
export interface ServedProduct {
  readonly deals: number;
  readonly totalPence: number;
}

/** Encodes deals of a snapshot, each entry of its dictionaries once. */
function createEncoder(numbers: FactNumbers, dictionaries: Dictionaries) {
  const plans = dictionaries.plans.map((plan) =>
    numbers.plan({ ...plan, network: (dictionaries.networks[plan.network] as { readonly id: string }).id }),
  );
  const retailers = dictionaries.retailers.map(({ id }) => numbers.name(numbers.retailers, id));
  // 0 of a deal is none.
  const gifts = [0, ...dictionaries.gifts.map(({ name }) => numbers.extra(name))];
  const cashbacks = [0, ...dictionaries.cashbacks.map((cashback) => numbers.extra(describeCashback(cashback)))];
  const links = new LinkSites(dictionaries.linkTemplates);
  return (deals: DealsLine, i: number) => {
    const template = deals.linkTemplate[i] as number;
    const part = deals.linkPart[i] as string;
    return {
      retailer: retailers[deals.retailer[i] as number] as number,
      plan: plans[deals.plan[i] as number] as number,
      gift: gifts[deals.gift?.[i] ?? 0] as number,
      cashback: cashbacks[deals.cashback?.[i] ?? 0] as number,
      site: numbers.name(numbers.sites, links.siteOf(template, part)),
      link: links.hashOf(template, part) % LINK_HASHES,
      total: deals.totalPence[i] as number,
      upfront: deals.upfrontPence[i] as number,
      monthly: deals.monthlyPence[i] as number,
    };
  };
}

/** A hash of a link is cut to 32 bits: links are compared only within a retailer. */
export const LINK_HASHES = 2 ** 32;

export function describeCashback({ type, valuePence }: { readonly type: string; readonly valuePence: number }): string {
  return `${valuePence} ${type}`;
}
