import { replaceDurably } from '../../data/store/durable-file.ts';
import { lastBuildPath, manifestPath, newPath } from '../../data/store/layout.ts';
import { findHash } from '../../data/store/lines.ts';
import { acquireStoreLock, StoreBusyError } from '../../data/store/lock.ts';
import {
  PullStateError,
  pullStatePath,
  readPullState,
  type AcceptedRevision,
  type PullState,
  type PullStep,
} from '../../data/store/pull-state.ts';
import { findCurrent } from '../../data/store/snapshots.ts';
import { pruneSnapshots } from '../publish/prune.ts';
import { markRolledBack, switchCurrent } from '../publish/switch-current.ts';
import { readBlob } from './blobs.ts';
import { atStep, fetchSnapshot, PullError } from './fetch-snapshot.ts';
import { readObject, readSmall, RemoteError, type ReadableStore } from './object-store.ts';
import { readRecord } from './records.ts';
import { HEAD_FILE, headSchema, MAX_RECORD_BYTES, parseRemote, STORE_FILE } from './remote-format.ts';
import type { TrustedKeys, VerifiedRecord } from './signature.ts';

export interface PullOptions {
  /** The local store. */
  readonly store: string;
  readonly remote: ReadableStore;
  readonly trusted: TrustedKeys;
  readonly now: () => Date;
}

/** What a look came to. */
export interface Look {
  /** The newest accepted revision; undefined when there is none. */
  readonly announced: AcceptedRevision | undefined;
  /** Whether this look switched to it. */
  readonly hasSwitched: boolean;
  /** Why a record was not accepted: an operator must look. */
  readonly refusal?: string;
  readonly failure?: { readonly step: PullStep; readonly message: string };
}

/** At the first look and at every tenth, a server searches for records that the head does not name. */
const LOOKS_PER_SEARCH = 10;

/** A store that is silent for so long is unreachable. */
const MAX_REQUEST_MS = 30_000;

/** The most records that one search reads. */
const MAX_SEARCHED = 1_000;

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 300_000;

/** What this process has done about an accepted revision. Times are of a clock that never jumps. */
interface Progress {
  readonly revision: number;
  /** When to switch: at `activateAt`, and no later than the lead after it was first seen here. */
  readonly dueMs: number;
  /** Whether the snapshot is in the store. */
  isReady: boolean;
  lastBuild: Buffer | undefined;
  retryMs: number;
  failures: number;
  /** Why the last try failed. */
  fault?: unknown;
}

/**
 * Follows a remote store: finds the newest record, accepts it when a trusted key has signed it and it is newer than all that
 * was accepted, fetches its snapshot, and switches to it when its time has come (data/spec/remote.md). The current snapshot
 * stays until then, and when something fails. Killed at any point, the next look goes on.
 */
export class Puller {
  readonly #options: PullOptions;
  #looks = 0;
  #head: { readonly etag: string | undefined; readonly revision: number } = { etag: undefined, revision: 0 };
  #refusal: string | undefined;
  #progress: Progress | undefined;
  /** When to switch to what is the newest then. */
  #latestMs: number | undefined;
  #counted: PullError | undefined;

  constructor(options: PullOptions) {
    this.#options = options;
  }

  /** How long until the next switch; undefined when none is due. */
  get waitMs(): number | undefined {
    return this.#progress?.isReady === true ? Math.max(0, this.#progress.dueMs - performance.now()) : undefined;
  }

