import { rmSync, utimesSync } from 'node:fs';
import { noSnapshot, type SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { createDurably, replaceDurably, syncFolder } from '../../data/store/durable-file.ts';
import { storePath, formatPointer, snapshotPath, snapshotFolder } from '../../data/store/layout.ts';
import { acquireStoreLock, StoreBusyError } from '../../data/store/lock.ts';
import { isErrorCode } from '../../data/store/system-error.ts';
import { findCurrent, isRolledBack, listSnapshots, readCurrent } from '../../data/store/snapshots.ts';
import { verifySnapshot } from './verify.ts';

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
  if (current !== before) {
    const what = `${store}: another build or rollback made ${current ?? 'no snapshot'} current while this build ran`;
    throw new StoreBusyError(`${what}; nothing was published. Build again.`);
  }
  if (before !== undefined) {
    touch(snapshotFolder(store, before));
    replaceDurably(storePath(store, 'previous.json'), formatPointer({ snapshot: before, replacedBy: id }));
  } else {
    // It belongs to an earlier switch.
    rmSync(storePath(store, 'previous.json'), { force: true });
  }
  replaceDurably(storePath(store, 'current.json'), formatPointer({ snapshot: id }));
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

/** The result of a rollback to the snapshot `id`, which is absent with `none-before`. */
interface Rollback {
  readonly outcome: 'switched' | 'already-current' | 'damaged' | 'none-before';
  readonly id?: string | undefined;
  /** What was current when it began; absent when it is unknown. */
  readonly before?: string | undefined;
  /** Why it is damaged. */
  readonly faults?: readonly SnapshotError[];
}

/**
 * Makes another snapshot of the store current: `wantedId`, else the one that was published before the current one and
 * was not rolled back from. It is verified first, and nothing changes unless it is sound. With
 * `wantedId`, an unreadable `current.json` is replaced.
 *
 * @throws {StoreBusyError} when a build is running
 * @throws {SnapshotError} when the store has no such snapshot, or does not say which is current and `wantedId` neither
 */
export function rollBack(store: string, wantedId?: string): Rollback {
  const lock = acquireStoreLock(store);
  try {
    const before = findCurrent(store);
    const id = wantedId ?? findOneBefore(store);
    if (id === undefined) return { outcome: 'none-before', before };
    if (id === before) return { outcome: 'already-current', before, id };
    const faults = verifySnapshot(store, id);
    if (faults.length > 0) return { outcome: 'damaged', before, id, faults };
    markRolledBack(store, id);
    switchCurrent(store, id, before);
    return { outcome: 'switched', before, id };
  } finally {
    lock.release();
  }
}

/** By sequence, which is the order of publication at any clock. */
function findOneBefore(store: string): string | undefined {
  const current = readCurrent(store);
  if (current === undefined) throw noSnapshot(store);
  const oldestFirst = listSnapshots(store).map(({ id }) => id);
  const position = oldestFirst.indexOf(current);
  return oldestFirst.slice(0, Math.max(0, position)).findLast((earlier) => !isRolledBack(store, earlier));
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
    createDurably(snapshotPath(store, snapshot.id, 'rolled-back'), () => {});
    syncFolder(snapshotFolder(store, snapshot.id));
  }
  rmSync(snapshotPath(store, id, 'rolled-back'), { force: true });
}
