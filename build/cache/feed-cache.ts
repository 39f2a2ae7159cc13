import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openRegularFile } from '../../data/store/regular-file.ts';
import type { ValidityWindow } from '../adapt/deal/dates.ts';
import { findTruncation, type PreviousSources } from '../adapt/feed-checks.ts';
import type { FeedConfig } from '../adapt/registry.ts';
import { SourceError } from '../source/errors.ts';
import { findSourceFiles, type SourceFile } from '../source/find-files.ts';
import type { FileDigest } from '../source/open-file.ts';
import { cacheFolder, cacheKeyPath, listNames, newPath } from '../../data/store/layout.ts';
import { findHash } from '../../data/store/lines.ts';
import { CacheFileReader, writeCacheFile } from './cache-file.ts';
import { headOf, readFeedSections, writeFeedSections, type FeedHead, type WholeFeed } from './feed-sections.ts';

const CACHE_FILE_SUFFIX = '.deals';

const KEY_BYTES = 32;

export interface FeedCacheOptions {
  readonly store: string;
  /** The folder of the configuration. */
  readonly configFolder: string;
  readonly now: Date;
  /** Everything except the feed that the result depends on: the code, the catalogue, settings that all feeds share. */
  readonly keyParts: Readonly<Record<string, string>>;
  /** Reads the cache and writes nothing. */
  readonly isReadOnly: boolean;
  readonly earlier?: PreviousSources;
}

/** A feed that this build need not read. `load` gives nothing when the file is damaged. */
export interface CachedFeed {
  load(): WholeFeed | undefined;
}

interface CacheFileHead extends FeedHead {
  /** The cache key: the feed's settings and `keyParts`, as JSON. */
  readonly key: string;
}

/**
 * The results of earlier builds, one file for each feed. A file is used while everything that it depends on is
 * unchanged: the bytes of the files under the same paths, the cache key, and what is valid at the time of the build.
 * The cache only saves work: a file that cannot be read or written is ignored, with one warning. A file that was
 * written without the key of the store is not used.
 */
export class FeedCache {
  readonly #options: FeedCacheOptions;
  readonly #folder: string;
  /** Absent before the first build of the store. */
  readonly #keyFound: Buffer | undefined;
  #keyToWrite: Buffer | undefined;
  readonly #warnings: string[] = [];
  #hasFailedToWrite = false;

