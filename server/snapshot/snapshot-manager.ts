import { statSync } from 'node:fs';
import { GRACE_SECONDS } from '../../data/query/parameter.ts';
import { noSnapshot } from '../../data/snapshot/snapshot-error.ts';
import { readPullState, type PullState } from '../../data/store/pull-state.ts';
import { listFallbacks, readCurrent, readManifest } from '../../data/store/snapshots.ts';
import { describeError, type Log } from '../log.ts';
import { poll } from '../poll.ts';
import { cursorContent } from '../query/pagination.ts';
import { checkServedFiles, loadSnapshot, type LoadedSnapshot } from './load-snapshot.ts';
import { z } from 'zod';
import { lastBuildSchema } from '../../data/report/report.ts';
import { storePath, parseJson } from '../../data/store/layout.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';

/** A watcher would miss a rename, and changes on a network. */
const POLL_MS = 1_000;
/** How long pagination may continue on the previous snapshot (D15). */
const GRACE_MS = GRACE_SECONDS * 1_000;
/** How long until a refused snapshot is tried again. */
const RETRY_MS = 60_000;

/** More than the 64 MB outside its heap after which V8 collects garbage. */
const GARBAGE_HINT_BYTES = 80 * 1024 * 1024;

interface SnapshotManagerOptions {
  readonly store: string;
  readonly publicUrl: string;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * The snapshots of a server: the current one, and for a grace period the previous one, so that pagination can end on the
 * content it began with (D15). A request uses one of them to its end, so no response mixes two.
 *
 * Never more than two are in memory: the previous one is dropped when a third begins to load.
 */
export class SnapshotManager {
  readonly #options: SnapshotManagerOptions;
  /** Undefined while none can be read. */
  current: LoadedSnapshot | undefined;
  #previous: { readonly snapshot: LoadedSnapshot; readonly sinceMs: number } | undefined;
  /** The highest sequence that was current. */
  #newest = 0;
  /** The snapshot that could not be loaded last. It is tried again: it may have been copied here after its pointer. */
  #refused: { readonly id: string; readonly sinceMs: number } | undefined;
  /** The last cause of each event, which is logged once. */
  readonly #causes = new Map<string, string | undefined>();
  readonly #readLastBuild: ReturnType<typeof openLastBuild>;
  /** What the last build found. Undefined when there was none, or its report cannot be read. */
  lastBuild: LastBuildFacts | undefined;
  /** What `deals pull` has brought, or why that cannot be read. Empty where snapshots are built. */
  pull: { readonly state?: PullState | undefined; readonly fault?: string } = {};
  #lastLook: Promise<void> = Promise.resolve();
  #isClosed = false;
  #endPoll: (() => void) | undefined;

  constructor(options: SnapshotManagerOptions) {
    this.#options = options;
    this.#readLastBuild = openLastBuild(options.store);
  }

