import type { Allowance } from '../../data/record/amount.ts';
import { recordKey } from '../../data/record/product.ts';
import type { RetailerRecord } from '../../data/record/network-retailer.ts';
import type { Price } from '../../data/report/notice.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { CatalogueRecords, DealGift } from '../records/catalogue.ts';
import type { Sourced } from '../source/record.ts';
import { GrowableNumberColumn } from './columns.ts';
import { Dictionary } from './dictionaries.ts';
import { joinTemplate, LinkSites } from './links.ts';
import { TOTAL_TOLERANCE_PENCE } from './money.ts';
import type { FeedFile } from './order.ts';
import { findPriceJumps, type HeldOutRow, type PriceJumpRules, type PriceJumps } from './price-jumps.ts';
import { compareRecords, FACT, type KeptRecords, type ServedDeals } from './served-deals.ts';
import { findServedRows, type ComparedDeals } from './served-rows.ts';
import type { Cashback } from './validate.ts';

/** Suspicious differences between a deal and the one that is served under its key, each as a bit. */
const CHANGE_FLAGS = {
  /**
   * The phone is another one although the catalogue had and has both; or the network, length, retailer, site or account
   * is another one.
   */
  moved: 1,
  /** Its link was that of another deal. */
  takenLink: 2,
  /** The phone, network, length, an allowance, the kind of contract or the site is another one. */
  otherOffer: 4,
  /** Minutes and texts differed, and have changed places. */
  swappedAllowances: 8,
  /** The monthly cost had pence, and is the same without them. */
  lostPence: 16,
  /** The total was upfront + monthly x months, and no longer is. */
  lostSum: 32,
  /** Of a gift or cashback, only the type or the amount of a cashback is left. */
  halfCashback: 64,
  /** The upfront cost had pence, and is the same without them. */
  lostUpfrontPence: 128,
  /** The data had a limit, and are ten or a hundred times what they were, or that part of it. */
  shiftedData: 256,
} as const;

type ChangeFlag = keyof typeof CHANGE_FLAGS;

const CHANGE_FLAG_NAMES = Object.keys(CHANGE_FLAGS) as readonly ChangeFlag[];

/** How many deals could have a flag, and how many have it. */
interface FlagCount {
  readonly of: number;
  readonly marked: number;
}

/** Changes of the gifts, of the cashbacks, or of the names of contracts. */
interface ExtraChanges {
  /** How many deals had one. */
  readonly held: number;
  /** Among the deals with a change: those that had one, or those that have one, if these are more. */
  readonly changed: number;
  /** How many of those that are gone came to other deals. */
  readonly passedOn: number;
  /** How many different ones are gone, and how many came. */
  readonly namesGone: number;
  readonly namesNew: number;
}

/** Deals of a feed, or of a retailer or network in it, that have the key of a served deal, compared with that deal. */
export interface KeptDeals {
  readonly count: number;
  readonly marks: Readonly<Record<ChangeFlag, FlagCount>>;
  /** Price changes in hundredths of a percent, ascending. */
  readonly moves: Readonly<Record<'total' | 'upfront' | 'monthly', Uint32Array>>;
  /** `plan`: the names of contracts, of deals that are the same offer. */
  readonly extras: Readonly<Record<'gift' | 'cashback' | 'plan', ExtraChanges>>;
}

/** The kept deals of a feed, in total and by part. The network is the one of the served deal. */
export interface KeptParts {
  readonly all: KeptDeals;
  readonly retailers: ReadonlyMap<string, KeptDeals>;
  readonly networks: ReadonlyMap<string, KeptDeals>;
}

export interface DealComparison {
  readonly feeds: ReadonlyMap<string, KeptParts>;
  /** For each CMS source, how many products have the id and condition of a product that was served from it. */
  readonly cms: ReadonlyMap<string, number>;
  readonly jumps: ReadonlyMap<string, PriceJumps>;
  /** Records of CMS sources whose ids are served. */
  readonly records: readonly KeptRecords[];
}

export const NO_COMPARISON: DealComparison = {
  feeds: new Map(),
  cms: new Map(),
  jumps: new Map(),
  records: [],
};

