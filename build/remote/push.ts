import { hash, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pictureLineSchema, SNAPSHOT_FILES, SNAPSHOT_ID, type Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { formatCurrent, lastBuildPath, manifestPath, snapshotPath } from '../../data/store/layout.ts';
import { readPictures } from '../../data/store/lines.ts';
import { mapConcurrently } from '../../data/store/map-concurrently.ts';
import type { WrittenFile } from '../../data/store/manifest.ts';
import { listSnapshots, readCurrent, readManifest } from '../../data/store/snapshots.ts';
import { readSmall, RemoteError, withRetries, type ListedObject, type ObjectStore } from './object-store.ts';
import { formatRecord, parseRecordKey, readRecord, RECORD_PREFIX, recordKey, type RevisionRecord } from './record.ts';

export interface PushOptions {
  /** The local store. */
  readonly store: string;
  readonly remote: ObjectStore;
  /** Signs the record. */
  readonly privateKey?: KeyObject | undefined;
  /** Publishes also what was not built on the published snapshot. */
  readonly force: boolean;
  readonly now: () => Date;
}

export interface PushResult {
  readonly outcome: 'pushed' | 'unchanged';
  readonly revision: number;
  readonly snapshot: string;
  readonly uploadedFiles: number;
  readonly uploadedBytes: number;
  readonly deletedFiles: number;
  /** What went wrong after the snapshot was published. */
  readonly warnings: readonly string[];
}

/** The local snapshot does not come from the published one: an operator decides. */
class NotFastForwardError extends Error {
  override readonly name = 'NotFastForwardError';
}

/** Another builder has published since this push began: nothing was published. */
class PushOvertakenError extends Error {
  override readonly name = 'PushOvertakenError';

  constructor(url: string, what: string) {
    super(`${url}: another builder ${what}; nothing was published. Pull, build and push again.`);
  }
}

/** The store accepts two writes of one new file: it cannot keep two builders apart. */
class NoConditionsError extends Error {
  override readonly name = 'NoConditionsError';
}

const CURRENT_KEY = 'current.json';
const PROBE_PREFIX = 'probe/';

/** How many revisions keep their snapshots, and for how long each does. */
const KEPT_REVISIONS = 7;
const KEPT_MS = 24 * 3_600_000;

const AT_ONCE = 8;
const MAX_LIST_BYTES = 64 * 1024 * 1024;

/**
 * Publishes the current snapshot of a store to a remote one: uploads the files that are missing there, then commits with one
 * numbered record that only one builder can write, then names it in `current.json` (data/spec/many-machines.md). Killed at any point, it
 * leaves the published snapshot as it was, and the next push goes on from what is there. Afterwards it deletes what no kept
 * revision needs.
 *
 * @throws {PushOvertakenError} when another builder was first
 * @throws {NotFastForwardError} when the snapshot was not built on the published one
 * @throws {NoConditionsError} when the store cannot keep two builders apart
 * @throws {RemoteError} when the store does not do what it is asked
 * @throws {SnapshotError} when the local snapshot is missing or damaged
 */
export async function pushSnapshot(options: PushOptions): Promise<PushResult> {
  const { store, remote, privateKey } = options;
  const id = readCurrent(store);
  if (id === undefined) throw new SnapshotError({ code: 'no-snapshot', store });
  const manifest = readManifest(store, id);
  const listed = await remote.list(RECORD_PREFIX);
  const newest = Math.max(0, ...listed.map(({ key }) => parseRecordKey(key) ?? 0));
  const published = newest === 0 ? undefined : await withRetries(() => readRecord(remote, newest));
  const before = published?.kind === 'record' ? published.record : undefined;
  const record = createRecord(options, manifest, newest + 1, before);
  if (!options.force) checkFastForward(options, newest, before);
  if (newest === 0) await checkConditions(options);

  const upload = new Upload(options);
  await upload.snapshot(manifest, before);
  const isSame = before !== undefined && isSameContent(before, record);
  if (!isSame) await commitRecord(remote, record.revision, formatRecord(record, privateKey));
  const { revision } = isSame ? before : record;
  const warnings: string[] = [];
  let deletedFiles = 0;
  for (const work of [
    () => writeCurrent(remote, revision),
    async () => {
      deletedFiles = isSame ? 0 : await deleteUnneeded(remote);
    },
  ]) {
    await work().catch((error: unknown) => {
      if (!(error instanceof RemoteError)) throw error;
      warnings.push(error.message);
    });
  }
  return { outcome: isSame ? 'unchanged' : 'pushed', revision, snapshot: id, ...upload.counts, deletedFiles, warnings };
}

function createRecord(
  { store, now }: PushOptions,
  { id }: Manifest,
  revision: number,
  before: RevisionRecord | undefined,
): RevisionRecord {
  const report = lastBuildPath(store);
  return {
    revision,
    snapshot: id,
    ...(before === undefined ? {} : { previous: before.snapshot }),
    manifest: hash('sha256', readFileSync(manifestPath(store, id)), 'hex'),
    publisher: `${hostname()} ${process.pid} ${now().toISOString()}`,
    lastBuild: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined,
  };
}

function isSameContent(a: RevisionRecord, b: RevisionRecord): boolean {
  return a.manifest === b.manifest && JSON.stringify(a.lastBuild) === JSON.stringify(b.lastBuild);
}

/** What is published must be known here: then this snapshot was built on it, or is one that came before it. */
function checkFastForward({ store, remote }: PushOptions, newest: number, before: RevisionRecord | undefined): void {
  const known = listSnapshots(store).flatMap(({ id, manifest }) => [id, manifest?.previous]);
  if (newest === 0 || (before !== undefined && known.includes(before.snapshot))) return;
  const what =
    before === undefined ? 'a record that cannot be read' : `${before.snapshot}, pushed by ${before.publisher}`;
  throw new NotFastForwardError(
    `${remote.url}: this snapshot was not built on what is published, revision ${newest} (${what}); ` +
      'deals pull, deals build and push again, or push --force',
  );
}

/**
 * Finds out at the first push whether the store keeps its word about `If-None-Match: *`: many accept the condition and ignore it
 * (a versioned bucket of Ceph, the S3 interface of Google, several imitations).
 */
async function checkConditions({ remote, now }: PushOptions): Promise<void> {
  const key = `${PROBE_PREFIX}${process.pid}-${now().getTime()}`;
  try {
    // The answer to the first may be lost: then the file is there, and that is as good.
    await remote.put(key, Buffer.from('first'), 'new');
    if ((await remote.put(key, Buffer.from('second'), 'new')) === 'exists') return;
  } finally {
    await remote.delete(key).catch(() => {});
  }
  throw new NoConditionsError(
    `${remote.url}: the store accepts conditional writes (If-None-Match: *) and ignores them, so two builders could overwrite each other. ` +
      'Use a bucket without versioning, or another store',
  );
}

/** Uploads what a remote store lacks of a snapshot, and counts it. */
class Upload {
  readonly counts = { uploadedFiles: 0, uploadedBytes: 0 };
  readonly #options: PushOptions;

  constructor(options: PushOptions) {
    this.#options = options;
  }

  /** Pictures first and the manifest last: a folder with a manifest is whole. */
  async snapshot(manifest: Manifest, before: RevisionRecord | undefined): Promise<void> {
    const { store, remote, now } = this.#options;
    const { id, files } = manifest;
    const shown =
      before === undefined
        ? new Set<string>()
        : await findPictures(remote, before.snapshot).catch(() => new Set<string>());
    const images = new Map((await remote.list('images/')).map((object) => [object.key, object]));
    // An old picture that is not shown may be deleted by another push at any moment.
    const isSafe = ({ key, modifiedMs }: ListedObject) => shown.has(key) || now().getTime() - modifiedMs < KEPT_MS / 2;
    await mapConcurrently(readPictures(store, manifest), AT_ONCE, async (picture) => {
      const key = picture.path.slice(1);
      const there = images.get(key);
      if (there?.bytes !== picture.bytes || !isSafe(there)) await this.#put(key, join(store, key), picture);
    });
    const there = new Map((await remote.list(`${id}/`)).map(({ key, bytes }) => [key, bytes]));
    for (const name of SNAPSHOT_FILES) {
      const key = `${id}/${name}`;
      if (there.get(key) !== files[name].bytes) await this.#put(key, snapshotPath(store, id, name), files[name]);
    }
    const body = readFileSync(manifestPath(store, id));
    const key = `${id}/manifest.json`;
    if ((await remote.put(key, body, 'new')) === 'stored') this.#count(body);
    else if ((await withRetries(() => readSmall(remote, key, MAX_LIST_BYTES)))?.equals(body) !== true) {
      throw new PushOvertakenError(remote.url, `has uploaded the same catalogue as ${id}, built at another time`);
    }
  }

  async #put(key: string, file: string, { sha256 }: WrittenFile): Promise<void> {
    const body = readFileSync(file);
    const got = hash('sha256', body, 'hex');
    if (got !== sha256) throw new SnapshotError({ code: 'wrong-hash', file, expected: sha256, got });
    await this.#options.remote.put(key, body);
    this.#count(body);
  }

  #count(body: Buffer): void {
    this.counts.uploadedFiles++;
    this.counts.uploadedBytes += body.length;
  }
}

