import { hash, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { SNAPSHOT_FILES, SNAPSHOT_ID, type PictureLine } from '../../data/snapshot/format.ts';
import { wrongHash } from '../../data/snapshot/snapshot-error.ts';
import { isMachineError } from '../../data/store/system-error.ts';
import { formatPointer, storePath, snapshotPath } from '../../data/store/layout.ts';
import { readRecords } from '../../data/store/lines.ts';
import type { WrittenFile } from '../../data/store/manifest.ts';
import { listSnapshots, readManifest } from '../../data/store/snapshots.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { RemoteError, type ListedObject, type ObjectStore } from './object-store.ts';
import { findRevision, formatRecord, parsePictures, readRecord, recordKey, type RevisionRecord } from './record.ts';
import { DAY_MS } from '../../data/record/time.ts';

interface PushOptions {
  readonly store: string;
  /** The current snapshot. */
  readonly id: string;
  readonly remote: ObjectStore;
  readonly privateKey?: KeyObject | undefined;
  /** Publishes also what was not built on the published snapshot. */
  readonly force: boolean;
  readonly now: Date;
}

/** Nothing was published: the snapshot does not come from the published one, or the store cannot keep two builders apart. */
class PushRefusedError extends Error {
  override readonly name = 'PushRefusedError';
}

/** Another builder has published since this push began: nothing was published. */
class PushOvertakenError extends Error {
  override readonly name = 'PushOvertakenError';
}

/** How many revisions keep their snapshots; each does for a day, longer than any push or pull takes. */
const KEPT_REVISIONS = 7;
const AT_ONCE = 8;

/**
 * Publishes the current snapshot of a store to a remote one: uploads the files that are missing there, commits with one numbered
 * record that only one builder can write, and names it in `current.json` (data/spec/many-machines.md). Killed at any point, it
 * leaves the published snapshot as it was, and the next push goes on from what is there. Then it deletes what no kept revision
 * needs; from there on a fault is a warning.
 *
 * @throws {PushOvertakenError} when another builder was first
 * @throws {PushRefusedError} when the snapshot was not built on the published one, or the store ignores conditions
 * @throws {RemoteError | SnapshotError} for a fault there or here
 */
export async function pushSnapshot(options: PushOptions) {
  const { store, id, remote } = options;
  const listed = await remote.list();
  const newest = Math.max(0, ...listed.map(({ key }) => findRevision(key)));
  const before = newest === 0 ? undefined : (await readRecord(remote, newest)).record;
  const report = storePath(store, 'last-build.json');
  const next: RevisionRecord = {
    revision: newest + 1,
    snapshot: id,
    previous: before?.snapshot,
    manifest: hash('sha256', readFileSync(snapshotPath(store, id, 'manifest.json')), 'hex'),
    publisher: `${hostname()} ${process.pid} ${options.now.toISOString()}`,
    lastBuild: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined,
  };
  if (newest > 0 && !options.force) checkDescent(options, newest, before);
  const uploads = await uploadMissing(options, listed);
  const isSame =
    before?.manifest === next.manifest && JSON.stringify(before.lastBuild) === JSON.stringify(next.lastBuild);
  if (!isSame) await putOnce(remote, recordKey(next.revision), formatRecord(next, options.privateKey));
  const { revision } = isSame ? before : next;
  const warnings: string[] = [];
  let deletedFiles = 0;
  try {
    await writeCurrent(remote, revision);
    if (!isSame) deletedFiles = await deleteUnneeded(remote);
  } catch (error) {
    if (!(error instanceof RemoteError) && !isMachineError(error)) throw error;
    warnings.push(error.message);
  }
  const uploadedBytes = uploads.reduce((sum, bytes) => sum + bytes, 0);
  const counts = { uploadedFiles: uploads.length, uploadedBytes, deletedFiles };
  return { outcome: isSame ? 'unchanged' : 'pushed', revision, snapshot: id, ...counts, warnings };
}

/** What is published must be known here: then this snapshot was built on it, or is one that came before it. */
function checkDescent({ store, remote }: PushOptions, newest: number, before: RevisionRecord | undefined): void {
  const known = listSnapshots(store).flatMap(({ id, manifest }) => [id, manifest?.previous]);
  if (before !== undefined && known.includes(before.snapshot)) return;
  const what = before ? `${before.snapshot}, pushed by ${before.publisher}` : 'a record that cannot be read';
  throw new PushRefusedError(
    `${remote.url}: this snapshot was not built on what is published, revision ${newest} (${what}); ` +
      'deals pull, deals build and push again, or push --force',
  );
}

/** Uploads what a remote store lacks, the manifest last: a folder with a manifest is whole. Returns the size of each file. */
async function uploadMissing({ store, id, remote }: PushOptions, listed: readonly ListedObject[]): Promise<number[]> {
  const uploads: number[] = [];
  const there = new Map(listed.map(({ key, bytes }) => [key, bytes]));
  const upload = async (key: string, { bytes, sha256 }: WrittenFile): Promise<void> => {
    if (there.get(key) === bytes) return;
    const file = join(store, key);
    const body = readFileSync(file);
    const got = hash('sha256', body, 'hex');
    if (got !== sha256) throw wrongHash(file, sha256, got);
    await remote.put(key, body);
    uploads.push(bytes);
  };
  const manifest = readManifest(store, id);
  await mapConcurrently([...readRecords<PictureLine>(store, manifest, 'pictures.ndjson')], AT_ONCE, (picture) =>
    upload(picture.path.slice(1), picture),
  );
  for (const name of SNAPSHOT_FILES) await upload(`${id}/${name}`, manifest.files[name]);
  const [key, body] = [`${id}/manifest.json`, readFileSync(snapshotPath(store, id, 'manifest.json'))];
  if (!(await putOnce(remote, key, body))) return uploads;
  // Many stores accept the condition and ignore it: a versioned bucket of Ceph, the S3 interface of Google, several imitations.
  if (!(await remote.put(key, body, 'new'))) return [...uploads, body.length];
  throw new PushRefusedError(
    `${remote.url}: the store accepts conditional writes (If-None-Match: *) and ignores them, so two builders could overwrite each other. ` +
      'Use a bucket without versioning, or another store',
  );
}

/** Stores a file that only one builder can write; false when it is there, perhaps since an answer was lost. */
async function putOnce(remote: ObjectStore, key: string, body: Buffer): Promise<boolean> {
  if (await remote.put(key, body, 'new')) return true;
  if ((await remote.get(key))?.equals(body) === true) return false;
  throw new PushOvertakenError(
    `${remote.url}/${key}: another builder has written it; nothing was published. Pull, build and push again.`,
  );
}

/** Names the newest revision, from `revision` on, as the local store names its snapshot: for other tools and new servers. */
async function writeCurrent(remote: ObjectStore, revision: number): Promise<void> {
  const { record } = await readRecord(remote, revision);
  if (record === undefined) return;
  const current = { ...(JSON.parse(formatPointer({ snapshot: record.snapshot })) as object), revision };
  await remote.put('current.json', Buffer.from(`${JSON.stringify(current)}\n`));
  await writeCurrent(remote, revision + 1);
}

/** Deletes what no kept revision names and is a day old; nothing when it cannot be known what they name. */
async function deleteUnneeded(remote: ObjectStore): Promise<number> {
  const listed = await remote.list();
  // The record that was just written has the time of the store: its clock, not ours, says what is old.
  const nowMs = listed.reduce((latest, { modifiedMs }) => Math.max(latest, modifiedMs), 0);
  const isOld = ({ modifiedMs }: ListedObject) => nowMs - modifiedMs >= DAY_MS;
  const records = listed
    .filter(({ key }) => findRevision(key) > 0)
    .toSorted((a, b) => (a.key < b.key ? 1 : -1))
    .filter((object, position) => position < KEPT_REVISIONS || !isOld(object));
  const kept = new Set(records.map(({ key }) => key));
  for (const { key } of records) {
    const { record } = await readRecord(remote, findRevision(key));
    if (record === undefined) continue;
    kept.add(record.snapshot);
    const list = `${record.snapshot}/pictures.ndjson`;
    const text = await remote.get(list);
    if (text === undefined) throw new RemoteError(`${remote.url}/${list}: the file is not there`);
    for (const { path } of parsePictures(`${remote.url}/${list}`, text.toString())) kept.add(path.slice(1));
  }
  const unneeded = listed.filter((object) => {
    const [folder = ''] = object.key.split('/', 1);
    const isOurs = ['switch', 'images'].includes(folder) || SNAPSHOT_ID.test(folder);
    return isOurs && isOld(object) && !kept.has(object.key) && !kept.has(folder);
  });
  await mapConcurrently(unneeded, AT_ONCE, ({ key }) => remote.delete(key));
  return unneeded.length;
}
