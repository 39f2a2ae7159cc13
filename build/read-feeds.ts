import { statSync } from 'node:fs';
import type { Notice } from '../data/report/notice.ts';
import type { PreviousSources } from './adapt/feed-checks.ts';
import { readFeed } from './adapt/read-source.ts';
import type { FeedConfig } from './adapt/registry.ts';
import type { ExcludeRule } from './config/config.ts';
import { createFeedOpener, type CollectedFeed, type JoinInputs, type OpenFeed } from './join/collect-feed.ts';
import { Ledger } from './ledger/ledger.ts';
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
export interface FeedInputs extends JoinInputs {
  /** The folder of the configuration. */
  readonly folder: string;
  readonly now: Date;
  readonly currency: string;
  readonly earlier: PreviousSources;
  readonly progress: (message: string) => void;
  /** Called after every batch of rows. */
  readonly onRows: OnRows;
}

/** The result of reading a feed, before its deals meet those of other feeds. */
export interface FeedResult {
  readonly state: SourceState;
  readonly readCount: number;
  /** In the order in which they were found; of a feed that is not whole only those about the feed itself. */
  readonly notices: readonly Notice[];
  /** The rules of `exclude` that excluded a deal of it. */
  readonly usedRules: readonly ExcludeRule[];
  /** Absent when the feed was not read to its end, or has no file. */
  readonly collected?: CollectedFeed | undefined;
}

/** Reads feeds one after another, checks their deals and matches them with the products of the catalogue. */
export async function readFeeds(
  feeds: readonly FeedConfig[],
  inputs: FeedInputs,
): Promise<ReadonlyMap<string, FeedResult>> {
  const openFeed = createFeedOpener(inputs);
  const bytesInAll = await measureFeeds(inputs.folder, feeds);
  const results = new Map<string, FeedResult>();
  const before = { rows: 0, bytes: 0 };
  for (const feed of feeds) {
    inputs.progress(`reading ${feed.name}`);
    let last = { rows: 0, bytes: 0 };
    const result = await readWholeFeed(feed, openFeed, inputs, (count) => {
      last = count;
      inputs.onRows({ rows: before.rows + count.rows, bytes: before.bytes + count.bytes, bytesInAll });
    });
    before.rows += last.rows;
    before.bytes += last.bytes;
    results.set(feed.name, result);
  }
  return results;
}

async function readWholeFeed(
  feed: FeedConfig,
  openFeed: OpenFeed,
  inputs: FeedInputs,
  onRows: (count: Pick<RowCount, 'rows' | 'bytes'>) => void,
): Promise<FeedResult> {
  const { name } = feed;
  const ledger = new Ledger();
  const collector = openFeed(name, ledger);
  const reading = readFeed(
    feed,
    {
      ...inputs,
      productOf: (reference) => collector.productOf(reference),
      costOf: () => collector.cost(),
    },
    ledger,
  );
  let collected: CollectedFeed | undefined;
  try {
    for await (const batch of reading.deals) {
      for (const deal of batch) collector.add(deal);
      onRows(reading.progress());
    }
    if (reading.state().state === 'fresh') collected = collector.finish();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    ledger.discardSource(name);
  }
  return {
    state: reading.state(),
    readCount: ledger.account(name).read,
    notices: ledger.noticesOf(name),
    usedRules: collector.usedRules(),
    collected,
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
