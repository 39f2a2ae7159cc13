import { createHash, hash, type KeyObject } from 'node:crypto';
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { SNAPSHOT_FILES } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import {
  createFolderDurably,
  PublishingError,
  removeBestEffort,
  replaceDurably,
  syncFolder,
} from '../../data/store/durable-file.ts';
import { lastBuildPath, manifestPath, newPath, snapshotFolder } from '../../data/store/layout.ts';
import { findHash } from '../../data/store/lines.ts';
import { acquireStoreLock, StoreBusyError, tryLock } from '../../data/store/lock.ts';
import { parseManifest, type WrittenFile } from '../../data/store/manifest.ts';
import { mapConcurrently } from '../../data/store/map-concurrently.ts';
import { pullStatePath, readPullState, type PullState } from '../../data/store/pull-state.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { findCurrent } from '../../data/store/snapshots.ts';
import { pruneSnapshots } from '../publish/prune.ts';
import { moveIntoPlace } from '../publish/publish.ts';
import { markRolledBack, switchCurrent } from '../publish/switch-current.ts';
import { readSmall, RemoteError, type ObjectStore } from './object-store.ts';
import { parsePictures, parseRemote, readRecord, type RevisionRecord } from './record.ts';

export interface PullOptions {
  /** The local store. */
  readonly store: string;
  readonly remote: ObjectStore;
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

const AT_ONCE = 8;

/**
 * Looks once at a remote store: finds the newest record, brings what is missing of its snapshot, checks every hash, and switches to
 * it (data/spec/many-machines.md). The store is locked for the switch alone. When something fails, and when it is killed at any
 * point, the current snapshot stays, and the next look goes on.
 * @throws {StoreBusyError} when another pull, or a build at the moment of the switch, holds the store
 * @throws {PullStateError} when `pull.json` is damaged
 */
export async function pullSnapshot({ store, remote, trusted, now }: PullOptions): Promise<Look> {
  const attempt = tryLock(join(store, 'pull.lock'));
  if (attempt.kind === 'held') throw new StoreBusyError(store, attempt);
  try {
    const read = readPullState(store);
    const state = read?.url === remote.url ? read : { url: remote.url, revision: 0, failures: 0 };
    let found: Found = {};
    let failure: string | undefined;
    try {
      found = await findNewest(remote, trusted, state.revision);
      if (found.record !== undefined) await takeUp(store, remote, found.record);
    } catch (error) {
      if (!isOfMachineOrRemote(error)) throw error;
      found = {};
      failure = error.message;
    }
    const { record, refusal } = found;
    const { revision, snapshot } = record ?? state;
    const message = failure ?? refusal;
    const at = now().toISOString();
    const after: PullState = {
      ...state,
      revision,
      snapshot,
      ...(failure === undefined ? { lastContactAt: at } : {}),
      lastFailure: message === undefined ? undefined : { at, message },
      failures: state.failures + (message === undefined ? 0 : 1),
    };
    replaceDurably(pullStatePath(store), `${JSON.stringify(after, null, 2)}\n`, newPath(store));
    return { revision, snapshot, hasSwitched: record !== undefined, refusal, failure };
  } finally {
    attempt.lock.release();
  }
}

function isOfMachineOrRemote(error: unknown): error is Error {
  const isOurs = error instanceof RemoteError || error instanceof SnapshotError || error instanceof PublishingError;
  return isOurs || (error instanceof Error && 'syscall' in error);
}

interface Found extends Pick<Look, 'refusal'> {
  /** The newest record that is accepted and not yet here. */
  readonly record?: RevisionRecord | undefined;
}

/** Reads `current.json`, then record after record from the one it names, or the one after `known`, to the last that is there. */
async function findNewest(remote: ObjectStore, trusted: readonly KeyObject[], known: number): Promise<Found> {
  const key = 'current.json';
  const text = await readSmall(remote, key, MAX_CURRENT_BYTES);
  const named = text === undefined ? 0 : (parseRemote(currentSchema, text)?.revision ?? 0);
  let refusal: string | undefined;
  if (named < known) {
    const what = text === undefined ? 'is not there' : `names revision ${named}`;
    refusal = `${remote.url}/${key}: ${what}, and revision ${known} was brought before; see who can write to the store, or delete pull.json where it was begun anew`;
  }
  let record: RevisionRecord | undefined;
  for (let revision = Math.max(known + 1, named); ; revision++) {
    const read = await readRecord(remote, revision, trusted).catch((error: unknown) => {
      // S3 without ListBucket, and CloudFront, answer 403 for what is not there.
      const isAbsent = revision > named && named > 0 && error instanceof RemoteError && error.status === 403;
      if (!isAbsent) throw error;
    });
    if (read?.kind === 'record') {
      record = read.record;
      continue;
    }
    if (read !== undefined) refusal = `${remote.url}/${read.reason}`;
    else if (revision === named) refusal = `${remote.url}/${key}: names revision ${named}, which is not there`;
    return { record, refusal };
  }
}

/** Brings the snapshot of a record into the store and makes it current. */
async function takeUp(store: string, remote: ObjectStore, record: RevisionRecord): Promise<void> {
  const id = record.snapshot;
  const key = `${id}/manifest.json`;
  const text = await readSmall(remote, key, MAX_MANIFEST_BYTES);
  if (text === undefined || hash('sha256', text, 'hex') !== record.manifest) throw notPublished(remote, key);
  const manifest = parseManifest(`${remote.url}/${key}`, text.toString(), id);

  const brought = join(store, '.pull');
  const isHere = findHash(manifestPath(store, id)) === record.manifest;
  const folder = isHere ? snapshotFolder(store, id) : join(brought, 'snapshot');
  for (const name of SNAPSHOT_FILES) {
    await bring(remote, `${id}/${name}`, manifest.files[name], brought, join(folder, name));
  }
  const list = readRegularFile(join(folder, 'pictures.ndjson'));
  const pictures = parsePictures(`${remote.url}/${id}/pictures.ndjson`, list);
  await mapConcurrently(pictures, AT_ONCE, (picture) =>
    bring(remote, picture.path.slice(1), picture, brought, join(store, picture.path)),
  );

  const lock = acquireStoreLock(store);
  try {
    const pruned = pictures.find(({ path }) => !existsSync(join(store, path)));
    if (pruned !== undefined) throw new RemoteError(0, `${store}${pruned.path}: a build has deleted it meanwhile`);
    if (!isHere) {
      replaceDurably(join(folder, 'manifest.json'), text.toString(), newPath(store));
      moveIntoPlace(store, folder, id);
    }
    const before = findCurrent(store);
    if (before !== id) {
      markRolledBack(store, id);
      switchCurrent(store, id, before);
    }
    const { lastBuild } = record;
    if (lastBuild !== undefined) replaceDurably(lastBuildPath(store), `${JSON.stringify(lastBuild)}\n`, newPath(store));
    rmSync(brought, { recursive: true, force: true });
    pruneSnapshots(store);
  } finally {
    lock.release();
  }
}

/** Downloads a file to `path`, unless it is there, by way of a folder: nothing appears there that is not what was published. */
async function bring(
  remote: ObjectStore,
  key: string,
  { bytes, sha256 }: WrittenFile,
  by: string,
  path: string,
): Promise<void> {
  if (findHash(path) === sha256) return;
  const body = await remote.get(key, bytes);
  if (body === undefined) throw notPublished(remote, key);
  for (const folder of [by, dirname(path)]) createFolderDurably(folder);
  const part = newPath(by);
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
  try {
    await pipeline(check, createWriteStream(part, { flush: true }));
    if (content.digest('hex') !== sha256) throw notPublished(remote, key);
    renameSync(part, path);
    syncFolder(dirname(path));
  } finally {
    removeBestEffort(part);
  }
}

function notPublished({ url }: ObjectStore, key: string): RemoteError {
  const remedy = 'delete it there, if it is there, and run deals push on the builder';
  return new RemoteError(200, `${url}/${key}: is not the file that was published; ${remedy}`);
}
