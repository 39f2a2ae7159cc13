import type { Price } from '../../data/report/notice.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { CatalogueRecords, DealGift } from './catalogue.ts';
import { TOTAL_TOLERANCE_PENCE } from './check-money.ts';
import { compareRecords, type KeptRecords } from './compare-records.ts';
import type { DealEntries } from './deal-dictionaries.ts';
import type { DealTable } from './deal-table.ts';
import type { Finding } from './finding.ts';
import { judgePrices, type JumpRules } from './judge-price.ts';
import { LinkSites } from './link-site.ts';
import type { LinkTemplate } from './link-table.ts';
import { NumberColumn } from './number-column.ts';
import type { FeedFile } from './order-deals.ts';
import type { HeldOut, ServedDeals } from './served-deals.ts';

/** What may be wrong with a deal beside the one that is served under its key, each as a bit. */
const MARKS = {
  /**
   * It is for another phone, though the catalogue had and has both, of another network or length, or leads to another
   * site or for another account.
   */
  moved: 1,
  /** It leads where another deal led. */
  takenLink: 2,
  /** It differs in phone, network, length, an allowance or the site. */
  otherOffer: 4,
  /** Of two different numbers of minutes and texts, they are the other way round. */
  swappedAllowances: 8,
  /** Of a monthly cost with pence, it costs the same without them. */
  lostPence: 16,
  /** Of a total that was upfront + monthly x months, it no longer is. */
  lostSum: 32,
  /** Of a gift or a cashback, the type or the amount of a cashback is left. */
  halfCashback: 64,
} as const;

type Mark = keyof typeof MARKS;

/** The position of each is that of its bit. */
const MARK_NAMES = Object.keys(MARKS) as readonly Mark[];

const PRICES = ['total', 'upfront', 'monthly'] as const;

const EXTRAS = ['gift', 'cashback'] as const;

/** How many deals could have a mark, and how many have it. */
interface MarkCount {
  readonly of: number;
  readonly marked: number;
}

/** What became of the gifts, or of the cashbacks, that deals had. */
interface ExtraChanges {
  /** How many deals had one. */
  readonly held: number;
  /** Of the deals that have another one or none now, or had none, how many had one or have one: the larger number. */
  readonly changed: number;
  /** How many of those that went are the same as ones that came. */
  readonly passedOn: number;
}

/** Deals of a feed, or of a retailer or network in it, that have the key of a served deal, compared with that deal. */
export interface KeptDeals {
  readonly count: number;
  readonly marks: Readonly<Record<Mark, MarkCount>>;
  /** By how much prices moved, in hundredths of a percent, in ascending order. */
  readonly moves: Readonly<Record<(typeof PRICES)[number], Uint32Array>>;
  readonly extras: Readonly<Record<(typeof EXTRAS)[number], ExtraChanges>>;
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
    const pair = compare(row, servedRow, { feed: source, retailer });
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
  /** The bits of the marks that it could have, and of those that it has. */
  readonly asked: number;
  readonly marked: number;
  readonly moves: readonly number[];
  /** What it had and has in the order of `EXTRAS`, empty where it is none. */
  readonly extrasBefore: readonly string[];
  readonly extras: readonly string[];
}

