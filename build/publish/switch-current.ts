import { rmSync, utimesSync } from 'node:fs';
import { createDurably, replaceDurably, syncFolder } from '../../data/store/durable-file.ts';
import { StoreBusyError } from '../../data/store/lock.ts';
import { isErrorCode } from '../../data/store/regular-file.ts';
import {
  currentPath,
  formatCurrent,
  formatPrevious,
  previousPath,
  rolledBackPath,
  snapshotFolder,
} from '../../data/store/layout.ts';
import { findCurrent, isRolledBack, listSnapshots, readCurrent } from '../../data/store/snapshots.ts';

/**
 * Makes `id` the snapshot that is served: the commit point of a build. The folder of the earlier one gets the time of
 * the switch, which tells the retention until when it was current. The caller holds the lock of the store.
 *
 * @param before what the caller found current when it began; undefined for nothing, or nothing that could be read
 * @throws {StoreBusyError} when another snapshot is current by now: then the lock was taken away from the caller
 * @throws {SnapshotError} when `current.json` can be read no longer
 */
export function switchCurrent(store: string, id: string, before: string | undefined): void {
  const current = before === undefined ? findCurrent(store) : readCurrent(store);
  if (current !== before) throw new StoreBusyError(store, { kind: 'overtaken', current });
  if (before !== undefined) {
    touch(snapshotFolder(store, before));
    replaceDurably(previousPath(store), formatPrevious({ snapshot: before, replacedBy: id }));
  } else {
    // It belongs to an earlier switch.
    rmSync(previousPath(store), { force: true });
  }
  replaceDurably(currentPath(store), formatCurrent(id));
}

/**
 * Marks every snapshot that is newer than `id` as rolled back from, before `id` becomes current, including those
 * between, which the operator skipped. A snapshot without a readable sequence counts as newer. `id` itself loses its
 * mark.
 */
export function markRolledBack(store: string, id: string): void {
  const snapshots = listSnapshots(store);
  const wanted = snapshots.find((snapshot) => snapshot.id === id)?.sequence ?? 0;
  for (const snapshot of snapshots) {
    const isNewer = snapshot.sequence === 0 || snapshot.sequence > wanted;
    if (!isNewer || snapshot.id === id || isRolledBack(store, snapshot.id)) continue;
    createDurably(rolledBackPath(store, snapshot.id), () => {});
    syncFolder(snapshotFolder(store, snapshot.id));
  }
  rmSync(rolledBackPath(store, id), { force: true });
}

function touch(folder: string): void {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch (error) {
    // A current snapshot that was removed needs no time: there is nothing to keep.
    if (!isErrorCode(error, 'ENOENT')) throw error;
  }
}
