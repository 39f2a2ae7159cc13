import { statSync } from 'node:fs';
import { recordKey } from '../../data/record/product.ts';
import { NOTICES } from '../../data/report/notice.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { currentPath } from '../../data/store/layout.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { PullRead } from '../../data/store/pull-state.ts';
import { findCurrent, isRolledBack, listSnapshots } from '../../data/store/snapshots.ts';
import { describeAge, type SnapshotAge } from './freshness.ts';
import type { LastBuildFacts } from './last-build.ts';
import { describePull, type PullStatus } from './pull.ts';

/** `/status/store.json`: what the server knows beside the files of the builds. */
export interface StoreStatus {
  /** By the clock of the server, which ages refer to. */
  readonly now: string;
  readonly staleAfterHours: number;
  /** The manifest of the snapshot being served, and its age. Absent when nothing is served. */
  readonly served?: (Manifest & SnapshotAge) | undefined;
  /** The names of its products: `101/new`. */
  readonly productNames: Readonly<Record<string, string>>;
  /** The meaning of every code of a notice. */
  readonly codes: typeof NOTICES;
  /** Newest first. */
  readonly snapshots: readonly StoredSnapshot[];
  /** What came from an object store. Absent where snapshots are built here. */
  readonly pull?: PullStatus | undefined;
  /** Why `pull.json` cannot be read. */
  readonly pullFault?: string | undefined;
}

/** A snapshot in the store. */
export interface StoredSnapshot {
  readonly id: string;
  readonly isCurrent: boolean;
  /** When it became current. A server loads it within seconds, or refuses it. */
  readonly currentSince?: string | undefined;
  readonly isServed: boolean;
  /** An operator rolled back from it: only an operator makes it current again. */
  readonly isRolledBack: boolean;
  /** 0 when it is not known. */
  readonly sequence: number;
  readonly createdAt?: string | undefined;
  readonly counts?: Manifest['counts'] | undefined;
  /** Why its manifest cannot be read. */
  readonly fault?: string | undefined;
}

/** What the server knows of its store. */
interface KnownStore {
  readonly current: { readonly manifest: Manifest; readonly index: CatalogueIndex } | undefined;
  readonly lastBuild: LastBuildFacts | undefined;
  readonly pull: PullRead;
}

export function readStoreStatus(
  store: string,
  { current, lastBuild, pull: { state, fault } }: KnownStore,
  now: Date,
  staleAfterHours: number,
): StoreStatus {
  const manifest = current?.manifest;
  return {
    now: now.toISOString(),
    staleAfterHours,
    served: manifest && { ...manifest, ...describeAge(manifest, lastBuild, now, staleAfterHours) },
    productNames: Object.fromEntries(
      current?.index.products.map((product) => [recordKey(product), product.name]) ?? [],
    ),
    codes: NOTICES,
    snapshots: listStored(store, manifest?.id),
    pull: state && describePull(state, now),
    pullFault: fault,
  };
}

/** A store keeps seven snapshots, and those that were current within the hour. */
const MAX_SNAPSHOTS = 50;

/** Newest first. The manifests are small, and only operators ask: they are read at once. */
function listStored(store: string, servedId: string | undefined): readonly StoredSnapshot[] {
  const currentId = findCurrent(store);
  // `current.json` is replaced when another snapshot becomes current.
  const currentSince = statSync(currentPath(store), { throwIfNoEntry: false })?.mtime.toISOString();
  const stored = listSnapshots(store).toReversed().slice(0, MAX_SNAPSHOTS);
  return stored.map(({ id, sequence, manifest, fault }) => ({
    id,
    isCurrent: id === currentId,
    currentSince: id === currentId ? currentSince : undefined,
    isServed: id === servedId,
    isRolledBack: isRolledBack(store, id),
    sequence,
    createdAt: manifest?.createdAt,
    counts: manifest?.counts,
    fault: fault?.message,
  }));
}
