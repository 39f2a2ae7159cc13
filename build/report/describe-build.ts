import { join } from 'node:path';
import { NOTICES } from '../../data/report/notice.ts';
import type { Report, SourceReport } from '../../data/report/report.ts';
import { escapeControls } from '../source/quote.ts';
import { writeMinute } from './attention.ts';
import type { BuildResult } from './build-result.ts';
import { describeSummary, isExpected } from './describe-notice.ts';

const SHOWN_NAMES = 10;

/**
 * A build in lines for people: what someone must look at, the counts of each source with its notices, the results of the
 * gates, the outcome.
 *
 * @param isBrief for frequent builds: only notices that were not there before, and at which someone should look
 */
export function describeBuild(result: BuildResult, isBrief = false): readonly string[] {
  const { comparedWith, extremes, warnings } = result;
  const report = withoutConsequences(result.report);
  const { sources } = report;
  const notices = report.notices.filter(
    (notice) => !isBrief || (!isExpected(notice) && notice.before?.snapshot === comparedWith),
  );
  const known = new Set(sources.map(({ name }) => name));
  const others = new Set(notices.map(({ source }) => source).filter((source) => !known.has(source)));
  const rest = placeOfRest(result);
  const describeNotices = (name: string): string[] =>
    notices.filter(({ source }) => source === name).flatMap((notice) => describeSummary(notice, rest, comparedWith));
  return [
    ...describeForOperator(result),
    ...sources.flatMap((source) => [describeSource(source), ...describeNotices(source.name)]),
    ...[...others].flatMap((source) => [`${source}:`, ...describeNotices(source)]),
    ...(isBrief ? [] : [...describeUnmatched(report, rest), ...extremes]),
    ...(result.outcome === 'refused' ? [] : describeGates(report)),
    ...warnings.map((warning) => `warning: ${warning}`),
    describeOutcome(result),
  ];
}

/** What someone must look at, as cron mails it: the cause comes first, with what to do about it. */
export function describeForOperator(result: BuildResult): readonly string[] {
  const { outcome, attention, accept, report } = result;
  const commands = accept.map(({ purpose, command }) => `${purpose}: ${command}`);
  if (outcome !== 'refused') return [...attention, ...commands];
  return [describeOutcome(result), ...attention.slice(1), ...commands, ...describeGates(withoutConsequences(report))];
}

/** Without the records of the CMS, what is found in a feed follows from that, and so does every other refusal. */
function withoutConsequences(report: Report): Report {
  const { sources, notices, gates } = report;
  if (sources.every(({ kind, state }) => kind === 'feed' || state === 'fresh')) return report;
  const feeds = new Set(sources.filter(({ kind }) => kind === 'feed').map(({ name }) => name));
  return {
    ...report,
    notices: notices.filter(({ source, outcome }) => outcome === 'source' || !feeds.has(source)),
    unmatchedNames: [],
    gates: gates.filter(({ state }) => state !== 'refused'),
  };
}

/** One sentence: what was published, or which snapshot stays current. */
export function describeOutcome(result: BuildResult): string {
  const { outcome, isDryRun, snapshot, current, seconds, counts, attention } = result;
  const written = Object.values(result.files ?? {});
  const bytes = written.reduce((sum, file) => sum + file.bytes, 0);
  const time = `${seconds.toFixed(1)} s`;
  const size = `${counts.products} products, ${counts.deals} deals, ${written.length} files of ${bytes} bytes, ${time}`;
  const still = current === undefined ? 'There is no current snapshot.' : `The current snapshot is still ${current}.`;
  const sentence = {
    published: `Published ${snapshot}: ${size}.`,
    unchanged: `Nothing has changed: ${snapshot} is still current (${size}).`,
    refused: `Refused: ${attention[0]}. Nothing was published (${time}). ${still}`,
  }[outcome];
  return isDryRun ? `Without --dry-run: ${sentence}` : sentence;
}

/** A source and its counts, and how much of it is from before. */
export function describeSource(source: SourceReport): string {
  const { name, adapter, state, freshAt = '', held = [] } = source;
  const { read, kept, duplicate, outOfScope, quarantined } = source;
  const label = `${name} (${adapter})`;
  const because = held[0]?.because ?? 'could not be read';
  const counts = `${kept} kept, ${duplicate} duplicate, ${outOfScope} out of scope, ${quarantined} quarantined`;
  const carried = held.reduce((sum, part) => sum + (part.state === 'held' ? part.deals : 0), 0);
  switch (state) {
    case 'carried-forward':
      return `${label}: ${because}; its ${read} deals of ${writeMinute(Date.parse(freshAt))}: ${counts}`;
    case 'absent':
      return `${label}: no file`;
    case 'failed':
      return `${label}: ${because}; nothing of it is served`;
    case 'fresh':
      return `${label}: ${read} read, ${counts}${carried === 0 ? '' : `; held ${kept === carried ? 'as a whole' : 'in part'}, ${carried} deals are from before`}`;
  }
}

/** What the feeds name and the catalogue does not serve, by deals, with what would match it. */
function describeUnmatched({ unmatchedNames: names }: Report, rest: string): string[] {
  if (names.length === 0) return [];
  const more = names.length - SHOWN_NAMES;
  return [
    'names and ids without a product, by deals:',
    ...names
      .slice(0, SHOWN_NAMES)
      .map(({ feed, name, field, code, dealCount, nearest, remedy = NOTICES[code].remedy }) => {
        const what = `${field === undefined ? '' : `${field} `}${JSON.stringify(name)}${nearest.length === 0 ? '' : `, nearest ${nearest.join(', ')}`}`;
        return escapeControls(`  ${dealCount} of ${feed}: ${what}; ${remedy}`);
      }),
    ...(more > 0 ? [`  and ${more} more: ${rest}`] : []),
  ];
}

/** Where the report has what is not shown: only a snapshot has all notices. */
function placeOfRest({ outcome, isDryRun, store, snapshot = '' }: BuildResult): string {
  return isDryRun ? 'by --json' : `in ${join(store, outcome === 'refused' ? 'last-build.json' : snapshot)}`;
}

function describeGates({ gates }: Report): string[] {
  return gates.map(({ gate, state, detail }) => `gate ${gate} ${state}: ${detail}`);
}
