import { join } from 'node:path';
import { HOUR_MS } from '../../data/record/time.ts';
import { NOTICES } from '../../data/report/notice.ts';
import { createLocationFormatter } from '../../data/report/source-location.ts';
import type { NoticeSummary, Report, SourceReport } from '../../data/report/report.ts';
import { escapeControls } from '../source/quote.ts';
import { writeAcceptCommand, writeAcceptFeedCommands, type BuildResult } from './build-result.ts';
import { listSamples } from './describe-notice.ts';

const SHOWN_NAMES = 10;

/**
 * A build in lines for people: what someone must look at, what changed since the snapshot being served, the counts of each
 * source, the results of the gates, what was published.
 */
export function describeBuild(result: BuildResult): readonly string[] {
  const { report } = result;
  const isNew = isNewSince(result);
  const notices = report.notices.filter(isNoConsequence(report.sources));
  const known = new Set(report.sources.map(({ name }) => name));
  const others = new Set(notices.map(({ source }) => source).filter((source) => !known.has(source)));
  return withOutcome(result, [
    ...describeNews(result, isNew),
    ...report.sources.flatMap((source) => [
      describeSource(source, result.builtAt),
      ...describeNotices(source.name, notices, isNew, result),
    ]),
    ...[...others].flatMap((source) => [`${source}:`, ...describeNotices(source, notices, isNew, result)]),
    ...describeUnmatched(result),
    ...result.extremes,
  ]);
}

/** A short form for frequent builds: a line for each source, and what is new; of a first build, what is not served. */
export function describeBuildBriefly(result: BuildResult): readonly string[] {
  const { report, builtAt, comparedWith } = result;
  const isShown =
    comparedWith === undefined
      ? ({ outcome }: NoticeSummary) => outcome === 'quarantined' || outcome === 'source'
      : isNewSince(result);
  return withOutcome(result, [
    ...report.sources.map((source) => describeSource(source, builtAt)),
    ...describeNews(result, isShown),
  ]);
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
  return [describeOutcome(result), ...attention.slice(1), ...describeAccepting(result), ...describeRefusals(result)];
}

function describeAccepting({ report, given = {} }: BuildResult): readonly string[] {
  const command = writeAcceptCommand(given, report);
  return command === undefined ? [] : [`to publish all the same: ${command}`];
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

/** What someone must look at comes first, and the outcome last. */
function withOutcome(result: BuildResult, lines: readonly string[]): readonly string[] {
  const first = describeForOperator(result);
  const warnings = result.warnings.map((warning) => `warning: ${warning}`);
  if (result.outcome !== 'refused') {
    return [...first, ...lines, ...describeGates(result.report), ...warnings, describeOutcome(result)];
  }
  return [...first, ...lines, ...warnings, [describeCause(result), ...describeAccepting(result)].join('; ')];
}

function isNewSince({ comparedWith }: BuildResult): (summary: NoticeSummary) => boolean {
  return ({ before }) => before !== undefined && before.snapshot === comparedWith?.snapshot;
}

/** One sentence: what was published, or which snapshot stays current. */
export function describeOutcome(result: BuildResult): string {
  const { outcome, isDryRun, snapshot, seconds, counts, files } = result;
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
    case 'refused':
      return `${describeCause(result)}. Nothing was ${isDryRun ? 'written' : 'published'} (${time}). ${describeCurrent(result)}`;
  }
}

/** `Refused: lost of shop, 72 of 142 (50.7 %, at most 10 %)`. */
function describeCause({ isDryRun, attention }: BuildResult): string {
  return `${isDryRun ? 'Would be refused' : 'Refused'}: ${attention[0] ?? 'no gate is closed'}`;
}

function describeCurrent({ current, comparedWith }: BuildResult): string {
  if (current === undefined) return 'There is no current snapshot.';
  const built = comparedWith?.snapshot === current ? `, built at ${comparedWith.createdAt}` : '';
  return `The current snapshot is still ${current}${built}.`;
}

/** What may need work now: codes that a source did not have, or not as often. */
function describeNews(result: BuildResult, isNew: (summary: NoticeSummary) => boolean): string[] {
  const { comparedWith, report } = result;
  const news = report.notices.filter(isNew).filter(isNoConsequence(report.sources)).toSorted(compareSummaries);
  const gone = report.goneNotices;
  if (news.length + gone.length === 0) return [];
  return [
    ...(comparedWith === undefined ? [] : [`changed since ${comparedWith.snapshot}:`]),
    ...news.flatMap((summary) => [
      `  ${summary.outcome}: ${summary.count} ${summary.code} of ${summary.source}, ${summary.before?.count ?? 0} before (${NOTICES[summary.code].meaning})`,
      ...describeSamples(summary, result),
    ]),
    ...gone.map(({ code, source, count }) => `  gone: ${count} ${code} of ${source}`),
  ];
}

