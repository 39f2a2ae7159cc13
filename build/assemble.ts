import type { GateResult, SourceReport, UnmatchedName } from '../data/report/report.ts';
import { createLocationFormatter } from '../data/report/source-location.ts';
import type { CatalogueSummary } from '../data/report/summary.ts';
import type { CmsReading } from './read-cms.ts';
import type { BuildConfig } from './config/config.ts';
import { DealCollector } from './deals/collect-deals.ts';
import { continuePriceHistories, type PriceHistories } from './deals/price-history.ts';
import { FeedEntrance, type EnteredFeed } from './enter-feeds.ts';
import { isAccepted, type Acceptance } from './gate/acceptance.ts';
import { parseGate } from './gate/gates.ts';
import { judgeCatalogue } from './gate/judge-catalogue.ts';
import type { ServedSnapshot } from './gate/served-snapshot.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Catalogue } from './records/catalogue.ts';
import { ExcludeRules } from './records/exclude.ts';
import { joinRecords } from './records/join-records.ts';
import { measureFeeds, readFeed } from './read-feed.ts';
import { reportSources } from './report/report.ts';
import { DAY_MS, HOUR_MS } from '../data/record/amount.ts';

/** How much of all feeds has been read: rows, and bytes of their files as they are on the disk. */
export type OnRows = (count: { readonly rows: number; readonly bytes: number; readonly bytesInAll: number }) => void;

export interface AssembleOptions {
  readonly config: BuildConfig;
  readonly acceptances: readonly Acceptance[];
  readonly now: Date;
  readonly onProgress?: ((message: string) => void) | undefined;
  readonly onRows?: OnRows | undefined;
  readonly cms: CmsReading;
  readonly served: ServedSnapshot;
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
  readonly unmatchedNames: readonly UnmatchedName[];
  /** What the build says about prices, though nothing fails. */
  readonly said: readonly string[];
}

/**
 * Joins the records of the CMS and the deals of every feed into one catalogue. Each feed is judged alone, as soon as it is
 * read; then the catalogue is assembled once, and judged as a whole.
 */
export async function assembleCatalogue(options: AssembleOptions): Promise<AssembledCatalogue> {
  const { config, acceptances, now, cms, served, ledger } = options;
  const exclusions = new ExcludeRules(config.exclude, now);
  const { records, ...joined } = joinRecords(cms.records, exclusions, ledger, createLocationFormatter(config.cms));
  const collector = new DealCollector({ joined: { records, ...joined }, exclusions, money: config.money, ledger });
  const entrance = new FeedEntrance({ config, acceptances, now, served, records, collector, ledger });
  const feeds = await readFeeds(options, collector, entrance);
  options.onProgress?.('comparing with the current snapshot');
  const deals = entrance.finish();
  const catalogue = { records, deals };
  noteUnusedExclusions(exclusions, ledger, feeds);
  ledger.check();

  const states = [...cms.states, ...feeds.map(({ state }) => state)];
  const sources = reportSources(states, ledger);
  const feedGates = feeds.flatMap(({ gates }) => gates);
  const { summary, gates, said } = judgeCatalogue({
    catalogue,
    currency: config.currency.code,
    states,
    sources,
    notices: ledger.notices,
    served,
    feedGates,
    now,
    settings: config.gates,
    isAccepted: (gate, source) => isAccepted(gate, source, acceptances),
  });
  return {
    catalogue,
    priceHistories: continuePriceHistories(catalogue, options.histories, now),
    sources,
    summary,
    gates: [...gates, ...feedGates],
    unmatchedNames: feeds.flatMap(({ unmatchedNames }) => unmatchedNames),
    said: [...feedGates.flatMap(describeTaken), ...entrance.say(deals), ...said],
  };
}

async function readFeeds(
  { config, acceptances, now, served, ledger, onProgress, onRows }: AssembleOptions,
  collector: DealCollector,
  entrance: FeedEntrance,
): Promise<readonly EnteredFeed[]> {
  const reader = {
    folder: config.folder,
    now,
    currency: config.currency.code,
    earlier: served.kind === 'known' ? served.manifest.sources : [],
    findEarlierNight: (feed: string, sha256: string) =>
      isAccepted('old-file', feed, acceptances) ? undefined : findEarlierNight(served, feed, sha256, now),
    ledger,
  };
  const count = { rows: 0, bytes: 0, bytesInAll: await measureFeeds(config.folder, config.feeds) };
  const feeds: EnteredFeed[] = [];
  for (const feed of config.feeds) {
    onProgress?.(`reading ${feed.name}`);
    const feedCollector = collector.openFeed(feed.name);
    const state = await readFeed(feed, feedCollector, reader, ({ rows, bytes }) => {
      count.rows += rows;
      count.bytes += bytes;
      onRows?.(count);
    });
    feeds.push(entrance.enter(feed, state, feedCollector));
  }
  return feeds;
}

/** Builds of one day may have a file twice, as when an editor takes a change back. */
const MIN_AGE_MS = DAY_MS - 4 * HOUR_MS;

/** The time of a snapshot before the one being served that has a file, which the one being served does not have. */
function findEarlierNight(served: ServedSnapshot, feed: string, sha256: string, now: Date): string | undefined {
  if (served.kind !== 'known') return undefined;
  const isServed = served.manifest.sources.some(
    ({ name, files }) => name === feed && files.some((file) => file.sha256 === sha256),
  );
  const earlier = served.earlierFiles.get(sha256);
  if (isServed || earlier === undefined) return undefined;
  return now.getTime() - Date.parse(earlier) >= MIN_AGE_MS ? earlier : undefined;
}

function describeTaken({ gate, state, detail }: GateResult): string[] {
  const { name, source } = parseGate(gate);
  return state === 'taken' ? [`Taken: ${name} of ${source}, ${detail}; the deals of before have expired`] : [];
}

/** A source that was not read may have what an exclusion names. */
function noteUnusedExclusions(exclusions: ExcludeRules, ledger: Ledger, feeds: readonly EnteredFeed[]): void {
  const names = new Set(feeds.map(({ state }) => state.name));
  const unread = ledger.listUnread();
  const sources = {
    isCmsRead: unread.every((source) => names.has(source)),
    areFeedsRead: !unread.some((source) => names.has(source)),
  };
  for (const notice of exclusions.listUnused(sources)) ledger.note(notice);
}
