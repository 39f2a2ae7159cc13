import type { Manifest } from '../../data/snapshot/format.ts';
import { describeSource } from './describe-notice.ts';
import type { LastBuildReports } from './last-build-report.ts';
import { describeAge } from './snapshot-age.ts';
import type { SnapshotReports } from './snapshot-report.ts';
import type { LastBuildStatus, ServedStatus, Status } from './status.ts';
import type { StoredSnapshots } from './stored-snapshots.ts';

/** What is read of a store for its status. */
export interface StatusFiles {
  readonly reports: SnapshotReports;
  readonly lastBuild: LastBuildReports;
  readonly stored: StoredSnapshots;
}

/** @param manifest of the snapshot being served, if any */
export async function readStatus(
  { reports, lastBuild, stored }: StatusFiles,
  manifest: Manifest | undefined,
  now: Date,
  staleAfterHours: number,
): Promise<Status> {
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
    unmatchedNames: report?.unmatchedNames ?? [],
    ...(report?.changes === undefined ? {} : { changes: report.changes }),
    ...(build.lastBuild === undefined ? {} : { lastBuild: build.lastBuild }),
    snapshots,
    faults: [...(report?.faults ?? []), ...(build.fault === undefined ? [] : [build.fault])],
  };
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
