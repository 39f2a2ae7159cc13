import { availableParallelism } from 'node:os';
import type { FeedConfig } from '../adapt/registry.ts';
import { measureFeed, type CachedFeed, type FeedCache } from '../cache/feed-cache.ts';
import { withoutTexts } from '../records/catalogue.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import type { Sourced } from '../source/record.ts';
import { FeedThreads } from './feed-threads.ts';
import {
  createFeedReader,
  type FeedInputs,
  type FeedProgress,
  type FeedResult,
  type ReadWholeFeed,
} from './read-whole-feed.ts';

export interface FeedResults {
  /** The result of a feed, once for each. */
  resultOf(feed: FeedConfig): Promise<FeedResult>;
  /** Ends what is still being read. */
  close(): Promise<void>;
}

export interface ReadFeedsContext {
  readonly inputs: FeedInputs;
  readonly cache: FeedCache;
  /** How many feeds are read at a time. */
  readonly threads: number | undefined;
  readonly progress: (message: string) => void;
  readonly onRows: OnRows;
}

/** How much has been read of all feeds that have to be read. */
interface RowCount extends FeedProgress {
  readonly bytesInAll: number;
}

export type OnRows = (count: RowCount) => void;

/**
 * Reads feeds, or takes them from the cache where they have not changed. In threads they are read side by side, the
 * largest first; otherwise one after another, each when its result is asked for.
 */
export async function readFeeds(feeds: readonly FeedConfig[], context: ReadFeedsContext): Promise<FeedResults> {
  const { inputs, cache, progress } = context;
  const cached = new Map<string, CachedFeed>();
  const changed: ChangedFeed[] = [];
  for (const feed of feeds) {
    const found = await cache.find(feed);
    if (found === undefined) changed.push({ feed, bytes: await measureFeed(inputs.folder, feed) });
    else cached.set(feed.name, found);
  }
  const tellStart = ({ name }: FeedConfig): void => progress(`reading ${name}`);
  const count = Math.min(context.threads ?? countUsefulThreads(changed), changed.length);
  const threads = count > 1 ? new FeedThreads(count, toMessage(inputs), tellStart) : undefined;
  const read = threads?.read ?? telling(createFeedReader(inputs), tellStart);
  const started = new Map<string, Promise<FeedResult>>();
  const counter = new RowCounter(changed, context.onRows);

  async function readAndKeep(feed: FeedConfig): Promise<FeedResult> {
    const result = await read(feed, (progressOfFeed) => counter.set(feed, progressOfFeed));
    if (result.kind === 'whole') cache.save(feed, result.feed);
    return result;
  }

  if (threads !== undefined) {
    for (const { feed } of changed.toSorted((a, b) => b.bytes - a.bytes)) {
      const result = readAndKeep(feed);
      // The error of a feed whose turn comes later is thrown then.
      result.catch(() => {});
      started.set(feed.name, result);
    }
  }

  return {
    resultOf(feed) {
      const known = cached.get(feed.name)?.load();
      if (known !== undefined) {
        progress(`${feed.name} is as it was`);
        return Promise.resolve({ kind: 'whole', feed: known });
      }
      const result = started.get(feed.name) ?? readAndKeep(feed);
      // Its deals are in memory twice until the caller has let go of them.
      started.delete(feed.name);
      return result;
    },
    close: async () => threads?.close(),
  };
}

function telling(read: ReadWholeFeed, tellStart: (feed: FeedConfig) => void): ReadWholeFeed {
  return (feed, onProgress) => {
    tellStart(feed);
    return read(feed, onProgress);
  };
}

/** A feed that has to be read, with the size of its files. */
interface ChangedFeed {
  readonly feed: FeedConfig;
  readonly bytes: number;
}

/** Adds up what has been read of each feed. */
class RowCounter {
  readonly #bytesInAll: number;
  readonly #tell: OnRows;
  readonly #feeds = new Map<string, FeedProgress>();

  constructor(changed: readonly ChangedFeed[], tell: OnRows) {
    this.#bytesInAll = changed.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#tell = tell;
  }

  set({ name }: FeedConfig, progress: FeedProgress): void {
    this.#feeds.set(name, progress);
    const all = [...this.#feeds.values()];
    this.#tell({
      rows: all.reduce((sum, { rows }) => sum + rows, 0),
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      bytesInAll: this.#bytesInAll,
    });
  }
}

/** What the threads but one have to read, so that a thread, with its 40 MB and a third of a second, is worth it. */
const MIN_BYTES_BESIDE = 5_000_000;

/** A fifth thread takes as much memory as the others, and saves less: what follows the reading is not shared out. */
const MAX_USEFUL_THREADS = 4;

function countUsefulThreads(changed: readonly ChangedFeed[]): number {
  const sizes = changed.map(({ bytes }) => bytes);
  const beside = sizes.reduce((sum, bytes) => sum + bytes, 0) - Math.max(0, ...sizes);
  return beside < MIN_BYTES_BESIDE ? 1 : Math.min(availableParallelism(), MAX_USEFUL_THREADS);
}

/** Texts, specifications and pictures stay here: joining a deal needs none of them. */
function toMessage({ exclusions, joined, ...inputs }: FeedInputs) {
  const { records, suppressed, excluded } = joined;
  // The keys that are left out are in none of the types that matching uses.
  const bare = <Source extends Sourced<object>>({ record, origin }: Source) =>
    ({ record: withoutTexts(record), origin }) as Source;
  const matched: JoinedRecords = {
    records: { ...records, products: records.products.map(bare), gifts: records.gifts.map(bare), giftCategories: [] },
    suppressed: suppressed.map(({ product, code }) => ({ product: bare(product), code })),
    excluded,
  };
  return { ...inputs, joined: matched, rules: exclusions.rules };
}