/** Compares every deal with the one that is served under its key, before any is held out. */
export function compareDeals(
  deals: ComparedDeals,
  served: ServedDeals,
  rules: PriceJumpRules,
): { readonly comparison: DealComparison; readonly heldOut: readonly HeldOutRow[] } {
  const { table, entries, records } = deals;
  const { columns } = table;
  const found = findServedRows(deals, served);
  const feeds = new Map<string, KeptCounter>();
  const compare = createPairComparer(deals, served);
  found.rowsAsRead.forEach((row) => {
    const servedRow = found.servedRows[row] as number;
    const formerRow = found.formerRows[row] as number;
    if (servedRow === -1 && formerRow === -1) return;
    const { source } = entries.files[columns.file.at(row)] as FeedFile;
    const feed = counterOf(feeds, source);
    if (servedRow === -1) {
      feed.add(markMoved(compare(row, formerRow, false)));
      return;
    }
    const pair = compare(row, servedRow, found.hasTakenLink[row] === 1);
    feed.add(pair);
    counterOf(feed.retailers, (records.retailers[columns.retailer.at(row)] as Sourced<RetailerRecord>).record.id).add(
      pair,
    );
    counterOf(feed.networks, pair.network).add(pair);
  });
  const { heldOut, jumps } = findPriceJumps(deals, served, found, rules);
  const comparison = {
    feeds: listKept(feeds),
    cms: countProducts(records, served),
    jumps,
    records: compareRecords(records, served.titles),
  };
  return { comparison, heldOut };
}

interface DealPair {
  /** The id of the network of the served deal. */
  readonly network: string;
  /** The flags that it could have, and those that it has. */
  readonly asked: number;
  readonly marked: number;
  readonly totalMove: number;
  readonly upfrontMove: number;
  readonly monthlyMove: number;
  /** Empty where there is none. */
  readonly giftBefore: string;
  readonly gift: string;
  readonly cashbackBefore: string;
  readonly cashback: string;
  readonly nameBefore: string;
  readonly name: string;
}

/** A deal that is under another retailer now. */
function markMoved(pair: DealPair): DealPair {
  return { ...pair, marked: pair.marked | CHANGE_FLAGS.moved };
}

