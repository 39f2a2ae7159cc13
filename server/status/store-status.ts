import { readdir, stat } from 'node:fs/promises';
import { recordKey } from '../../data/record/product.ts';
import { NOTICES } from '../../data/report/notice.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { currentPath, isSnapshotId } from '../../data/store/layout.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { PullRead } from '../../data/store/pull-state.ts';
import { hasRollbackMark, readCurrentId, readSnapshotManifest } from '../../data/store/read-store.ts';
import { describeAge, type SnapshotAge } from './freshness.ts';
import type { LastBuildFacts } from './last-build.ts';
import { describePull, type PullStatus } from './pull.ts';

/** `/status/store.json`: what the server knows beside the files of the builds. */
export interface StoreStatus {
  /** By the clock of the server, which ages refer to. */
  readonly now: string;
  readonly staleAfterHours: number;
  /** The manifest of the snapshot being served, and its age. Absent when nothing is served. */
  readonly served?: Manifest & SnapshotAge;
  /** The names of its products: `101/new`. */
  readonly productNames: Readonly<Record<string, string>>;
  /** The meaning of every code of a notice. */
  readonly codes: typeof NOTICES;
  /** Newest first. */
  readonly snapshots: readonly StoredSnapshot[];
  /** What came from an object store. Absent where snapshots are built here. */
  readonly pull?: PullStatus;
  /** Why `pull.json` cannot be read. */
  readonly pullFault?: string;
}

/** A snapshot in the store. */
export interface StoredSnapshot {
  readonly id: string;
  readonly isCurrent: boolean;
  /** When it became current. A server loads it within seconds, or refuses it. */
  readonly currentSince?: string;
  readonly isServed: boolean;
  /** An operator rolled back from it: only an operator makes it current again. */
  readonly isRolledBack: boolean;
  readonly sequence?: number;
  readonly createdAt?: string;
  readonly counts?: Manifest['counts'];
  /** Why its manifest cannot be read. */
  readonly fault?: string;
}

/** What the server knows of its store. */
interface KnownStore {
  readonly current: { readonly manifest: Manifest; readonly index: CatalogueIndex } | undefined;
  readonly lastBuild: LastBuildFacts | undefined;
  readonly pull: PullRead;
}

export async function readStoreStatus(
  store: string,
  { current, lastBuild, pull: { state, fault } }: KnownStore,
  now: Date,
  staleAfterHours: number,
): Promise<StoreStatus> {
  const manifest = current?.manifest;
  return {
    now: now.toISOString(),
    staleAfterHours,
    ...(manifest === undefined
      ? {}
      : { served: { ...manifest, ...describeAge(manifest, lastBuild, now, staleAfterHours) } }),
    productNames: Object.fromEntries(
      current?.index.products.map((product) => [recordKey(product), product.name]) ?? [],
    ),
    codes: NOTICES,
    snapshots: await listSnapshots(store, manifest?.id),
    ...(state === undefined ? {} : { pull: describePull(state, now) }),
    ...(fault === undefined ? {} : { pullFault: fault }),
  };
}

/** A store keeps seven snapshots, and those that were current within the hour. */
const MAX_SNAPSHOTS = 50;

/** Newest first by sequence; those that cannot be read come last. */
async function listSnapshots(store: string, servedId: string | undefined): Promise<readonly StoredSnapshot[]> {
  const names = await readdir(store).catch((): string[] => []);
  // Ids begin with their time: the latest ones are kept.
  const ids = names.filter(isSnapshotId).sort().slice(-MAX_SNAPSHOTS);
  const currentId = await readCurrentId(store).catch(() => undefined);
  // `current.json` is replaced when another snapshot becomes current.
  const currentSince = (await stat(currentPath(store)).catch(() => undefined))?.mtime.toISOString();
  const listed = await Promise.all(
    ids.map(async (id) => ({
      id,
      isCurrent: id === currentId,
      ...(id === currentId && currentSince !== undefined ? { currentSince } : {}),
      isServed: id === servedId,
      isRolledBack: await hasRollbackMark(store, id),
      ...(await readFacts(store, id)),
    })),
  );
  return listed.sort((a, b) => (b.sequence ?? 0) - (a.sequence ?? 0));
}

async function readFacts(
  store: string,
  id: string,
): Promise<Pick<StoredSnapshot, 'sequence' | 'createdAt' | 'counts' | 'fault'>> {
  try {
    const { sequence, createdAt, counts } = await readSnapshotManifest(store, id);
    return { sequence, createdAt, counts };
  } catch (error) {
    if (error instanceof SnapshotError) return { fault: error.message };
    throw error;
  }
}