  constructor(options: FeedCacheOptions) {
    this.#options = options;
    this.#folder = cacheFolder(options.store);
    this.#keyFound = readStoreKey(options.store);
  }

  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** The result of an earlier build, if this build would get the same; it is read by `load`. */
  async find(feed: FeedConfig): Promise<CachedFeed | undefined> {
    const head = this.#open(feed, (reader) => reader.head as CacheFileHead);
    if (head === undefined || head.key !== this.#keyOf(feed) || !isWithin(this.#options.now, head.era))
      return undefined;
    if (!(await this.#hasFiles(feed, head.files))) return undefined;
    if (findTruncation(feed.name, head, this.#options.earlier) !== undefined) return undefined;
    const load = () =>
      this.#open(feed, (reader) => {
        const found = readFeedSections(reader, head);
        reader.finish();
        if (!isDeepStrictEqual(reader.head, head)) throw new Error('expected the file that was found');
        return found;
      });
    return { load };
  }

  /** A file that is signed with our key has our shape. */
  #open<Result>({ name }: FeedConfig, read: (reader: CacheFileReader) => Result): Result | undefined {
    if (this.#keyFound === undefined) return undefined;
    let descriptor: number | undefined;
    try {
      descriptor = openIfPresent(this.#pathOf(name));
      return descriptor === undefined ? undefined : read(new CacheFileReader(descriptor, this.#keyFound));
    } catch {
      this.#warnings.push(
        `cache/${name}${CACHE_FILE_SUFFIX} is not what was written, so ${name} was read from its files`,
      );
      return undefined;
    } finally {
      if (descriptor !== undefined) closeIfPossible(descriptor);
    }
  }

  /** Stores the result of this build in place of an earlier one. */
  save(feed: FeedConfig, whole: WholeFeed): void {
    // Each build checks again whether a folder can be read.
    if (this.#options.isReadOnly || whole.notices.some(({ code }) => code === 'unreadable-folder')) return;
    const head: CacheFileHead = { key: this.#keyOf(feed), ...headOf(whole) };
    this.#tryToWrite(() => {
      mkdirSync(this.#folder, { recursive: true });
      this.#keyToWrite ??= this.#keyFound ?? writeStoreKey(this.#options.store);
      writeCacheFile(this.#pathOf(feed.name), this.#keyToWrite, head, (writer) => writeFeedSections(writer, whole));
    });
  }

  /** Removes the files of feeds that are not in `feeds`, and unfinished files of a killed build. */
  removeOthers(feeds: readonly FeedConfig[]): void {
    if (this.#options.isReadOnly) return;
    const names = new Set(feeds.map(({ name }) => `${name}${CACHE_FILE_SUFFIX}`));
    this.#tryToWrite(() => {
      for (const name of listNames(this.#folder)) {
        if (!names.has(name)) rmSync(join(this.#folder, name), { recursive: true, force: true });
      }
    });
  }

  #keyOf(feed: FeedConfig): string {
    return JSON.stringify({ feed, ...this.#options.keyParts });
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name}${CACHE_FILE_SUFFIX}`);
  }

  /** Sizes come first, so that most changed feeds need not be hashed. */
  async #hasFiles(feed: FeedConfig, digests: readonly FileDigest[]): Promise<boolean> {
    const found = await findFiles(this.#options.configFolder, feed);
    if (found === undefined) return false;
    const isAlike = (check: (file: SourceFile, digest: FileDigest) => boolean): boolean =>
      found.every((file, i) => {
        const digest = digests[i];
        return digest !== undefined && check(file, digest);
      });
    return (
      found.length === digests.length &&
      isAlike((file, { path, bytes }) => file.path === path && sizeOf(file.absolutePath) === bytes) &&
      isAlike((file, { sha256 }) => findHash(file.absolutePath) === sha256)
    );
  }

  /** A full disk must not stop the build, and needs only one warning. */
  #tryToWrite(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (this.#hasFailedToWrite) return;
      this.#hasFailedToWrite = true;
      this.#warnings.push(
        `what was read of the feeds could not be kept for the next build: ${(error as Error).message}`,
      );
    }
  }
}

function isWithin(now: Date, { fromMs, untilMs }: ValidityWindow): boolean {
  return fromMs <= now.getTime() && now.getTime() < untilMs;
}

/** The reader of the feed reports why files cannot be found. Here the feed only counts as changed. */
async function findFiles(folder: string, feed: FeedConfig): Promise<readonly SourceFile[] | undefined> {
  let isWhole = true;
  try {
    const files = await findSourceFiles(folder, feed, () => (isWhole = false));
    return isWhole ? files : undefined;
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}

/** The bytes of all files of a feed; 0 when they cannot be found. */
export async function measureFeed(folder: string, feed: FeedConfig): Promise<number> {
  const files = (await findFiles(folder, feed)) ?? [];
  return files.reduce((sum, { absolutePath }) => sum + (sizeOf(absolutePath) ?? 0), 0);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** Without the key no file of the cache can be checked, so all feeds are read again. */
function readStoreKey(store: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openIfPresent(cacheKeyPath(store));
    const key = descriptor === undefined ? undefined : readFileSync(descriptor);
    return key?.length === KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeIfPossible(descriptor);
  }
}

/** In one step: a killed build leaves a whole key or none. */
function writeStoreKey(store: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  const temporary = newPath(store);
  writeFileSync(temporary, key, { flag: 'wx', mode: 0o600 });
  renameSync(temporary, cacheKeyPath(store));
  return key;
}

function openIfPresent(path: string): number | undefined {
  try {
    return openRegularFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The content has been checked by its hash already. */
function closeIfPossible(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // Publishing reports a failing disk.
  }
}
