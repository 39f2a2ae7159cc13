import { createHash, hash, type KeyObject } from 'node:crypto';
import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { pictureLineSchema, SNAPSHOT_FILES, type Manifest, type PictureLine } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { createTextDurably, PublishingError, replaceDurably, syncFolder } from '../../data/store/durable-file.ts';
import {
  lastBuildPath,
  listNames,
  manifestPath,
  newPath,
  snapshotFolder,
  snapshotPath,
} from '../../data/store/layout.ts';
import { findHash, parseLines, readLines } from '../../data/store/lines.ts';
import { acquireStoreLock, StoreBusyError, tryLock } from '../../data/store/lock.ts';
import { parseManifest, type WrittenFile } from '../../data/store/manifest.ts';
import { mapConcurrently } from '../../data/store/map-concurrently.ts';
import { pullStatePath, readPullState, type PullState } from '../../data/store/pull-state.ts';
import { findCurrent } from '../../data/store/snapshots.ts';
import { pruneSnapshots } from '../publish/prune.ts';
import { moveIntoPlace } from '../publish/publish.ts';
import { markRolledBack, switchCurrent } from '../publish/switch-current.ts';
import { readSmall, RemoteError, type ReadableStore } from './object-store.ts';
import { parseRemote, readRecord, type RevisionRecord } from './record.ts';

export interface PullOptions {
  /** The local store. */
  readonly store: string;
  readonly remote: ReadableStore;
  /** The public keys of which one must have signed a record; none for no matter who. */
  readonly trusted: readonly KeyObject[];
  readonly now: () => Date;
}

/** What a look came to. */
export interface Look {
  /** The revision and snapshot that were switched to last. */
  readonly revision: number;
  readonly snapshot: string | undefined;
  /** Whether this look switched to it. */
  readonly hasSwitched: boolean;
  /** What was found and not accepted: someone must see who writes to the remote store. */
  readonly refusal?: string | undefined;
  /** Why nothing, or not the newest, could be brought. */
  readonly failure?: string | undefined;
}

const currentSchema = z.object({ revision: z.number().int().min(1) });
const MAX_CURRENT_BYTES = 10_000;
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;
/** The most records that one look reads. */
const MAX_RECORDS = 1_000;

/** What a pull is bringing; the next one goes on with it. */
const PULL_PREFIX = '.pull-';

const AT_ONCE = 8;

/**
 * Looks once at a remote store: finds the newest record, brings what is missing of its snapshot, checks every hash, and switches to
 * it (data/spec/many-machines.md). The store is locked for the switch alone. When something fails, and when it is killed at any point, the
 * current snapshot stays, and the next look goes on.
 * @throws {StoreBusyError} when another pull, or a build at the moment of the switch, holds the store
 * @throws {PullStateError} when `pull.json` is damaged
 */
export async function pullSnapshot(options: PullOptions): Promise<Look> {
  const { store, remote } = options;
  const attempt = tryLock(join(store, 'pull.lock'));
  if (attempt.kind === 'held') throw new StoreBusyError(store, attempt);
  try {
    const read = readPullState(store);
    const state = read?.url === remote.url ? read : { url: remote.url, revision: 0, failures: 0 };
    return await lookAndRemember(options, state);
  } finally {
    attempt.lock.release();
  }
}

async function lookAndRemember(options: PullOptions, state: PullState): Promise<Look> {
  const { store, remote, trusted, now } = options;
  let found: Found = {};
  let failure: string | undefined;
  try {
    found = await findNewest(remote, trusted, state.revision);
    if (found.record !== undefined) await takeUp(store, remote, found.record);
  } catch (error) {
    if (!isOfMachineOrRemote(error)) throw error;
    failure = error.message;
  }
  const switched = failure === undefined ? found.record : undefined;
  const { revision, snapshot } = switched ?? state;
  const message = failure ?? found.refusal;
  const at = now().toISOString();
  const after: PullState = {
    url: remote.url,
    revision,
    snapshot,
    lastContactAt: failure === undefined ? at : state.lastContactAt,
    lastFailure: message === undefined ? undefined : { at, message },
    failures: state.failures + (message === undefined ? 0 : 1),
  };
  replaceDurably(pullStatePath(store), `${JSON.stringify(after, null, 2)}\n`, newPath(store));
  return { revision, snapshot, hasSwitched: switched !== undefined, refusal: found.refusal, failure };
}

function isOfMachineOrRemote(error: unknown): error is Error {
  return (
    error instanceof RemoteError ||
    error instanceof SnapshotError ||
    error instanceof PublishingError ||
    (error instanceof Error && 'syscall' in error)
  );
}

interface Found {
  /** The newest record that is accepted and not yet here. */
  readonly record?: RevisionRecord | undefined;
  /** `current.json` or a record, and why it is not accepted. */
  readonly refusal?: string | undefined;
}

