import type { GateResult, SourceReport } from '../data/report/report.ts';
import { createLocationFormatter } from '../data/report/source-location.ts';
import type { CatalogueSummary } from '../data/report/summary.ts';
import type { CmsReading } from './adapt/read-source.ts';
import type { FeedConfig } from './adapt/registry.ts';
import type { BuildConfig } from './config/config.ts';
import { fallBack, type FeedFallback } from './fallback.ts';
import { summariseFields } from './gate/check-catalogue.ts';
import { findFeedsToHold, keepHeldSummaries, mergeGateResults, type HeldFeeds } from './gate/held-feeds.ts';
import { isAccepted, runGates, type Acceptance } from './gate/run-gates.ts';
import type { BaselineWithDeals, ServedSnapshot } from './gate/served-snapshot.ts';
import { summariseCatalogue } from './gate/summary.ts';
import { createDealCollector, type DealCollector } from './join/collect-deals.ts';
import type { DealComparison } from './join/compare-deals.ts';
import { continuePriceHistories, type PriceHistories } from './join/price-history.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { UnmatchedName } from './match/unmatched-names.ts';
import type { Catalogue } from './records/catalogue.ts';
import { ExcludeRules } from './records/exclude.ts';
import { joinRecords, type JoinedRecords } from './records/join-records.ts';
import { readFeeds, type FeedResult, type OnRows } from './read-feeds.ts';
import { reportSources } from './report/report.ts';
import type { SourceState } from './source/source-state.ts';

export interface AssembleOptions {
  readonly config: BuildConfig;
  readonly acceptances: readonly Acceptance[];
  readonly now: Date;
  readonly progress: (message: string) => void;
  readonly onRows: OnRows;
  readonly cms: CmsReading;
  readonly served: ServedSnapshot;
  /** The snapshot being served with its deals, where they can be read. */
  readonly compared: BaselineWithDeals;
  /** The price histories that the catalogue continues. */
  readonly histories: PriceHistories;
  /** With the accounts of the CMS sources. */
  readonly ledger: Ledger;
}

/** A catalogue with the results of its gates. */
export interface AssembledCatalogue {
  readonly catalogue: Catalogue;
  /** By row of the product. */
  readonly priceHistories: readonly string[];
  readonly sources: readonly SourceReport[];
  readonly summary: CatalogueSummary;
  readonly gates: readonly GateResult[];
  readonly ledger: Ledger;
  readonly unmatchedNames: readonly UnmatchedName[];
}

/** What was read, which every attempt to assemble a catalogue begins with. */
interface ReadSources extends AssembleOptions {
  readonly joined: JoinedRecords;
  readonly exclusions: ExcludeRules;
  readonly feeds: ReadonlyMap<string, FeedResult>;
}

/**
 * Joins the records of the CMS and the deals of every feed into one catalogue. A feed that a gate refuses is held, and
 * the catalogue is assembled again with its earlier deals, until no gate refuses a feed that was read.
 */
export async function assembleCatalogue(options: AssembleOptions): Promise<AssembledCatalogue> {
  const sources = await readSources(options);
  options.progress('comparing with the current snapshot');
  let held: HeldFeeds = new Map();
  let attempt = tryWithHeld(sources, held);
  while (attempt.kind === 'failing') {
    held = new Map([...held, ...attempt.feeds]);
    options.progress(`holding ${[...attempt.feeds.keys()].join(', ')}`);
    attempt = tryWithHeld(sources, held);
  }
  let { settled } = attempt;
  if (held.size < 2 || isRefused(settled)) return settled;
  // A feed may have failed because of another feed: it is held only if it fails when the other one is held.
  for (const feed of held.keys()) {
    const others: HeldFeeds = new Map([...held].filter(([name]) => name !== feed));
    const released = assembleWithHeld(sources, others);
    if (isRefused(released)) continue;
    held = others;
    settled = released;
  }
  return settled;
}

async function readSources(options: AssembleOptions): Promise<ReadSources> {
  const { config, now, cms, served, ledger, progress, onRows } = options;
  const exclusions = new ExcludeRules(config.exclude, now);
  const joined = joinRecords(cms.records, exclusions, ledger, createLocationFormatter(config.cms));
  const feeds = await readFeeds(config.feeds, {
    joined,
    exclusions,
    money: config.money,
    folder: config.folder,
    now,
    currency: config.currency.code,
    earlier: served.kind === 'known' ? served.manifest.sources : [],
    progress,
    onRows,
  });
  return { ...options, joined, exclusions, feeds };
}

