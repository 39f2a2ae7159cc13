import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pictureLineSchema, SNAPSHOT_FILES, type Manifest, type SnapshotFile } from '../../data/snapshot/format.ts';
import { copyDurably, createTextDurably, syncFolder } from '../../data/store/durable-file.ts';
import { imagesFolder, manifestPath, NEW_PREFIX, snapshotPath } from '../../data/store/layout.ts';
import { findHash, parseLines, readLines } from '../../data/store/lines.ts';
import { hashContent, parseManifest } from '../../data/store/manifest.ts';
import { mapConcurrently } from '../../data/store/map-concurrently.ts';
import type { AcceptedRevision, PullStep } from '../../data/store/pull-state.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { listSnapshots } from '../../data/store/snapshots.ts';
import { removeLeftovers } from '../publish/prune.ts';
import { moveIntoPlace } from '../publish/publish.ts';
import { downloadBlob, downloadObject, readBlob } from './blobs.ts';
import { RemoteError, type ReadableStore } from './object-store.ts';
import { imagePath } from './remote-format.ts';

/** A pull that failed, and at which step. */
export class PullError extends Error {
  override readonly name = 'PullError';
  readonly step: PullStep;

  constructor(step: PullStep, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    // A full disk is one, whichever object filled it.
    const isOfRemote = cause instanceof RemoteError;
    this.step = isOfRemote || !(cause instanceof Error && 'syscall' in cause) ? step : 'disk';
  }
}

/** Gives the errors of `work` its step. */
export async function atStep<Result>(step: PullStep, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PullError ? error : new PullError(step, error);
  }
}

export interface FetchOptions {
  /** The local store; the caller holds its lock. */
  readonly store: string;
  readonly remote: ReadableStore;
  readonly record: AcceptedRevision;
  /** Called with the bytes of each chunk that came. */
  readonly count: (bytes: number) => void;
}

/** What must stay free on the disk. */
const RESERVE_BYTES = 64 * 1024 * 1024;

const PARALLEL_IMAGES = 8;

/**
 * Brings the snapshot of a record into the store, whole and verified, and leaves the current one as it is. What is there
 * already, also of a pull that was killed, is not fetched again.
 * @throws {PullError}
 */
export async function fetchSnapshot(options: FetchOptions): Promise<void> {
  const { store, remote, record, count } = options;
  const text = await atStep('manifest', () => readManifestText(options));
  const manifest = await atStep('manifest', () => checkManifest(record, text));
  const folder = join(store, `${NEW_PREFIX}${manifest.id}`);
  await atStep('disk', () => removeLeftovers(store, folder));
  if (isHere(store, manifest, record)) {
    await fetchPictures(options, snapshotPath(store, manifest.id, 'pictures.ndjson'));
    return;
  }
  const missing = await atStep('disk', () => {
    mkdirSync(folder, { recursive: true });
    return takeLocalFiles(store, manifest, folder);
  });
  const bytes = missing.reduce((sum, name) => sum + manifest.files[name].bytes, 0);
  await atStep('disk', () => checkRoom(store, bytes));
  for (const name of missing) {
    await atStep('blob', () => downloadBlob(remote, manifest.files[name], join(folder, name), count));
  }
  await fetchPictures(options, join(folder, 'pictures.ndjson'));
  await atStep('disk', () => {
    const path = join(folder, 'manifest.json');
    rmSync(path, { force: true });
    createTextDurably(path, text);
    syncFolder(folder);
    moveIntoPlace(store, folder, manifest.id);
  });
}

async function readManifestText({ store, remote, record }: FetchOptions): Promise<string> {
  const path = manifestPath(store, record.snapshot);
  if (findHash(path) === record.manifest) return readRegularFile(path);
  return (await readBlob(remote, record.manifest)).toString();
}

/** @throws {Error} when it is not the manifest that the record describes */
function checkManifest(record: AcceptedRevision, text: string): Manifest {
  const manifest = parseManifest('manifest.json', text);
  const contentHash = hashContent(manifest.files, manifest.imagesBaseUrl);
  const isMeant =
    manifest.id === record.snapshot && manifest.contentHash === contentHash && record.contentHash === contentHash;
  if (isMeant) return manifest;
  throw new RemoteError(
    'unexpected',
    `revision ${record.revision}: its manifest is of another snapshot, ${manifest.id}`,
  );
}

/** Whether the store has every file of the snapshot as it was published. */
function isHere(store: string, manifest: Manifest, record: AcceptedRevision): boolean {
  if (findHash(manifestPath(store, manifest.id)) !== record.manifest) return false;
  return SNAPSHOT_FILES.every(
    (name) => findHash(snapshotPath(store, manifest.id, name)) === manifest.files[name].sha256,
  );
}

/** Copies the files that did not change since another snapshot of the store. Returns those that have to be fetched. */
function takeLocalFiles(store: string, manifest: Manifest, folder: string): readonly SnapshotFile[] {
  const stored = listSnapshots(store);
  return SNAPSHOT_FILES.filter((name) => {
    const { sha256 } = manifest.files[name];
    const target = join(folder, name);
    if (findHash(target) === sha256) return false;
    const source = stored.find((snapshot) => snapshot.manifest?.files[name].sha256 === sha256);
    if (source === undefined) return true;
    const path = snapshotPath(store, source.id, name);
    if (findHash(path) !== sha256) return true;
    rmSync(target, { force: true });
    copyDurably(path, target);
    return findHash(target) !== sha256;
  });
}

/** @throws {Error} before anything is written that would not fit */
function checkRoom(store: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(store);
  const freeBytes = bavail * bsize;
  if (freeBytes >= bytes + RESERVE_BYTES) return;
  const [needed, free] = [bytes + RESERVE_BYTES, freeBytes].map((each) => `${Math.ceil(each / 1e6)} MB`);
  throw new Error(`${store}: expected ${needed} free on the disk, found ${free}; make room, or remove old snapshots`);
}

/** Fetches the pictures of a list that the store lacks, or has damaged. */
async function fetchPictures({ store, remote, count }: FetchOptions, list: string): Promise<void> {
  const pictures = [...parseLines(readLines(list), 'pictures.ndjson')].map((line) => pictureLineSchema.parse(line));
  const missing = await atStep('disk', () => {
    const absent = pictures.filter(({ path, sha256 }) => findHash(join(store, path)) !== sha256);
    checkRoom(
      store,
      absent.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    for (const { path } of absent) mkdirSync(dirname(join(store, path)), { recursive: true });
    return absent;
  });
  await atStep('image', () =>
    mapConcurrently(missing, PARALLEL_IMAGES, (picture) =>
      downloadObject(remote, imagePath(picture.path), picture, join(store, picture.path), count),
    ),
  );
  await atStep('disk', () => {
    for (const folder of new Set(missing.map(({ path }) => dirname(join(store, path))))) syncFolder(folder);
    if (missing.length > 0) syncFolder(imagesFolder(store));
  });
}