  /**
   * Looks once, and switches if it is time.
   * @throws {StoreBusyError} when a build, or another pull, holds the store
   * @throws {PullStateError} when `pull.json` is damaged
   */
  async look(): Promise<Look> {
    const { store, remote } = this.#options;
    let failure: PullError | undefined;
    let hasSwitched = false;
    let state: PullState = { url: remote.url, highest: {}, failures: {}, refusals: 0, fetchedBytes: 0 };
    const attempt = async (step: PullStep, work: () => Promise<void> | void): Promise<void> => {
      try {
        await atStep(step, work);
      } catch (error) {
        if (error instanceof PullError && !isOfCaller(error.cause)) failure ??= error;
        else throw error instanceof PullError ? error.cause : error;
      }
    };
    await attempt('disk', async () => {
      const lock = acquireStoreLock(store);
      try {
        const read = readPullState(store);
        if (read?.url === remote.url) state = read;
        // A request may take so long: what is ready is switched to in time.
        if ((this.waitMs ?? Infinity) > MAX_REQUEST_MS) {
          await attempt('head', () => this.#findNewest(state));
          await attempt('blob', () => this.#fetch(state));
        }
        await attempt('switch', () => {
          hasSwitched = this.#switchIfDue(state);
        });
        this.#report(state, failure);
      } finally {
        lock.release();
      }
    });
    return {
      announced: state.announced,
      hasSwitched,
      ...(this.#refusal === undefined ? {} : { refusal: this.#refusal }),
      ...(failure === undefined ? {} : { failure: { step: failure.step, message: failure.message } }),
    };
  }

  /** Reads the head and the records that may be new, and accepts the newest. */
  async #findNewest(state: PullState): Promise<void> {
    const isSearch = this.#looks++ % LOOKS_PER_SEARCH === 0;
    const head = await this.#readHead(state);
    const isNewHead = head !== this.#head;
    const { trusted } = this.#options;
    // A key that is no longer trusted has no say: a thief may have signed a very high revision.
    const highest = Math.max(0, ...Array.from(trusted.keys(), (key) => state.highest[key] ?? 0));
    if (!isNewHead && !isSearch) return;
    this.#refusal = undefined;
    if (head.revision < highest && head.revision > 0) {
      this.#refuse(
        state,
        `${HEAD_FILE} names revision ${head.revision}, which is older than ${highest}, accepted before`,
      );
    }
    const known = this.#isWithdrawn(state) ? highest - 1 : highest;
    const reached = isSearch ? await this.#accept(state, Math.max(1, known + 1), head.revision) : known;
    const isThere =
      head.revision <= reached || (await this.#accept(state, head.revision, head.revision)) >= head.revision;
    if (isThere) this.#head = head;
    else this.#refuse(state, `${HEAD_FILE} names revision ${head.revision}, which is not there`);
    this.#save(state);
  }

  /** Whether the key of the newest accepted record is trusted no longer: then the newest of the other keys counts again. */
  #isWithdrawn({ announced }: PullState): boolean {
    return announced?.key !== undefined && !this.#options.trusted.has(announced.key);
  }

  /** Accepts the records from `start` on, as far as they follow each other. Returns the last that is there. */
  async #accept(state: PullState, start: number, head: number): Promise<number> {
    const end = start + MAX_SEARCHED;
    for (let revision = start; revision < end; revision++) {
      const found = await atStep('record', () => this.#readRecord(revision, revision > head && head > 0));
      if (found === undefined) return revision - 1;
      if (found.kind === 'refused') this.#refuse(state, `revision ${revision}: ${found.reason}`);
      else {
        state.highest[found.key] = revision;
        state.announced = { ...found.record, key: found.key };
      }
    }
    return end - 1;
  }

  /**
   * A store answers 403 for what is not there when its reader may not list it (S3 without ListBucket, CloudFront). Beyond a
   * head that could be read, that is no record.
   */
  async #readRecord(revision: number, isBeyondHead: boolean): Promise<VerifiedRecord | undefined> {
    const { remote, trusted } = this.#options;
    try {
      return await readRecord(remote, revision, trusted);
    } catch (error) {
      if (isBeyondHead && error instanceof RemoteError && error.kind === 'denied') return undefined;
      throw error;
    }
  }

  async #readHead(state: PullState): Promise<{ readonly etag: string | undefined; readonly revision: number }> {
    const { remote, now } = this.#options;
    const object = await remote.get(HEAD_FILE, this.#head.etag);
    const bytes = object.kind === 'found' ? await readSmall(object.body, MAX_RECORD_BYTES) : undefined;
    if (object.kind === 'absent') await requireRemoteStore(remote);
    state.lastContactAt = now().toISOString();
    if (object.kind === 'unchanged') return this.#head;
    const revision = (bytes === undefined ? undefined : parseRemote(headSchema, bytes)?.revision) ?? 0;
    const etag = object.kind === 'found' ? object.etag : undefined;
    return etag === undefined && revision === this.#head.revision ? this.#head : { etag, revision };
  }

