import type { Plan } from '../../data/snapshot/format.ts';
import type { CatalogueRecords } from './catalogue.ts';
import { compareRecords, type KeptRecords } from './compare-records.ts';
import type { DealEntries } from './deal-dictionaries.ts';
import type { DealTable } from './deal-table.ts';
import type { Finding } from './finding.ts';
import { judgePrices, type JumpRules } from './judge-price.ts';
import { NumberColumn } from './number-column.ts';
import type { FeedFile } from './order-deals.ts';
import type { HeldOut, ServedDeals } from './served-deals.ts';

/** Deals of a feed, or of a retailer or network in it, that have the key of a served deal, compared with that deal. */
export interface KeptDeals {
  readonly count: number;
  /**
   * How many are for another phone, though the catalogue had and has both, of another network or length, or lead to
   * another site.
   */
  readonly moved: number;
  /** How many differ in phone, network, length, an allowance or the host of the link. */
  readonly otherOffer: number;
  /** How many had two different numbers of minutes and texts, and how many of these have them the other way round. */
  readonly distinctAllowances: number;
  readonly swappedAllowances: number;
  /** How many had pence in their monthly cost, and how many of these cost the same without them. */
  readonly withPence: number;
  readonly lostPence: number;
  /** By how much prices moved, in hundredths of a percent, in ascending order. */
  readonly totalMoves: Uint32Array;
  readonly monthlyMoves: Uint32Array;
}

/** The kept deals of a feed, whole and in parts by id; a network is the one that the deal was with. */
export interface KeptParts {
  readonly all: KeptDeals;
  readonly retailers: ReadonlyMap<string, KeptDeals>;
  readonly networks: ReadonlyMap<string, KeptDeals>;
}

/** What became of the deals whose prices jumped, by feed. */
export interface PriceJumps {
  readonly heldOut: number;
  readonly accepted: number;
}

export interface DealComparison {
  readonly feeds: ReadonlyMap<string, KeptParts>;
  /** How many products of a CMS source have the id and condition of one that was served from it. */
  readonly cms: ReadonlyMap<string, number>;
  readonly jumps: ReadonlyMap<string, PriceJumps>;
  /** The records of CMS sources that have an id of before. */
  readonly records: readonly KeptRecords[];
}

export const NO_COMPARISON: DealComparison = {
  feeds: new Map(),
  cms: new Map(),
  jumps: new Map(),
  records: [],
};

/** Deals in order of rank, and all that their numbers stand for. */
export interface ComparedDeals {
  readonly table: DealTable;
  readonly rows: Uint32Array;
  readonly entries: DealEntries;
  readonly records: CatalogueRecords;
}

/** A row that is held out, and why. */
export interface HeldOutRow {
  readonly row: number;
  readonly finding: Finding;
  readonly prices: HeldOut['prices'];
}

/** Compares every deal with the one that is served under its key, before any is held out. */
export function compareDeals(
  deals: ComparedDeals,
  served: ServedDeals,
  rules: JumpRules,
): { readonly comparison: DealComparison; readonly heldOut: readonly HeldOutRow[] } {
  const { table, rows, entries, records } = deals;
  const { columns } = table;
  const hashes = new Float64Array(rows.length);
  const servedRows = new Int32Array(rows.length);
  const feeds = new Map<string, KeptCounter>();
  const compare = createComparePair(deals, served);
  const retailerIds = records.retailers.map(({ record }) => record.id);
  for (const [i, row] of rows.entries()) {
    const { source } = entries.files[columns.file.at(row)] as FeedFile;
    const retailer = retailerIds[columns.retailer.at(row)] as string;
    const hash = served.hashOf(source, retailer, table.key.at(row));
    const servedRow = served.find(hash) ?? -1;
    hashes[i] = hash;
    servedRows[i] = servedRow;
    if (servedRow === -1) continue;
    const pair = compare(row, servedRow);
    const feed = counterOf(feeds, source);
    feed.add(pair);
    counterOf(feed.retailers, retailer).add(pair);
    counterOf(feed.networks, pair.network).add(pair);
  }
  const { heldOut, jumps } = judgePrices(deals, served, { hashes, servedRows }, rules);
  const comparison = {
    feeds: listKept(feeds),
    cms: countProducts(records, served),
    jumps,
    records: compareRecords(records, served.titles),
  };
  return { comparison, heldOut };
}

interface Pair {
  /** The id of the network that the deal was with. */
  readonly network: string;
  readonly isMoved: boolean;
  readonly isOtherOffer: boolean;
  readonly hasDistinctAllowances: boolean;
  readonly hasSwappedAllowances: boolean;
  readonly hadPence: boolean;
  readonly hasLostPence: boolean;
  readonly totalMove: number;
  readonly monthlyMove: number;
}

