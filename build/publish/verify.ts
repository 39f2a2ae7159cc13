import { join } from 'node:path';
import type { Manifest, PictureLine } from '../../data/snapshot/format.ts';
import { SnapshotError, type SnapshotErrorDetails } from '../../data/snapshot/snapshot-error.ts';
import { snapshotFolder } from '../../data/store/layout.ts';
import { hashFile } from '../../data/store/lines.ts';
import { hashContent } from '../../data/store/manifest.ts';
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
    ...findManifestFaults(manifest, id, counts),
    ...faults,
    ...pictures.flatMap((picture) => findPictureFaults(store, picture)),
  ];
}

/** The list of changes is for people. When it is damaged, a rollback to the snapshot is still possible. */
export function isOfChangesFile(issue: SnapshotErrorDetails): boolean {
  return 'file' in issue && issue.file === 'changes.json';
}

/** Without counts, the snapshot cannot be loaded, and they are not compared. */
function findManifestFaults(
  manifest: Manifest,
  id: string,
  counts: Manifest['counts'] | undefined,
): SnapshotErrorDetails[] {
  const facts: readonly (readonly [field: string, expected: string | number, got: string | number])[] = [
    ['id', id, manifest.id],
    ['contentHash', hashContent(manifest.files, manifest.imagesBaseUrl), manifest.contentHash],
    ...Object.entries(counts ?? {}).map(
      ([name, count]) => [`counts.${name}`, count, manifest.counts[name as keyof Manifest['counts']]] as const,
    ),
  ];
  return facts
    .filter(([, expected, got]) => expected !== got)
    .map(([field, expected, got]) => ({
      code: 'malformed-file',
      file: 'manifest.json',
      expected: `${field} ${expected}`,
      got: JSON.stringify(got),
    }));
}

function findPictureFaults(store: string, { path: file, sha256 }: PictureLine): SnapshotErrorDetails[] {
  try {
    const found = hashFile(join(store, file));
    return found.sha256 === sha256 ? [] : [{ code: 'wrong-hash', file, expected: sha256, got: found.sha256 }];
  } catch (error) {
    return [{ code: 'unreadable-file', file, cause: (error as Error).message }];
  }
}
