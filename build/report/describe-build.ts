import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { GateResult, NoticeSummary, Report, SourceReport } from '../../data/report/report.ts';
import { escapeControls } from '../source/quote.ts';
import type { BuildResult } from './build-result.ts';

/** How many samples of a faulty kind of record are shown; the report has more. */
const SHOWN_SAMPLES = 3;

const SHOWN_NAMES = 10;

const HOUR_MS = 3_600_000;

/**
 * A build in lines for a person: what is new since the snapshot being served, what was read, what became of it, what the
 * gates said, what was published.
 */
export function describeBuild(result: BuildResult): readonly string[] {
  const { report } = result;
  const isNew = isNewSince(result);
  return [
    ...describeNews(result, isNew),
    ...report.sources.flatMap((source) => [
      describeSource(source, result.builtAt),
      ...describeNotices(source.name, report.notices, isNew),
    ]),
    ...describeOtherNotices(report.sources, report.notices, isNew),
    ...describeUnmatched(report.unmatchedNames),
    ...describeGates(report.gates),
    ...result.warnings.map((warning) => `warning: ${warning}`),
    describeOutcome(result),
  ];
}

/** The same for somebody who builds again and again: a line for each source, and what is new. */
export function describeBuildBriefly(result: BuildResult): readonly string[] {
  const { report, builtAt } = result;
  return [
    ...report.sources.map((source) => describeSource(source, builtAt)),
    ...describeNews(result, isNewSince(result)),
    ...describeGates(report.gates.filter(({ state }) => state !== 'silent')),
    ...result.warnings.map((warning) => `warning: ${warning}`),
    describeOutcome(result),
  ];
}

function isNewSince({ comparedWith }: BuildResult): (summary: NoticeSummary) => boolean {
  return ({ before }) => before !== undefined && before.snapshot === comparedWith?.snapshot;
}

/** One sentence: what was published, or what state was left. */
export function describeOutcome(result: BuildResult): string {
  const { outcome, isDryRun, snapshot, seconds, counts } = result;
  const time = `${seconds.toFixed(1)} s`;
  const size = `${counts.products} products, ${counts.deals} deals${describeFiles(result)}, ${time}`;
  switch (outcome) {
    case 'published':
      return isDryRun ? `Would publish ${snapshot}: ${size}. Nothing was written.` : `Published ${snapshot}: ${size}.`;
    case 'unchanged':
      return `Nothing has changed: ${snapshot} ${isDryRun ? 'would stay' : 'is still'} current (${size}).`;
    case 'refused':
      return isDryRun
        ? `Would be refused (${time}). Nothing was written. ${describeCurrent(result)}`
        : `Refused (${time}). Nothing was published. ${describeCurrent(result)}`;
  }
}

function describeFiles({ files }: BuildResult): string {
  if (files === undefined) return '';
  const written = Object.values(files);
  const bytes = written.reduce((sum, file) => sum + file.bytes, 0);
  return `, ${written.length} files of ${bytes} bytes`;
}

function describeCurrent({ current, comparedWith }: BuildResult): string {
  if (current === undefined) return 'There is no current snapshot.';
  const built = comparedWith?.snapshot === current ? `, built at ${comparedWith.createdAt}` : '';
  return `The current snapshot is still ${current}${built}.`;
}

/** What somebody may have to do something about tonight: codes that a source did not have, or not as often. */
function describeNews({ comparedWith, report }: BuildResult, isNew: (summary: NoticeSummary) => boolean): string[] {
  const news = report.notices.filter(isNew).toSorted((a, b) => rankOf(a) - rankOf(b) || b.count - a.count);
  const gone = report.goneNotices;
  if (comparedWith === undefined || news.length + gone.length === 0) return [];
  return [
    `new since ${comparedWith.snapshot}:`,
    ...news.flatMap((summary) => [
      `  ${summary.outcome}: ${summary.count} ${summary.code} of ${summary.source}, ${summary.before?.count ?? 0} before (${NOTICES[summary.code].meaning})`,
      ...describeSamples(summary),
    ]),
    ...gone.map(({ code, source, count }) => `  gone: ${count} ${code} of ${source}`),
  ];
}

function describeSource({ name, adapter, state, freshAt, ...counts }: SourceReport, builtAt: string): string {
  const label = `${name} (${adapter})`;
  switch (state) {
    case 'carried-forward':
      return `${label}: could not be read; carried forward, ${describeAge(freshAt, builtAt)} old: ${describeCounts(counts)}`;
    case 'absent':
      return `${label}: no file`;
    case 'failed':
      return `${label}: could not be read; nothing of it is served`;
    case 'fresh':
      return `${label}: ${describeCounts(counts)}`;
  }
}

