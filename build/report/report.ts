import { compareCodeUnits } from '../../data/record/id.ts';
import { recordKey } from '../../data/record/product.ts';
import { NOTICES, OUTCOMES, type Notice } from '../../data/report/notice.ts';
import {
  type GateResult,
  type ManifestSource,
  type NoticeSummary,
  type ProductWithoutDeals,
  type Report,
  type SourceReport,
  type UnmatchedName,
} from '../../data/report/report.ts';
import { findServedSource, type ServedSnapshot } from '../gate/served-snapshot.ts';
import type { Catalogue } from '../deals/catalogue-deals.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { digestFiles } from '../source/open-file.ts';
import { groupBy, type SourceState } from '../source/record.ts';

/** How many notices of one code and source a report has; `quarantine.ndjson` has all about excluded records. */
const MAX_SAMPLES = 20;

/** How many unmatched names a report has: more than an editor will add in a day. */
export const MAX_UNMATCHED_NAMES = 200;

/** The sources with their counts, in the order of the configuration. */
export function reportSources(states: readonly SourceState[], ledger: Ledger): readonly SourceReport[] {
  return states.map(({ name, kind, adapter, state, freshAt, held, files }) => {
    return { name, kind, adapter, state, freshAt, held, files, ...ledger.account(name) };
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
  return {
    sources: [...sources],
    notices: compareNoticeCounts(summariseNotices(notices), served),
    // Most deals first: adding that one name to `matches` wins the most.
    unmatchedNames: unmatchedNames
      .toSorted(
        (a, b) => b.dealCount - a.dealCount || compareCodeUnits(a.name, b.name) || compareCodeUnits(a.feed, b.feed),
      )
      .slice(0, MAX_UNMATCHED_NAMES),
    withoutDeals: listProductsWithoutDeals(catalogue, notices, served),
    gates: [...gates],
  };
}

/** The most severe outcome comes first, and of one outcome the most frequent notice. */
function compareSummaries(a: NoticeSummary, b: NoticeSummary): number {
  const bySeverity = OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome);
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
 * Gives every summary the last snapshot with another count. An unchanged count keeps what the snapshot being served says,
 * so that a build without a change reports the same.
 */
export function compareNoticeCounts(summaries: readonly NoticeSummary[], served: ServedSnapshot): NoticeSummary[] {
  if (served.kind !== 'known') return [...summaries];
  return summaries.map(({ samples, ...summary }) => {
    const then = served.report.notices.find(({ code, source }) => code === summary.code && source === summary.source);
    const before = then?.count === summary.count ? then.before : { snapshot: served.id, count: then?.count ?? 0 };
    return { ...summary, before, samples };
  });
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
  const known = served.kind === 'known' ? served : undefined;
  const earlier = new Map(known?.report.withoutDeals.map(({ product, lastDeal }) => [product, lastDeal]));
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
