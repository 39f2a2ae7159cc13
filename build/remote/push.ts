import { hash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { SNAPSHOT_FILES, type Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { replaceDurably } from '../../data/store/durable-file.ts';
import { lastBuildPath, manifestPath, newPath, pushedPath, snapshotPath } from '../../data/store/layout.ts';
import { findHash, readPictures } from '../../data/store/lines.ts';
import { mapConcurrently } from '../../data/store/map-concurrently.ts';
import { findConfirmedAt, listSnapshots, readCurrent, readManifest } from '../../data/store/snapshots.ts';
import { compressBytes, compressFile } from './blobs.ts';
import { COLLECTED_MS, collectGarbage } from './collect-garbage.ts';
import {
  listObjects,
  readObject,
  RemoteError,
  wait,
  withRetries,
  type ListedObject,
  type ObjectStore,
} from './object-store.ts';
import { checkConditions, commitRecord, readHistory, readRecord, type StoredRecord } from './records.ts';
import {
  BLOB_PREFIX,
  blobPath,
  HEAD_FILE,
  headSchema,
  IMAGE_PREFIX,
  imagePath,
  MAX_RECORD_BYTES,
  MAX_REVISION,
  parseRemote,
  REMOTE_FORMAT,
  revisionRecordSchema,
  STORE_FILE,
  storeFileSchema,
  type RevisionRecord,
} from './remote-format.ts';
import { signRecord, trustOwn, type SigningKey, type TrustedKeys } from './signature.ts';

export interface PushOptions {
  /** The local store. */
  readonly store: string;
  readonly remote: ObjectStore;
  readonly signingKey: SigningKey;
  /** The keys of other builders of this remote store. */
  readonly trusted: TrustedKeys;
  /** How long after the push servers switch: by then all have loaded the snapshot. */
  readonly leadSeconds: number;
  /** Publishes also what was not built on the published snapshot. */
  readonly acceptsNotFastForward: boolean;
  /** Publishes also to a remote store that is gone: begins it again. */
  readonly acceptsLostStore: boolean;
  /** The operator vouches that no other builder pushes: the store need not support conditional writes. */
  readonly isOnlyWriter: boolean;
  /** Uploads all objects of the snapshot again, in the place of damaged ones. */
  readonly repairs: boolean;
  readonly now: () => Date;
}

export interface PushResult {
  readonly outcome: 'pushed' | 'unchanged';
  /** Whether nothing had been pushed to the URL before. */
  readonly isNew: boolean;
  readonly revision: number;
  readonly snapshot: string;
  readonly activateAt: string;
  readonly uploadedObjects: number;
  readonly uploadedBytes: number;
  readonly deletedObjects: number;
  /** What went wrong after the snapshot was published. */
  readonly warnings: readonly string[];
}

/** The local snapshot does not come from the published one: an operator decides. */
export class NotFastForwardError extends Error {
  override readonly name = 'NotFastForwardError';
}

/** Objects younger than this are not deleted before a push has named them. */
const SAFE_AGE_MS = 12 * 3_600_000;

const PARALLEL_IMAGES = 8;

/** What is to be published. */
interface LocalSnapshot {
  readonly manifest: Manifest;
  readonly manifestBytes: Buffer;
  readonly lastBuildBytes: Buffer | undefined;
  readonly confirmedAt: string;
}

/**
 * Publishes the current snapshot of a store to a remote one: uploads what is missing there, then commits with one numbered,
 * signed record (data/spec/remote.md). Killed at any point, it leaves the published snapshot as it was, and the next push goes
 * on from what is there. Afterwards it deletes what is no longer needed.
 *
 * @throws {PushOvertakenError} when another builder was first
 * @throws {NotFastForwardError} when the snapshot was not built on the published one
 * @throws {NoConditionsError} when the store cannot keep two builders apart
 * @throws {RemoteError} when the store does not do what it is asked
 * @throws {SnapshotError} when the local snapshot is damaged
 */
export async function pushSnapshot(options: PushOptions): Promise<PushResult> {
  const { store, remote, signingKey } = options;
  const local = readLocalSnapshot(store);
  const isNew = await markStore(options);
  const trusted = new Map([...options.trusted, ...trustOwn(signingKey)]);
  const pushed = Object.values(readPushed(store)).map(({ revision }) => revision);
  const history = await readHistory(remote, trusted, Math.max(0, ...pushed));
  const readMs = performance.now();
  const { next } = history;
  const newest = history.kept[0]?.record;
  if (next > MAX_REVISION) throw new RemoteError('unexpected', describeLastRevision(remote.url));
  const record = createRecord(local, newest, next, options);
  const upload = new Upload(remote);
  // A key that takes the place of another signs what is published, too: servers may stop trusting the other one.
  const isOwn = history.kept[0]?.key === signingKey.id;
  if (newest !== undefined && isOwn && isSameRecord(newest, record)) {
    if (options.repairs) await uploadSnapshot(upload, local, options, NOTHING_NAMED);
    rememberPushed(store, remote.url, newest);
    const warnings = await tryAll([() => writeHead(remote, newest.revision, trusted)]);
    const { revision, snapshot, activateAt } = newest;
    return {
      outcome: 'unchanged',
      isNew,
      revision,
      snapshot,
      activateAt,
      ...upload.counts,
      deletedObjects: 0,
      warnings,
    };
  }
  if (!options.acceptsNotFastForward) checkFastForward(store, remote, newest, history.unknown);
  if (!options.isOnlyWriter) await checkConditions(remote);
  const named = { keys: options.repairs ? new Set<string>() : listNamedHere(store, history.kept), readMs };
  await uploadSnapshot(upload, local, options, named);
  const committedMs = performance.now();
  await commitRecord(remote, record.revision, signRecord(record, signingKey), options.isOnlyWriter);
  rememberPushed(store, remote.url, record);
  let deletedObjects = 0;
  const warnings = await tryAll([
    () => writeHead(remote, record.revision, trusted),
    async () => {
      deletedObjects = await collectGarbage(store, remote, trusted, committedMs);
    },
  ]);
  const { revision, snapshot, activateAt } = record;
  return { outcome: 'pushed', isNew, revision, snapshot, activateAt, ...upload.counts, deletedObjects, warnings };
}

/** @throws {SnapshotError} when nothing is published, or the manifest is damaged */
function readLocalSnapshot(store: string): LocalSnapshot {
  const id = readCurrent(store);
  if (id === undefined) throw new SnapshotError({ code: 'no-snapshot', store });
  const manifest = readManifest(store, id);
  return {
    manifest,
    manifestBytes: readFileSync(manifestPath(store, id)),
    lastBuildBytes: findText(lastBuildPath(store)),
    confirmedAt: findConfirmedAt(store, id) ?? manifest.createdAt,
  };
}

function createRecord(
  { manifest, manifestBytes, lastBuildBytes, confirmedAt }: LocalSnapshot,
  newest: RevisionRecord | undefined,
  next: number,
  { leadSeconds, now }: PushOptions,
): RevisionRecord {
  const publishedAt = now();
  return {
    format: REMOTE_FORMAT,
    revision: next,
    snapshot: manifest.id,
    ...(newest === undefined ? {} : { previous: newest.snapshot }),
    manifest: hash('sha256', manifestBytes, 'hex'),
    ...(lastBuildBytes === undefined ? {} : { lastBuild: hash('sha256', lastBuildBytes, 'hex') }),
    contentHash: manifest.contentHash,
    confirmedAt,
    publishedAt: publishedAt.toISOString(),
    activateAt: new Date(publishedAt.getTime() + leadSeconds * 1_000).toISOString(),
    leadSeconds,
    publisher: `${hostname()} ${process.pid} ${randomBytes(8).toString('hex')}`,
  };
}

const pushedSchema = z.object({
  published: z.record(z.string(), revisionRecordSchema.pick({ revision: true, publisher: true })),
});

/**
 * The newest record that was pushed from this store to each URL. When a bucket was lost, the first record of the new one is
 * higher than those that servers have accepted. When the store was away for long, the published snapshot is deleted here, and
 * is known by its record.
 */
function readPushed(store: string): z.infer<typeof pushedSchema>['published'] {
  const text = findText(pushedPath(store));
  return (text === undefined ? undefined : parseRemote(pushedSchema, text)?.published) ?? {};
}

function rememberPushed(store: string, url: string, { revision, publisher }: RevisionRecord): void {
  const pushed = readPushed(store);
  if (pushed[url]?.publisher === publisher) return;
  const published = { ...pushed, [url]: { revision, publisher } };
  replaceDurably(pushedPath(store), `${JSON.stringify({ published })}\n`, newPath(store));
}

function findText(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}

function isSameRecord(a: RevisionRecord, b: RevisionRecord): boolean {
  return a.manifest === b.manifest && a.lastBuild === b.lastBuild && a.confirmedAt === b.confirmedAt;
}

function describeLastRevision(url: string): string {
  return (
    `${url}: revision ${MAX_REVISION} is published, and there is none above it: a stranger has a signing key that you trust. ` +
    'Take that key from --trust on all servers and builders, and sign with a new key'
  );
}

/** Marks the place as a remote store of this format. Returns whether it was none before. */
async function markStore({ store, remote, acceptsLostStore }: PushOptions): Promise<boolean> {
  const text = await readObject(remote, STORE_FILE, MAX_RECORD_BYTES);
  if (text === undefined) {
    const revision = readPushed(store)[remote.url]?.revision;
    if (revision !== undefined && !acceptsLostStore) {
      throw new NotFastForwardError(
        `${remote.url}: nothing is there any more, where revision ${revision} was published; see whether the disk is mounted and the bucket is the right one, ` +
          'or begin it again with push --accept lost-store',
      );
    }
    const mark = Buffer.from(`${JSON.stringify({ format: REMOTE_FORMAT })}\n`);
    await remote.put(STORE_FILE, mark, { contentType: 'application/json' });
    return true;
  }
  if (parseRemote(storeFileSchema, text) === undefined) {
    throw new RemoteError(
      'unexpected',
      `${remote.url}/${STORE_FILE}: expected {"format":${REMOTE_FORMAT}}, got another format`,
    );
  }
  return false;
}

/** What is published must be known here: then this snapshot was built on it, or is one that came before it. */
function checkFastForward(
  store: string,
  remote: ObjectStore,
  newest: RevisionRecord | undefined,
  unknown: number,
): void {
  if (newest === undefined) {
    if (unknown === 0) return;
    throw new NotFastForwardError(
      `${remote.url}: records are there (${unknown}), and no key that you trust has signed one; name the public keys of their builders with --trust, ` +
        'or push --accept not-fast-forward over them',
    );
  }
  if (readPushed(store)[remote.url]?.publisher === newest.publisher) return;
  if (findManifest(store, newest) !== undefined) return;
  if (listSnapshots(store).some(({ manifest }) => manifest?.previous === newest.snapshot)) return;
  throw new NotFastForwardError(
    `${remote.url}: this snapshot was not built on what is published, ${newest.snapshot} (revision ${newest.revision}, pushed on the machine ${newest.publisher.split(' ')[0]}); ` +
      'deals pull, deals build and push again, or push --accept not-fast-forward',
  );
}

/** The manifest of a record, where this store has it. */
function findManifest(store: string, { snapshot, manifest }: RevisionRecord): Manifest | undefined {
  return findHash(manifestPath(store, snapshot)) === manifest ? readManifest(store, snapshot) : undefined;
}

/** Uploads to one remote store, counted. */
class Upload {
  readonly remote: ObjectStore;
  readonly counts = { uploadedObjects: 0, uploadedBytes: 0 };

  constructor(remote: ObjectStore) {
    this.remote = remote;
  }

  async put(key: string, body: Buffer, contentType: string): Promise<void> {
    await this.remote.put(key, body, { contentType, immutable: true });
    this.counts.uploadedObjects++;
    this.counts.uploadedBytes += body.length;
  }
}

/** The objects that kept records name, and when they were read: they stay until another push has committed, and ours fails then. */
interface NamedObjects {
  readonly keys: ReadonlySet<string>;
  /** By `performance.now()`. */
  readonly readMs: number;
}

const NOTHING_NAMED: NamedObjects = { keys: new Set(), readMs: -Infinity };

/** Of the snapshots that this store has: another one is of no use to a push. */
function listNamedHere(store: string, kept: readonly StoredRecord[]): ReadonlySet<string> {
  const records = new Map(kept.map(({ record }) => [record.manifest, record]));
  const keys = [...records.values()].flatMap((record) => {
    const manifest = findManifest(store, record);
    if (manifest === undefined) return [];
    const files = Object.values(manifest.files).map(({ sha256 }) => blobPath(sha256));
    return [blobPath(record.manifest), ...files, ...readPictures(store, manifest).map(({ path }) => imagePath(path))];
  });
  const reports = kept.flatMap(({ record }) => (record.lastBuild === undefined ? [] : [blobPath(record.lastBuild)]));
  return new Set([...keys, ...reports]);
}

/**
 * Uploads the objects that the remote store lacks. An old one that is there and that no record names may be deleted by another
 * push at any moment: then it is uploaded again, when that push has ended.
 */
async function uploadSnapshot(
  upload: Upload,
  { manifest, manifestBytes, lastBuildBytes }: LocalSnapshot,
  { store, repairs, isOnlyWriter, now }: PushOptions,
  named: NamedObjects,
): Promise<void> {
  const { remote } = upload;
  const blobs = repairs ? new Map() : await listObjects(remote, BLOB_PREFIX);
  const images = repairs ? new Map() : await listObjects(remote, IMAGE_PREFIX);
  const isSafe = async (listed: ReadonlyMap<string, ListedObject>, key: string): Promise<boolean> => {
    const object = listed.get(key);
    if (object === undefined) return false;
    if (named.keys.has(key) || now().getTime() - object.modifiedMs < SAFE_AGE_MS) return true;
    if (!isOnlyWriter) await wait(Math.max(0, named.readMs + COLLECTED_MS - performance.now()));
    return false;
  };
  for (const name of SNAPSHOT_FILES) {
    const key = blobPath(manifest.files[name].sha256);
    if (await isSafe(blobs, key)) continue;
    const body = await compressFile(snapshotPath(store, manifest.id, name), manifest.files[name]);
    await upload.put(key, body, 'application/octet-stream');
  }
  for (const bytes of [manifestBytes, lastBuildBytes]) {
    if (bytes === undefined) continue;
    const key = blobPath(hash('sha256', bytes, 'hex'));
    if (!(await isSafe(blobs, key))) await upload.put(key, compressBytes(bytes), 'application/octet-stream');
  }
  await mapConcurrently(readPictures(store, manifest), PARALLEL_IMAGES, async ({ path, sha256 }) => {
    if (await isSafe(images, imagePath(path))) return;
    const file = join(store, path);
    const body = readFileSync(file);
    const got = hash('sha256', body, 'hex');
    if (got !== sha256) throw new SnapshotError({ code: 'wrong-hash', file, expected: sha256, got });
    await upload.put(imagePath(path), body, `image/${path.endsWith('.jpg') ? 'jpeg' : path.split('.').at(-1)}`);
  });
}

/** Names the newest revision for servers, unless another builder has published a higher one since. */
async function writeHead(remote: ObjectStore, revision: number, trusted: TrustedKeys): Promise<void> {
  const text = await readObject(remote, HEAD_FILE, MAX_RECORD_BYTES);
  const head = (text === undefined ? undefined : parseRemote(headSchema, text)?.revision) ?? 0;
  if (head === revision) return;
  if (head > revision && (await withRetries(() => readRecord(remote, head, trusted)))?.kind === 'trusted') return;
  await remote.put(HEAD_FILE, Buffer.from(`${JSON.stringify({ revision })}\n`), { contentType: 'application/json' });
  // Another builder may have published since, and have written its head before this one.
  const next = await withRetries(() => readRecord(remote, revision + 1, trusted));
  if (next?.kind === 'trusted') await writeHead(remote, revision + 1, trusted);
}

/** Runs what comes after the commit. Returns what failed: the snapshot is published all the same. */
async function tryAll(works: readonly (() => Promise<void>)[]): Promise<string[]> {
  const failed: string[] = [];
  for (const work of works) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RemoteError || error instanceof SnapshotError)) throw error;
      failed.push(error.message);
    }
  }
  return failed;
}
