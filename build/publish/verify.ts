import { join } from 'node:path';
import type { Manifest, PictureLine } from '../../data/snapshot/format.ts';
import { SnapshotError, type SnapshotErrorDetails } from '../../data/snapshot/snapshot-error.ts';
import { snapshotFolder } from '../../data/store/layout.ts';
import { hashFile } from '../../data/store/lines.ts';
import { readManifest } from '../../data/store/snapshots.ts';
import { checkSnapshot } from './snapshot-check.ts';

/**
 * All errors of a published snapshot: hashes, schemas, pictures, and what the server checks. Empty when it is unchanged.
 */
export function verifySnapshot(store: string, id: string): readonly SnapshotErrorDetails[] {
  let manifest: Manifest;
  try {
    manifest = readManifest(store, id);
  } catch (error) {
    if (error instanceof SnapshotError) return [error.details];
    throw error;
  }
  const { faults, counts, pictures } = checkSnapshot(snapshotFolder(store, id), manifest.files);
  return [
    ...findWrongCounts(manifest, counts),
    ...faults,
    ...pictures.flatMap((picture) => findPictureFaults(store, picture)),
  ];
}

/** The list of changes is for people. When it is damaged, a rollback to the snapshot is still possible. */
export function isOfChangesFile(issue: SnapshotErrorDetails): boolean {
  return 'file' in issue && issue.file === 'changes.json';
}

/** Without counts, the snapshot cannot be loaded, and they are not compared. */
function findWrongCounts(manifest: Manifest, counts: Partial<Manifest['counts']> = {}): SnapshotErrorDetails[] {
  return Object.entries(counts).flatMap(([name, count]) => {
    const got = String(manifest.counts[name as keyof Manifest['counts']]);
    const expected = `counts.${name} ${count}`;
    return got === String(count) ? [] : [{ code: 'malformed-file', file: 'manifest.json', expected, got }];
  });
}

function findPictureFaults(store: string, { path: file, sha256 }: PictureLine): SnapshotErrorDetails[] {
  try {
    const found = hashFile(join(store, file));
    return found.sha256 === sha256 ? [] : [{ code: 'wrong-hash', file, expected: sha256, got: found.sha256 }];
  } catch (error) {
    return [{ code: 'unreadable-file', file, cause: (error as Error).message }];
  }
}
