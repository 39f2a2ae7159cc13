import type { CatalogueSummary, GateResult, UnmatchedName } from '../data/report/report.ts';
import { readFeed } from './read-source.ts';
import { DealCollector, FeedCollector } from './deals/collect-deals.ts';
import { FeedEntrance, type EnteredFeed } from './enter-feeds.ts';
import { parseGate, type BuildContext } from './gate/gates.ts';
import { judgeCatalogue, type JudgedCatalogue } from './gate/judge-catalogue.ts';
import { findServedSource, type ServedSnapshot } from './gate/served-snapshot.ts';
import { ExcludeRules } from './records/exclude.ts';
import { joinRecords } from './records/join-records.ts';
import { reportSources } from './report/report.ts';
import type { CmsReading } from './source/record.ts';
import { DAY_MS, HOUR_MS } from '../data/record/time.ts';

/** A catalogue with the results of its gates. */
interface AssembledCatalogue extends JudgedCatalogue {
  readonly summary: CatalogueSummary;
  readonly gates: readonly GateResult[];
  readonly unmatchedNames: readonly UnmatchedName[];
  /** What the build says about prices, though nothing fails. */
  readonly said: readonly string[];
}

/**
 * Joins the records of the CMS and the deals of every feed into one catalogue. Each feed is judged alone, as soon as it is
 * read; then the catalogue is assembled once, and judged as a whole. The ledger has the accounts of the CMS sources.
 */
export async function assembleCatalogue(
  build: BuildContext,
  cms: CmsReading,
  onProgress: (message: string) => void,
): Promise<AssembledCatalogue> {
  const { config, now, ledger } = build;
  const exclusions = new ExcludeRules(config.exclude, now);
  const joined = joinRecords(cms, exclusions, ledger);
  const { records } = joined;
  const collector = new DealCollector({ joined, exclusions, money: config.money, ledger });
  const entrance = new FeedEntrance(build, records, collector);
  const feeds = await readFeeds(build, collector, entrance, onProgress);
  onProgress('comparing with the current snapshot');
  const deals = entrance.finish();
  const states = [...cms.states, ...feeds.map(({ state }) => state)];
  // A source that was not read may have what an exclusion names.
  if (states.every(({ state }) => state === 'fresh')) for (const notice of exclusions.listUnused()) ledger.note(notice);
  ledger.check();

  const judged = { catalogue: { records, deals }, states, sources: reportSources(states, ledger) };
  const feedGates = feeds.flatMap(({ gates }) => gates);
  const { summary, gates, said } = judgeCatalogue(build, judged, feedGates);
  return {
    ...judged,
    summary,
    gates: [...gates, ...feedGates],
    unmatchedNames: feeds.flatMap(({ unmatchedNames }) => unmatchedNames),
    said: [...feedGates.flatMap(describeTaken), ...entrance.say(deals), ...said],
  };
}

interface ReadFeed extends EnteredFeed {
  readonly unmatchedNames: readonly UnmatchedName[];
}

async function readFeeds(
  { config, isAccepted, now, served, ledger }: BuildContext,
  collector: DealCollector,
  entrance: FeedEntrance,
  onProgress: (message: string) => void,
): Promise<readonly ReadFeed[]> {
  const reader = {
    folder: config.folder,
    now,
    currency: config.currency.code,
    earlier: served.kind === 'known' ? served.manifest.sources : [],
    findEarlierNight: (feed: string, sha256: string) =>
      isAccepted('old-file', feed) ? undefined : findEarlierNight(served, feed, sha256, now),
    ledger,
  };
  const feeds: ReadFeed[] = [];
  for (const feed of config.feeds) {
    onProgress(`reading ${feed.name}`);
    const feedCollector = new FeedCollector(feed.name, collector);
    const state = await readFeed(feed, feedCollector, reader);
    feeds.push({ ...entrance.enter(state, feedCollector), unmatchedNames: feedCollector.unmatchedNames() });
  }
  return feeds;
}

/** Builds of one day may have a file twice, as when an editor takes a change back. */
const MIN_AGE_MS = DAY_MS - 4 * HOUR_MS;

/** The time of a snapshot before the one being served that has a file, which the one being served does not have. */
function findEarlierNight(served: ServedSnapshot, feed: string, sha256: string, now: Date): string | undefined {
  if (served.kind !== 'known') return undefined;
  const isServed = findServedSource(served, feed)?.files.some((file) => file.sha256 === sha256) === true;
  const earlier = served.earlierFiles.get(sha256);
  if (isServed || earlier === undefined) return undefined;
  return now.getTime() - Date.parse(earlier) >= MIN_AGE_MS ? earlier : undefined;
}

function describeTaken({ gate, state, detail }: GateResult): string[] {
  const { name, source } = parseGate(gate);
  return state === 'taken' ? [`Taken: ${name} of ${source}, ${detail}; the deals of before have expired`] : [];
}
