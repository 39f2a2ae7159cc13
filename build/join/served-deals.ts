import { recordKey } from '../../data/record/product.ts';
import type { Notice, Price } from '../../data/report/notice.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { CatalogueRecords } from '../records/catalogue.ts';
import { GrowableNumberColumn } from './columns.ts';
import { HashIndex, hashText } from './hash-index.ts';
import { LinkSites } from './links.ts';

/** The facts of a served deal, by their place. `site` is a position in `sites`; two facts hold the hash of the link. */
export const FACT = {
  product: 0,
  plan: 1,
  total: 2,
  upfront: 3,
  monthly: 4,
  gift: 5,
  cashback: 6,
  site: 7,
  linkLow: 8,
  linkHigh: 9,
} as const;

type Fact = keyof typeof FACT;

const FACT_COUNT = Object.keys(FACT).length;

/** A deal of the snapshot being served, as dictionary codes and pence. */
export interface ServedRow extends Readonly<Record<Exclude<Fact, 'site' | 'linkLow' | 'linkHigh'>, number>> {
  readonly linkTemplate: number;
  readonly linkPart: string;
}

/** The entries behind the codes of served deals. */
export interface ServedEntries {
  /** `101/new` by row. */
  readonly products: readonly string[];
  readonly plans: readonly Plan[];
  readonly networks: readonly { readonly id: string }[];
  readonly retailers: readonly { readonly id: string; readonly slug: string }[];
  /** Code 0 of a deal is none, so entry n is at position n - 1. */
  readonly gifts: readonly { readonly name: string }[];
  readonly cashbacks: readonly { readonly type: string; readonly valuePence: number }[];
  readonly linkTemplates: readonly { readonly prefix: string; readonly suffix: string }[];
}

/** A deal that the snapshot being served holds out for its price. */
export type HeldOutDeal = Notice & { readonly prices: NonNullable<Notice['prices']> };

/** The earlier deals of a product, for the comparison of prices. */
export interface ServedProduct {
  readonly deals: number;
  readonly cheapestPence: number;
}

/**
 * The deals of a retailer in a feed that share a link: one deal, several of one product, or several of several
 * products.
 */
const LINK_HOLDERS = { one: 1, several: 2, products: 3 } as const;
const HOLDER_KINDS = 4;

/** By link, the first deal that has it, times `HOLDER_KINDS`, and how many have it; 0 for none. */
type LinkHolders = HashIndex;

function firstHolderOf(holders: number): number {
  return Math.floor(holders / HOLDER_KINDS);
}

const HALF = 0x1_0000_0000;

const NO_SEEDS: ReadonlyMap<string, number> = new Map();

/**
 * The deals of the snapshot being served by key (feed, retailer id, deal id), to compare a build with. They take 40
 * bytes a deal, and 16 to 32 for the index of keys. A key is stored as a hash of 53 bits: among a million deals, two
 * share one in 20,000 builds. So is a link, which is looked up by feed and retailer as well.
 */
export class ServedDeals {
  readonly entries: ServedEntries;
  readonly heldOut: readonly HeldOutDeal[];
  /** `101/new` of every product of a CMS source. */
  readonly cmsProducts: ReadonlyMap<string, readonly string[]>;
  readonly titles: ServedTitles;
  /** The sites that links lead to, by the numbers in `site`. */
  readonly sites: readonly string[];
  readonly #index: HashIndex;
  readonly #links: LinkSites;
  readonly #sites: string[] = [];
  readonly #siteNumbers = new Map<string, number>();
  readonly #dealCounts: Uint32Array;
  readonly #cheapest: Uint32Array;
  readonly #retailerIds: ReadonlyMap<string, string>;
  /** All facts of the first deal, then those of the next one: a comparison of two deals needs nearly all of them. */
  readonly #facts: GrowableNumberColumn;
  readonly #seeds = new Map<string, Map<string, number>>();
  readonly #heldOut: HeldOutDeal[] = [];
  readonly #memory = new Map<number, HeldOutDeal['prices']>();

  constructor(
    entries: ServedEntries,
    cmsProducts: ServedDeals['cmsProducts'] = new Map(),
    titles: ServedTitles = NO_TITLES,
    dealCount = 0,
  ) {
    this.#index = new HashIndex(dealCount);
    this.#facts = new GrowableNumberColumn('served deals', dealCount * FACT_COUNT);
    this.entries = entries;
    this.titles = titles;
    this.cmsProducts = cmsProducts;
    this.heldOut = this.#heldOut;
    this.sites = this.#sites;
    this.#dealCounts = new Uint32Array(entries.products.length);
    this.#cheapest = new Uint32Array(entries.products.length).fill(0xffff_ffff);
    this.#links = new LinkSites(entries.linkTemplates);
    this.#retailerIds = new Map(entries.retailers.map(({ id, slug }) => [slug, id]));
  }

