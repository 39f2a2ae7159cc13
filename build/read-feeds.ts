import { statSync } from 'node:fs';
import type { PreviousSources } from './feed/feed-checks.ts';
import { readFeed } from './read-source.ts';
import type { FeedConfig } from './registry.ts';
import type { FeedCollector } from './deals/collect-feed.ts';
import type { Ledger } from './ledger/ledger.ts';
import { SourceError } from './source/errors.ts';
import { findSourceFiles } from './source/find-files.ts';
import type { SourceState } from './source/source-state.ts';

/** How much of all feeds has been read: rows, and bytes of their files as they are on the disk. */
interface RowCount {
  readonly rows: number;
  readonly bytes: number;
  readonly bytesInAll: number;
}

export type OnRows = (count: RowCount) => void;

/** What feeds are read with, apart from their own settings. */
export interface FeedReader {
  /** The folder of the configuration. */
  readonly folder: string;
  readonly now: Date;
  readonly currency: string;
  readonly earlier: PreviousSources;
  /** The time of the last snapshot, before the one being served, with a file of this hash. */
  readonly findEarlierNight: (feed: string, sha256: string) => string | undefined;
  readonly ledger: Ledger;
}

/** Reads a feed into a collector. One that cannot be read to its end leaves nothing but its notice. */
export async function readWholeFeed(
  feed: FeedConfig,
  collector: FeedCollector,
  reader: FeedReader,
  onRows: (count: Pick<RowCount, 'rows' | 'bytes'>) => void,
): Promise<SourceState> {
  const reading = readFeed(
    feed,
    {
      ...reader,
      productOf: (reference) => collector.productOf(reference),
      costOf: () => collector.cost(),
    },
    reader.ledger,
  );
  try {
    for await (const batch of reading.deals) {
      for (const deal of batch) collector.add(deal);
      onRows(reading.progress());
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    reader.ledger.discardSource(feed.name);
  }
  if (reading.state().state === 'fresh') collector.finish();
  else collector.discard();
  return reading.state();
}

/** Adds up the rows of feeds that are read one after another. */
export async function createRowCounter(
  folder: string,
  feeds: readonly FeedConfig[],
  onRows: OnRows,
): Promise<() => (count: Pick<RowCount, 'rows' | 'bytes'>) => void> {
  const bytesInAll = await measureFeeds(folder, feeds);
  const before = { rows: 0, bytes: 0 };
  let last = { rows: 0, bytes: 0 };
  return () => {
    before.rows += last.rows;
    before.bytes += last.bytes;
    last = { rows: 0, bytes: 0 };
    return (count) => {
      last = count;
      onRows({ rows: before.rows + count.rows, bytes: before.bytes + count.bytes, bytesInAll });
    };
  };
}

async function measureFeeds(folder: string, feeds: readonly FeedConfig[]): Promise<number> {
  let bytes = 0;
  for (const feed of feeds) {
    try {
      for (const { absolutePath } of await findSourceFiles(folder, feed, () => {})) {
        bytes += statSync(absolutePath, { throwIfNoEntry: false })?.size ?? 0;
      }
    } catch (error) {
      // The reader of the feed reports it.
      if (!(error instanceof SourceError)) throw error;
    }
  }
  return bytes;
}
