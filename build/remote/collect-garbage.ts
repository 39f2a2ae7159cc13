import { pictureLineSchema, type Manifest, type PictureLine } from '../../data/snapshot/format.ts';
import { manifestPath } from '../../data/store/layout.ts';
import { findHash, readPictures } from '../../data/store/lines.ts';
import { mapConcurrently } from '../../data/store/map-concurrently.ts';
import { parseManifest } from '../../data/store/manifest.ts';
import { readManifest } from '../../data/store/snapshots.ts';
import { readBlob } from './blobs.ts';
import { listObjects, type ListedObject, type ObjectStore, type ReadableStore } from './object-store.ts';
import { KEPT_MS, readHistory } from './records.ts';
import { BLOB_PREFIX, blobPath, IMAGE_PREFIX, imagePath, PROBE_PREFIX, type RevisionRecord } from './remote-format.ts';
import type { TrustedKeys } from './signature.ts';

const DELETED_AT_ONCE = 8;

/**
 * Deletes the objects that no kept record names and that are at least a day old, and the records that are not kept. A day is
 * longer than any push or pull, so nothing that one of them needs is deleted.
 * @returns how many objects were deleted
 * @throws {RemoteError} when it cannot be known what a kept record names: then nothing is deleted
 */
export async function collectGarbage(store: string, remote: ObjectStore, trusted: TrustedKeys): Promise<number> {
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
  await mapConcurrently(unneeded, DELETED_AT_ONCE, (key) => remote.delete(key));
  return unneeded.length;
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