function createComparePair(
  { table, entries, records }: ComparedDeals,
  served: ServedDeals,
): (row: number, servedRow: number, part: { readonly feed: string; readonly retailer: string }) => Pair {
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
  const gifts = entries.gifts.map((gift) => nameOfGift(gift, records));
  const templates = entries.linkTemplates.map(({ template: { prefix, suffix }, lead, tail }) => ({
    prefix: prefix + lead,
    suffix: tail + suffix,
  }));
  const sites = new LinkSites(templates);
  return (row, servedRow, { feed, retailer }) => {
    const plan = entries.plans[columns.plan.at(row)] as Plan;
    const servedPlan = served.at('plan', servedRow);
    const planBefore = before.plans[servedPlan] as Plan;
    const phone = phones[columns.product.at(row)];
    const phoneBefore = before.products[served.at('product', servedRow)];
    const isSamePhone = phone === phoneBefore;
    const template = columns.linkTemplate.at(row);
    const part = table.linkPart.at(row);
    const { prefix, suffix } = templates[template] as LinkTemplate;
    const link = served.hashOf(feed, retailer, prefix + part + suffix);
    const isSameSite = sites.siteOf(template, part) === served.siteAt(servedRow);
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
    const wasSum = isSum(priceBefore, planBefore.contractMonths);
    const cashbackBefore = describeCashback(before.cashbacks[served.at('cashback', servedRow) - 1]);
    const isMoved =
      // A product that is new or gone takes its deals with it, and that is the doing of the CMS.
      (!isSamePhone && isInBoth(phone, phonesBefore) && isInBoth(phoneBefore, phonesNow)) ||
      !isSameSite ||
      plan.contractMonths !== planBefore.contractMonths ||
      records.networks[plan.network]?.record.id !== network;
    const isOtherOffer = !isSamePhone || !isSameSite || offers[columns.plan.at(row)] !== offersBefore[servedPlan];
    const hasSwappedAllowances =
      hasDistinctAllowances && plan.callMinutes === textMessages && plan.textMessages === callMinutes;
    const giftBefore = before.gifts[served.at('gift', servedRow) - 1]?.name ?? '';
    const hadExtra = giftBefore !== '' || cashbackBefore !== '';
    const hasHalfCashback =
      hadExtra && table.notices.get(row)?.some(({ code }) => code === 'half-cashback') === true;
    return {
      network,
      asked:
        MARKS.moved |
        MARKS.takenLink |
        MARKS.otherOffer |
        (hasDistinctAllowances ? MARKS.swappedAllowances : 0) |
        (pence !== 0 ? MARKS.lostPence : 0) |
        (wasSum ? MARKS.lostSum : 0) |
        (hadExtra ? MARKS.halfCashback : 0),
      marked:
        (isMoved ? MARKS.moved : 0) |
        (served.isLinkOfOther(link, servedRow) ? MARKS.takenLink : 0) |
        (isOtherOffer ? MARKS.otherOffer : 0) |
        (hasSwappedAllowances ? MARKS.swappedAllowances : 0) |
        (pence !== 0 && price.monthly === priceBefore.monthly - pence ? MARKS.lostPence : 0) |
        (wasSum && !isSum(price, plan.contractMonths) ? MARKS.lostSum : 0) |
        (hasHalfCashback ? MARKS.halfCashback : 0),
      moves: PRICES.map((name) => measureMove(priceBefore[name], price[name])),
      extrasBefore: [giftBefore, cashbackBefore],
      extras: [
        gifts[columns.gift.at(row) - 1] ?? '',
        describeCashback(entries.cashbacks[columns.cashback.at(row) - 1]),
      ],
    };
  };
}

function nameOfGift(gift: DealGift, { gifts }: CatalogueRecords): string {
  return gift.kind === 'text' ? gift.name : (gifts[gift.giftRow]?.record.name ?? '');
}

function describeCashback(cashback: { readonly type: string; readonly valuePence: number } | undefined): string {
  return cashback === undefined ? '' : `${cashback.valuePence} ${cashback.type}`;
}

function isSum({ total, upfront, monthly }: Price, months: number): boolean {
  return Math.abs(total - upfront - monthly * months) <= TOTAL_TOLERANCE_PENCE;
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
  readonly #moves = PRICES.map((name) => new NumberColumn(name));
  readonly #extras = EXTRAS.map(() => new ExtraCounter());
  readonly #asked = new Uint32Array(MARK_NAMES.length);
  readonly #marked = new Uint32Array(MARK_NAMES.length);
  #count = 0;

  add({ asked, marked, moves, extrasBefore, extras }: Pair): void {
    this.#count++;
    for (let mark = 0; mark < MARK_NAMES.length; mark++) {
      (this.#asked[mark] as number) += (asked >>> mark) & 1;
      (this.#marked[mark] as number) += (marked >>> mark) & 1;
    }
    this.#moves.forEach((column, i) => column.append(moves[i] as number));
    this.#extras.forEach((counter, i) => counter.add(extrasBefore[i] as string, extras[i] as string));
  }

  list(): KeptDeals {
    const marks = MARK_NAMES.map((name, i) => [name, { of: this.#asked[i], marked: this.#marked[i] }]);
    const moves = PRICES.map((name, i) => [name, this.#moves[i]?.values().sort()]);
    const extras = EXTRAS.map((name, i) => [name, this.#extras[i]?.list()]);
    // Every name of the three lists has its entry.
    return {
      count: this.#count,
      marks: Object.fromEntries(marks) as KeptDeals['marks'],
      moves: Object.fromEntries(moves) as KeptDeals['moves'],
      extras: Object.fromEntries(extras) as KeptDeals['extras'],
    };
  }
}

/** Counts the gifts, or the cashbacks, that go and come, each by what it is. */
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
