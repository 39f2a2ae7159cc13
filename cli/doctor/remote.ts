import type { KeyObject } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBlob } from '../../build/remote/blobs.ts';
import {
  listObjects,
  readObject,
  RemoteError,
  withRetries,
  type ObjectStore,
  type ReadableStore,
  type RemoteErrorKind,
} from '../../build/remote/object-store.ts';
import { checkConditions, NoConditionsError, readRecord } from '../../build/remote/records.ts';
import {
  HEAD_FILE,
  headSchema,
  MAX_RECORD_BYTES,
  parseRemote,
  PROBE_PREFIX,
  REMOTE_FORMAT,
  STORE_FILE,
  storeFileSchema,
  type RevisionRecord,
} from '../../build/remote/remote-format.ts';
import {
  readSigningKey,
  readTrustedKeys,
  SigningKeyError,
  trustOwn,
  type SigningKey,
  type TrustedKeys,
} from '../../build/remote/signature.ts';
import { quoteForShell, SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { parseManifest } from '../../data/store/manifest.ts';
import { PullStateError, readPullState, type AcceptedRevision, type PullState } from '../../data/store/pull-state.ts';
import { describePull } from '../../server/status/pull.ts';
import { CommandError, type Context } from '../console/command.ts';
import { openRemoteToRead, openRemoteToWrite, type RemoteOptions } from '../console/remote-options.ts';
import { fault, ok, skipped, warning, type CheckResult } from './result.ts';

/** What names a remote store, and the keys to it. */
export interface RemoteDoctorOptions extends RemoteOptions {
  readonly remote?: string;
  readonly trust?: readonly string[];
  /** On a builder. */
  readonly signingKey?: string;
}

/** What was found of a remote store and its keys. */
export interface RemoteFacts {
  readonly keys: readonly CheckResult[];
  /** Absent when no remote store was named. */
  readonly check?: RemoteCheck;
  readonly writes: readonly CheckResult[];
}

/** Looks at the remote store, and at what a push needs where there is a signing key. */
export async function examineRemote(
  options: RemoteDoctorOptions,
  context: Context,
  pulled: PulledCheck,
): Promise<RemoteFacts> {
  const { remote: url, trust = [], signingKey } = options;
  const { results: keys, trusted } = checkRemoteKeys(trust, signingKey);
  if (url === undefined) return { keys, writes: [] };
  try {
    const store = signingKey === undefined ? undefined : openRemoteToWrite(url, options, context);
    const remote = store ?? openRemoteToRead(url, options, context);
    const known = findKnownRevision(pulled, remote.url, trusted);
    const check = await checkRemote(remote, trusted, store !== undefined, known);
    // A trial write would create a remote store, or the folder of one that is not mounted.
    const canTry =
      store !== undefined && check.newest !== undefined && check.results.every(({ state }) => state !== 'fault');
    return { keys, check, writes: canTry ? [await checkWrites(store)] : [] };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { keys, check: { results: [fault(error.message, 'mend --remote, or --endpoint')] }, writes: [] };
  }
}

/** The keys of `--trust` and `--signing-key`, as far as they can be read. */
interface RemoteKeysCheck {
  readonly results: readonly CheckResult[];
  /** Those of `--trust`, and that of the builder itself. */
  readonly trusted: TrustedKeys;
}

const OTHERS = 0o007;
const OTHERS_WRITE = 0o002;
const GROUP = 0o070;

export function checkRemoteKeys(trust: readonly string[], signingKeyFile: string | undefined): RemoteKeysCheck {
  const results: CheckResult[] = [];
  const trusted = new Map<string, KeyObject>();
  const take = <Keys>(read: () => Keys): Keys | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SigningKeyError)) throw error;
      results.push(
        fault(error.message, 'see the .pub file of the builder, or make a key with deals keys create-signing'),
      );
      return undefined;
    }
  };
  for (const given of trust) {
    for (const [id, key] of take(() => readTrustedKeys([given])) ?? []) trusted.set(id, key);
    if (!given.startsWith('ed25519:')) results.push(...checkTrustMode(given));
  }
  if (trusted.size > 0) results.push(ok(`trusted: ${[...trusted.keys()].join(', ')}`));
  const signingKey = signingKeyFile === undefined ? undefined : take(() => readSigningKey(signingKeyFile));
  if (signingKeyFile !== undefined && signingKey !== undefined) {
    for (const [id, key] of trustOwn(signingKey)) trusted.set(id, key);
    results.push(checkSigningMode(signingKeyFile, signingKey));
  }
  return { results, trusted };
}

function checkTrustMode(file: string): readonly CheckResult[] {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS_WRITE) === 0) return [];
  return [fault(`${file}: everybody on this machine can add a trusted key`, `chmod o-w ${quoteForShell(file)}`)];
}

