import { compareCodeUnits } from '../../data/record/id.ts';
import { recordKey } from '../../data/record/product.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import {
  unmatchedNameSchema,
  type GateResult,
  type GoneNotice,
  type ManifestSource,
  type NoticeSummary,
  type ProductWithoutDeals,
  type Report,
  type SourceReport,
  type UnmatchedName,
} from '../../data/report/report.ts';
import { findServedSource, type ServedSnapshot } from '../gate/served-snapshot.ts';
import type { Catalogue } from '../deals/catalogue-deals.ts';
import { UNREAD_CODES, type Ledger } from '../ledger/ledger.ts';
import { digestFiles } from '../source/open-file.ts';
import { groupBy, pick, type SourceState } from '../source/record.ts';

/** How many notices of one code and source a report has; `quarantine.ndjson` has all about excluded records. */
const MAX_SAMPLES = 20;

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

/** The sources for the manifest: since when each has been fresh, and since when its files are the same. */
export function toManifestSources(
  sources: readonly SourceReport[],
  served: ServedSnapshot,
  now: Date,
): readonly ManifestSource[] {
  return sources.map((source) => {
    const before = findServedSource(served, source.name);
    if (source.state !== 'fresh') {
      const unchangedSince = source.state === 'carried-forward' ? before?.unchangedSince : undefined;
      return { ...source, freshAt: source.freshAt ?? before?.freshAt, unchangedSince };
    }
    const isUnchanged = source.files.length > 0 && digestFiles(before?.files ?? []) === digestFiles(source.files);
    const since = isUnchanged ? before?.unchangedSince : undefined;
    // A time in the future comes from a build under a wrong clock.
    const isKnown = since !== undefined && Date.parse(since) <= now.getTime();
    return { ...source, freshAt: now.toISOString(), unchangedSince: isKnown ? since : now.toISOString() };
  });
}

/** A notice for each feed whose files have been the same for longer than `maxUnchangedMs`. */
export function listUnchangedNotices(
  sources: readonly ManifestSource[],
  now: Date,
  maxUnchangedMs: number,
): readonly Notice[] {
  return sources.flatMap(({ name, kind, state, unchangedSince }) => {
    if (kind !== 'feed' || state !== 'fresh' || unchangedSince === undefined) return [];
    if (now.getTime() - Date.parse(unchangedSince) <= maxUnchangedMs) return [];
    // The time and not the age, so that the notice stays the same from build to build.
    const found = `${name}: the files are those that were first read at ${unchangedSince}; ask the feed whether it is still made`;
    return [{ code: 'source-unchanged', source: name, found }];
  });
}

interface ReportParts {
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
    // Most deals first: adding that one name to `matches` wins the most.
    unmatchedNames: unmatchedNames
      .toSorted(
        (a, b) => b.dealCount - a.dealCount || compareCodeUnits(a.name, b.name) || compareCodeUnits(a.feed, b.feed),
      )
      .slice(0, MAX_UNMATCHED_NAMES)
      .map((name) => pick(name, UNMATCHED_KEYS)),
    withoutDeals: listProductsWithoutDeals(catalogue, notices, served),
    gates: [...gates],
    goneNotices: listGoneNotices(summaries, sources, served),
  };
}

const SEVERITIES = ['source', 'quarantined', 'notice', 'duplicate', 'out-of-scope'];

/** The most severe outcome comes first, and of one outcome the most frequent notice. */
export function compareSummaries(a: NoticeSummary, b: NoticeSummary): number {
  const bySeverity = SEVERITIES.indexOf(a.outcome) - SEVERITIES.indexOf(b.outcome);
  return bySeverity || b.count - a.count || compareCodeUnits(a.code, b.code);
}

/** One summary for each source and code. */
export function summariseNotices(notices: readonly Notice[]): NoticeSummary[] {
  const groups = groupBy(notices, ({ source, code }) => [`${source} ${code}`]);
  const summaries = Array.from(groups.values(), (group): NoticeSummary => {
    const [{ code, source }] = group as readonly [Notice];
    return { code, outcome: NOTICES[code].outcome, source, count: group.length, samples: group.slice(0, MAX_SAMPLES) };
  });
  return summaries.sort(compareSummaries);
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

/**
 * The products without a deal, with what the feeds have for each. The time of the last deal is known for products of
 * the snapshot being served: they have a deal, or their entry has that time.
 */
function listProductsWithoutDeals(
  { records, deals }: ReportParts['catalogue'],
  notices: readonly Notice[],
  served: ServedSnapshot,
): ProductWithoutDeals[] {
  const products = records.products
    .map(({ record }) => recordKey(record))
    .filter((_, row) => deals.rangeStart[row] === deals.rangeStart[row + 1]);
  const without = new Set<string | undefined>(products);
  const excluded = groupBy(
    notices.filter(({ product }) => without.has(product)),
    ({ product }) => [product],
  );
  // Older snapshots do not say which of their products had no deal.
  const known = served.kind === 'known' && served.report.withoutDeals !== undefined ? served : undefined;
  const earlier = new Map(known?.report.withoutDeals?.map(({ product, lastDeal }) => [product, lastDeal]));
  return products.map((product) => {
    const codes = groupBy(excluded.get(product) ?? [], ({ code }) => [code]);
    const leftOut = Array.from(codes, ([code, { length }]) => ({ code, count: length }));
    const hadDeal = known?.records.products.has(product) === true && !earlier.has(product);
    return {
      product,
      leftOut: leftOut.sort((a, b) => b.count - a.count || compareCodeUnits(a.code, b.code)),
      lastDeal: hadDeal ? { snapshot: known.id, at: known.confirmedAt } : earlier.get(product),
    };
  });
}
