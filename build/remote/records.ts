import { randomBytes } from 'node:crypto';
import { mapConcurrently } from '../../data/store/map-concurrently.ts';
import {
  listObjects,
  readObject,
  readSmall,
  RemoteError,
  withRetries,
  type ObjectStore,
  type ReadableStore,
} from './object-store.ts';
import {
  MAX_RECORD_BYTES,
  parseRecordPath,
  PROBE_PREFIX,
  RECORD_PREFIX,
  recordPath,
  type RevisionRecord,
} from './remote-format.ts';
import { verifyRecord, type TrustedKeys, type VerifiedRecord } from './signature.ts';

/** A record in the remote store. */
export interface StoredRecord {
  readonly record: RevisionRecord;
  /** The id of the key that has signed it. */
  readonly key: string;
  /** When it was written, by the clock of the store. */
  readonly modifiedMs: number;
}

/** The records of a remote store as a builder sees them. */
interface PushHistory {
  /** The records that trusted keys have signed and that must be kept, newest first. */
  readonly kept: readonly StoredRecord[];
  /** The keys of older records, which may be deleted. */
  readonly outdated: readonly string[];
  /** How many records there are that no trusted key has signed. */
  readonly unknown: number;
  /** The first revision above `kept`, and above what the caller knows, without a record. */
  readonly next: number;
}

/** How many records keep their snapshots, and for how long each does. */
const KEPT_RECORDS = 7;
export const KEPT_MS = 24 * 3_600_000;

const READ_AT_ONCE = 8;

/**
 * Reads the records that matter to a push. Records that no trusted key has signed are skipped: a stranger who can write
 * to the store cannot stop a builder, and their revisions are not used again.
 * @param above the next revision is higher than this one, too
 */
export async function readHistory(remote: ObjectStore, trusted: TrustedKeys, above = 0): Promise<PushHistory> {
  const listed = [...(await listObjects(remote, RECORD_PREFIX)).values()].flatMap(({ key, modifiedMs }) => {
    const revision = parseRecordPath(key);
    return revision === undefined ? [] : [{ key, revision, modifiedMs }];
  });
  const newestFirst = listed.sort((a, b) => b.revision - a.revision);
  const nowMs = listed.reduce((newest, { modifiedMs }) => Math.max(newest, modifiedMs), 0);
  const kept: StoredRecord[] = [];
  const outdated: string[] = [];
  for (const chunk of chunksOf(newestFirst, READ_AT_ONCE)) {
    const read = await mapConcurrently(chunk, READ_AT_ONCE, async ({ key, revision, modifiedMs }) => {
      const verified = await withRetries(() => readRecord(remote, revision, trusted));
      return { key, modifiedMs, verified };
    });
    for (const { key, modifiedMs, verified } of read) {
      if (verified?.kind !== 'trusted') continue;
      const isKept = kept.length < KEPT_RECORDS || nowMs - modifiedMs < KEPT_MS;
      if (isKept) kept.push({ record: verified.record, key: verified.key, modifiedMs });
      else outdated.push(key);
    }
  }
  return {
    kept,
    outdated,
    unknown: listed.length - kept.length - outdated.length,
    next: findFree(
      newestFirst.map(({ revision }) => revision),
      Math.max(above, kept[0]?.record.revision ?? 0),
    ),
  };
}

/** The record of a revision, checked; undefined when there is none. One request. */
export async function readRecord(
  remote: ReadableStore,
  revision: number,
  trusted: TrustedKeys,
): Promise<VerifiedRecord | undefined> {
  const object = await remote.get(recordPath(revision));
  if (object.kind !== 'found') return undefined;
  return verifyRecord(await readSmall(object.body, MAX_RECORD_BYTES), revision, trusted);
}

function* chunksOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

function findFree(revisions: readonly number[], newest: number): number {
  const used = new Set(revisions);
  let next = newest + 1;
  while (used.has(next)) next++;
  return next;
}

/** Another builder has published since this push began: nothing was published. */
class PushOvertakenError extends Error {
  override readonly name = 'PushOvertakenError';

  constructor(url: string, revision: number) {
    super(
      `${url}: another builder has published revision ${revision}; nothing was published. Pull, build and push again.`,
    );
  }
}

const MAX_COMMITS = 4;

/**
 * Writes a record: the commit point of a push. Without a conditional write (`isOnlyWriter`) it looks first.
 * @throws {PushOvertakenError} when there is another record of this revision
 * @throws {RemoteError} `unreachable` when it is not known whether the record was written
 */
export async function commitRecord(
  remote: ObjectStore,
  revision: number,
  bytes: Buffer,
  isOnlyWriter: boolean,
): Promise<void> {
  const key = recordPath(revision);
  const options = { contentType: 'application/json', immutable: true } as const;
  let lost: unknown;
  for (let attempt = 0; attempt < MAX_COMMITS; attempt++) {
    try {
      // After a lost answer the record may be there: our own bytes are success.
      const found = attempt > 0 || isOnlyWriter ? await readObject(remote, key, MAX_RECORD_BYTES) : undefined;
      if (found?.equals(bytes) === true) return;
      if (found !== undefined) throw new PushOvertakenError(remote.url, revision);
      const outcome = await remote.put(key, bytes, isOnlyWriter ? options : { ...options, createOnly: true });
      if (outcome === 'stored') return;
    } catch (error) {
      if (!(error instanceof RemoteError) || error.kind !== 'unreachable') throw error;
      lost = error;
    }
  }
  throw new RemoteError(
    'unreachable',
    `${remote.url}: it is not known whether revision ${revision} was published (${(lost as Error | undefined)?.message ?? ''}); push again, which finds out`,
    { cause: lost },
  );
}

/** The store accepts two create-only writes of one object: it cannot keep two builders apart. */
export class NoConditionsError extends Error {
  override readonly name = 'NoConditionsError';
}

/**
 * Finds out whether the store keeps its word about `If-None-Match: *`: many accept the condition and ignore it (a versioned
 * bucket of Ceph, the S3 interface of Google, several imitations).
 * @throws {NoConditionsError} when a second create-only write of one object is accepted, or changes the first
 */
export async function checkConditions(remote: ObjectStore): Promise<void> {
  const key = `${PROBE_PREFIX}${randomBytes(8).toString('hex')}`;
  const write = (text: string) => remote.put(key, Buffer.from(text), { createOnly: true, contentType: 'text/plain' });
  try {
    // A first answer may be lost: then the object is there, and that is as good.
    await write('first');
    const second = await write('second');
    const content = (await readObject(remote, key, MAX_RECORD_BYTES))?.toString();
    if (second === 'exists' && content === 'first') return;
  } finally {
    // One that stays is deleted a day later.
    await remote.delete(key).catch(() => {});
  }
  throw new NoConditionsError(
    `${remote.url}: the store accepts conditional writes (If-None-Match: *) and ignores them, so two builders could overwrite each other. ` +
      'Use a bucket without versioning or another store; or push --single-writer, where no other builder pushes',
  );
}
