import { compareCodeUnits } from '../../data/record/id.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import {
  unmatchedNameSchema,
  type GateResult,
  type GoneNotice,
  type NoticeSummary,
  type Report,
  type SourceReport,
  type UnmatchedName,
} from '../../data/report/report.ts';
import type { ServedSnapshot } from '../gate/served-snapshot.ts';
import type { Catalogue } from '../records/catalogue.ts';
import { UNREAD_CODES, type Ledger } from '../ledger/ledger.ts';
import { groupBy, pick } from '../source/record.ts';
import type { SourceState } from '../source/record.ts';
import { listProductsWithoutDeals } from './without-deals.ts';

/** How many notices of one code and source a report has; `quarantine.ndjson` has all about excluded records. */
export const MAX_SAMPLES = 20;

/** How many unmatched names a report has: more than an editor will add in a day. */
export const MAX_UNMATCHED_NAMES = 200;

const UNMATCHED_KEYS = Object.keys(unmatchedNameSchema.shape) as readonly (keyof UnmatchedName)[];

/** The sources with their counts, in the order of the configuration. */
export function reportSources(states: readonly SourceState[], ledger: Ledger): readonly SourceReport[] {
  return states.map(({ name, kind, adapter, state, freshAt, heldBecause, held, files }) => {
    const counts = pick(ledger.account(name), ['read', 'kept', 'duplicate', 'outOfScope', 'quarantined']);
    return { name, kind, adapter, state, freshAt, heldBecause, held, files, ...counts };
  });
}

export interface ReportParts {
  readonly catalogue: Pick<Catalogue, 'records' | 'deals'>;
  readonly sources: readonly SourceReport[];
  readonly notices: readonly Notice[];
  readonly unmatchedNames: readonly UnmatchedName[];
  readonly gates: readonly GateResult[];
  /** The snapshot with which the build is compared. */
  readonly served: ServedSnapshot;
}

export function createReport({ catalogue, sources, notices, unmatchedNames, gates, served }: ReportParts): Report {
  const summaries = summariseNotices(notices);
  return {
    sources: [...sources],
    notices: compareNoticeCounts(summaries, served),
    unmatchedNames: sortUnmatchedNames(unmatchedNames)
      .slice(0, MAX_UNMATCHED_NAMES)
      .map((name) => pick(name, UNMATCHED_KEYS)),
    withoutDeals: [...listProductsWithoutDeals(catalogue, notices, served)],
    gates: [...gates],
    goneNotices: listGoneNotices(summaries, sources, served),
  };
}

/** Most deals first: adding that one name to `matches` wins the most. */
function sortUnmatchedNames(names: readonly UnmatchedName[]): readonly UnmatchedName[] {
  return names.toSorted(
    (a, b) => b.dealCount - a.dealCount || compareCodeUnits(a.name, b.name) || compareCodeUnits(a.feed, b.feed),
  );
}

/** One summary for each source and code. */
export function summariseNotices(notices: readonly Notice[]): NoticeSummary[] {
  const groups = groupBy(notices, ({ source, code }) => [`${source} ${code}`]);
  return Array.from(groups.values(), (group) => {
    const [{ code, source }] = group as readonly [Notice];
    return { code, outcome: NOTICES[code].outcome, source, count: group.length, samples: group.slice(0, MAX_SAMPLES) };
  });
}

/**
 * Gives every summary the last snapshot with another count, and puts what changed last first. An unchanged count keeps
 * what the snapshot being served says, so that a build without a change reports the same.
 */
export function compareNoticeCounts(summaries: readonly NoticeSummary[], served: ServedSnapshot): NoticeSummary[] {
  return summaries
    .map(({ samples, ...summary }): NoticeSummary => {
      if (served.kind !== 'known') return { ...summary, samples };
      const then = served.report.notices.find(isAbout(summary));
      const before = then?.count === summary.count ? then.before : { snapshot: served.id, count: then?.count ?? 0 };
      return { ...summary, before, samples };
    })
    .sort(
      (a, b) =>
        compareCodeUnits(b.before?.snapshot ?? '', a.before?.snapshot ?? '') ||
        compareCodeUnits(a.source, b.source) ||
        compareCodeUnits(a.code, b.code),
    );
}

/**
 * The earlier notices that the build does not have. Of a source that is not fresh, only those about its reading: whether
 * the others are still true is unknown.
 */
export function listGoneNotices(
  summaries: readonly NoticeSummary[],
  sources: readonly SourceReport[],
  served: ServedSnapshot,
): GoneNotice[] {
  if (served.kind !== 'known') return [];
  const unread = new Set(sources.filter(({ state }) => state !== 'fresh').map(({ name }) => name));
  return served.report.notices
    .filter(({ code, source }) => !unread.has(source) || UNREAD_CODES.has(code))
    .filter((before) => !summaries.some(isAbout(before)))
    .map(({ code, source, count }) => ({ code, source, count }));
}

type NoticeKind = Pick<NoticeSummary, 'code' | 'source'>;

function isAbout({ code, source }: NoticeKind): (other: NoticeKind) => boolean {
  return (other) => other.code === code && other.source === source;
}
