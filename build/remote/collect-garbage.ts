import { performance } from 'node:perf_hooks';
import { pictureLineSchema, type Manifest, type PictureLine } from '../../data/snapshot/format.ts';
import { manifestPath } from '../../data/store/layout.ts';
import { findHash, readPictures } from '../../data/store/lines.ts';
import { mapConcurrently } from '../../data/store/map-concurrently.ts';
import { parseManifest } from '../../data/store/manifest.ts';
import { readManifest } from '../../data/store/snapshots.ts';
import { readBlob } from './blobs.ts';
import { listObjects, RemoteError, type ListedObject, type ObjectStore, type ReadableStore } from './object-store.ts';
import { KEPT_MS, readHistory } from './records.ts';
import { BLOB_PREFIX, blobPath, IMAGE_PREFIX, imagePath, PROBE_PREFIX, type RevisionRecord } from './remote-format.ts';
import type { TrustedKeys } from './signature.ts';

const DELETED_AT_ONCE = 8;

/** How long after its commit a push deletes. */
const COLLECTING_MS = 60_000;

/** After this time nothing is deleted any more by the pushes that had committed before: a request may be under way for long. */
export const COLLECTED_MS = COLLECTING_MS + 60_000;

/**
 * Deletes the objects that no kept record names and that are at least a day old, and the records that are not kept. A day is
 * longer than any push or pull, so nothing that one of them needs is deleted.
 * @param committedMs when the caller has begun to commit, by `performance.now()`: see `COLLECTED_MS`
 * @returns how many objects were deleted
 * @throws {RemoteError} when it cannot be known what a kept record names: then nothing is deleted
 */
export async function collectGarbage(
  store: string,
  remote: ObjectStore,
  trusted: TrustedKeys,
  committedMs: number,
): Promise<number> {
  const { kept, outdated } = await readHistory(remote, trusted);
  const named = new Set<string>();
  for (const { record } of kept) {
    for (const key of await listNamed(store, remote, record)) named.add(key);
  }
  // The record that was just written has the time of the store: its clock, not ours, says what is old.
  const nowMs = Math.max(...kept.map(({ modifiedMs }) => modifiedMs));
  const unneeded = [...outdated];
  for (const prefix of [BLOB_PREFIX, IMAGE_PREFIX, PROBE_PREFIX]) {
    const isOld = ({ modifiedMs }: ListedObject): boolean => nowMs - modifiedMs >= KEPT_MS;
    const listed = [...(await listObjects(remote, prefix)).values()];
    unneeded.push(...listed.filter((object) => isOld(object) && !named.has(object.key)).map(({ key }) => key));
  }
  let deleted = 0;
  await mapConcurrently(unneeded, DELETED_AT_ONCE, async (key) => {
    if (performance.now() - committedMs > COLLECTING_MS) return;
    if (await deleteOnce(remote, key)) deleted++;
  });
  return deleted;
}

/** The store may do later what it does not answer now: another request could delete an object that was put since. */
async function deleteOnce(remote: ObjectStore, key: string): Promise<boolean> {
  try {
    await remote.delete(key);
    return true;
  } catch (error) {
    if (error instanceof RemoteError && error.kind === 'unreachable') return false;
    throw error;
  }
}

/** The keys that a record names, through its manifest and its list of pictures. */
async function listNamed(store: string, remote: ReadableStore, record: RevisionRecord): Promise<readonly string[]> {
  const isLocal = findHash(manifestPath(store, record.snapshot)) === record.manifest;
  const manifest = isLocal
    ? readManifest(store, record.snapshot)
    : parseManifest(record.snapshot, (await readBlob(remote, record.manifest)).toString());
  const pictures = isLocal ? readPictures(store, manifest) : await readRemotePictures(remote, manifest);
  return [
    blobPath(record.manifest),
    ...(record.lastBuild === undefined ? [] : [blobPath(record.lastBuild)]),
    ...Object.values(manifest.files).map(({ sha256 }) => blobPath(sha256)),
    ...pictures.map(({ path }) => imagePath(path)),
  ];
}

async function readRemotePictures(remote: ReadableStore, { files }: Manifest): Promise<readonly PictureLine[]> {
  const text = await readBlob(remote, files['pictures.ndjson'].sha256);
  const lines = text
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => pictureLineSchema.parse(JSON.parse(line)));
}
