import type { GateResult, SourceReport } from '../data/report/report.ts';
import { createLocationFormatter } from '../data/report/source-location.ts';
import type { CatalogueSummary } from '../data/report/summary.ts';
import type { CmsReading } from './adapt/read-source.ts';
import type { FeedConfig } from './adapt/registry.ts';
import { findCodeFingerprint, hashJoinInputs } from './cache/cache-key.ts';
import { FeedCache } from './cache/feed-cache.ts';
import type { BuildConfig } from './config/config.ts';
import { readFeeds, type OnRows } from './feeds/read-feeds.ts';
import type { FeedResult } from './feeds/read-whole-feed.ts';
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
import { joinRecords } from './records/join-records.ts';
import { reportSources } from './report/report.ts';
import type { SourceState } from './source/source-state.ts';

export interface AssembleOptions {
  readonly config: BuildConfig;
  readonly acceptances: readonly Acceptance[];
  readonly now: Date;
  readonly isDryRun: boolean;
  /** How many feeds are read at a time; without it that depends on the machine and on the feeds. */
  readonly threads: number | undefined;
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
  readonly warnings: readonly string[];
}

/**
 * Joins the records of the CMS and the deals of every feed into one catalogue. A feed that a gate refuses is held, and
 * the catalogue is assembled again with its earlier deals, until no gate refuses a feed that was read. The other feeds
 * then come from the cache.
 */
export async function assembleCatalogue(options: AssembleOptions): Promise<AssembledCatalogue> {
  let held: HeldFeeds = new Map();
  let attempt = await tryWithHeld(options, held);
  while (attempt.kind === 'failing') {
    held = new Map([...held, ...attempt.feeds]);
    options.progress(`holding ${[...attempt.feeds.keys()].join(', ')}`);
    attempt = await tryWithHeld(withoutProgress(options), held);
  }
  let { settled } = attempt;
  if (held.size < 2 || isRefused(settled)) return settled;
  // A feed may have failed because of another feed: it is held only if it fails when the other one is held.
  for (const feed of held.keys()) {
    const others: HeldFeeds = new Map([...held].filter(([name]) => name !== feed));
    const released = await assembleWithHeld(withoutProgress(options), others);
    if (isRefused(released)) continue;
    held = others;
    settled = released;
  }
  return settled;
}

/** The result of assembling with these feeds held. A failing catalogue is released before the next one is made. */
type Attempt =
  | { readonly kind: 'settled'; readonly settled: AssembledCatalogue }
  | { readonly kind: 'failing'; readonly feeds: HeldFeeds };

async function tryWithHeld(options: AssembleOptions, held: HeldFeeds): Promise<Attempt> {
  const settled = await assembleWithHeld(options, held);
  const feeds = findFeedsToHold(settled.gates, settled.sources);
  return feeds.size === 0 ? { kind: 'settled', settled } : { kind: 'failing', feeds };
}

function isRefused({ gates }: AssembledCatalogue): boolean {
  return gates.some(({ state }) => state === 'refused');
}

/** Progress is not reported again for feeds that are read again. */
function withoutProgress(options: AssembleOptions): AssembleOptions {
  return { ...options, progress: () => {}, onRows: () => {} };
}

async function assembleWithHeld(options: AssembleOptions, held: HeldFeeds): Promise<AssembledCatalogue> {
  const { config, now, served, compared, cms } = options;
  const ledger = options.ledger.fork();
  const collected = await collectCatalogue(options, ledger, held);
  const { catalogue, comparison, feeds, unmatchedNames, warnings } = collected;
  ledger.check();

  options.progress('comparing with the current snapshot');
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
    warnings,
  };
}

interface CollectedCatalogue {
  readonly catalogue: Catalogue;
  readonly comparison: DealComparison;
  readonly feeds: readonly CollectedSource[];
  readonly unmatchedNames: readonly UnmatchedName[];
  readonly warnings: readonly string[];
}

type CollectedSource = Pick<FeedFallback, 'state'> & Partial<FeedFallback>;

async function collectCatalogue(
  { config, acceptances, now, isDryRun, threads, progress, onRows, cms, served, compared }: AssembleOptions,
  ledger: Ledger,
  held: HeldFeeds,
): Promise<CollectedCatalogue> {
  const earlier = served.kind === 'known' ? served.manifest.sources : [];
  const exclusions = new ExcludeRules(config.exclude, now);
  const joined = joinRecords(cms.records, exclusions, ledger, createLocationFormatter(config.cms));
  const rules = {
    ...config.gates,
    isAccepted: (feed: string): boolean => isAccepted('price-jump', feed, acceptances),
  };
  const prices = compared.deals === undefined ? undefined : { served: compared.deals, rules };
  const collector = createDealCollector({ joined, exclusions, money: config.money, ledger, prices });
  const cache = new FeedCache({
    store: config.store,
    configFolder: config.folder,
    now,
    keyParts: {
      code: findCodeFingerprint(),
      joining: hashJoinInputs(joined, exclusions, config.money),
      currency: config.currency.code,
    },
    isReadOnly: isDryRun,
    earlier,
  });
  const { maxCarriedMs } = config.freshness;
  const inputs = {
    joined,
    exclusions,
    money: config.money,
    folder: config.folder,
    now,
    currency: config.currency.code,
    earlier,
  };
  const feedsToRead = config.feeds.filter(({ name }) => !held.has(name));
  const reading = await readFeeds(feedsToRead, { inputs, cache, threads, progress, onRows });
  const feeds: CollectedSource[] = [];
  try {
    for (const feed of config.feeds) {
      const refusedBy = held.get(feed.name) ?? [];
      const state = enterFeed(
        feed,
        refusedBy.length > 0 ? skipFeed(feed) : await reading.resultOf(feed),
        collector,
        ledger,
      );
      feeds.push(
        state.state === 'fresh'
          ? { state }
          : fallBack(state, { store: config.store, served, now, maxCarriedMs, collector, ledger, refusedBy }),
      );
    }
  } finally {
    await reading.close();
  }
  cache.removeOthers(config.feeds);
  const deals = collector.finish();
  return {
    catalogue: { records: joined.records, deals },
    comparison: collector.comparison(),
    feeds,
    unmatchedNames: collector.unmatchedNames(),
    warnings: cache.warnings,
  };
}

/** Nothing of the file of a refused feed. */
function skipFeed({ name, adapter, required }: FeedConfig): FeedResult {
  return {
    kind: 'unread',
    state: { name, kind: 'feed', adapter, required, state: 'failed', files: [] },
    notices: [],
    usedRules: [],
  };
}

/** Enters a feed in the collector and the ledger. One that was not read to its end is dropped as a whole. */
function enterFeed(
  { name, adapter, required }: FeedConfig,
  result: FeedResult,
  collector: DealCollector,
  ledger: Ledger,
): SourceState {
  if (result.kind === 'unread') {
    ledger.account(name);
    for (const notice of result.notices) ledger.note(notice);
    collector.drop(name, result.usedRules);
    return result.state;
  }
  const { collected, readCount, notices, files, fields } = result.feed;
  ledger.read(name, readCount);
  for (const notice of notices) ledger.replay(notice);
  collector.enter(collected);
  return { name, kind: 'feed', adapter, required, state: 'fresh', files: [...files], fields };
}
