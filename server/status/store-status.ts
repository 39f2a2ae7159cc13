import { statSync } from 'node:fs';
import { recordKey } from '../../data/record/product.ts';
import { NOTICES } from '../../data/report/notice.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { currentPath } from '../../data/store/layout.ts';
import type { PullRead } from '../../data/store/pull-state.ts';
import { findCurrent, isRolledBack, listSnapshots } from '../../data/store/snapshots.ts';
import { describeAge } from './freshness.ts';
import type { LastBuildFacts } from './last-build.ts';
import { describePull } from './pull.ts';

/** What the server knows of its store. */
interface KnownStore {
  readonly current: { readonly manifest: Manifest; readonly index: CatalogueIndex } | undefined;
  readonly lastBuild: LastBuildFacts | undefined;
  readonly pull: PullRead;
}

export type StoreStatus = ReturnType<typeof readStoreStatus>;

/** `/status/store.json`: what the server knows beside the files of the builds. */
export function readStoreStatus(
  store: string,
  { current, lastBuild, pull: { state, fault } }: KnownStore,
  now: Date,
  staleAfterHours: number,
) {
  const manifest = current?.manifest;
  const products = current?.index.products ?? [];
  return {
    /** By the clock of the server, which ages refer to. */
    now: now.toISOString(),
    staleAfterHours,
    /** The manifest of the snapshot being served, and its age. Absent when nothing is served. */
    served: manifest && { ...manifest, ...describeAge(manifest, lastBuild, now, staleAfterHours) },
    /** The names of its products: `101/new`. */
    productNames: Object.fromEntries(products.map((product) => [recordKey(product), product.name])),
    /** The meaning of every code of a notice. */
    codes: NOTICES,
    snapshots: listStored(store, manifest?.id),
    /** What came from an object store. Absent where snapshots are built here. */
    pull: state && describePull(state, now),
    /** Why `pull.json` cannot be read. */
    pullFault: fault,
  };
}

/** A store keeps seven snapshots, and those that were current within the hour. */
const MAX_SNAPSHOTS = 50;

export type StoredSnapshot = ReturnType<typeof listStored>[number];

/** Newest first. The manifests are small, and only operators ask: they are read at once. */
function listStored(store: string, servedId: string | undefined) {
  const currentId = findCurrent(store);
  // `current.json` is replaced when another snapshot becomes current.
  const currentSince = statSync(currentPath(store), { throwIfNoEntry: false })?.mtime.toISOString();
  const stored = listSnapshots(store).toReversed().slice(0, MAX_SNAPSHOTS);
  return stored.map(({ id, sequence, manifest, fault }) => ({
    id,
    isCurrent: id === currentId,
    /** When it became current. A server loads it within seconds, or refuses it. */
    currentSince: id === currentId ? currentSince : undefined,
    isServed: id === servedId,
    /** An operator rolled back from it: only an operator makes it current again. */
    isRolledBack: isRolledBack(store, id),
    /** 0 when it is not known. */
    sequence,
    createdAt: manifest?.createdAt,
    counts: manifest?.counts,
    /** Why its manifest cannot be read. */
    fault: fault?.message,
  }));
}