function createComparePair(
  { table, entries, records }: ComparedDeals,
  served: ServedDeals,
): (row: number, servedRow: number) => Pair {
  const { columns } = table;
  const before = served.entries;
  const phones = records.products.map(({ record }) => `${record.id}/${record.condition}`);
  const isInBoth = (phone: string | undefined, others: ReadonlySet<string>): boolean =>
    phone !== undefined && others.has(phone);
  const phonesNow = new Set(phones);
  const phonesBefore = new Set(before.products);
  const describe = (plans: readonly Plan[], idOf: (network: number) => string | undefined): readonly string[] =>
    plans.map(({ network, contractMonths, dataMegabytes, callMinutes, textMessages }) =>
      [idOf(network), contractMonths, dataMegabytes, callMinutes, textMessages].join(' '),
    );
  const offers = describe(entries.plans, (network) => records.networks[network]?.record.id);
  const offersBefore = describe(before.plans, (network) => before.networks[network]?.id);
  const hosts = entries.linkTemplates.map(({ template }) => hostOf(template.prefix));
  const hostsBefore = before.linkTemplates.map(({ prefix }) => hostOf(prefix));
  return (row, servedRow) => {
    const plan = entries.plans[columns.plan.at(row)] as Plan;
    const servedPlan = served.at('plan', servedRow);
    const planBefore = before.plans[servedPlan] as Plan;
    const phone = phones[columns.product.at(row)];
    const phoneBefore = before.products[served.at('product', servedRow)];
    const isSamePhone = phone === phoneBefore;
    const isSameSite = hosts[columns.linkTemplate.at(row)] === hostsBefore[served.at('linkTemplate', servedRow)];
    const network = before.networks[planBefore.network]?.id ?? '';
    const { callMinutes, textMessages } = planBefore;
    const monthlyBefore = served.at('monthly', servedRow);
    const monthly = columns.monthlyPence.at(row);
    const hadPence = monthlyBefore % 100 !== 0;
    return {
      network,
      isMoved:
        // A product that is new or gone takes its deals with it, and that is the doing of the CMS.
        (!isSamePhone && isInBoth(phone, phonesBefore) && isInBoth(phoneBefore, phonesNow)) ||
        !isSameSite ||
        plan.contractMonths !== planBefore.contractMonths ||
        records.networks[plan.network]?.record.id !== network,
      isOtherOffer: !isSamePhone || !isSameSite || offers[columns.plan.at(row)] !== offersBefore[servedPlan],
      hasDistinctAllowances: callMinutes !== textMessages,
      hasSwappedAllowances:
        callMinutes !== textMessages && plan.callMinutes === textMessages && plan.textMessages === callMinutes,
      totalMove: measureMove(served.at('total', servedRow), columns.totalPence.at(row)),
      hadPence,
      hasLostPence: hadPence && monthly === monthlyBefore - (monthlyBefore % 100),
      monthlyMove: measureMove(monthlyBefore, monthly),
    };
  };
}

const MAX_MOVE = 0xffff_ffff;

/** Hundredths of a percent from the lower of two prices to the higher: the same up and down. */
function measureMove(before: number, now: number): number {
  const [low, high] = before < now ? [before, now] : [now, before];
  if (low === high) return 0;
  return low === 0 ? MAX_MOVE : Math.min(MAX_MOVE, Math.round((high / low - 1) * 10_000));
}

class KeptCounter {
  readonly retailers = new Map<string, KeptCounter>();
  readonly networks = new Map<string, KeptCounter>();
  readonly #totalMoves = new NumberColumn('totalMove');
  readonly #monthlyMoves = new NumberColumn('monthlyMove');
  #moved = 0;
  #withPence = 0;
  #lostPence = 0;
  #otherOffer = 0;
  #distinctAllowances = 0;
  #swappedAllowances = 0;

  add(pair: Pair): void {
    this.#totalMoves.append(pair.totalMove);
    this.#monthlyMoves.append(pair.monthlyMove);
    if (pair.isMoved) this.#moved++;
    if (pair.hadPence) this.#withPence++;
    if (pair.hasLostPence) this.#lostPence++;
    if (pair.isOtherOffer) this.#otherOffer++;
    if (pair.hasDistinctAllowances) this.#distinctAllowances++;
    if (pair.hasSwappedAllowances) this.#swappedAllowances++;
  }

  list(): KeptDeals {
    return {
      count: this.#totalMoves.rowCount,
      moved: this.#moved,
      withPence: this.#withPence,
      lostPence: this.#lostPence,
      otherOffer: this.#otherOffer,
      distinctAllowances: this.#distinctAllowances,
      swappedAllowances: this.#swappedAllowances,
      totalMoves: this.#totalMoves.values().sort(),
      monthlyMoves: this.#monthlyMoves.values().sort(),
    };
  }
}

function counterOf(counters: Map<string, KeptCounter>, name: string): KeptCounter {
  let counter = counters.get(name);
  if (counter === undefined) {
    counter = new KeptCounter();
    counters.set(name, counter);
  }
  return counter;
}

function listKept(feeds: ReadonlyMap<string, KeptCounter>): ReadonlyMap<string, KeptParts> {
  const listParts = (parts: ReadonlyMap<string, KeptCounter>): ReadonlyMap<string, KeptDeals> =>
    new Map([...parts].map(([id, counter]) => [id, counter.list()]));
  return new Map(
    [...feeds].map(([name, counter]) => [
      name,
      { all: counter.list(), retailers: listParts(counter.retailers), networks: listParts(counter.networks) },
    ]),
  );
}

function countProducts({ products }: CatalogueRecords, { cmsProducts }: ServedDeals): ReadonlyMap<string, number> {
  const now = new Set(products.map(({ record, origin }) => `${record.id}/${record.condition} ${origin.source}`));
  return new Map(
    [...cmsProducts].map(([source, ids]) => [source, ids.filter((id) => now.has(`${id} ${source}`)).length]),
  );
}

/** The host in the part of a link before the deal's own. */
function hostOf(prefix: string): string | undefined {
  return /^[a-z]+:\/\/([^/?#]+)/i.exec(prefix)?.[1]?.toLowerCase();
}
