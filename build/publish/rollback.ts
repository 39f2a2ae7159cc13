import { SnapshotError, type SnapshotErrorDetails } from '../../data/snapshot/snapshot-error.ts';
import { acquireStoreLock } from '../../data/store/lock.ts';
import { findCurrent, isRolledBack, listSnapshots, readCurrent } from '../../data/store/snapshots.ts';
import { markRolledBack, switchCurrent } from './switch-current.ts';
import { isOfChangesFile, verifySnapshot } from './verify.ts';

/** The result of a rollback. `before` is absent when it is unknown. */
export type Rollback =
  | { readonly outcome: 'switched'; readonly before?: string; readonly current: string }
  | { readonly outcome: 'already-current'; readonly current: string }
  | { readonly outcome: 'none-before'; readonly before?: string }
  | {
      readonly outcome: 'damaged';
      readonly id: string;
      readonly before?: string;
      readonly faults: readonly SnapshotErrorDetails[];
    };

/**
 * Makes another snapshot of the store current: `wantedId`, else the one that was published before the current one and
 * was not rolled back from. It is verified first, and nothing changes unless its served files are sound. With
 * `wantedId`, an unreadable `current.json` is replaced.
 *
 * @throws {StoreBusyError} when a build is running
 * @throws {SnapshotError} when the store has no such snapshot, or does not say which is current and `wantedId` neither
 */
export function rollBack(store: string, wantedId?: string): Rollback {
  const lock = acquireStoreLock(store);
  try {
    const before = findCurrent(store);
    const id = wantedId ?? findOneBefore(store, requireCurrent(store));
    if (id === undefined) return { outcome: 'none-before', ...(before === undefined ? {} : { before }) };
    if (id === before) return { outcome: 'already-current', current: id };
    const faults = verifySnapshot(store, id);
    const unknown = faults.find(({ code }) => code === 'unknown-snapshot');
    if (unknown !== undefined) throw new SnapshotError(unknown);
    const from = before === undefined ? {} : { before };
    if (!faults.every(isOfChangesFile)) return { outcome: 'damaged', id, ...from, faults };
    markRolledBack(store, id);
    switchCurrent(store, id, before);
    return { outcome: 'switched', ...from, current: id };
  } finally {
    lock.release();
  }
}

function requireCurrent(store: string): string {
  const current = readCurrent(store);
  if (current === undefined) throw new SnapshotError({ code: 'no-snapshot', store });
  return current;
}

/** By sequence, which is the order of publication at any clock. */
function findOneBefore(store: string, id: string): string | undefined {
  const oldestFirst = listSnapshots(store).map((snapshot) => snapshot.id);
  const position = oldestFirst.indexOf(id);
  return oldestFirst.slice(0, Math.max(0, position)).findLast((earlier) => !isRolledBack(store, earlier));
}