  append(feed: string, retailer: number, key: string, row: ServedRow): void {
    const { id } = this.entries.retailers[retailer] as ServedEntries['retailers'][number];
    const { product, plan, total, upfront, monthly, gift, cashback, linkTemplate, linkPart } = row;
    const seed = this.seedOf(feed, id);
    this.#index.set(hashText(key, seed), this.rowCount);
    const site = this.#numberOfSite(this.#links.siteOf(linkTemplate, linkPart));
    const link = hashOfLink(seed, this.#links.hashOf(linkTemplate, linkPart));
    const facts = this.#facts;
    // In the order of `FACT`.
    facts.append(product);
    facts.append(plan);
    facts.append(total);
    facts.append(upfront);
    facts.append(monthly);
    facts.append(gift);
    facts.append(cashback);
    facts.append(site);
    facts.append(link % HALF);
    facts.append(Math.floor(link / HALF));
    this.#dealCounts[product] = (this.#dealCounts[product] as number) + 1;
    this.#cheapest[product] = Math.min(this.#cheapest[product] as number, total);
  }

  /**
   * Adds held-out deals, and duplicates, which have the price of the deal that stands for them. Call it after every
   * deal has been appended.
   */
  addExcluded(notices: readonly Notice[]): void {
    for (const notice of notices) {
      const { prices } = notice;
      const hash = this.#hashOfNotice(notice);
      if (prices === undefined || hash === undefined) continue;
      this.#heldOut.push({ ...notice, prices });
      this.#memory.set(hash, prices);
    }
    for (const notice of notices) {
      const hash = this.#hashOfNotice(notice);
      const { other, retailer } = notice;
      if (hash === undefined || other === undefined) continue;
      const otherHash = this.#hashOfNotice({ source: other.source, retailer, record: other.record }) as number;
      const row = this.#index.get(otherHash);
      const prices = this.#memory.get(otherHash);
      if (row !== undefined && this.#index.get(hash) === undefined) this.#index.set(hash, row);
      if (prices !== undefined && !this.#memory.has(hash)) this.#memory.set(hash, prices);
    }
  }

  get rowCount(): number {
    return this.#facts.rowCount / FACT_COUNT;
  }

  hashOf(feed: string, retailerId: string, key: string): number {
    return hashText(key, this.seedOf(feed, retailerId));
  }

  /** The seed of the hashes of keys and links of a retailer in a feed. */
  seedOf(feed: string, retailerId: string): number {
    let seeds = this.#seeds.get(feed);
    if (seeds === undefined) {
      seeds = new Map();
      this.#seeds.set(feed, seeds);
    }
    let seed = seeds.get(retailerId);
    if (seed === undefined) {
      seed = hashText(`${retailerId} ${feed}`, 0);
      seeds.set(retailerId, seed);
    }
    return seed;
  }

  /** The seeds of all retailers of a feed, to look for a deal under another one. */
  seedsOf(feed: string): ReadonlyMap<string, number> {
    return this.#seeds.get(feed) ?? NO_SEEDS;
  }

  /** The row of a key; undefined where the snapshot has no such deal. */
  find(hash: number): number | undefined {
    return this.#index.get(hash);
  }

  /** The prices with which a key is held out. */
  findHeldOut(hash: number): HeldOutDeal['prices'] | undefined {
    return this.#memory.get(hash);
  }

  /** The hash of the link of a deal. */
  linkAt(row: number): number {
    return this.at(FACT.linkHigh, row) * HALF + this.at(FACT.linkLow, row);
  }

  /** The deals that have these links. */
  findHolders(links: Float64Array): LinkHolders {
    const holders = new HashIndex(links.length);
    for (const link of links) holders.set(link, 0);
    for (let row = 0; holders.size > 0 && row < this.rowCount; row++) {
      const link = this.linkAt(row);
      const before = holders.get(link);
      if (before !== undefined) holders.set(link, this.#addHolder(before, row));
    }
    return holders;
  }

  /**
   * The deal that had this link, for the deal at `row` that has it now: the only holder, or one of several that are all
   * of one other product. A link that deals of several products share is a page of the shop, and a link that deals of
   * the same product share is a page of that product.
   */
  findHolder(holders: LinkHolders, link: number, row: number): number | undefined {
    const found = holders.get(link) ?? 0;
    if (found === 0) return undefined;
    const kind = found % HOLDER_KINDS;
    const holder = firstHolderOf(found);
    const isPage =
      kind !== LINK_HOLDERS.one &&
      (kind === LINK_HOLDERS.products || this.at(FACT.product, holder) === this.at(FACT.product, row));
    return isPage ? undefined : holder;
  }

  /** A fact of the deal at a row. */
  at(fact: (typeof FACT)[Fact], row: number): number {
    return this.#facts.at(row * FACT_COUNT + fact);
  }

  priceAt(row: number): Price {
    return {
      total: this.at(FACT.total, row),
      upfront: this.at(FACT.upfront, row),
      monthly: this.at(FACT.monthly, row),
    };
  }

  productAt(product: number): ServedProduct {
    return { deals: this.#dealCounts[product] as number, cheapestPence: this.#cheapest[product] as number };
  }

  #numberOfSite(site: string): number {
    let number = this.#siteNumbers.get(site);
    if (number === undefined) {
      number = this.#sites.push(site) - 1;
      this.#siteNumbers.set(site, number);
    }
    return number;
  }

  #addHolder(holders: number, row: number): number {
    if (holders === 0) return row * HOLDER_KINDS + LINK_HOLDERS.one;
    const first = firstHolderOf(holders);
    const isOfOne =
      holders % HOLDER_KINDS !== LINK_HOLDERS.products && this.at(FACT.product, first) === this.at(FACT.product, row);
    return first * HOLDER_KINDS + (isOfOne ? LINK_HOLDERS.several : LINK_HOLDERS.products);
  }

  #hashOfNotice({
    source,
    retailer,
    record,
  }: {
    readonly source: string;
    readonly retailer?: string | undefined;
    readonly record?: string | undefined;
  }): number | undefined {
    const id = retailer === undefined ? undefined : this.#retailerIds.get(retailer);
    return id === undefined || record === undefined ? undefined : this.hashOf(source, id, record);
  }
}

/** The hash of a link for the deals of a retailer in a feed, made of their seed and the link's own hash. */
export function hashOfLink(seed: number, hash: number): number {
  return (hash + seed) % 0x20_0000_0000_0000;
}

/** The names of a record for people and requests. */
interface RecordTitle {
  readonly name: string;
  readonly slug: string;
}

const KINDS = ['products', 'networks', 'retailers'] as const;

/** Names and slugs of a snapshot: of products by `101/new`, of networks and retailers by id. */
export type ServedTitles = Readonly<Record<(typeof KINDS)[number], ReadonlyMap<string, RecordTitle>>>;

const NO_TITLES: ServedTitles = { products: new Map(), networks: new Map(), retailers: new Map() };

/** The records of one kind that a CMS source has under ids that are served. */
export interface KeptRecords {
  readonly source: string;
  readonly kind: (typeof KINDS)[number];
  readonly count: number;
  /** How many have another name or another slug. */
  readonly renamed: number;
  /** How many have the name or the slug that was another record's. */
  readonly swapped: number;
}

/** Compares the records of the CMS with those that are served under their ids. */
export function compareRecords(records: CatalogueRecords, served: ServedTitles): readonly KeptRecords[] {
  return KINDS.flatMap((kind) => {
    const owners = { name: listOwners(served[kind], 'name'), slug: listOwners(served[kind], 'slug') };
    const counts = new Map<string, { count: number; renamed: number; swapped: number }>();
    for (const { record, origin } of records[kind]) {
      const key = recordKey(record);
      const before = served[kind].get(key);
      if (before === undefined) continue;
      const count = counts.get(origin.source) ?? { count: 0, renamed: 0, swapped: 0 };
      counts.set(origin.source, count);
      const changed = (['name', 'slug'] as const).filter((title) => record[title] !== before[title]);
      count.count++;
      if (changed.length > 0) count.renamed++;
      if (changed.some((title) => owners[title].has(record[title]))) count.swapped++;
    }
    return [...counts].map(([source, count]) => ({ source, kind, ...count }));
  });
}

function listOwners(titles: ReadonlyMap<string, RecordTitle>, title: keyof RecordTitle): ReadonlySet<string> {
  return new Set([...titles.values()].map((record) => record[title]));
}
