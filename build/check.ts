import type { NoticeSummary, SourceReport } from '../data/report/report.ts';
import { formatLocation, type SourceLocation } from '../data/report/source-location.ts';
import { readCms, readFeed } from './read-source.ts';
import type { CmsSourceConfig, FeedConfig } from './registry.ts';
import type { BuildConfig } from './config/config.ts';
import { DealCollector, FeedCollector } from './deals/collect-deals.ts';
import { Ledger } from './ledger/ledger.ts';
import { ExcludeRules } from './records/exclude.ts';
import { joinRecords } from './records/join-records.ts';
import { describeSource } from './report/describe-build.ts';
import { describeSummary } from './report/describe-notice.ts';
import { reportSources, summariseNotices } from './report/report.ts';
import { SourceError } from './source/errors.ts';
import type { CmsRecords, SourceState } from './source/record.ts';

/** A record as its adapter returns it. */
interface CheckedRecord {
  /** `products`, `deals`, …: the list to which it belongs. */
  readonly list: string;
  readonly origin: SourceLocation;
  readonly record: object;
}

/** The result of reading a source. */
export interface SourceCheck {
  /** `kept` counts the deals that a build would take, and the records of the CMS that the adapter returns. */
  readonly source: SourceReport;
  /** The number of records of each list. */
  readonly lists: Readonly<Record<string, number>>;
  readonly notices: readonly NoticeSummary[];
  /** The first of them, in the order of the source. */
  readonly records: readonly CheckedRecord[];
}

export interface CheckOptions {
  readonly config: BuildConfig;
  /** The time by which validity is judged. */
  readonly now: Date;
  /** How many records to keep. */
  readonly maxRecords: number;
}

/**
 * Reads one feed as a build does, and matches its deals with the records of the CMS. Nothing is written.
 * @throws {SourceError} when a source of the CMS is not read
 */
export async function checkFeed(feed: FeedConfig, options: CheckOptions): Promise<SourceCheck> {
  const { config, now, maxRecords } = options;
  const ledger = new Ledger();
  const collector = await openCollector(options, ledger);
  const records: CheckedRecord[] = [];
  let dealCount = 0;
  const reader = { folder: config.folder, now, currency: config.currency.code, ledger };
  const state = await readFeed(feed, new FeedCollector(feed.name, collector), reader, (deals) => {
    dealCount += deals.length;
    const wanted = deals.slice(0, maxRecords - records.length);
    for (const { deal, origin } of wanted) records.push({ list: 'deals', origin, record: deal });
  });
  // A build would serve none of a feed that is not read to its end.
  if (state.state === 'failed') return toSourceCheck(state, ledger, {}, []);
  collector.finish(() => false);
  return toSourceCheck(state, ledger, { deals: dealCount }, records);
}

/** @throws {SourceError} when a source of the CMS is not read: a build would be refused */
async function openCollector({ config, now }: CheckOptions, ledger: Ledger): Promise<DealCollector> {
  // What is found in the CMS is no finding about the feed.
  const cmsLedger = new Ledger();
  const cms = await readCms(config, cmsLedger);
  const unread = cms.states.find(({ state }) => state !== 'fresh');
  if (unread !== undefined) {
    const { name } = unread;
    const sentence = `is not read, so that no deal finds its phone; deals check ${name} says why`;
    throw new SourceError('source-unreadable', { source: name }, undefined, sentence);
  }
  const exclusions = new ExcludeRules(config.exclude, now);
  const joined = joinRecords(cms, exclusions, cmsLedger);
  return new DealCollector({ joined, exclusions, money: config.money, ledger });
}

/** Reads one CMS source by its adapter. Nothing is written. */
export async function checkCms(source: CmsSourceConfig, { config, maxRecords }: CheckOptions): Promise<SourceCheck> {
  const ledger = new Ledger();
  const { states, records } = await readCms({ cms: [source], folder: config.folder }, ledger);
  const lists = Object.entries(records) as [keyof CmsRecords, CmsRecords[keyof CmsRecords]][];
  const counts = Object.fromEntries(lists.map(([list, { length }]) => [list, length]));
  for (const count of Object.values(counts)) ledger.keep(source.name, count);
  const shown = lists.flatMap(([list, items]) =>
    items.slice(0, maxRecords).map(({ record, origin }) => ({ list, origin, record })),
  );
  return toSourceCheck(states[0] as SourceState, ledger, counts, shown.slice(0, maxRecords));
}

function toSourceCheck(
  state: SourceState,
  ledger: Ledger,
  lists: Readonly<Record<string, number>>,
  records: readonly CheckedRecord[],
): SourceCheck {
  ledger.check();
  return {
    source: reportSources([state], ledger)[0] as SourceReport,
    lists: Object.fromEntries(Object.entries(lists).filter(([, count]) => count > 0)),
    notices: summariseNotices(ledger.notices),
    records,
  };
}

/** The check of a source in lines for people: counts, notices, the first records as JSON. */
export function describeCheck({ source, lists, notices, records }: SourceCheck): readonly string[] {
  const { kind, kept } = source;
  const counts = Object.entries(lists).map(([list, count]) => `${count} ${list}`);
  return [
    describeSource(source),
    ...(kind === 'cms' && counts.length > 0 ? [`  kept: ${counts.join(', ')}`] : []),
    ...notices.flatMap((summary) => describeSummary(summary, 'by --json')),
    ...(records.length === 0 ? [] : [`the first ${records.length} of ${kept}:`]),
    ...records.map(({ origin, record }) => `${formatLocation(origin)} ${JSON.stringify(record, undefined, 2)}`),
  ];
}