function describeSource(source: SourceReport, builtAt: string): string {
  const { name, adapter, state, freshAt = builtAt, heldBecause = 'could not be read', read } = source;
  const label = `${name} (${adapter})`;
  const { kept, duplicate, outOfScope, quarantined } = source;
  const counts = `${kept} kept, ${duplicate} duplicate, ${outOfScope} out of scope, ${quarantined} quarantined`;
  const hours = ((Date.parse(builtAt) - Date.parse(freshAt)) / HOUR_MS).toFixed(1);
  switch (state) {
    case 'carried-forward':
      return `${label}: ${heldBecause}; its ${read} earlier deals, ${hours} hours old: ${counts}`;
    case 'absent':
      return `${label}: no file`;
    case 'failed':
      return `${label}: ${heldBecause}; the build has nothing of it`;
    case 'fresh':
      return `${label}: ${read} read, ${counts}`;
  }
}

/**
 * The notices about a source, the most frequent first. Those that cost a record have their first samples, unless these
 * were shown as news.
 */
function describeNotices(
  source: string,
  notices: readonly NoticeSummary[],
  isShown: (summary: NoticeSummary) => boolean,
  result: BuildResult,
): string[] {
  return notices
    .filter((summary) => summary.source === source)
    .toSorted(compareSummaries)
    .flatMap((summary) => [
      `  ${summary.outcome}: ${summary.count} ${summary.code} (${NOTICES[summary.code].meaning})`,
      ...(isShown(summary) ? [] : describeSamples(summary, result)),
    ]);
}

type UnmatchedName = Report['unmatchedNames'][number];

/** Unmatched names by what would match their deals. */
const UNMATCHED_TITLES = {
  leftOut: 'deals of products that the CMS has and that are not served (publish or mend them):',
  otherVariant:
    'deals of phones that the CMS has in the other condition only (add the variant, or correct the condition in the feed):',
  name: 'names without a product, by deals (add them to `matches` of the right one):',
  id: 'ids without a product, by deals (add the product to the CMS, or correct the id in the feed):',
} as const;

function groupOf({ leftOut, otherVariant, field }: UnmatchedName): keyof typeof UNMATCHED_TITLES {
  if (leftOut !== undefined) return 'leftOut';
  if (otherVariant !== undefined) return 'otherVariant';
  return field === 'productId' ? 'id' : 'name';
}

function describeUnmatched({ report, store, isDryRun }: BuildResult): string[] {
  if (isCmsUnread(report.sources)) return [];
  const rest = isDryRun ? 'all by --json' : `all in ${join(store, 'last-build.json')}`;
  return Object.entries(UNMATCHED_TITLES).flatMap(([group, title]) => {
    const names = report.unmatchedNames.filter((unmatched) => groupOf(unmatched) === group);
    const more = names.length - SHOWN_NAMES;
    return [
      ...(names.length > 0 ? [title] : []),
      ...names.slice(0, SHOWN_NAMES).map((unmatched) => escapeControls(`  ${describeName(unmatched)}`)),
      ...(more > 0 ? [`  and ${more} more: ${rest}`] : []),
    ];
  });
}

function describeName({ feed, name, field, dealCount, nearest, leftOut, otherVariant }: UnmatchedName): string {
  const deals = `${dealCount} of ${feed}: ${field === undefined ? '' : `${field} `}${JSON.stringify(name)}`;
  if (otherVariant !== undefined) return `${deals}; only ${otherVariant} is served`;
  if (leftOut !== undefined) return `${deals}; ${leftOut.product} is left out: ${NOTICES[leftOut.code].meaning}`;
  if (nearest.length > 0) return `${deals}; nearest ${nearest.join(', ')}`;
  // Only names can be near each other.
  return field === undefined ? `${deals}; nothing is near` : deals;
}

const SEVERITIES = ['source', 'quarantined', 'notice', 'duplicate', 'out-of-scope'];

/** The most severe outcome comes first, and of one outcome the most frequent notice. */
function compareSummaries(a: NoticeSummary, b: NoticeSummary): number {
  return SEVERITIES.indexOf(a.outcome) - SEVERITIES.indexOf(b.outcome) || b.count - a.count;
}

/** The first samples of a notice, and where the others are: only a snapshot has all of them. */
function describeSamples(
  summary: NoticeSummary,
  { outcome: built, isDryRun, store, snapshot, report }: BuildResult,
): string[] {
  const { outcome, samples } = summary;
  if (outcome === 'duplicate' || outcome === 'out-of-scope') return [];
  const first = `the first ${samples.length}`;
  let rest = isDryRun ? `${first} by --json` : `${first} in ${join(store, 'last-build.json')}`;
  if (built !== 'refused' && !isDryRun && snapshot !== undefined) {
    rest = `all in ${join(store, snapshot, outcome === 'quarantined' ? 'quarantine.ndjson' : 'notices.ndjson')}`;
  }
  return listSamples(summary, createLocationFormatter(report.sources), rest);
}

function describeGates({ gates }: Report): string[] {
  return gates.map(({ gate, state, detail }) => `gate ${gate} ${state}: ${detail}`);
}
