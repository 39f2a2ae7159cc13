import { compareCodeUnits } from '../../data/record/code-unit.ts';
import type { GoneNotice, NoticeSummary } from '../../data/report/report.ts';
import type { ServedSnapshot } from '../gate/served-snapshot.ts';

/**
 * Gives every summary the last snapshot with another count, and puts what changed last first. An unchanged count keeps
 * what the snapshot being served says, so that a night that changes nothing reports the same.
 */
export function compareNotices(summaries: readonly NoticeSummary[], served: ServedSnapshot): NoticeSummary[] {
  return summaries
    .map((summary) => withBefore(summary, served))
    .sort(
      (a, b) =>
        compareCodeUnits(b.before?.snapshot ?? '', a.before?.snapshot ?? '') ||
        compareCodeUnits(a.source, b.source) ||
        compareCodeUnits(a.code, b.code),
    );
}

/** What the snapshot being served reports and the build does not. */
export function listGone(summaries: readonly NoticeSummary[], served: ServedSnapshot): GoneNotice[] {
  if (served.kind !== 'known') return [];
  return served.report.notices
    .filter((before) => findSummary(summaries, before) === undefined)
    .map(({ code, source, count }) => ({ code, source, count }));
}

function withBefore({ code, outcome, source, count, samples }: NoticeSummary, served: ServedSnapshot): NoticeSummary {
  const summary = { code, outcome, source, count };
  if (served.kind !== 'known') return { ...summary, samples };
  const then = findSummary(served.report.notices, summary);
  const before = then?.count === count ? then.before : { snapshot: served.id, count: then?.count ?? 0 };
  return { ...summary, ...(before === undefined ? {} : { before }), samples };
}

function findSummary(
  summaries: readonly NoticeSummary[],
  { code, source }: Pick<NoticeSummary, 'code' | 'source'>,
): NoticeSummary | undefined {
  return summaries.find((summary) => summary.code === code && summary.source === source);
}