/** Writes a record: the commit point of a push. After an answer that was lost, the record that is there says who has won. */
async function commitRecord(remote: ObjectStore, revision: number, bytes: Buffer): Promise<void> {
  if ((await remote.put(recordKey(revision), bytes, 'new')) === 'stored') return;
  const found = await withRetries(() => readSmall(remote, recordKey(revision), bytes.length));
  if (found?.equals(bytes) === true) return;
  throw new PushOvertakenError(remote.url, `has published revision ${revision}`);
}

/** Names the newest revision, from `revision` on, as the local store names its snapshot: for other tools and new servers. */
async function writeCurrent(remote: ObjectStore, revision: number): Promise<void> {
  for (let next = revision; ; next++) {
    const read = await withRetries(() => readRecord(remote, next));
    if (read?.kind !== 'record') return;
    const current = { ...(JSON.parse(formatCurrent(read.record.snapshot)) as object), revision: next };
    await remote.put(CURRENT_KEY, Buffer.from(`${JSON.stringify(current)}\n`));
  }
}

/**
 * Deletes what no kept revision names: records, snapshots and pictures that are a day old. A day is longer than any push or pull.
 * @throws {RemoteError} when it cannot be known what a kept revision names: then nothing is deleted
 */
async function deleteUnneeded(remote: ObjectStore): Promise<number> {
  const listed = await remote.list('');
  // The record that was just written has the time of the store: its clock, not ours, says what is old.
  const nowMs = Math.max(...listed.map(({ modifiedMs }) => modifiedMs));
  const isOld = ({ modifiedMs }: ListedObject) => nowMs - modifiedMs >= KEPT_MS;
  const records = listed
    .filter(({ key }) => parseRecordKey(key) !== undefined)
    .toSorted((a, b) => (a.key < b.key ? 1 : -1))
    .filter((object, position) => position < KEPT_REVISIONS || !isOld(object));
  const kept = new Set(records.map(({ key }) => key));
  await mapConcurrently(records, AT_ONCE, async ({ key }) => {
    const read = await withRetries(() => readRecord(remote, parseRecordKey(key) as number));
    if (read?.kind !== 'record') return;
    kept.add(read.record.snapshot);
    for (const picture of await findPictures(remote, read.record.snapshot)) kept.add(picture);
  });
  const isOurs = ({ key }: ListedObject) => /^(?:switch|images|probe)\//.test(key) || SNAPSHOT_ID.test(snapshotOf(key));
  const unneeded = listed.filter((object) => {
    return isOurs(object) && isOld(object) && !kept.has(object.key) && !kept.has(snapshotOf(object.key));
  });
  await mapConcurrently(unneeded, AT_ONCE, ({ key }) => withRetries(() => remote.delete(key)));
  return unneeded.length;
}

/** `20261101T0230Z-0123abcd` of `20261101T0230Z-0123abcd/deals.ndjson`. */
function snapshotOf(key: string): string {
  return key.split('/', 1)[0] as string;
}

/** The keys of the pictures that a published snapshot shows. @throws {RemoteError} when its list is not there */
async function findPictures(remote: ObjectStore, snapshot: string): Promise<ReadonlySet<string>> {
  const key = `${snapshot}/pictures.ndjson`;
  const text = await withRetries(() => readSmall(remote, key, MAX_LIST_BYTES));
  if (text === undefined) throw new RemoteError('unexpected', `${remote.url}/${key}: the file is not there`);
  const lines = text
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  try {
    return new Set(lines.map((line) => pictureLineSchema.parse(JSON.parse(line)).path.slice(1)));
  } catch {
    throw new RemoteError('unexpected', `${remote.url}/${key}: expected a list of pictures, got something else`);
  }
}
