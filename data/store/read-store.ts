import type { Manifest } from '../snapshot/format.ts';
import { malformed, SnapshotError, unreadable } from '../snapshot/snapshot-error.ts';
import { currentPath, isSnapshotId, manifestPath, parseCurrent } from './layout.ts';
import { parseManifest } from './manifest.ts';
import { isErrorCode, readRegularText } from './regular-file.ts';

// A running server reads a store without blocking its event loop; everything else reads the same files in `snapshots.ts`.

/** The id that `current.json` names. @throws {SnapshotError} when there is none */
export async function readCurrentId(store: string): Promise<string> {
  const file = currentPath(store);
  const text = await readText(file, new SnapshotError({ code: 'no-snapshot', store }));
  const id = parseCurrent(text);
  if (id !== undefined) return id;
  throw malformed(file, undefined, '{"snapshot": "<id>"} and its check', JSON.stringify(text.slice(0, 80)));
}

/** The manifest of a snapshot. @throws {SnapshotError} */
export async function readSnapshotManifest(store: string, id: string): Promise<Manifest> {
  const file = manifestPath(store, id);
  const unknown = new SnapshotError({ code: 'unknown-snapshot', store, id });
  if (!isSnapshotId(id)) throw unknown;
  return parseManifest(file, await readText(file, unknown), id);
}

/** @throws {SnapshotError} `missing` when there is no such file */
async function readText(file: string, missing: SnapshotError): Promise<string> {
  try {
    return await readRegularText(file);
  } catch (error) {
    throw isErrorCode(error, 'ENOENT') ? missing : unreadable(file, error);
  }
}
