import { compareCodeUnits } from '../../data/record/code-unit.ts';
import { findMatchesLine } from '../../data/report/match-rule.ts';
import type { Counted } from '../../data/report/found-name.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import type { OpenSnapshot } from '../snapshot/open-snapshot.ts';
import { describeSource } from './describe-notice.ts';
import type { LastBuildReports } from './last-build-report.ts';
import { describeAge } from './snapshot-age.ts';
import type { ReportStatus, SnapshotReports } from './snapshot-report.ts';
import type { LastBuildStatus, ServedStatus, Status, UnmatchedNameStatus, WithoutDealsStatus } from './status.ts';
import type { StoredSnapshots } from './stored-snapshots.ts';

/** What is read of a store for its status. */
export interface StatusFiles {
  readonly reports: SnapshotReports;
  readonly lastBuild: LastBuildReports;
  readonly stored: StoredSnapshots;
}

/** How many of them are listed. */
const MAX_WITHOUT_DEALS = 200;

/** @param snapshot the one being served, if any */
export async function readStatus(
  { reports, lastBuild, stored }: StatusFiles,
  snapshot: OpenSnapshot | undefined,
  now: Date,
  staleAfterHours: number,
): Promise<Status> {
  const manifest = snapshot?.manifest;
  const [report, build, snapshots] = await Promise.all([
    manifest === undefined ? undefined : reports.read(manifest),
    lastBuild.read(),
    stored.list(manifest?.id),
  ]);
  return {
    now: now.toISOString(),
    ...(manifest === undefined ? {} : { snapshot: describeServed(manifest, build.lastBuild, now, staleAfterHours) }),
    sources: (manifest?.sources ?? []).map(describeSource),
    gates: manifest?.gates ?? [],
    notices: report?.notices ?? [],
    unmatchedNames: snapshot === undefined ? [] : nameNearest(snapshot, report),
    ...(snapshot === undefined || report?.withoutDeals === undefined
      ? {}
      : { withoutDeals: listWithoutDeals(snapshot, report.withoutDeals) }),
    ...(report?.changes === undefined ? {} : { changes: report.changes }),
    ...(build.lastBuild === undefined ? {} : { lastBuild: build.lastBuild }),
    snapshots,
    faults: [...(report?.faults ?? []), ...(build.fault === undefined ? [] : [build.fault])],
  };
}

function nameNearest(snapshot: OpenSnapshot, report: ReportStatus | undefined): readonly UnmatchedNameStatus[] {
  return (report?.unmatchedNames ?? []).map((unmatched) => {
    const matchesLine = findMatchesLine(unmatched.name, unmatched.remedy);
    const nearestProducts = unmatched.nearest.map((product) => ({ product, name: nameOf(snapshot, product) }));
    return { ...unmatched, nearestProducts, ...(matchesLine === undefined ? {} : { matchesLine }) };
  });
}

/** Those that lost their last deal first, then those that had one latest. */
function listWithoutDeals(
  snapshot: OpenSnapshot,
  withoutDeals: NonNullable<ReportStatus['withoutDeals']>,
): Counted<WithoutDealsStatus> {
  const { previous } = snapshot.manifest;
  const all = [...withoutDeals.values()].map(({ product, leftOut, lastDeal }) => ({
    product,
    name: nameOf(snapshot, product),
    leftOut,
    ...(lastDeal === undefined ? {} : { lastDeal }),
    isNew: lastDeal !== undefined && lastDeal.snapshot === previous,
  }));
  // Products come in their order, which stays among those that had a deal at the same time.
  const items = all.toSorted((a, b) => compareCodeUnits(b.lastDeal?.at ?? '', a.lastDeal?.at ?? ''));
  return { count: all.length, items: items.slice(0, MAX_WITHOUT_DEALS) };
}

/** @param product `101/new` */
function nameOf({ index }: OpenSnapshot, product: string): string {
  const [id = '', condition] = product.split('/');
  const rows = index.rowsOfId(id).map((row) => index.products[row]);
  return rows.find((found) => found?.condition === condition)?.name ?? '';
}

function describeServed(
  { id, sequence, createdAt, previous, counts }: Manifest,
  lastBuild: LastBuildStatus | undefined,
  now: Date,
  staleAfterHours: number,
): ServedStatus {
  return {
    id,
    sequence,
    createdAt,
    ...(previous === undefined ? {} : { previous }),
    counts,
    ...describeAge({ id, createdAt }, lastBuild, now, staleAfterHours),
    staleAfterHours,
  };
}