/** The result of assembling with these feeds held. A failing catalogue is released before the next one is made. */
type Attempt =
  | { readonly kind: 'settled'; readonly settled: AssembledCatalogue }
  | { readonly kind: 'failing'; readonly feeds: HeldFeeds };

function tryWithHeld(sources: ReadSources, held: HeldFeeds): Attempt {
  const settled = assembleWithHeld(sources, held);
  const feeds = findFeedsToHold(settled.gates, settled.sources);
  return feeds.size === 0 ? { kind: 'settled', settled } : { kind: 'failing', feeds };
}

function isRefused({ gates }: AssembledCatalogue): boolean {
  return gates.some(({ state }) => state === 'refused');
}

function assembleWithHeld(options: ReadSources, held: HeldFeeds): AssembledCatalogue {
  const { config, now, served, compared, cms } = options;
  const ledger = options.ledger.fork();
  const { catalogue, comparison, feeds, unmatchedNames } = collectCatalogue(options, ledger, held);
  ledger.check();

  const states = [...cms.states, ...feeds.map(({ state }) => state)];
  const sources = reportSources(states, ledger);
  const priceHistories = continuePriceHistories(catalogue, options.histories, now);
  const remembered = keepHeldSummaries(served, sources, held);
  const summary = {
    ...summariseCatalogue(catalogue, config.currency.code, priceHistories),
    fields: [...summariseFields(states, served)],
    ...(remembered.length === 0 ? {} : { held: [...remembered] }),
  };
  const required = [...config.cms, ...config.feeds].filter(({ name, required }) => required && !held.has(name));
  const gates = runGates(
    {
      served: compared.baseline,
      summary,
      comparison,
      now,
      sources,
      requiredSources: new Set(required.map(({ name }) => name)),
      expiredSources: new Set(feeds.filter(({ isExpired }) => isExpired).map(({ state }) => state.name)),
      unreadableDeals: feeds.find(({ unreadableDeals }) => unreadableDeals !== undefined)?.unreadableDeals,
      settings: config.gates,
    },
    options.acceptances,
  );
  return {
    catalogue,
    priceHistories,
    sources,
    summary,
    gates: mergeGateResults(gates, held),
    ledger,
    unmatchedNames,
  };
}

interface CollectedCatalogue {
  readonly catalogue: Catalogue;
  readonly comparison: DealComparison;
  readonly feeds: readonly CollectedSource[];
  readonly unmatchedNames: readonly UnmatchedName[];
}

type CollectedSource = Pick<FeedFallback, 'state'> & Partial<FeedFallback>;

function collectCatalogue(sources: ReadSources, ledger: Ledger, held: HeldFeeds): CollectedCatalogue {
  const { config, acceptances, now, served, compared, joined } = sources;
  const rules = {
    ...config.gates,
    isAccepted: (feed: string): boolean => isAccepted('price-jump', feed, acceptances),
  };
  const prices = compared.deals === undefined ? undefined : { served: compared.deals, rules };
  const exclusions = sources.exclusions.fork();
  const collector = createDealCollector({ joined, exclusions, money: config.money, ledger, prices });
  const { maxCarriedMs } = config.freshness;
  const feeds = config.feeds.map((feed): CollectedSource => {
    const refusedBy = held.get(feed.name) ?? [];
    const result = refusedBy.length > 0 ? undefined : sources.feeds.get(feed.name);
    const state = enterFeed(result ?? skipFeed(feed), collector, ledger);
    return state.state === 'fresh'
      ? { state }
      : fallBack(state, { store: config.store, served, now, maxCarriedMs, collector, ledger, refusedBy });
  });
  const deals = collector.finish();
  return {
    catalogue: { records: joined.records, deals },
    comparison: collector.comparison(),
    feeds,
    unmatchedNames: collector.unmatchedNames(),
  };
}

/** Nothing of the file of a refused feed. */
function skipFeed({ name, adapter, required }: FeedConfig): FeedResult {
  return {
    state: { name, kind: 'feed', adapter, required, state: 'failed', files: [] },
    readCount: 0,
    notices: [],
    usedRules: [],
  };
}

/** Enters a feed in the collector and the ledger. One that was not read to its end is dropped as a whole. */
function enterFeed(result: FeedResult, collector: DealCollector, ledger: Ledger): SourceState {
  const { state, readCount, notices, usedRules, collected } = result;
  ledger.read(state.name, readCount);
  for (const notice of notices) ledger.replay(notice);
  if (collected === undefined) collector.drop(state.name, usedRules);
  else collector.enter(collected, usedRules);
  return state;
}