function checkSigningMode(file: string, { id }: SigningKey): CheckResult {
  const { mode } = statSync(file);
  const remedy = `chmod 600 ${quoteForShell(file)}`;
  if ((mode & OTHERS) !== 0) return fault(`${file}: everybody on this machine can publish with this key`, remedy);
  if ((mode & GROUP) !== 0) return warning(`${file}: its group can publish with this key`, remedy);
  return ok(`${file}: signs as ${id}, and only its owner can read it`);
}

/** What the remote store has. */
export interface RemoteCheck {
  readonly results: readonly CheckResult[];
  /** The newest record that a trusted key has signed. */
  readonly newest?: RevisionRecord;
  /** Bytes of the files of its snapshot, without pictures. */
  readonly snapshotBytes?: number;
}

/**
 * Whether a remote store answers, is one of ours, and has a newest record that is trusted and whose manifest can be read.
 * @param known the highest revision that was accepted into the local store
 */
export async function checkRemote(
  remote: ReadableStore,
  trusted: TrustedKeys,
  isBuilder: boolean,
  known: number,
): Promise<RemoteCheck> {
  try {
    const mark = await checkMark(remote, isBuilder);
    if (mark !== undefined) return { results: [mark] };
    const found = await findRecords(remote, trusted, known);
    const results = describeRecords(remote.url, found, trusted, known);
    const { newest } = found;
    if (newest === undefined) return { results };
    const manifest = parseManifest('manifest.json', (await readBlob(remote, newest.manifest)).toString());
    const snapshotBytes = Object.values(manifest.files).reduce((sum, { bytes }) => sum + bytes, 0);
    return { results, newest, snapshotBytes };
  } catch (error) {
    return { results: [describeRemoteError(error)] };
  }
}

const REMEDIES: Readonly<Record<RemoteErrorKind, string>> = {
  unreachable: 'see whether the address is right and the service answers; until then servers serve what they have',
  denied:
    'set credentials that may read it, and for a builder also list, write and delete: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or DEALS_S3_CREDENTIALS_COMMAND',
  unexpected: 'see whether the URL is that of deals push; deals push --repair uploads damaged objects again',
};

function describeRemoteError(error: unknown): CheckResult {
  if (error instanceof RemoteError) return fault(error.message, REMEDIES[error.kind]);
  if (error instanceof SnapshotError) return fault(error.message, REMEDIES.unexpected);
  // Of a shared disk.
  if (error instanceof Error && 'syscall' in error) return fault(error.message, REMEDIES.denied);
  throw error;
}

async function checkMark(remote: ReadableStore, isBuilder: boolean): Promise<CheckResult | undefined> {
  const text = await readObject(remote, STORE_FILE, MAX_RECORD_BYTES);
  if (text === undefined) {
    const found = `${remote.url}: nothing was pushed there: it has no ${STORE_FILE}`;
    return isBuilder
      ? warning(found, `deals push ${quoteForShell(remote.url)} publishes the first snapshot`)
      : fault(found, 'see whether the URL is that of deals push, and push there first');
  }
  if (parseRemote(storeFileSchema, text) !== undefined) return undefined;
  const found = `${remote.url}/${STORE_FILE}: expected {"format":${REMOTE_FORMAT}}, got another format`;
  return fault(found, 'see whether the URL is that of deals push; a newer program may have written it');
}

interface FoundRecords {
  /** The revision that `head.json` names; 0 without it. */
  readonly head: number;
  readonly newest: RevisionRecord | undefined;
  readonly refused: readonly string[];
}

/** The most records that are read after the first. */
const MAX_SEARCHED = 1_000;

/** Reads the record that the head names and those after it. The head may be lost or behind: so also from the known one on. */
async function findRecords(remote: ReadableStore, trusted: TrustedKeys, known: number): Promise<FoundRecords> {
  const text = await readObject(remote, HEAD_FILE, MAX_RECORD_BYTES);
  const head = (text === undefined ? undefined : parseRemote(headSchema, text)?.revision) ?? 0;
  let newest: RevisionRecord | undefined;
  const refused: string[] = [];
  let reached = 0;
  for (const start of head > known ? [head] : [Math.max(1, head), Math.max(1, known)]) {
    const from = Math.max(start, reached + 1);
    for (let revision = from; revision < from + MAX_SEARCHED; revision++) {
      const found = await withRetries(() => readRecord(remote, revision, trusted));
      if (found === undefined) break;
      if (found.kind === 'trusted') newest = found.record;
      else refused.push(`revision ${revision}: ${found.reason}`);
      reached = revision;
    }
  }
  // Those before may be trusted where the newest is not.
  for (
    let revision = head - 1;
    newest === undefined && revision > Math.max(known, head - MAX_SEARCHED, 0);
    revision--
  ) {
    const found = await withRetries(() => readRecord(remote, revision, trusted));
    if (found?.kind === 'trusted') newest = found.record;
  }
  return { head, newest, refused };
}

