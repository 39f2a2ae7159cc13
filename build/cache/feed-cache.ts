import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../../data/report/notice.ts';
import type { FieldCount } from '../../data/report/summary.ts';
import { openRegularFile } from '../../data/store/regular-file.ts';
import type { ValidityWindow } from '../adapt/deal/dates.ts';
import { findTruncation, type PreviousSources } from '../adapt/feed-checks.ts';
import type { FeedConfig } from '../adapt/registry.ts';
import type { CollectedFeed } from '../join/collect-deals.ts';
import { GrowableNumberColumn, GrowableTextColumn } from '../join/columns.ts';
import { createNumberColumns, DealTable, NUMBER_COLUMNS } from '../join/deal-table.ts';
import { SourceError } from '../source/errors.ts';
import { findSourceFiles, type SourceFile } from '../source/find-files.ts';
import type { FileDigest } from '../source/open-file.ts';
import { cacheFolder, cacheKeyPath, listNames, newPath } from '../../data/store/layout.ts';
import { findHash } from '../../data/store/lines.ts';
import { CacheFileReader, writeCacheFile, type CacheFileWriter } from './cache-file.ts';

const CACHE_FILE_SUFFIX = '.deals';

const KEY_BYTES = 32;

/** The result of reading a feed, up to where its deals meet those of other feeds. */
export interface CachedFeed {
  readonly collected: CollectedFeed;
  readonly readCount: number;
  /** The notices in the ledger about the feed, in their order. */
  readonly notices: readonly Notice[];
  readonly files: readonly FileDigest[];
  /** The counts of filled fields. */
  readonly fields: readonly FieldCount[];
  /** The time in which the same files give the same result. */
  readonly era: ValidityWindow;
}

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

interface CacheFileHead extends Omit<CachedFeed, 'collected' | 'notices'> {
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

  /** The result of an earlier build, if this build would get the same. */
  async find(feed: FeedConfig): Promise<CachedFeed | undefined> {
    if (this.#keyFound === undefined) return undefined;
    let descriptor: number | undefined;
    try {
      descriptor = openIfPresent(this.#pathOf(feed.name));
      if (descriptor === undefined) return undefined;
      const reader = new CacheFileReader(descriptor, this.#keyFound);
      // A head that is signed with our key has our shape.
      const head = reader.head as CacheFileHead;
      if (head.key !== this.#keyOf(feed) || !isWithin(this.#options.now, head.era)) return undefined;
      if (!(await this.#hasFiles(feed, head.files))) return undefined;
      if (findTruncation(feed.name, head, this.#options.earlier) !== undefined) return undefined;
      const collected = readCollected(reader);
      const notices = [...reader.values()] as Notice[];
      reader.finish();
      const { readCount, files, fields, era } = head;
      return { collected, notices, readCount, files, fields, era };
    } catch {
      const { name } = feed;
      this.#warnings.push(
        `cache/${name}${CACHE_FILE_SUFFIX} is not what was written, so ${name} was read from its files`,
      );
      return undefined;
    } finally {
      if (descriptor !== undefined) closeIfPossible(descriptor);
    }
  }

  /** Stores the result of this build in place of an earlier one. */
  save(feed: FeedConfig, { collected, notices, readCount, files, fields, era }: CachedFeed): void {
    // Each build checks again whether a folder can be read.
    if (this.#options.isReadOnly || notices.some(({ code }) => code === 'unreadable-folder')) return;
    const head: CacheFileHead = { key: this.#keyOf(feed), readCount, files, fields, era };
    this.#tryToWrite(() => {
      mkdirSync(this.#folder, { recursive: true });
      this.#keyToWrite ??= this.#keyFound ?? writeStoreKey(this.#options.store);
      writeCacheFile(this.#pathOf(feed.name), this.#keyToWrite, head, (writer) => {
        writeCollected(writer, collected);
        writer.values(notices);
      });
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

// Columns are stored as they are in memory, everything else as lines of JSON. `readCollected` reads what
// `writeCollected` wrote, in the same order. The hash of the file and the code fingerprint in its head make every cast
// safe.

function writeCollected(writer: CacheFileWriter, collected: CollectedFeed): void {
  const { deals, entries, repeated } = collected;
  for (const name of NUMBER_COLUMNS) writer.numbers(deals.columns[name].values());
  for (const column of [deals.key, deals.linkPart]) {
    const { ends, bytes, wide } = column.parts();
    writer.numbers(ends);
    writer.bytes(bytes);
    writer.values(wide);
  }
  writer.values(deals.notices);
  writer.values(entries.plans);
  writer.values(entries.gifts);
  writer.values(entries.cashbacks);
  writer.values(entries.pictures);
  writer.values(entries.matches);
  writer.values(entries.files);
  writer.values(entries.linkTemplates);
  writer.numbers(repeated.dropped);
  writer.numbers(repeated.kept);
  writer.values(collected.unmatchedNames);
  writer.values(collected.usedRules);
}

function readCollected(reader: CacheFileReader): CollectedFeed {
  const deals = new DealTable({
    numbers: createNumberColumns((name) => GrowableNumberColumn.of(name, reader.numbers())),
    key: readTexts(reader, 'key'),
    linkPart: readTexts(reader, 'linkPart'),
  });
  for (const [row, notices] of readAll<[number, Notice[]]>(reader)) deals.notices.set(row, notices);
  return {
    deals,
    entries: {
      plans: readAll(reader),
      gifts: readAll(reader),
      cashbacks: readAll(reader),
      pictures: readAll(reader),
      matches: readAll(reader),
      files: readAll(reader),
      linkTemplates: readAll(reader),
    },
    repeated: { dropped: reader.numbers(), kept: reader.numbers() },
    unmatchedNames: readAll(reader),
    usedRules: readAll(reader),
  };
}

function readTexts(reader: CacheFileReader, name: string): GrowableTextColumn {
  const ends = reader.numbers();
  const bytes = reader.bytes();
  return GrowableTextColumn.of(name, { ends, bytes, wide: readAll(reader) });
}

function readAll<Value>(reader: CacheFileReader): Value[] {
  return [...reader.values()] as Value[];
}
