import { hash, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { SNAPSHOT_FILES, SNAPSHOT_ID, type Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { formatCurrent, lastBuildPath, manifestPath } from '../../data/store/layout.ts';
import { readPictures } from '../../data/store/lines.ts';
import { mapConcurrently } from '../../data/store/map-concurrently.ts';
import type { WrittenFile } from '../../data/store/manifest.ts';
import { listSnapshots, readManifest } from '../../data/store/snapshots.ts';
import { readSmall, RemoteError, withRetries, type ListedObject, type ObjectStore } from './object-store.ts';
import { findRevision, formatRecord, parsePictures, readRecord, recordKey, type RevisionRecord } from './record.ts';

export interface PushOptions {
  /** The local store, and its current snapshot. */
  readonly store: string;
  readonly id: string;
  readonly remote: ObjectStore;
  /** Signs the record. */
  readonly privateKey?: KeyObject | undefined;
  /** Publishes also what was not built on the published snapshot. */
  readonly force: boolean;
  readonly now: Date;
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

/** Nothing was published: the snapshot does not come from the published one, or the store cannot keep two builders apart. */
class PushRefusedError extends Error {
  override readonly name = 'PushRefusedError';
}

/** Another builder has published since this push began: nothing was published. */
class PushOvertakenError extends Error {
  override readonly name = 'PushOvertakenError';
}

/** How many revisions keep their snapshots, and for how long each does: longer than any push or pull takes. */
const KEPT_REVISIONS = 7;
const KEPT_MS = 24 * 3_600_000;

const AT_ONCE = 8;

/**
 * Publishes the current snapshot of a store to a remote one: uploads the files that are missing there, then commits with one
 * numbered record that only one builder can write, then names it in `current.json` (data/spec/many-machines.md). Killed at any
 * point, it leaves the published snapshot as it was, and the next push goes on from what is there. Afterwards it deletes what no
 * kept revision needs.
 *
 * @throws {PushOvertakenError} when another builder was first
 * @throws {PushRefusedError} when the snapshot was not built on the published one, or the store ignores conditions
 * @throws {RemoteError} when the store does not do what it is asked
 * @throws {SnapshotError} when the local snapshot is damaged
 */
export async function pushSnapshot(options: PushOptions): Promise<PushResult> {
  const { store, id, privateKey } = options;
  const remote = withRetries(options.remote);
  const manifest = readManifest(store, id);
  const listed = await remote.list();
  const newest = Math.max(0, ...listed.flatMap(({ key }) => findRevision(key) ?? []));
  const published = newest === 0 ? undefined : await readRecord(remote, newest);
  const before = published?.kind === 'record' ? published.record : undefined;
  const record = createRecord(options, newest + 1, before);
  if (newest === 0) await checkConditions(remote);
  else if (!options.force) checkDescent(options, newest, before);

  const uploads = await uploadMissing(options, remote, manifest, listed, before);
  const isSame = before !== undefined && isSameContent(before, record);
  if (!isSame) await putOnce(remote, recordKey(record.revision), formatRecord(record, privateKey));
  const { revision } = isSame ? before : record;
  const warnings: string[] = [];
  let deletedFiles = 0;
  try {
    await writeCurrent(remote, revision);
    if (!isSame) deletedFiles = await deleteUnneeded(remote);
  } catch (error) {
    if (!(error instanceof RemoteError) && !(error instanceof Error && 'syscall' in error)) throw error;
    warnings.push(error.message);
  }
  const uploadedBytes = uploads.reduce((sum, bytes) => sum + bytes, 0);
  const counts = { uploadedFiles: uploads.length, uploadedBytes, deletedFiles };
  return { outcome: isSame ? 'unchanged' : 'pushed', revision, snapshot: id, ...counts, warnings };
}

function createRecord(
  { store, id, now }: PushOptions,
  revision: number,
  before: RevisionRecord | undefined,
): RevisionRecord {
  const report = lastBuildPath(store);
  return {
    revision,
    snapshot: id,
    ...(before === undefined ? {} : { previous: before.snapshot }),
    manifest: hash('sha256', readFileSync(manifestPath(store, id)), 'hex'),
    publisher: `${hostname()} ${process.pid} ${now.toISOString()}`,
    lastBuild: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined,
  };
}

function isSameContent(a: RevisionRecord, b: RevisionRecord): boolean {
  return a.manifest === b.manifest && JSON.stringify(a.lastBuild) === JSON.stringify(b.lastBuild);
}

/** What is published must be known here: then this snapshot was built on it, or is one that came before it. */
function checkDescent({ store, remote }: PushOptions, newest: number, before: RevisionRecord | undefined): void {
  const known = listSnapshots(store).flatMap(({ id, manifest }) => [id, manifest?.previous]);
  if (before !== undefined && known.includes(before.snapshot)) return;
  const what =
    before === undefined ? 'a record that cannot be read' : `${before.snapshot}, pushed by ${before.publisher}`;
  throw new PushRefusedError(
    `${remote.url}: this snapshot was not built on what is published, revision ${newest} (${what}); ` +
      'deals pull, deals build and push again, or push --force',
  );
}

/**
 * Finds out at the first push whether the store keeps its word about `If-None-Match: *`: many accept the condition and ignore it
 * (a versioned bucket of Ceph, the S3 interface of Google, several imitations).
 */
async function checkConditions(remote: ObjectStore): Promise<void> {
  const key = `probe/${process.pid}-${Date.now()}`;
  try {
    // The answer to the first may be lost: then the file is there, and that is as good.
    await remote.put(key, Buffer.from('first'), 'new');
    if (!(await remote.put(key, Buffer.from('second'), 'new'))) return;
  } finally {
    await remote.delete(key).catch(() => {});
  }
  throw new PushRefusedError(
    `${remote.url}: the store accepts conditional writes (If-None-Match: *) and ignores them, so two builders could overwrite each other. ` +
      'Use a bucket without versioning, or another store',
  );
}

/**
 * Uploads what a remote store lacks of a snapshot: pictures first and the manifest last, so that a folder with a manifest is whole.
 * @returns the bytes of each file that was uploaded
 */
async function uploadMissing(
  { store, now }: PushOptions,
  remote: ObjectStore,
  manifest: Manifest,
  listed: readonly ListedObject[],
  before: RevisionRecord | undefined,
): Promise<readonly number[]> {
  const uploads: number[] = [];
  const there = new Map(listed.map((object) => [object.key, object]));
  const shown = await findPictures(remote, before).catch(() => new Set<string>());
  const upload = async (key: string, { bytes, sha256 }: WrittenFile): Promise<void> => {
    const found = there.get(key);
    // An old picture that is not shown may be deleted by another push at any moment.
    const isSafe =
      !key.startsWith('images/') || shown.has(key) || now.getTime() - (found?.modifiedMs ?? 0) < KEPT_MS / 2;
    if (found?.bytes === bytes && isSafe) return;
    const file = join(store, key);
    const body = readFileSync(file);
    const got = hash('sha256', body, 'hex');
    if (got !== sha256) throw new SnapshotError({ code: 'wrong-hash', file, expected: sha256, got });
    await remote.put(key, body);
    uploads.push(body.length);
  };
  const { id, files } = manifest;
  await mapConcurrently(readPictures(store, manifest), AT_ONCE, (picture) => upload(picture.path.slice(1), picture));
  for (const name of SNAPSHOT_FILES) await upload(`${id}/${name}`, files[name]);
  const body = readFileSync(manifestPath(store, id));
  if (await putOnce(remote, `${id}/manifest.json`, body)) uploads.push(body.length);
  return uploads;
}

/**
 * Stores a file that only one builder can write; false when it is there already. After an answer that was lost, what is
 * there says who has won. @throws {PushOvertakenError} when another builder has
 */
async function putOnce(remote: ObjectStore, key: string, body: Buffer): Promise<boolean> {
  if (await remote.put(key, body, 'new')) return true;
  if ((await readSmall(remote, key))?.equals(body) === true) return false;
  throw new PushOvertakenError(
    `${remote.url}/${key}: another builder has written it; nothing was published. Pull, build and push again.`,
  );
}

/** Names the newest revision, from `revision` on, as the local store names its snapshot: for other tools and new servers. */
async function writeCurrent(remote: ObjectStore, revision: number): Promise<void> {
  for (let next = revision; ; next++) {
    const read = await readRecord(remote, next);
    if (read?.kind !== 'record') return;
    const current = { ...(JSON.parse(formatCurrent(read.record.snapshot)) as object), revision: next };
    await remote.put('current.json', Buffer.from(`${JSON.stringify(current)}\n`));
  }
}

/**
 * Deletes what no kept revision names: records, snapshots and pictures that are a day old.
 * @throws {RemoteError} when it cannot be known what a kept revision names: then nothing is deleted
 */
async function deleteUnneeded(remote: ObjectStore): Promise<number> {
  const listed = await remote.list();
  // The record that was just written has the time of the store: its clock, not ours, says what is old.
  const nowMs = listed.reduce((latest, { modifiedMs }) => Math.max(latest, modifiedMs), 0);
  const isOld = ({ modifiedMs }: ListedObject) => nowMs - modifiedMs >= KEPT_MS;
  const revisions = listed
    .filter((object) => findRevision(object.key) !== undefined)
    .toSorted((a, b) => (a.key < b.key ? 1 : -1))
    .filter((object, position) => position < KEPT_REVISIONS || !isOld(object))
    .map(({ key }) => findRevision(key) as number);
  const kept = new Set(revisions.map(recordKey));
  await mapConcurrently(revisions, AT_ONCE, async (revision) => {
    const read = await readRecord(remote, revision);
    if (read?.kind !== 'record') return;
    kept.add(read.record.snapshot);
    for (const picture of await findPictures(remote, read.record)) kept.add(picture);
  });
  const unneeded = listed.filter((object) => {
    const [folder = ''] = object.key.split('/', 1);
    const isOurs = ['switch', 'images', 'probe'].includes(folder) || SNAPSHOT_ID.test(folder);
    return isOurs && isOld(object) && !kept.has(object.key) && !kept.has(folder);
  });
  await mapConcurrently(unneeded, AT_ONCE, ({ key }) => remote.delete(key));
  return unneeded.length;
}

/** The keys of the pictures that a published snapshot shows. @throws {RemoteError} when its list is not there */
async function findPictures(remote: ObjectStore, record: RevisionRecord | undefined): Promise<ReadonlySet<string>> {
  if (record === undefined) return new Set();
  const key = `${record.snapshot}/pictures.ndjson`;
  const list = await readSmall(remote, key);
  if (list === undefined) throw new RemoteError(200, `${remote.url}/${key}: the file is not there`);
  return new Set(parsePictures(`${remote.url}/${key}`, list).map(({ path }) => path.slice(1)));
}