function createPairComparer(
  { table, entries, records }: ComparedDeals,
  served: ServedDeals,
): (row: number, servedRow: number, hasTakenLink: boolean) => DealPair {
  const { columns } = table;
  const before = served.entries;
  const phones = numberAlike(
    records.products.map(({ record }) => recordKey(record)),
    before.products,
  );
  const phonesNow = new Set(phones.now);
  const phonesBefore = new Set(phones.before);
  const networks = numberAlike(
    records.networks.map(({ record }) => record.id),
    before.networks.map(({ id }) => id),
  );
  const describe = (plans: readonly Plan[], idOf: (network: number) => string | undefined): readonly string[] =>
    plans.map(({ network, dealType, contractMonths, dataMegabytes, callMinutes, textMessages }) =>
      [idOf(network), dealType, contractMonths, dataMegabytes, callMinutes, textMessages].join(' '),
    );
  const offers = numberAlike(
    describe(entries.plans, (network) => records.networks[network]?.record.id),
    describe(before.plans, (network) => before.networks[network]?.id),
  );
  const gifts = entries.gifts.map((gift) => nameOfGift(gift, records));
  const cashbacks = entries.cashbacks.map(describeCashback);
  const cashbacksBefore = before.cashbacks.map(describeCashback);
  const sites = new LinkSites(entries.linkTemplates.map(joinTemplate));
  return (row, servedRow, hasTakenLink) => {
    const ownPlan = columns.plan.at(row);
    const plan = entries.plans[ownPlan] as Plan;
    const servedPlan = served.at(FACT.plan, servedRow);
    const planBefore = before.plans[servedPlan] as Plan;
    const phone = phones.now[columns.product.at(row)] as number;
    const phoneBefore = phones.before[served.at(FACT.product, servedRow)] as number;
    const isSamePhone = phone === phoneBefore;
    const site = sites.siteAt(columns.linkTemplate.at(row), table.linkPart, row);
    const isSameSite = site === served.sites[served.at(FACT.site, servedRow)];
    const network = before.networks[planBefore.network]?.id ?? '';
    const { callMinutes, textMessages } = planBefore;
    const hasDistinctAllowances = callMinutes !== textMessages;
    const price = {
      total: columns.totalPence.at(row),
      upfront: columns.upfrontPence.at(row),
      monthly: columns.monthlyPence.at(row),
    };
    const priceBefore = served.priceAt(servedRow);
    const pence = priceBefore.monthly % 100;
    const upfrontPence = priceBefore.upfront % 100;
    const hadLimit = planBefore.dataMegabytes !== 'unlimited' && planBefore.dataMegabytes > 0;
    const wasSum = isSum(priceBefore, planBefore.contractMonths);
    const cashbackBefore = cashbacksBefore[served.at(FACT.cashback, servedRow) - 1] ?? '';
    const isMoved =
      // A product that is new or gone takes its deals with it, which is a change of the CMS.
      (!isSamePhone && phonesBefore.has(phone) && phonesNow.has(phoneBefore)) ||
      !isSameSite ||
      plan.contractMonths !== planBefore.contractMonths ||
      networks.now[plan.network] !== networks.before[planBefore.network];
    const isOtherOffer = !isSamePhone || !isSameSite || offers.now[ownPlan] !== offers.before[servedPlan];
    const hasSwappedAllowances =
      hasDistinctAllowances && plan.callMinutes === textMessages && plan.textMessages === callMinutes;
    const giftBefore = before.gifts[served.at(FACT.gift, servedRow) - 1]?.name ?? '';
    const hadExtra = giftBefore !== '' || cashbackBefore !== '';
    const hasHalfCashback = hadExtra && table.notices.get(row)?.some(({ code }) => code === 'half-cashback') === true;
    return {
      network,
      asked:
        CHANGE_FLAGS.moved |
        CHANGE_FLAGS.takenLink |
        CHANGE_FLAGS.otherOffer |
        (hasDistinctAllowances ? CHANGE_FLAGS.swappedAllowances : 0) |
        (pence !== 0 ? CHANGE_FLAGS.lostPence : 0) |
        (wasSum ? CHANGE_FLAGS.lostSum : 0) |
        (hadExtra ? CHANGE_FLAGS.halfCashback : 0) |
        (upfrontPence !== 0 ? CHANGE_FLAGS.lostUpfrontPence : 0) |
        (hadLimit ? CHANGE_FLAGS.shiftedData : 0),
      marked:
        (isMoved ? CHANGE_FLAGS.moved : 0) |
        (hasTakenLink ? CHANGE_FLAGS.takenLink : 0) |
        (isOtherOffer ? CHANGE_FLAGS.otherOffer : 0) |
        (hasSwappedAllowances ? CHANGE_FLAGS.swappedAllowances : 0) |
        (pence !== 0 && price.monthly === priceBefore.monthly - pence ? CHANGE_FLAGS.lostPence : 0) |
        (wasSum && !isSum(price, plan.contractMonths) ? CHANGE_FLAGS.lostSum : 0) |
        (hasHalfCashback ? CHANGE_FLAGS.halfCashback : 0) |
        (upfrontPence !== 0 && price.upfront === priceBefore.upfront - upfrontPence
          ? CHANGE_FLAGS.lostUpfrontPence
          : 0) |
        (hadLimit && isShifted(planBefore.dataMegabytes, plan.dataMegabytes) ? CHANGE_FLAGS.shiftedData : 0),
      totalMove: measurePriceMove(priceBefore.total, price.total),
      upfrontMove: measurePriceMove(priceBefore.upfront, price.upfront),
      monthlyMove: measurePriceMove(priceBefore.monthly, price.monthly),
      giftBefore,
      gift: gifts[columns.gift.at(row) - 1] ?? '',
      cashbackBefore,
      cashback: cashbacks[columns.cashback.at(row) - 1] ?? '',
      nameBefore: planBefore.contractName,
      // Another offer has another name with good reason.
      name: isOtherOffer ? planBefore.contractName : plan.contractName,
    };
  };
}

/** Whether a decimal point has moved by one place or two. */
function isShifted(before: Allowance, now: Allowance): boolean {
  if (typeof before !== 'number' || typeof now !== 'number') return false;
  return [10, 100].some((factor) => now === before * factor || before === now * factor);
}

