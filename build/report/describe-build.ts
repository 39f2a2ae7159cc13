import { join } from 'node:path';
import { HOUR_MS } from '../../data/record/time.ts';
import { NOTICES } from '../../data/report/notice.ts';
import { createLocationFormatter, type FormatLocation } from '../../data/report/source-location.ts';
import type { NoticeSummary, Report, SourceReport } from '../../data/report/report.ts';
import { escapeControls } from '../source/quote.ts';
import { writeAcceptCommand, writeAcceptFeedCommands, type BuildResult } from './build-result.ts';
import { listSamples } from './describe-notice.ts';
import { compareSummaries } from './report.ts';

const SHOWN_NAMES = 10;

/**
 * A build in lines for people: what someone must look at, what changed since the snapshot being served, the counts of each
 * source with its notices, the results of the gates, the outcome.
 *
 * @param isBrief for frequent builds: a line for each source, and what is new; of a first build, what is not served
 */
export function describeBuild(result: BuildResult, isBrief = false): readonly string[] {
  const { report, comparedWith, builtAt, extremes, warnings } = result;
  const { sources } = report;
  const notices = report.notices.filter(isNoConsequence(sources)).toSorted(compareSummaries);
  const isNew = ({ outcome, before }: NoticeSummary): boolean =>
    isBrief && comparedWith === undefined
      ? outcome === 'quarantined' || outcome === 'source'
      : before !== undefined && before.snapshot === comparedWith?.snapshot;
  const known = new Set(sources.map(({ name }) => name));
  const others = new Set(notices.map(({ source }) => source).filter((source) => !known.has(source)));
  const formatLocation = createLocationFormatter(sources);
  const describe = (summary: NoticeSummary): string[] =>
    describeSummary(summary, formatLocation, placeOf(summary, result));
  const describeNotices = (name: string): string[] =>
    isBrief ? [] : notices.filter(({ source }) => source === name).flatMap(describe);
  const news = [
    ...notices.filter(isNew).flatMap((summary) => [
      `  ${summary.outcome}: ${summary.count} ${summary.code} of ${summary.source}, ${summary.before?.count ?? 0} before`,
      // In full once.
      ...(isBrief ? describe(summary).slice(1) : []),
    ]),
    ...report.goneNotices.map(({ code, source, count }) => `  gone: ${count} ${code} of ${source}`),
  ];
  return [
    ...describeForOperator(result),
    ...(news.length > 0 && comparedWith !== undefined ? [`changed since ${comparedWith.snapshot}:`] : []),
    ...news,
    ...sources.flatMap((source) => [describeSource(source, builtAt), ...describeNotices(source.name)]),
    ...(isBrief ? [] : [...others].flatMap((source) => [`${source}:`, ...describeNotices(source)])),
    ...(isBrief ? [] : [...describeUnmatched(result), ...extremes]),
    ...(result.outcome === 'refused' ? [] : describeGates(report)),
    ...warnings.map((warning) => `warning: ${warning}`),
    describeOutcome(result),
  ];
}

/** What someone must look at, as cron mails it: the cause comes first, with what to do about it. */
export function describeForOperator(result: BuildResult): readonly string[] {
  const { report, given = {}, attention } = result;
  if (result.outcome !== 'refused') {
    return [
      ...attention,
      ...[...writeAcceptFeedCommands(given, report)].map(
        ([feed, command]) => `to take ${feed} as it is now: ${command}`,
      ),
    ];
  }
  const command = writeAcceptCommand(given, report);
  return [
    describeOutcome(result),
    ...attention.slice(1),
    ...(command === undefined ? [] : [`to publish all the same: ${command}`]),
    ...describeRefusals(result),
  ];
}

/** The gates that refuse. After a source of the CMS that is not read they say nothing more, and are counted. */
function describeRefusals({ report, isDryRun }: BuildResult): readonly string[] {
  const { gates, sources } = report;
  if (!isCmsUnread(sources)) return describeGates(report);
  const refused = gates.filter(({ gate, state }) => state === 'refused' && !gate.startsWith('unread:'));
  const quarantined = sources.reduce((sum, source) => sum + source.quarantined, 0);
  const rest = isDryRun ? 'all by --json' : 'all in last-build.json';
  return [`what follows from it: ${refused.length} more gates refuse, ${quarantined} records are quarantined; ${rest}`];
}

function isCmsUnread(sources: readonly SourceReport[]): boolean {
  return sources.some(({ kind, state }) => kind === 'cms' && state !== 'fresh');
}

/** Without the records of the CMS, what is found in a feed follows from that. */
function isNoConsequence(sources: readonly SourceReport[]): (summary: NoticeSummary) => boolean {
  if (!isCmsUnread(sources)) return () => true;
  const feeds = new Set(sources.filter(({ kind }) => kind === 'feed').map(({ name }) => name));
  return ({ source, outcome }) => outcome === 'source' || !feeds.has(source);
}

