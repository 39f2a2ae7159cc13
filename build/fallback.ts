import type { DealRecord } from '../data/record/deal.ts';
import type { Notice } from '../data/report/notice.ts';
import type { GateResult } from '../data/report/report.ts';
import type { DealsLine, Dictionaries, Plan, ProductLine, ProvenanceLine } from '../data/snapshot/format.ts';
import { SnapshotError } from '../data/snapshot/snapshot-error.ts';
import type { FeedDeal } from './adapt/feed-checks.ts';
import { canAcceptFeed, describeHeldBy } from './gate/held-feeds.ts';
import type { KnownSnapshot, ServedSnapshot } from './gate/served-snapshot.ts';
import type { DealCollector } from './join/collect-deals.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { MatchEvidence } from './records/catalogue.ts';
import type { SourceState } from './source/source-state.ts';
import {
  openSnapshotLines,
  parseLines,
  readDealLines,
  readDictionaries,
  type SnapshotLines,
} from '../data/store/lines.ts';

export interface FallbackOptions {
  readonly store: string;
  readonly served: ServedSnapshot;
  readonly now: Date;
  readonly maxCarriedMs: number;
  readonly collector: DealCollector;
  readonly ledger: Ledger;
  /** The gates that refuse the feed; empty when it could not be read. */
  readonly refusedBy: readonly GateResult[];
}

/** A held feed, after its earlier deals have been taken or have expired. */
export interface FeedFallback {
  readonly state: SourceState;
  /** It has no deals, as expected. */
  readonly isExpired: boolean;
  /** Why the earlier deals of the feed cannot be read. */
  readonly unreadableDeals?: string;
}

/**
 * Replaces the deals of a feed by its deals in the snapshot being served (INPUTS "A source is held, not the build").
 * The ledger gets each of them as read, and each is checked like any other, so the counts of the feed are those of its
 * stale deals.
 */
export function fallBack(unread: SourceState, options: FallbackOptions): FeedFallback {
  const { served, now, maxCarriedMs, ledger, refusedBy } = options;
  const cause = describeCause(unread, refusedBy);
  const state = { ...unread, heldBecause: cause.because };
  const fallback = decideFallback(served, state.name, now, maxCarriedMs);
  if (fallback.kind === 'nothing' || served.kind !== 'known') {
    if (refusedBy.length === 0) return { state: unread, isExpired: true };
    ledger.note(noFallbackNotice(state.name, cause));
    return { state, isExpired: true };
  }
  if (fallback.kind === 'withdraw') {
    ledger.note(expiredNotice(state.name, fallback, cause));
    return { state, isExpired: true };
  }
  let lines: SnapshotLines;
  try {
    lines = openSnapshotLines(options.store, served.manifest);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    const unreadableDeals = describeDamagedDeals(state.name, served, error);
    ledger.note({ code: 'not-carried', source: state.name, found: unreadableDeals });
    return { state, isExpired: true, unreadableDeals };
  }
  const count = enterServedDeals(state.name, lines, options);
  ledger.note(fallbackNotice(state.name, count, fallback, cause));
  const before = served.manifest.sources.find(({ name }) => name === state.name);
  return {
    state: {
      ...state,
      state: 'carried-forward',
      freshAt: fallback.freshAt.toISOString(),
      files: before?.files ?? [],
    },
    isExpired: false,
  };
}

function enterServedDeals(feed: string, lines: SnapshotLines, { collector, ledger }: FallbackOptions): number {
  const source = collector.openFeed(feed, true);
  let count = 0;
  for (const batch of readDealsOfFeed(lines, feed)) {
    ledger.read(feed, batch.length);
    count += batch.length;
    for (const { item, way } of batch) source.add(item, way);
  }
  collector.enter(source.finish(), source.usedRules());
  return count;
}

interface FallbackCause {
  readonly because: string;
  readonly remedy: string;
}

/** The reason why a feed could not be read has a notice of its own. */
function describeCause({ name, state }: SourceState, refusedBy: readonly GateResult[]): FallbackCause {
  if (refusedBy.length === 0) {
    return { because: state === 'absent' ? 'has no file' : 'could not be read', remedy: 'fetch the feed again' };
  }
  const accept = refusedBy.map(({ gate }) => `--accept ${gate}`).join(' ');
  const take = canAcceptFeed(refusedBy) ? `, or take it as it is with ${accept}` : '';
  return {
    because: describeHeldBy(refusedBy),
    remedy: `deals check ${name} says what is in the feed; ask for it again${take}`,
  };
}

// `found` of a notice about a whole source is a sentence. It holds times and no ages, so that it stays the same from
// build to build, and it is also true of a build that is refused.

function fallbackNotice(
  feed: string,
  count: number,
  { freshAt, until }: DatedFallback,
  { because, remedy }: FallbackCause,
): Notice {
  const found = `${feed}: ${because}; its ${count} deals of ${freshAt.toISOString()} can be served until ${until.toISOString()}; ${remedy}`;
  return { code: 'carried-forward', source: feed, found };
}

function expiredNotice(feed: string, { freshAt, until }: DatedFallback, { because, remedy }: FallbackCause): Notice {
  const found = `${feed}: ${because}; its deals of ${freshAt.toISOString()} expired at ${until.toISOString()}; ${remedy}`;
  return { code: 'withdrawn', source: feed, found };
}

function noFallbackNotice(feed: string, { because, remedy }: FallbackCause): Notice {
  const found = `${feed}: ${because}; the snapshot being served has no deals of it to serve instead; ${remedy}`;
  return { code: 'not-carried', source: feed, found };
}

