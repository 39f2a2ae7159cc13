import { access, readdir, type FileHandle } from 'node:fs/promises';
import type { Manifest } from '../snapshot/format.ts';
import { SnapshotError, unreadable } from '../snapshot/snapshot-error.ts';
import {
  currentPath,
  isSnapshotId,
  manifestPath,
  parseCurrent,
  parsePrevious,
  previousPath,
  rolledBackPath,
  type Previous,
} from './layout.ts';
import { hashContent, parseManifest, parseSequence } from './manifest.ts';
import { isErrorCode, openRegularHandle } from './regular-file.ts';

// A server reads a store without blocking its event loop; a build reads the same files in `snapshots.ts`.

/** A manifest has about 10 KB, a pointer 60 bytes; a longer file is not read. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

/** A snapshot in the store, sound or damaged. */
export interface StoredId {
  readonly id: string;
  /** From its manifest, even a damaged one; 0 when that has none. */
  readonly sequence: number;
  /** An operator rolled back from it: only an operator makes it current again. */
  readonly isRolledBack: boolean;
}

/** The id that `current.json` names. @throws {SnapshotError} when there is none */
export async function readCurrentId(store: string): Promise<string> {
  const file = currentPath(store);
  const text = await readText(file, new SnapshotError({ code: 'no-snapshot', store }));
  const id = parseCurrent(text);
  if (id !== undefined) return id;
  const [expected, got] = ['{"snapshot": "<id>"} and its check', JSON.stringify(text.slice(0, 80))];
  throw new SnapshotError({ code: 'malformed-file', file, expected, got });
}

/** The switch to the current snapshot in `previous.json`; undefined when that is gone or damaged. */
export async function findPreviousSwitch(store: string): Promise<Previous | undefined> {
  const missing = new SnapshotError({ code: 'no-snapshot', store });
  return parsePrevious(await readText(previousPath(store), missing).catch(() => ''));
}

/** The snapshots of a store, newest first by sequence. */
export async function listStoredIds(store: string): Promise<readonly StoredId[]> {
  const names = await readdir(store).catch((): string[] => []);
  const stored: StoredId[] = [];
  for (const id of names.filter(isSnapshotId)) {
    stored.push({ id, sequence: await findSequence(store, id), isRolledBack: await hasRollbackMark(store, id) });
  }
  return stored.sort((a, b) => b.sequence - a.sequence);
}

/** True also when the mark cannot be checked: then the snapshot cannot be read either. */
function hasRollbackMark(store: string, id: string): Promise<boolean> {
  return access(rolledBackPath(store, id)).then(
    () => true,
    (error: unknown) => !isErrorCode(error, 'ENOENT'),
  );
}

function findSequence(store: string, id: string): Promise<number> {
  return readManifestText(store, id).then(parseSequence, () => 0);
}

/**
 * The manifest of a snapshot, checked as far as it can be without the files that it lists.
 * @throws {SnapshotError}
 */
export async function readSnapshotManifest(store: string, id: string): Promise<Manifest> {
  const file = manifestPath(store, id);
  const manifest = parseManifest(file, await readManifestText(store, id));
  const expect = (expected: string, isMet: boolean, got: string): void => {
    if (isMet) return;
    throw new SnapshotError({ code: 'malformed-file', file, expected, got: JSON.stringify(got) });
  };
  expect(`the manifest of ${id}`, manifest.id === id, manifest.id);
  // ETags and cursors use this hash only: a wrong one would let clients keep old content.
  const contentHash = hashContent(manifest.files, manifest.imagesBaseUrl);
  expect(`contentHash ${contentHash}`, manifest.contentHash === contentHash, manifest.contentHash);
  return manifest;
}

async function readManifestText(store: string, id: string): Promise<string> {
  const unknown = new SnapshotError({ code: 'unknown-snapshot', store, id });
  if (!isSnapshotId(id)) throw unknown;
  return readText(manifestPath(store, id), unknown);
}

/** @throws {SnapshotError} `missing` when there is no such file */
async function readText(file: string, missing: SnapshotError): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    handle = await openRegularHandle(file);
    const { size } = await handle.stat();
    if (size > MAX_MANIFEST_BYTES) {
      throw new SnapshotError({ code: 'too-large', file, maxBytes: MAX_MANIFEST_BYTES, got: String(size) });
    }
    return await handle.readFile('utf8');
  } catch (error) {
    if (error instanceof SnapshotError) throw error;
    throw isErrorCode(error, 'ENOENT') ? missing : unreadable(file, error);
  } finally {
    await handle?.close();
  }
}