  /** The snapshots in memory, the current one first. */
  get loaded(): readonly LoadedSnapshot[] {
    this.#dropExpired();
    return [this.current, this.#previous?.snapshot].filter((snapshot) => snapshot !== undefined);
  }

  /** The loaded snapshot whose content a cursor names. */
  findContent(content: string): LoadedSnapshot | undefined {
    return this.loaded.find(({ manifest }) => cursorContent(manifest.contentHash) === content);
  }

  /** Whether a sequence is that of a newer snapshot than any that was current here: another server has pulled it already. */
  isAhead(sequence: number): boolean {
    return sequence > this.#newest;
  }

  /** Loads the current snapshot of the store; if it cannot be read, the newest that can. */
  async start(): Promise<void> {
    await this.refresh();
    for (const { id } of this.current === undefined ? listFallbacks(this.#options.store) : []) {
      if (!this.#isRefused(id) && (await this.#takeUp(id))) break;
    }
    if (this.#isClosed) return;
    this.#endPoll = poll(() => this.refresh(), POLL_MS);
  }

  /** Looks at the store after this call, and loads the snapshot that `current.json` names if it is another. Never rejects. */
  refresh(): Promise<void> {
    this.#lastLook = this.#lastLook.then(() => this.#look());
    return this.#lastLook;
  }

  close(): void {
    this.#isClosed = true;
    this.#endPoll?.();
  }

  async #look(): Promise<void> {
    // Also without requests: the next snapshot needs the memory.
    this.#dropExpired();
    const id = this.#findCurrent();
    try {
      this.pull = { state: readPullState(this.#options.store) };
    } catch (error) {
      this.pull = { fault: (error as Error).message };
    }
    this.#logOnce('pull-state-unreadable', this.pull.fault);
    this.lastBuild = this.#readLastBuild();
    if (id === undefined || id === this.current?.manifest.id || this.#isRefused(id)) return;
    const isTakenUp = await this.#takeUp(id);
    this.#refused = isTakenUp ? undefined : { id, sinceMs: this.#options.now() };
  }

  /** The snapshot that `current.json` names; undefined when it names none, which is logged. */
  #findCurrent(): string | undefined {
    const { store } = this.#options;
    try {
      const id = readCurrent(store);
      // A store without a snapshot is no bug: its line in the log has no stack.
      const cause = id === undefined ? noSnapshot(store).message : undefined;
      this.#logOnce('snapshot-unreadable', cause, { reason: 'no-snapshot' });
      return id;
    } catch (error) {
      this.#logOnce('snapshot-unreadable', describeError(error));
      return undefined;
    }
  }

  #logOnce(event: string, cause: string | undefined, more: Readonly<Record<string, string>> = {}): void {
    if (cause !== undefined && cause !== this.#causes.get(event)) this.#options.log({ event, ...more, cause });
    this.#causes.set(event, cause);
  }

  #isRefused(id: string): boolean {
    return this.#refused?.id === id && !this.#hasPassed(RETRY_MS, this.#refused.sinceMs);
  }

  /** Makes a snapshot the current one; false when it cannot be loaded, which is logged. */
  async #takeUp(id: string): Promise<boolean> {
    const { log, now } = this.#options;
    const before = this.current;
    try {
      this.current = await this.#load(id);
    } catch (error) {
      const serving = before?.manifest.id ?? 'none';
      log({ event: 'snapshot-refused', snapshot: id, serving, cause: describeError(error) });
      return false;
    }
    const { counts, contentHash, sequence } = this.current.manifest;
    this.#newest = Math.max(this.#newest, sequence);
    // With the same content under a new id, cursors and ETags stay valid.
    if (before !== undefined && before.manifest.contentHash !== contentHash) {
      this.#previous = { snapshot: before, sinceMs: now() };
    }
    log({ event: 'snapshot-taken-up', snapshot: id, products: counts.products, deals: counts.deals });
    return true;
  }

  /** @throws {SnapshotError} */
  async #load(id: string): Promise<LoadedSnapshot> {
    const { store, publicUrl } = this.#options;
    const manifest = readManifest(store, id);
    const same = this.loaded.find((loaded) => loaded.manifest.contentHash === manifest.contentHash);
    if (same === undefined) {
      this.#dropPrevious();
      return loadSnapshot(store, id, { publicUrl });
    }
    // The content is in memory, as after a rollback: only the manifest is new. The next start reads the files, so damage is
    // reported now.
    await checkServedFiles(store, manifest);
    return { ...same, manifest };
  }

  #dropExpired(): void {
    if (this.#previous !== undefined && this.#hasPassed(GRACE_MS, this.#previous.sinceMs)) this.#dropPrevious();
  }

  /** `abs`: a clock that was set back must not prolong the wait. */
  #hasPassed(ms: number, sinceMs: number): boolean {
    return Math.abs(this.#options.now() - sinceMs) >= ms;
  }

  #dropPrevious(): void {
    if (this.#previous === undefined) return;
    this.#previous = undefined;
    // Makes V8 start an incremental garbage collection: otherwise the snapshot would stay for minutes (70 MB for a million
    // deals). Memory that is never written is never resident, but V8 counts it as allocated.
    Buffer.allocUnsafeSlow(GARBAGE_HINT_BYTES);
  }
}

const { outcome, startedAt, seconds, current, confirmedAt } = lastBuildSchema.shape;
const factsSchema = z.object({ outcome, startedAt, seconds, current, confirmedAt });

export const BUILD_OUTCOMES = outcome.options;

/** What health, metrics and `/status/` need of the last build. */
type LastBuildFacts = z.infer<typeof factsSchema>;

/** A reader of the `last-build.json` of a store, which may be large: it is parsed once for each build. */
function openLastBuild(store: string): () => LastBuildFacts | undefined {
  const path = storePath(store, 'last-build.json');
  let version: string | undefined;
  let facts: LastBuildFacts | undefined;
  return () => {
    try {
      const { ino, size, mtimeMs } = statSync(path);
      const found = `${ino} ${size} ${mtimeMs}`;
      if (found !== version) facts = factsSchema.safeParse(parseJson(readRegularFile(path))).data;
      version = found;
    } catch {
      facts = version = undefined;
    }
    return facts;
  };
}
