import { watch, type FSWatcher } from 'node:fs';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { describeError, type Log } from '../log.ts';
import { cursorContent } from '../query/pagination.ts';
import { checkServedFiles, loadSnapshot, renewSnapshot, type LoadedSnapshot } from './load-snapshot.ts';
import { findPrevious, listStoredIds, readCurrentId, readSnapshotManifest, type StoredId } from './read-manifest.ts';

/** How often the store is looked at, besides being watched: a watcher can miss a rename. */
const POLL_MS = 1_000;
/** How long a snapshot that could not be loaded is left alone. */
const RETRY_MS = 60_000;

/** More than the 64 MB that V8 lets be allocated outside its heap before it looks for garbage. */
const GARBAGE_HINT_BYTES = 80 * 1024 * 1024;

export interface SnapshotManagerOptions {
  readonly store: string;
  readonly publicUrl: string;
  readonly graceSeconds: number;
  /** Bytes for the hot answers of each snapshot. */
  readonly answerCacheBytes: number;
  /** A snapshot of more bytes than this is not loaded. */
  readonly maxSnapshotBytes: number;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * The snapshots a server answers from: the current one, and for a grace period the one before, so that a page walk can
 * end on the content it began with (D15). A request takes one of them once and keeps it, so no answer mixes two.
 *
 * There are never more than two in memory: the one before is dropped when still another begins to load, some tenths of a
 * second before that one would have taken its place.
 */
export class SnapshotManager {
  readonly #options: SnapshotManagerOptions;
  #current: LoadedSnapshot | undefined;
  #previous: { readonly snapshot: LoadedSnapshot; readonly sinceMs: number } | undefined;
  /** A snapshot that could not be loaded is tried again after a while: it may have been copied here after its pointer. */
  #refused: { readonly id: string; readonly sinceMs: number } | undefined;
  #isCurrentReadable = true;
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #watcher: FSWatcher | undefined;

  constructor(options: SnapshotManagerOptions) {
    this.#options = options;
  }

  get current(): LoadedSnapshot | undefined {
    return this.#current;
  }