  #refuse(state: PullState, message: string): void {
    this.#refusal = `${this.#options.remote.url}: ${message}`;
    state.refusals++;
  }

  /** Brings the accepted snapshot into the store. */
  async #fetch(state: PullState): Promise<void> {
    const { announced } = state;
    if (announced === undefined || announced.revision === state.current?.revision) return;
    if (this.#progress?.revision !== announced.revision) this.#progress = this.#begin(announced);
    const progress = this.#progress;
    if (progress.isReady) return;
    if (performance.now() < progress.retryMs) throw progress.fault;
    const { store, remote } = this.#options;
    const count = (bytes: number): void => {
      state.fetchedBytes += bytes;
    };
    try {
      await fetchSnapshot({ store, remote, record: announced, count });
      const { lastBuild } = announced;
      if (lastBuild !== undefined) progress.lastBuild = await atStep('blob', () => readBlob(remote, lastBuild));
      progress.isReady = true;
    } catch (error) {
      // A damaged object is not mended by fetching it every ten seconds.
      progress.fault = error;
      progress.retryMs = performance.now() + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** progress.failures++);
      throw error;
    }
  }

  #begin({ revision, snapshot, activateAt, leadSeconds }: AcceptedRevision): Progress {
    const { store, now } = this.#options;
    // A wrong clock, here or there, delays the switch by the lead at most.
    const untilMs = Date.parse(activateAt) - now().getTime();
    const isCurrent = findCurrent(store) === snapshot;
    const waitMs = isCurrent ? 0 : Math.min(Math.max(0, untilMs), leadSeconds * 1_000);
    const dueMs = performance.now() + waitMs;
    // A builder that publishes more often than the lead puts off the switch to what is here already, and not for ever.
    if (this.#progress?.isReady !== true) this.#latestMs = undefined;
    this.#latestMs ??= dueMs + leadSeconds * 1_000;
    return {
      revision,
      dueMs: Math.min(dueMs, this.#latestMs),
      isReady: false,
      lastBuild: undefined,
      retryMs: 0,
      failures: 0,
    };
  }

  /** The switch of the local store is the one of every build. */
  #switchIfDue(state: PullState): boolean {
    const { store } = this.#options;
    const { announced } = state;
    if (announced === undefined || this.#progress?.revision !== announced.revision) return false;
    if (this.waitMs === undefined || this.waitMs > 0) return false;
    const { snapshot } = announced;
    if (findHash(manifestPath(store, snapshot)) !== announced.manifest) {
      this.#progress = undefined;
      throw new Error(`${snapshot}: the snapshot was removed while it waited for its time; it is fetched again`);
    }
    const before = findCurrent(store);
    // The publisher has rolled back from those that are newer.
    markRolledBack(store, snapshot);
    if (before !== snapshot) switchCurrent(store, snapshot, before);
    const { lastBuild } = this.#progress;
    if (lastBuild !== undefined) replaceDurably(lastBuildPath(store), lastBuild.toString(), newPath(store));
    state.current = announced;
    this.#progress = undefined;
    this.#latestMs = undefined;
    this.#save(state);
    pruneSnapshots(store);
    return true;
  }

  /** Writes down how the look went. */
  #report(state: PullState, failure: PullError | undefined): void {
    const step = failure?.step ?? (this.#refusal === undefined ? undefined : 'record');
    const message = failure?.message ?? this.#refusal;
    delete state.lastFailure;
    if (step !== undefined && message !== undefined) {
      state.lastFailure = { at: this.#options.now().toISOString(), step, message };
    }
    // While a fault waits for its next try, it is shown and not counted.
    if (failure !== undefined && failure !== this.#counted)
      state.failures[failure.step] = (state.failures[failure.step] ?? 0) + 1;
    this.#counted = failure;
    this.#save(state);
  }

  #save(state: PullState): void {
    const { store } = this.#options;
    replaceDurably(pullStatePath(store), `${JSON.stringify(state, null, 2)}\n`, newPath(store));
  }
}

/** A head may be lost. An empty bucket, or a disk that is not mounted, has no store at all. @throws {RemoteError} */
async function requireRemoteStore(remote: ReadableStore): Promise<void> {
  if ((await readObject(remote, STORE_FILE, MAX_RECORD_BYTES)) !== undefined) return;
  throw new RemoteError(
    'unexpected',
    `${remote.url}: expected a remote store, found no ${STORE_FILE}; see whether the URL is that of deals push, and the disk is mounted`,
  );
}

/** What the caller must handle: it is no failure of the pull. */
function isOfCaller(error: unknown): boolean {
  return error instanceof StoreBusyError || error instanceof PullStateError;
}