/** Numbers for the texts of two lists: equal texts have equal numbers, which are compared faster. */
function numberAlike(
  now: readonly string[],
  before: readonly string[],
): { readonly now: readonly number[]; readonly before: readonly number[] } {
  const texts = new Dictionary<string>();
  const numberOf = (text: string): number => texts.codeOf(text, text);
  return { now: now.map(numberOf), before: before.map(numberOf) };
}

function nameOfGift(gift: DealGift, { gifts }: CatalogueRecords): string {
  return gift.kind === 'text' ? gift.name : (gifts[gift.giftRow]?.record.name ?? '');
}

function describeCashback({ type, valuePence }: Cashback): string {
  return `${valuePence} ${type}`;
}

function isSum({ total, upfront, monthly }: Price, months: number): boolean {
  return Math.abs(total - upfront - monthly * months) <= TOTAL_TOLERANCE_PENCE;
}

const MAX_MOVE = 0xffff_ffff;

/** The change of a price in hundredths of a percent of the lower one, so it is the same up and down. */
function measurePriceMove(before: number, now: number): number {
  const [low, high] = before < now ? [before, now] : [now, before];
  if (low === high) return 0;
  return low === 0 ? MAX_MOVE : Math.min(MAX_MOVE, Math.round((high / low - 1) * 10_000));
}

class KeptCounter {
  readonly retailers = new Map<string, KeptCounter>();
  readonly networks = new Map<string, KeptCounter>();
  readonly #totalMoves = new GrowableNumberColumn('totalMove');
  readonly #upfrontMoves = new GrowableNumberColumn('upfrontMove');
  readonly #monthlyMoves = new GrowableNumberColumn('monthlyMove');
  readonly #gifts = new ExtraCounter();
  readonly #cashbacks = new ExtraCounter();
  readonly #names = new ExtraCounter();
  /** The number of deals for each set of flags. */
  readonly #asked = new Uint32Array(1 << CHANGE_FLAG_NAMES.length);
  readonly #marked = new Uint32Array(1 << CHANGE_FLAG_NAMES.length);

  add(pair: DealPair): void {
    (this.#asked[pair.asked] as number)++;
    (this.#marked[pair.marked] as number)++;
    this.#totalMoves.append(pair.totalMove);
    this.#upfrontMoves.append(pair.upfrontMove);
    this.#monthlyMoves.append(pair.monthlyMove);
    this.#gifts.add(pair.giftBefore, pair.gift);
    this.#cashbacks.add(pair.cashbackBefore, pair.cashback);
    this.#names.add(pair.nameBefore, pair.name);
  }

  list(): KeptDeals {
    const count = (sets: Uint32Array, mark: ChangeFlag): number =>
      sets.reduce((sum, deals, bits) => ((bits & CHANGE_FLAGS[mark]) === 0 ? sum : sum + deals), 0);
    const marks = CHANGE_FLAG_NAMES.map((mark) => [
      mark,
      { of: count(this.#asked, mark), marked: count(this.#marked, mark) },
    ]);
    return {
      count: this.#totalMoves.rowCount,
      // Every flag has its entry.
      marks: Object.fromEntries(marks) as KeptDeals['marks'],
      moves: {
        total: this.#totalMoves.values().sort(),
        upfront: this.#upfrontMoves.values().sort(),
        monthly: this.#monthlyMoves.values().sort(),
      },
      extras: { gift: this.#gifts.list(), cashback: this.#cashbacks.list(), plan: this.#names.list() },
    };
  }
}

/** Counts gifts, cashbacks or names that go and come, by their text. */
class ExtraCounter {
  readonly #gone = new Map<string, number>();
  readonly #come = new Map<string, number>();
  #held = 0;

  add(before: string, now: string): void {
    if (before !== '') this.#held++;
    if (before === now) return;
    if (before !== '') this.#gone.set(before, (this.#gone.get(before) ?? 0) + 1);
    if (now !== '') this.#come.set(now, (this.#come.get(now) ?? 0) + 1);
  }

  list(): ExtraChanges {
    const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);
    return {
      held: this.#held,
      changed: Math.max(sum(this.#gone.values()), sum(this.#come.values())),
      namesGone: this.#gone.size,
      namesNew: this.#come.size,
      passedOn: sum([...this.#gone].map(([name, count]) => Math.min(count, this.#come.get(name) ?? 0))),
    };
  }
}

export const NOTHING_KEPT: KeptDeals = new KeptCounter().list();

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
