import type { Notice, Price } from '../../data/report/notice.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import { NO_TITLES, type ServedTitles } from './compare-records.ts';
import { HashIndex, hashText } from './hash-index.ts';
import { NumberColumn } from './number-column.ts';

const COLUMNS = ['product', 'plan', 'linkTemplate', 'total', 'upfront', 'monthly'] as const;

type ServedColumn = (typeof COLUMNS)[number];

/** A deal of the snapshot being served: numbers of its dictionaries, and pence. */
export type ServedRow = Readonly<Record<ServedColumn, number>>;

/** What the numbers of served deals stand for. */
export interface ServedEntries {
  /** `101/new` by row. */
  readonly products: readonly string[];
  readonly plans: readonly Plan[];
  readonly networks: readonly { readonly id: string }[];
  readonly retailers: readonly { readonly id: string; readonly slug: string }[];
  readonly linkTemplates: readonly { readonly prefix: string }[];
}

/** A deal that the snapshot being served holds out for its price. */
export type HeldOut = Notice & { readonly prices: NonNullable<Notice['prices']> };

/** A product of the snapshot being served, as far as prices are compared with it. */
export interface ServedProduct {
  readonly deals: number;
  readonly cheapestPence: number;
}

/**
 * The deals of the snapshot being served by key (feed, retailer id, id of the deal), to compare a build with: 24 bytes a
 * deal, and 24 to 48 of its index. A key is kept as a hash of 53 bits: two of a million deals share one in 20,000 builds.
 */
export class ServedDeals {
  readonly entries: ServedEntries;
  readonly heldOut: readonly HeldOut[];
  /** `101/new` of every product of a CMS source. */
  readonly cmsProducts: ReadonlyMap<string, readonly string[]>;
  readonly titles: ServedTitles;
  readonly #index = new HashIndex();
  readonly #columns: Readonly<Record<ServedColumn, NumberColumn>>;
  readonly #dealCounts: Uint32Array;
  readonly #cheapest: Uint32Array;
  readonly #retailerIds: ReadonlyMap<string, string>;
  readonly #seeds = new Map<string, number>();
  readonly #heldOut: HeldOut[] = [];
  readonly #memory = new Map<number, HeldOut['prices']>();

  constructor(
    entries: ServedEntries,
    cmsProducts: ServedDeals['cmsProducts'] = new Map(),
    titles: ServedTitles = NO_TITLES,
  ) {
    this.entries = entries;
    this.titles = titles;
    this.cmsProducts = cmsProducts;
    this.heldOut = this.#heldOut;
    // Every name of the list has its column.
    this.#columns = Object.fromEntries(COLUMNS.map((name) => [name, new NumberColumn(name)])) as unknown as Readonly<
      Record<ServedColumn, NumberColumn>
    >;
    this.#dealCounts = new Uint32Array(entries.products.length);
    this.#cheapest = new Uint32Array(entries.products.length).fill(0xffff_ffff);
    this.#retailerIds = new Map(entries.retailers.map(({ id, slug }) => [slug, id]));
  }

  append(feed: string, retailer: number, key: string, row: ServedRow): void {
    const { id } = this.entries.retailers[retailer] as ServedEntries['retailers'][number];
    this.#index.set(this.hashOf(feed, id, key), this.#columns.total.rowCount);
    for (const name of COLUMNS) this.#columns[name].append(row[name]);
    const { product, total } = row;
    this.#dealCounts[product] = (this.#dealCounts[product] as number) + 1;
    this.#cheapest[product] = Math.min(this.#cheapest[product] as number, total);
  }

  /**
   * Takes what is left out, when every deal has been appended: held-out deals, and duplicates, which have the price of
   * the deal that stands for them.
   */
  addLeftOut(notices: readonly Notice[]): void {
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

  hashOf(feed: string, retailerId: string, key: string): number {
    const name = `${retailerId} ${feed}`;
    let seed = this.#seeds.get(name);
    if (seed === undefined) {
      seed = hashText(name, 0);
      this.#seeds.set(name, seed);
    }
    return hashText(key, seed);
  }

  /** The row of a key; undefined where the snapshot has no such deal. */
  find(hash: number): number | undefined {
    return this.#index.get(hash);
  }

  /** The prices with which a key is held out. */
  findHeldOut(hash: number): HeldOut['prices'] | undefined {
    return this.#memory.get(hash);
  }

  at(column: ServedColumn, row: number): number {
    return this.#columns[column].at(row);
  }

  priceAt(row: number): Price {
    return { total: this.at('total', row), upfront: this.at('upfront', row), monthly: this.at('monthly', row) };
  }

  productAt(product: number): ServedProduct {
    return { deals: this.#dealCounts[product] as number, cheapestPence: this.#cheapest[product] as number };
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