function describeDamagedDeals(feed: string, { id }: KnownSnapshot, { details }: SnapshotError): string {
  return `${feed}: the deals of snapshot ${id} cannot be served again: ${details.code}; run deals verify`;
}

type DatedFallback = Exclude<Fallback, { kind: 'nothing' }>;

/** The decision about the earlier deals of a held feed. */
export type Fallback =
  /** There are none. */
  | { readonly kind: 'nothing' }
  /** They are served until they expire. */
  | { readonly kind: 'carry'; readonly freshAt: Date; readonly until: Date }
  /** They have expired: a wrong price is worse than none. */
  | { readonly kind: 'withdraw'; readonly freshAt: Date; readonly until: Date };

/** Decides by the time since the deals were last found in the feed (INPUTS "A source is held, not the build"). */
export function decideFallback(served: ServedSnapshot, feed: string, now: Date, maxCarriedMs: number): Fallback {
  if (served.kind !== 'known') return { kind: 'nothing' };
  const source = served.manifest.sources.find(({ name, kind }) => name === feed && kind === 'feed');
  if (source === undefined || source.kept === 0) return { kind: 'nothing' };
  const recorded = source.freshAt ?? served.manifest.createdAt;
  const freshAt = findLatestPast(source.state === 'fresh' ? [recorded, served.confirmedAt] : [recorded], now);
  const until = new Date(freshAt.getTime() + maxCarriedMs);
  return { kind: now.getTime() <= until.getTime() ? 'carry' : 'withdraw', freshAt, until };
}

/** A time in the future comes from a build under a wrong clock: the hours start with the first build that finds it. */
function findLatestPast(times: readonly string[], now: Date): Date {
  const passed = times.map((time) => Date.parse(time)).filter((time) => time <= now.getTime());
  return passed.length === 0 ? now : new Date(Math.max(...passed));
}

/** A deal of a snapshot in the form in which its feed gave it, with ids in place of names. */
interface DealOfFeed {
  readonly item: FeedDeal;
  readonly way: MatchEvidence;
}

/**
 * The deals of a feed in a snapshot, in batches. They are checked again, because their product, network or retailer may
 * be gone, or `exclude` may name them. The caller has checked the hashes of the files.
 */
function* readDealsOfFeed(lines: SnapshotLines, feed: string): Generator<readonly DealOfFeed[]> {
  const dictionaries = readDictionaries(lines);
  const products = Array.from(
    parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson'),
    ({ id, condition }) => ({
      id,
      condition,
    }),
  );
  for (const { deals, provenance } of readDealLines(lines)) {
    const product = products[deals.product] as Variant;
    const batch: DealOfFeed[] = [];
    for (let i = 0; i < deals.rank.length; i++) {
      if (provenance.source[i] !== feed) continue;
      batch.push(toFeedDeal({ deals, provenance, dictionaries, product }, i));
    }
    if (batch.length > 0) yield batch;
  }
}

type Variant = Pick<ProductLine, 'id' | 'condition'>;

interface DealLines {
  readonly deals: DealsLine;
  readonly provenance: ProvenanceLine;
  readonly dictionaries: Dictionaries;
  readonly product: Variant;
}

// Snapshots were checked against their schemas, so the arrays of a line have equal lengths, and every code has its
// entry.
function toFeedDeal({ deals, provenance, dictionaries, product }: DealLines, i: number): DealOfFeed {
  const at = <Value>(values: readonly Value[]): Value => values[i] as Value;
  const plan = dictionaries.plans[at(deals.plan)] as Plan;
  const template = dictionaries.linkTemplates[at(deals.linkTemplate)] as Dictionaries['linkTemplates'][number];
  const gift = entryOf(dictionaries.gifts, deals.gift?.[i]);
  const cashback = entryOf(dictionaries.cashbacks, deals.cashback?.[i]);
  const productImage = entryOf(dictionaries.pictures, deals.picture?.[i]);
  const deal: DealRecord = {
    key: at(provenance.key),
    product: { id: product.id, condition: product.condition, feedIds: [] },
    retailer: { id: idOf(dictionaries.retailers, at(deals.retailer)), names: [], feedIds: [] },
    network: { id: idOf(dictionaries.networks, plan.network), names: [], feedIds: [] },
    dealType: plan.dealType,
    contractName: plan.contractName,
    contractMonths: plan.contractMonths,
    dataMegabytes: plan.dataMegabytes,
    callMinutes: plan.callMinutes,
    textMessages: plan.textMessages,
    upfrontPence: at(deals.upfrontPence),
    monthlyPence: at(deals.monthlyPence),
    statedTotalPence: at(deals.totalPence),
    ...(cashback === undefined ? {} : { cashbackType: cashback.type, cashbackPence: cashback.valuePence }),
    ...(gift === undefined ? {} : { gift: gift.name }),
    link: `${template.prefix}${at(deals.linkPart)}${template.suffix}`,
    ...(productImage === undefined ? {} : { productImage }),
  };
  const origin = { source: at(provenance.source), file: at(provenance.file), line: at(provenance.line) };
  return {
    item: { kind: 'deal', deal, origin, notices: [] },
    way: provenance.matches[at(provenance.match)] as MatchEvidence,
  };
}

/** 0 is none, and n is entry n - 1. */
function entryOf<Entry>(entries: readonly Entry[], number = 0): Entry | undefined {
  return number === 0 ? undefined : entries[number - 1];
}

function idOf(entries: readonly { readonly id: string }[], number: number): string {
  return (entries[number] as { readonly id: string }).id;
}