/** Reads `current.json`, then record after record from the one it names, or the one after `known`, to the last that is there. */
async function findNewest(remote: ReadableStore, trusted: readonly KeyObject[], known: number): Promise<Found> {
  const text = await readSmall(remote, 'current.json', MAX_CURRENT_BYTES);
  const named = text === undefined ? 0 : (parseRemote(currentSchema, text)?.revision ?? 0);
  let refusal: string | undefined;
  if (named < known) {
    const what = text === undefined ? 'is not there' : `names revision ${named}`;
    refusal = `${remote.url}/current.json: ${what}, and revision ${known} was brought before; see who can write to the store, or delete pull.json where it was begun anew`;
  }
  let record: RevisionRecord | undefined;
  const start = Math.max(known + 1, named);
  for (let revision = start; revision < start + MAX_RECORDS; revision++) {
    const read = await readRecord(remote, revision, trusted).catch((error: unknown) => {
      // S3 without ListBucket, and CloudFront, answer 403 for what is not there.
      const isAbsent = revision > named && named > 0 && error instanceof RemoteError && error.kind === 'denied';
      if (!isAbsent) throw error;
    });
    if (read === undefined) {
      if (revision === named) refusal = `${remote.url}/current.json: names revision ${named}, which is not there`;
      break;
    }
    if (read.kind === 'record') record = read.record;
    else refusal = `${remote.url}/${read.reason}`;
  }
  return { record, refusal };
}

/** Brings the snapshot of a record into the store and makes it current. */
async function takeUp(store: string, remote: ReadableStore, record: RevisionRecord): Promise<void> {
  const folder = join(store, `${PULL_PREFIX}${record.snapshot}`);
  for (const name of listNames(store)) {
    const isOther = name.startsWith(PULL_PREFIX) && join(store, name) !== folder;
    if (isOther) rmSync(join(store, name), { recursive: true, force: true });
  }
  const manifestKey = `${record.snapshot}/manifest.json`;
  const text = await readSmall(remote, manifestKey, MAX_MANIFEST_BYTES);
  if (text === undefined || hash('sha256', text, 'hex') !== record.manifest) throw notPublished(remote, manifestKey);
  const manifest = parseManifest(`${remote.url}/${manifestKey}`, text.toString(), record.snapshot);

  const isHere = hasSnapshot(store, manifest, record);
  const files = isHere ? snapshotFolder(store, manifest.id) : join(folder, 'snapshot');
  if (!isHere) {
    for (const name of SNAPSHOT_FILES) {
      await bring(remote, `${manifest.id}/${name}`, manifest.files[name], join(files, name));
    }
  }
  const missing = listPictures(remote, manifest, files).filter(
    ({ path, sha256 }) => findHash(join(store, path)) !== sha256,
  );
  await mapConcurrently(missing, AT_ONCE, (picture) =>
    bring(remote, picture.path.slice(1), picture, join(folder, picture.path)),
  );

  const lock = acquireStoreLock(store);
  try {
    for (const { path } of missing) moveDurably(join(folder, path), join(store, path));
    if (!isHere) {
      rmSync(join(files, 'manifest.json'), { force: true });
      createTextDurably(join(files, 'manifest.json'), text.toString());
      syncFolder(files);
      moveIntoPlace(store, files, manifest.id);
    }
    const before = findCurrent(store);
    if (before !== manifest.id) {
      markRolledBack(store, manifest.id);
      switchCurrent(store, manifest.id, before);
    }
    const { lastBuild } = record;
    if (lastBuild !== undefined) replaceDurably(lastBuildPath(store), `${JSON.stringify(lastBuild)}\n`, newPath(store));
    rmSync(folder, { recursive: true, force: true });
    pruneSnapshots(store);
  } finally {
    lock.release();
  }
}

/** Whether the store has every file of the snapshot as it was published. */
function hasSnapshot(store: string, { id, files }: Manifest, record: RevisionRecord): boolean {
  if (findHash(manifestPath(store, id)) !== record.manifest) return false;
  return SNAPSHOT_FILES.every((name) => findHash(snapshotPath(store, id, name)) === files[name].sha256);
}

/** The pictures that a snapshot shows. A path of another form could lie anywhere. */
function listPictures(remote: ReadableStore, { id }: Manifest, folder: string): readonly PictureLine[] {
  const name = 'pictures.ndjson';
  return [...parseLines(readLines(join(folder, name)), name)].map((line) => {
    const picture = pictureLineSchema.safeParse(line).data;
    if (picture !== undefined) return picture;
    throw new RemoteError('unexpected', `${remote.url}/${id}/${name}: has a line that is no picture of a snapshot`);
  });
}

/** Downloads a file to `path`, unless it is there, where it appears only when it is whole and on the disk. */
async function bring(remote: ReadableStore, key: string, { bytes, sha256 }: WrittenFile, path: string): Promise<void> {
  if (findHash(path) === sha256) return;
  mkdirSync(dirname(path), { recursive: true });
  const body = await remote.get(key, bytes);
  if (body === undefined) throw notPublished(remote, key);
  const content = createHash('sha256');
  let length = 0;
  const check = async function* () {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > bytes) throw notPublished(remote, key);
      content.update(chunk);
      yield chunk;
    }
  };
  await pipeline(check, createWriteStream(`${path}.part`, { flush: true }));
  if (content.digest('hex') !== sha256) throw notPublished(remote, key);
  renameSync(`${path}.part`, path);
}

function notPublished({ url }: ReadableStore, key: string): RemoteError {
  const remedy = 'delete it there, if it is there, and run deals push on the builder';
  return new RemoteError('unexpected', `${url}/${key}: is not the file that was published; ${remedy}`);
}

function moveDurably(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
  syncFolder(dirname(to));
  syncFolder(dirname(dirname(to)));
}
