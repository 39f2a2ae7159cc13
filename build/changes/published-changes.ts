import { join } from 'node:path';
import { changesSchema, type Changes } from '../../data/snapshot/changes.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { snapshotFolder } from '../../data/store/layout.ts';
import { readCurrent, readManifest } from '../../data/store/snapshots.ts';
import { compareSnapshots } from './compare-snapshots.ts';
import { openSnapshotLines, verifyHash, type SnapshotLines } from '../../data/store/lines.ts';

/**
 * `changes.json` of a snapshot that is about to be published: its differences from the current one. A current snapshot
 * that is damaged, or of another format version, cannot be compared, and does not stop publishing.
 */
export function describePublishedChanges(store: string, after: SnapshotLines): Changes {
  const from = readCurrent(store);
  if (from === undefined) return { reason: 'nothing was published before', ...compareSnapshots(undefined, after) };
  let before: SnapshotLines;
  try {
    before = openSnapshotLines(store, readManifest(store, from));
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    // The code and not the sentence, because published files hold no path of the machine.
    const reason = `the snapshot before, ${from}, cannot be compared with: ${error.details.code}`;
    return { reason, ...compareSnapshots(undefined, after) };
  }
  return { from, ...compareSnapshots(before, after) };
}

/**
 * The changes with which a snapshot was published.
 * @throws {SnapshotError} when the file is not what was published
 */
export function readPublishedChanges(store: string, manifest: Manifest): Changes {
  const file = join(snapshotFolder(store, manifest.id), 'changes.json');
  verifyHash(file, manifest.files['changes.json'].sha256);
  return changesSchema.parse(JSON.parse(readRegularFile(file)));
}
