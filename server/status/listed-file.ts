import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Manifest, SnapshotFile } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { readListed, type ListedFile } from './scan-lines.ts';

/** A report lists some hundred samples, and changes are cut to a hundred of a kind: both are far below this. */
const MAX_WHOLE_BYTES = 32_000_000;

export function listFile(store: string, { id, files }: Manifest, name: SnapshotFile): ListedFile {
  return { store, snapshot: id, path: join(store, id, name), bytes: files[name].bytes };
}

/**
 * The value of a JSON file of a snapshot. It was held to its schema when it was published, and its hash is what it was then.
 * @throws {SnapshotError} `unknown-snapshot` when the snapshot is no longer in the store, else what is wrong with the file
 */
export async function readValue(store: string, manifest: Manifest, name: SnapshotFile): Promise<unknown> {
  const file = listFile(store, manifest, name);
  if (file.bytes > MAX_WHOLE_BYTES) {
    const got = String(file.bytes);
    throw new SnapshotError({ code: 'too-large', file: file.path, maxBytes: MAX_WHOLE_BYTES, got });
  }
  const bytes = await readListed(file);
  const expected = manifest.files[name].sha256;
  const got = createHash('sha256').update(bytes).digest('hex');
  if (got !== expected) throw new SnapshotError({ code: 'wrong-hash', file: file.path, expected, got });
  return JSON.parse(bytes.toString('utf8'));
}
