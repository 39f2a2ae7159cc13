import { hash, type KeyObject } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { SNAPSHOT_FILES } from '../../data/snapshot/format.ts';
import { createFolderDurably, moveIntoPlace, replaceDurably } from '../../data/store/durable-file.ts';
import { isMachineError } from '../../data/store/system-error.ts';
import { storePath, snapshotPath, parseJson, snapshotFolder } from '../../data/store/layout.ts';
import { findHash } from '../../data/store/lines.ts';
import { acquireStoreLock } from '../../data/store/lock.ts';
import { parseManifest } from '../../data/store/manifest.ts';
import { readPullState, type PullState } from '../../data/store/pull-state.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { findCurrent } from '../../data/store/snapshots.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { pruneSnapshots } from '../publish/prune.ts';
import { markRolledBack, switchCurrent } from '../publish/switch-current.ts';
import { notPublished, RemoteError, type ObjectStore } from './object-store.ts';
import { parsePictures, readRecord, type FoundRecord, type RevisionRecord } from './record.ts';

export interface PullOptions {
  /** The local store. */
  readonly store: string;
  readonly remote: ObjectStore;
  /** One of them must have signed a record; none for no matter who. */
  readonly trusted: readonly KeyObject[];
  readonly now: () => Date;
}

/**
 * Looks once at a remote store: finds the newest record, brings what is missing of its snapshot, checks every hash, and switches to
 * it (data/spec/many-machines.md). The store is locked for the switch alone. When something fails, or kills it, the
 * current snapshot stays, and the next look goes on.
 * @returns what was switched to last; `refusal` for what is there and not accepted, `failure` for what could not be brought
 * @throws {StoreBusyError} when another pull, or a build at the moment of the switch, holds the store
 * @throws {SnapshotError} when `pull.json` is damaged
 */
export async function pullSnapshot({ store, remote, trusted, now }: PullOptions) {
  const lock = acquireStoreLock(store, join(store, 'pull.lock'));
  try {
    const read = readPullState(store);
    const state = read?.url === remote.url ? read : { url: remote.url, revision: 0, failures: 0 };
    let found: FoundRecord & { readonly failure?: string } = {};
    try {
      found = await findNewest(remote, trusted, state.revision);
      if (found.record !== undefined) await takeUp(store, remote, found.record);
    } catch (error) {
      if (!(error instanceof RemoteError) && !isMachineError(error)) throw error;
      found = { failure: error.message };
    }
    const { record, refusal, failure } = found;
    const { revision, snapshot } = record ?? state;
    const message = failure ?? refusal;
    const at = now().toISOString();
    const after: PullState = {
      ...state,
      revision,
      snapshot,
      ...(failure === undefined && { lastContactAt: at }),
      lastFailure: message === undefined ? undefined : { at, message },
      failures: state.failures + (message === undefined ? 0 : 1),
    };
    replaceDurably(storePath(store, 'pull.json'), `${JSON.stringify(after, null, 2)}\n`);
    return { revision, snapshot, hasSwitched: record !== undefined, refusal, failure };
  } finally {
    lock.release();
  }
}

const PICTURES_AT_ONCE = 8;
const currentSchema = z.object({ revision: z.number().int().min(1) });

/** Reads `current.json`, then each record from the one that it names, or that after `known`: the last one that is accepted. */
async function findNewest(remote: ObjectStore, trusted: readonly KeyObject[], known: number): Promise<FoundRecord> {
  const url = `${remote.url}/current.json`;
  const text = (await remote.get('current.json'))?.toString();
  const named = currentSchema.safeParse(parseJson(text ?? '')).data?.revision ?? 0;
  let refusal: string | undefined;
  if (named < known) {
    const what = text === undefined ? 'is not there' : `names revision ${named}`;
    refusal = `${url}: ${what}, and revision ${known} was brought before; see who can write to the store, or delete pull.json where it was begun anew`;
  }
  let record: RevisionRecord | undefined;
  for (let revision = Math.max(known + 1, named); ; revision++) {
    const found = await readRecord(remote, revision, trusted).catch((error: unknown): FoundRecord => {
      // S3 without ListBucket, and CloudFront, answer 403 for what is not there. This reader may read: there was a current.json.
      if (named > 0 && error instanceof RemoteError && error.status === 403) return {};
      throw error;
    });
    if (found.record === undefined) {
      const missing = revision === named ? `${url}: names revision ${named}, which is not there` : refusal;
      return { record, refusal: found.refusal ?? missing };
    }
    record = found.record;
  }
}

/** Brings the snapshot of a record into the store and makes it current. */
async function takeUp(store: string, remote: ObjectStore, record: RevisionRecord): Promise<void> {
  const id = record.snapshot;
  const brought = join(store, '.pull');
  const isHere = findHash(snapshotPath(store, id, 'manifest.json')) === record.manifest;
  const folder = isHere ? snapshotFolder(store, id) : join(brought, 'snapshot');
  const bring = async (key: string, path: string, { bytes, sha256 }: { bytes?: number; sha256: string }) => {
    if (findHash(path) === sha256) return;
    const content = await remote.get(key, bytes);
    if (content === undefined || hash('sha256', content, 'hex') !== sha256) throw notPublished(`${remote.url}/${key}`);
    for (const needed of [brought, dirname(path)]) createFolderDurably(needed);
    replaceDurably(path, content, { by: brought });
  };
  const read = (name: string) => [`${remote.url}/${id}/${name}`, readRegularFile(join(folder, name))] as const;
  await bring(`${id}/manifest.json`, join(folder, 'manifest.json'), { sha256: record.manifest });
  const { files } = parseManifest(...read('manifest.json'), id);
  for (const name of SNAPSHOT_FILES) await bring(`${id}/${name}`, join(folder, name), files[name]);
  const pictures = parsePictures(...read('pictures.ndjson'));
  await mapConcurrently(pictures, PICTURES_AT_ONCE, ({ path, ...picture }) =>
    bring(path.slice(1), join(store, path), picture),
  );

  const lock = acquireStoreLock(store);
  try {
    const pruned = pictures.find(({ path }) => !existsSync(join(store, path)));
    if (pruned !== undefined) throw new RemoteError(`${store}${pruned.path}: a build has deleted it meanwhile`);
    if (!isHere) moveIntoPlace(store, folder, id);
    const before = findCurrent(store);
    if (before !== id) {
      markRolledBack(store, id);
      switchCurrent(store, id, before);
    }
    const { lastBuild } = record;
    if (lastBuild !== undefined) replaceDurably(storePath(store, 'last-build.json'), `${JSON.stringify(lastBuild)}\n`);
    rmSync(brought, { recursive: true, force: true });
    pruneSnapshots(store);
  } finally {
    lock.release();
  }
}