function describeCounts({
  read,
  kept,
  duplicate,
  outOfScope,
  quarantined,
}: Pick<SourceReport, 'read' | 'kept' | 'duplicate' | 'outOfScope' | 'quarantined'>): string {
  return `${read} read, ${kept} kept, ${duplicate} duplicate, ${outOfScope} out of scope, ${quarantined} quarantined`;
}

function describeAge(freshAt: string | undefined, builtAt: string): string {
  if (freshAt === undefined) return 'unknown hours';
  return `${((Date.parse(builtAt) - Date.parse(freshAt)) / HOUR_MS).toFixed(1)} hours`;
}

/**
 * The findings about a source, the most frequent first; of those that cost a record, the first few in full, unless they
 * have been shown as news.
 */
function describeNotices(
  source: string,
  notices: readonly NoticeSummary[],
  isShown: (summary: NoticeSummary) => boolean,
): string[] {
  return notices
    .filter((summary) => summary.source === source)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.count - a.count)
    .flatMap((summary) => [
      `  ${summary.outcome}: ${summary.count} ${summary.code} (${NOTICES[summary.code].meaning})`,
      ...(isShown(summary) ? [] : describeSamples(summary)),
    ]);
}

function describeOtherNotices(
  sources: readonly SourceReport[],
  notices: readonly NoticeSummary[],
  isShown: (summary: NoticeSummary) => boolean,
): string[] {
  const known = new Set(sources.map(({ name }) => name));
  const others = new Set(notices.map(({ source }) => source).filter((source) => !known.has(source)));
  return [...others].flatMap((source) => [`${source}:`, ...describeNotices(source, notices, isShown)]);
}

function describeUnmatched(names: Report['unmatchedNames']): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, SHOWN_NAMES).map(({ feed, name, dealCount, nearest }) => {
    const candidates = nearest.length === 0 ? 'nothing is near' : `nearest ${nearest.join(', ')}`;
    return escapeControls(`  ${dealCount} of ${feed}: ${JSON.stringify(name)}; ${candidates}`);
  });
  return ['names without a product, by deals (add them to `matches` of the right one):', ...shown];
}

/** What costs most comes first. */
function rankOf({ outcome }: NoticeSummary): number {
  return ['source', 'quarantined', 'notice', 'duplicate', 'out-of-scope'].indexOf(outcome);
}

function describeSamples({ outcome, count, samples }: NoticeSummary): string[] {
  if (outcome === 'duplicate' || outcome === 'out-of-scope') return [];
  const shown = samples.slice(0, SHOWN_SAMPLES).map((notice) => `    ${describeNotice(notice)}`);
  return count > shown.length ? [...shown, `    and ${count - shown.length} more`] : shown;
}

/** `feeds/house.csv:418 H-1042 upfrontCost: expected …, got "…"; what to do`. */
export function describeNotice(notice: Notice): string {
  const { code, file, line, record, field, found, expected } = notice;
  const { outcome, meaning, remedy } = NOTICES[code];
  // What stopped a source is a whole sentence already, with its place and what to do.
  if (outcome === 'source' && field === undefined && found !== undefined) return escapeControls(found);
  const place = [file === undefined ? notice.source : `${file}${line === undefined ? '' : `:${line}`}`, record, field]
    .filter((part) => part !== undefined)
    .join(' ');
  const facts = [
    expected === undefined ? meaning : `expected ${expected}`,
    ...(found === undefined ? [] : [`got ${JSON.stringify(found)}`]),
  ].join(', ');
  return escapeControls(`${place}: ${facts}; ${notice.remedy ?? remedy}`);
}

/** What does not pass, and how to accept all of it; gates that are silent about the whole catalogue, by their reason. */
function describeGates(gates: readonly GateResult[]): string[] {
  const silent = new Map<string, string[]>();
  for (const { gate, state, detail } of gates) {
    if (state === 'silent' && !gate.includes(':')) silent.set(detail, [...(silent.get(detail) ?? []), gate]);
  }
  const refused = gates.filter(({ state }) => state === 'refused');
  return [
    ...[...silent].map(([detail, names]) => `silent: ${detail} (${names.join(', ')})`),
    ...gates
      .filter(({ state }) => state === 'refused' || state === 'accepted')
      .map(({ gate, state, detail }) => `gate ${gate} ${state}: ${detail}`),
    ...(refused.length === 0
      ? []
      : [`to publish all the same: deals build ${refused.map(({ gate }) => `--accept ${gate}`).join(' ')}`]),
  ];
}