function describeRecords(
  url: string,
  { head, newest, refused }: FoundRecords,
  trusted: TrustedKeys,
  known: number,
): readonly CheckResult[] {
  const newestKnown = Math.max(head, known);
  if (trusted.size === 0 && refused.length > 0) {
    const found = `${url}: it has records; no trusted key was named, so that no signature was checked`;
    return [skipped(found, 'name the public key of the builder with --trust, or in DEALS_TRUST')];
  }
  const refusals = refused.map((each) =>
    warning(
      `${url}: ${each}`,
      'give the public key of a new builder with --trust; where there is none, see who can write there',
    ),
  );
  if (newest === undefined) {
    const found = `${url}: expected a record that a trusted key has signed, found none`;
    return [...refusals, fault(found, 'deals push where the snapshot is built')];
  }
  const { revision, snapshot, publishedAt, publisher } = newest;
  const sound = ok(
    `${url}: revision ${revision}, ${snapshot}, published at ${publishedAt} by ${publisher.split(' ')[0]}`,
  );
  if (revision < newestKnown) {
    const found = `${url}: revision ${revision} is the newest, and ${newestKnown} was there before`;
    return [...refusals, warning(found, 'see who can delete there; the next push goes on from the higher one')];
  }
  if (head === revision) return [...refusals, sound];
  const found = `${url}: ${HEAD_FILE} names ${head === 0 ? 'no revision' : `revision ${head}`}, and ${revision} is the newest`;
  return [...refusals, sound, warning(found, 'nothing: servers search for it, and the next push writes it')];
}

/** Whether a builder may push: it writes, lists and deletes two small objects. */
export async function checkWrites(remote: ObjectStore): Promise<CheckResult> {
  try {
    await checkConditions(remote);
    await listObjects(remote, PROBE_PREFIX);
  } catch (error) {
    if (!(error instanceof NoConditionsError)) return describeRemoteError(error);
    return fault(error.message, 'use a bucket without versioning, another store, or push --single-writer');
  }
  return ok(`${remote.url}: objects can be written, listed and deleted, and the first of two create-only writes stays`);
}

/** What `deals pull` has written down in a store. */
export interface PulledCheck {
  /** Why it cannot be read. */
  readonly results: readonly CheckResult[];
  readonly state?: PullState;
}

export function readPulled(store: string): PulledCheck {
  try {
    const state = readPullState(store);
    return state === undefined ? { results: [] } : { results: [], state };
  } catch (error) {
    if (!(error instanceof PullStateError)) throw error;
    return { results: [fault(error.message, 'delete it: the next pull begins from the newest record')] };
  }
}

/** The highest revision that a store has accepted from a remote one, from keys that are still trusted. */
function findKnownRevision({ state }: PulledCheck, url: string, trusted: TrustedKeys): number {
  if (state?.url !== url) return 0;
  return Math.max(0, ...Array.from(trusted.keys(), (key) => state.highest[key] ?? 0));
}

/** How far a store is behind the newest record, if that is known, and how its pulls fare. */
export function checkPulled(
  { state, results }: PulledCheck,
  newest: RevisionRecord | undefined,
  now: Date,
): readonly CheckResult[] {
  if (state === undefined) return results;
  const { announced, current } = state;
  const warnings = describePull(state, now).warnings.map(({ found, remedy }) => warning(found, remedy));
  if (newest !== undefined && newest.revision > (announced?.revision ?? 0)) {
    const found = `revision ${newest.revision} is published, and ${announced?.revision ?? 'none'} was accepted here`;
    warnings.unshift(warning(found, 'see whether deals pull --watch runs for this store: it looks every 10 seconds'));
  }
  return warnings.length > 0 ? warnings : [ok(describeRevisions(announced, current))];
}

function describeRevisions(announced: AcceptedRevision | undefined, current: AcceptedRevision | undefined): string {
  const shown =
    current === undefined ? 'no revision is current' : `revision ${current.revision}, ${current.snapshot}, is current`;
  if (announced === undefined || announced.revision === current?.revision) return shown;
  return `${shown}, and revision ${announced.revision} follows at ${announced.activateAt}`;
}

/** Bytes that the newest snapshot still needs in a store, without pictures. */
export function findMissingBytes({ newest, snapshotBytes = 0 }: RemoteCheck, store: string): number {
  return newest === undefined || existsSync(join(store, newest.snapshot)) ? 0 : snapshotBytes;
}