  /** Every snapshot that is held now, the current one first. */
  get loaded(): readonly LoadedSnapshot[] {
    this.#dropExpired();
    return [this.#current, this.#previous?.snapshot].filter((snapshot) => snapshot !== undefined);
  }

  /** The held snapshot whose content a cursor names. */
  findContent(content: string): LoadedSnapshot | undefined {
    return this.loaded.find(({ manifest }) => cursorContent(manifest.contentHash) === content);
  }

  /** Loads what the store has now; without a readable current snapshot, the newest that is sound. */
  async start(): Promise<void> {
    await this.refresh();
    if (this.#current === undefined) await this.#fallBack();
    this.#timer = setInterval(() => void this.refresh(), POLL_MS);
    this.#timer.unref();
    try {
      this.#watcher = watch(this.#options.store, { persistent: false }, (_event, name) => {
        if (name === 'current.json') void this.refresh();
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // The folder may not be there yet, or the system may be out of watchers: polling does without.
    }
  }

  /** Takes up the snapshot that `current.json` names, if it is another. Never rejects; one at a time. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#reload().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  async #reload(): Promise<void> {
    // Here too, since nobody may ask for it any more: its memory is wanted for the snapshot that comes next.
    this.#dropExpired();
    const id = await this.#readCurrentId();
    if (id === undefined) return;
    if (id === this.#current?.manifest.id || this.#isRefused(id)) return;
    const snapshot = await this.#load(id);
    if (snapshot === undefined) this.#refused = { id, sinceMs: this.#options.now() };
    else {
      this.#refused = undefined;
      this.#swap(snapshot);
    }
  }

  /** The id in `current.json`; a store without a readable one is logged once. */
  async #readCurrentId(): Promise<string | undefined> {
    try {
      const id = await readCurrentId(this.#options.store);
      this.#isCurrentReadable = true;
      return id;
    } catch (error) {
      if (this.#isCurrentReadable) this.#options.log({ event: 'snapshot-unreadable', ...explain(error) });
      this.#isCurrentReadable = false;
      return undefined;
    }
  }

  /**
   * Serves the newest snapshot that is sound and that was not rolled back from. None that is newer than the current one:
   * it was never published.
   */
  async #fallBack(): Promise<void> {
    const stored = await listStoredIds(this.#options.store);
    const newest = await this.#findNewest(stored);
    for (const { id, sequence, isRolledBack } of stored) {
      if (isRolledBack || this.#isRefused(id) || sequence > newest) continue;
      const snapshot = await this.#load(id);
      if (snapshot !== undefined) {
        this.#swap(snapshot);
        return;
      }
    }
  }

  /**
   * The sequence of the current snapshot. Where `current.json` or that snapshot does not tell, `previous.json` names the
   * current one once more, and the one before it; where that does not tell either, there is no limit.
   */
  async #findNewest(stored: readonly StoredId[]): Promise<number> {
    const { store } = this.#options;
    const named = await readCurrentId(store).catch(() => undefined);
    const previous = await findPrevious(store);
    for (const wanted of [named, previous?.replacedBy, previous?.snapshot]) {
      const sequence = stored.find(({ id }) => id === wanted)?.sequence ?? 0;
      if (sequence > 0) return sequence;
    }
    return Number.POSITIVE_INFINITY;
  }

  #isRefused(id: string): boolean {
    return this.#refused?.id === id && !this.#hasPassed(RETRY_MS, this.#refused.sinceMs);
  }

  async #load(id: string): Promise<LoadedSnapshot | undefined> {
    const { store, publicUrl, answerCacheBytes, maxSnapshotBytes, log } = this.#options;
    try {
      const manifest = await readSnapshotManifest(store, id);
      const same = this.loaded.find((held) => held.manifest.contentHash === manifest.contentHash);
      // A night that changed nothing, or a step back to the one before: it is in memory, checked against the very hashes
      // that this manifest lists. The files are what the next start reads: that they are damaged is better known now.
      if (same !== undefined) {
        await checkServedFiles(store, manifest);
        return renewSnapshot(same, manifest, answerCacheBytes);
      }
      this.#dropPrevious();
      return await loadSnapshot(store, id, { publicUrl, answerCacheBytes, maxBytes: maxSnapshotBytes });
    } catch (error) {
      log({
        event: 'snapshot-refused',
        snapshot: id,
        serving: this.#current?.manifest.id ?? 'none',
        cause: describeError(error),
      });
      return undefined;
    }
  }

  #swap(snapshot: LoadedSnapshot): void {
    const before = this.#current;
    this.#current = snapshot;
    // The same content under a new id: cursors and ETags go on as they are, there is nothing to keep.
    if (before !== undefined && before.manifest.contentHash !== snapshot.manifest.contentHash) {
      // Only page walks ask for it from now on, each page once: its memory is better used.
      before.responses.clear();
      this.#previous = { snapshot: before, sinceMs: this.#options.now() };
    }
    const { id, counts } = snapshot.manifest;
    this.#options.log({ event: 'snapshot-taken-up', snapshot: id, products: counts.products, deals: counts.deals });
  }

  #dropExpired(): void {
    if (this.#previous === undefined) return;
    if (this.#hasPassed(this.#options.graceSeconds * 1_000, this.#previous.sinceMs)) this.#dropPrevious();
  }

  /** A clock that was put back is no reason to wait. */
  #hasPassed(ms: number, sinceMs: number): boolean {
    return Math.abs(this.#options.now() - sinceMs) >= ms;
  }

  #dropPrevious(): void {
    if (this.#previous === undefined) return;
    this.#previous = undefined;
    hintAtGarbage();
  }
}

/** That nothing is published is no fault of the program: the sentence says all of it, and where it was found says nothing. */
function explain(error: unknown): { readonly reason?: string; readonly cause: string } {
  const isMissing = error instanceof SnapshotError && error.details.code === 'no-snapshot';
  return isMissing ? { reason: error.details.code, cause: error.message } : { cause: describeError(error) };
}

/**
 * Has V8 look for garbage, a little at a time between requests. A server that answers from memory gives it no reason to,
 * and a dropped snapshot would stay for minutes (70 MB of a million deals). Memory that is never written to is never
 * resident, but it counts as allocated; this much more of it (64 MB) is what V8 begins to mark at.
 */
function hintAtGarbage(): void {
  Buffer.allocUnsafeSlow(GARBAGE_HINT_BYTES);
}
