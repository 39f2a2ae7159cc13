import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { GateResult, NoticeSummary, Report, SourceReport } from '../../data/report/report.ts';
import type { BuildResult } from './build-result.ts';

/** How many samples of a faulty kind of record are shown; the report has more. */
const SHOWN_SAMPLES = 3;

const SHOWN_NAMES = 10;

/** A build in lines for a person: what was read, what became of it, what the gates said, what was published. */
export function describeBuild(result: BuildResult): readonly string[] {
  const { report } = result;
  return [
    ...report.sources.flatMap((source) => [describeSource(source), ...describeNotices(source.name, report.notices)]),
    ...describeOtherNotices(report.sources, report.notices),
    ...describeUnmatched(report.unmatchedNames),
    ...report.gates.filter(({ state }) => state !== 'passed').flatMap(describeGate),
    ...result.warnings.map((warning) => `warning: ${warning}`),
    describeOutcome(result),
  ];
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

function describeCurrent({ current }: BuildResult): string {
  return current === undefined ? 'There is no current snapshot.' : `The current snapshot is still ${current}.`;
}

function describeSource({ name, adapter, state, ...counts }: SourceReport): string {
  const label = `${name} (${adapter})`;
  switch (state) {
    case 'absent':
      return `${label}: no file`;
    case 'failed':
      return `${label}: could not be read; nothing of it is served`;
    case 'fresh':
      return `${label}: ${counts.read} read, ${counts.kept} kept, ${counts.duplicate} duplicate, ${counts.outOfScope} out of scope, ${counts.quarantined} quarantined`;
  }
}

/** The findings about a source, the most frequent first; of those that cost a record, the first few in full. */
function describeNotices(source: string, notices: readonly NoticeSummary[]): string[] {
  return notices
    .filter((summary) => summary.source === source)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.count - a.count)
    .flatMap((summary) => [
      `  ${summary.outcome}: ${summary.count} ${summary.code} (${NOTICES[summary.code].meaning})`,
      ...describeSamples(summary),
    ]);
}

function describeOtherNotices(sources: readonly SourceReport[], notices: readonly NoticeSummary[]): string[] {
  const known = new Set(sources.map(({ name }) => name));
  const others = new Set(notices.map(({ source }) => source).filter((source) => !known.has(source)));
  return [...others].flatMap((source) => [`${source}:`, ...describeNotices(source, notices)]);
}

function describeUnmatched(names: Report['unmatchedNames']): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, SHOWN_NAMES).map(({ feed, name, dealCount, nearest }) => {
    const candidates = nearest.length === 0 ? 'nothing is near' : `nearest ${nearest.join(', ')}`;
    return `  ${dealCount} of ${feed}: ${JSON.stringify(name)}; ${candidates}`;
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
  if (outcome === 'source' && field === undefined && found !== undefined) return found;
  const place = [file === undefined ? notice.source : `${file}${line === undefined ? '' : `:${line}`}`, record, field]
    .filter((part) => part !== undefined)
    .join(' ');
  const facts = [
    expected === undefined ? meaning : `expected ${expected}`,
    ...(found === undefined ? [] : [`got ${JSON.stringify(found)}`]),
  ].join(', ');
  return `${place}: ${facts}; ${notice.remedy ?? remedy}`;
}

function describeGate({ gate, state, detail }: GateResult): string[] {
  const line = `gate ${gate} ${state}: ${detail}`;
  return state === 'refused' ? [line, `  deals build --accept ${gate} publishes all the same`] : [line];
}
