import { join } from 'node:path';
import { SNAPSHOT_FILES, type Manifest, type PictureLine } from '../../data/snapshot/format.ts';
import { SnapshotError, type SnapshotErrorDetails } from '../../data/snapshot/snapshot-error.ts';
import { snapshotFolder } from '../../data/store/layout.ts';
import { hashFile } from '../../data/store/lines.ts';
import { hashContent } from '../../data/store/manifest.ts';
import { readManifest } from '../../data/store/snapshots.ts';
import { checkAgainstSchema } from './schema-check.ts';
import { SnapshotCheck } from './snapshot-check.ts';

/**
 * All errors of a published snapshot: every hash, schema, reference and picture is checked. Empty when it is unchanged.
 */
export function verifySnapshot(store: string, id: string): readonly SnapshotErrorDetails[] {
  let manifest: Manifest;
  try {
    manifest = readManifest(store, id);
  } catch (error) {
    if (error instanceof SnapshotError) return [error.details];
    throw error;
  }
  const check = new SnapshotCheck(snapshotFolder(store, id));
  for (const file of SNAPSHOT_FILES) check.read(file, manifest.files[file]);
  const counts = check.finish();
  return [
    ...findManifestFaults(manifest, id, counts),
    ...check.faults,
    ...check.pictures.flatMap((picture) => findPictureFaults(store, picture)),
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
  const check = checkAgainstSchema('manifest.json', manifest);
  const facts: readonly (readonly [field: string, expected: string | number, got: string | number])[] = [
    ['published schema', 'met', check.kind === 'faulty' ? check.fault : 'met'],
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
