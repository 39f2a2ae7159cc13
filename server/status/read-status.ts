import { readdir, stat } from 'node:fs/promises';
import { findMatchesLine } from '../../data/record/deal.ts';
import { compareCodeUnits } from '../../data/record/id.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { currentPath, isSnapshotId } from '../../data/store/layout.ts';
import { PULL_FILE, type PullStateReader } from '../../data/store/pull-state.ts';
import type { Counted } from '../../data/store/name-search.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import { hasRollbackMark, readCurrentId, readSnapshotManifest } from '../../data/store/read-store.ts';
import { describeAge } from './freshness.ts';
import type { LastBuildReader } from './last-build.ts';
import { describePull } from './pull.ts';
import { describeSource, type ReportStatus, type SnapshotReports } from './snapshot-report.ts';
import type {
  LastBuildStatus,
  ServedStatus,
  Status,
  StoredStatus,
  UnmatchedNameStatus,
  WithoutDealsStatus,
} from './status.ts';

/** The readers of the store for its status. */
export interface StatusFiles {
  readonly reports: SnapshotReports;
  readonly lastBuild: LastBuildReader;
  readonly pull: PullStateReader;
  readonly stored: StoredSnapshots;
}

const MAX_WITHOUT_DEALS = 200;

/** @param snapshot the served one, if any */
export async function readStatus(
  { reports, lastBuild, pull, stored }: StatusFiles,
  snapshot: LoadedSnapshot | undefined,
  now: Date,
  staleAfterHours: number,
): Promise<Status> {
  const manifest = snapshot?.manifest;
  const [report, build, pulled, snapshots] = await Promise.all([
    manifest === undefined ? undefined : reports.read(manifest),
    lastBuild.read(),
    pull.read(),
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
    ...(pulled.state === undefined ? {} : { pull: describePull(pulled.state, now) }),
    snapshots,
    faults: [
      ...(report?.faults ?? []),
      ...(build.fault === undefined ? [] : [build.fault]),
      ...(pulled.fault === undefined ? [] : [{ file: PULL_FILE, detail: pulled.fault }]),
    ],
  };
}

function nameNearest(snapshot: LoadedSnapshot, report: ReportStatus | undefined): readonly UnmatchedNameStatus[] {
  return (report?.unmatchedNames ?? []).map((unmatched) => {
    const matchesLine = findMatchesLine(unmatched.name, unmatched.remedy);
    const nearestProducts = unmatched.nearest.map((product) => ({ product, name: nameOf(snapshot, product) }));
    return { ...unmatched, nearestProducts, ...(matchesLine === undefined ? {} : { matchesLine }) };
  });
}

/** First the products that lost their last deal, then by the time of the last deal. */
function listWithoutDeals(
  snapshot: LoadedSnapshot,
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
function nameOf({ index }: LoadedSnapshot, product: string): string {
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

/** A store keeps seven snapshots, and those that were current within the hour. */
const MAX_SNAPSHOTS = 50;

type Listed = Omit<StoredStatus, 'isCurrent' | 'currentSince' | 'isServed' | 'isRolledBack'>;

/** The snapshots of a store. A manifest never changes, so each is read once. */
export class StoredSnapshots {
  readonly #store: string;
  #listed: ReadonlyMap<string, Listed> = new Map();

  constructor(store: string) {
    this.#store = store;
  }

  /** Newest first by sequence; those that cannot be read come last. */
  async list(servedId: string | undefined): Promise<readonly StoredStatus[]> {
    const names = await readdir(this.#store).catch((): string[] => []);
    // Ids begin with their time: the latest ones are kept.
    const ids = names.filter(isSnapshotId).sort().slice(-MAX_SNAPSHOTS);
    const currentId = await readCurrentId(this.#store).catch(() => undefined);
    const currentSince = await this.#findCurrentSince();
    const listed = await Promise.all(ids.map(async (id) => this.#listed.get(id) ?? this.#describe(id)));
    this.#listed = new Map(listed.filter(({ fault }) => fault === undefined).map((each) => [each.id, each]));
    const newestFirst = listed.sort((a, b) => (b.sequence ?? 0) - (a.sequence ?? 0));
    return Promise.all(
      newestFirst.map(async (each) => ({
        ...each,
        isCurrent: each.id === currentId,
        ...(each.id === currentId && currentSince !== undefined ? { currentSince } : {}),
        isServed: each.id === servedId,
        ...((await hasRollbackMark(this.#store, each.id)) ? { isRolledBack: true as const } : {}),
      })),
    );
  }

  /** The time of `current.json`, which is replaced when another snapshot becomes current. */
  async #findCurrentSince(): Promise<string | undefined> {
    const found = await stat(currentPath(this.#store)).catch(() => undefined);
    return found?.mtime.toISOString();
  }

  async #describe(id: string): Promise<Listed> {
    try {
      const { sequence, createdAt, counts } = await readSnapshotManifest(this.#store, id);
      const { products, deals, quarantined } = counts;
      return { id, sequence, createdAt, products, deals, quarantined };
    } catch (error) {
      if (error instanceof SnapshotError) return { id, fault: error.message };
      throw error;
    }
  }
}
