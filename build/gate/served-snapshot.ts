import type { Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { readCurrent, readManifest } from '../publish/stored-snapshot.ts';

/** What a build is compared with. */
export type ServedSnapshot =
  | { readonly kind: 'known'; readonly id: string; readonly manifest: Manifest }
  /** There is nothing to compare with, and that is in order. */
  | { readonly kind: 'none'; readonly reason: string }
  /** There should be something. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** @throws {SnapshotError} when `current.json` itself cannot be read */
export function readServedSnapshot(store: string): ServedSnapshot {
  const id = readCurrent(store);
  if (id === undefined) return { kind: 'none', reason: 'nothing was published before' };
  try {
    return { kind: 'known', id, manifest: readManifest(store, id) };
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    const kind = error.issue.code === 'unknown-format' ? 'none' : 'unreadable';
    return { kind, reason: error.message };
  }
}