/** One sentence: what was published, or which snapshot stays current. */
export function describeOutcome(result: BuildResult): string {
  const { outcome, isDryRun, snapshot, seconds, counts, files, attention } = result;
  const time = `${seconds.toFixed(1)} s`;
  const written = Object.values(files ?? {});
  const bytes = written.reduce((sum, file) => sum + file.bytes, 0);
  const wrote = files === undefined ? '' : `, ${written.length} files of ${bytes} bytes`;
  const size = `${counts.products} products, ${counts.deals} deals${wrote}, ${time}`;
  switch (outcome) {
    case 'published':
      return isDryRun ? `Would publish ${snapshot}: ${size}. Nothing was written.` : `Published ${snapshot}: ${size}.`;
    case 'unchanged':
      return `Nothing has changed: ${snapshot} ${isDryRun ? 'would stay' : 'is still'} current (${size}).`;
    case 'refused': {
      const cause = `${isDryRun ? 'Would be refused' : 'Refused'}: ${attention[0] ?? 'no gate is closed'}`;
      return `${cause}. Nothing was ${isDryRun ? 'written' : 'published'} (${time}). ${describeCurrent(result)}`;
    }
  }
}

function describeCurrent({ current, comparedWith }: BuildResult): string {
  if (current === undefined) return 'There is no current snapshot.';
  const built = comparedWith?.snapshot === current ? `, built at ${comparedWith.createdAt}` : '';
  return `The current snapshot is still ${current}${built}.`;
}

/** A source and its counts, and how much of it is from before. @param now for its age */
export function describeSource(source: SourceReport, now = ''): string {
  const { name, adapter, state, freshAt = now, heldBecause = 'could not be read', held = [] } = source;
  const { read, kept, duplicate, outOfScope, quarantined } = source;
  const label = `${name} (${adapter})`;
  const counts = `${kept} kept, ${duplicate} duplicate, ${outOfScope} out of scope, ${quarantined} quarantined`;
  const hours = ((Date.parse(now) - Date.parse(freshAt)) / HOUR_MS).toFixed(1);
  const carried = held.reduce((sum, part) => sum + (part.state === 'held' ? part.deals : 0), 0);
  switch (state) {
    case 'carried-forward':
      return `${label}: ${heldBecause}; its ${read} earlier deals, ${hours} hours old: ${counts}`;
    case 'absent':
      return `${label}: no file`;
    case 'failed':
      return `${label}: ${heldBecause}; nothing of it is served`;
    case 'fresh':
      return `${label}: ${read} read, ${counts}${carried === 0 ? '' : `; held ${kept === carried ? 'as a whole' : 'in part'}, ${carried} deals are from before`}`;
  }
}

/** What the feeds name and the catalogue does not serve, by deals, with what would match it. */
function describeUnmatched({ report, store, isDryRun }: BuildResult): string[] {
  const names = report.unmatchedNames;
  if (names.length === 0 || isCmsUnread(report.sources)) return [];
  const more = names.length - SHOWN_NAMES;
  return [
    'names and ids without a product, by deals:',
    ...names
      .slice(0, SHOWN_NAMES)
      .map(({ feed, name, field, code, dealCount, nearest, remedy = NOTICES[code].remedy }) => {
        const what = `${field === undefined ? '' : `${field} `}${JSON.stringify(name)}${nearest.length === 0 ? '' : `, nearest ${nearest.join(', ')}`}`;
        return escapeControls(`  ${dealCount} of ${feed}: ${what}; ${remedy}`);
      }),
    ...(more > 0 ? [`  and ${more} more: all ${isDryRun ? 'by --json' : `in ${join(store, 'last-build.json')}`}`] : []),
  ];
}

/** A kind of notice; one that costs a record has its first samples. @param rest where the others are */
export function describeSummary(summary: NoticeSummary, formatLocation: FormatLocation, rest: string): string[] {
  const { outcome, count, code } = summary;
  const isExpected = outcome === 'duplicate' || outcome === 'out-of-scope';
  return [
    `  ${outcome}: ${count} ${code} (${NOTICES[code].meaning})`,
    ...(isExpected ? [] : listSamples(summary, formatLocation, rest)),
  ];
}

/** Where all notices of a kind are: only a snapshot has all of them. */
function placeOf(
  { outcome, samples }: NoticeSummary,
  { outcome: built, isDryRun, store, snapshot }: BuildResult,
): string {
  if (built !== 'refused' && !isDryRun && snapshot !== undefined) {
    return `all in ${join(store, snapshot, outcome === 'quarantined' ? 'quarantine.ndjson' : 'notices.ndjson')}`;
  }
  return `the first ${samples.length} ${isDryRun ? 'by --json' : `in ${join(store, 'last-build.json')}`}`;
}

function describeGates({ gates }: Report): string[] {
  return gates.map(({ gate, state, detail }) => `gate ${gate} ${state}: ${detail}`);
}
