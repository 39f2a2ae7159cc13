import type { Ledger } from '../catalogue/ledger.ts';
import type { FeedConfig } from '../config.ts';
import { findSourceFiles } from '../source/find-source-files.ts';
import { openFile, type FileDigest } from '../source/open-file.ts';
import { SourceError } from '../source/source-error.ts';
import type { FeedItem } from './adapter.ts';
import { createFeedAdapter } from './create-feed-adapter.ts';
import { missingNotice, sourceErrorNotice, type SourceState } from './source-state.ts';
import { BuildTime, type Era } from './validity.ts';

/** A record of a feed that goes on to the catalogue. */
export type FeedDeal = Extract<FeedItem, { kind: 'deal' }>;

export interface FeedReading {
  /**
   * The deals of all files, in batches, to be iterated once. Throws a SourceError when a file cannot be read to its
   * end: then the ledger has withdrawn the feed and noted the error, and the deals so far must not be served.
   */
  readonly deals: AsyncIterable<readonly FeedDeal[]>;
  /** When the files would be read alike, once `deals` has ended. */
  era(): Era;
  /** What became of the feed, once `deals` has ended or thrown. */
  state(): SourceState;
}

export interface FeedReadingOptions {
  /** The folder of the configuration. */
  readonly folder: string;
  readonly now: Date;
  /** The code of the catalogue's currency. */
  readonly currency: string;
}

/**
 * Reads a feed. Every record is entered in the ledger as read, and those that the adapter leaves out as left out; it is
 * for the caller to keep or leave out each deal, and to note its `notices` when it is kept.
 */
export function readFeed(feed: FeedConfig, options: FeedReadingOptions, ledger: Ledger): FeedReading {
  const { name, adapter, required } = feed;
  const read = createFeedAdapter(feed);
  const files: FileDigest[] = [];
  const time = new BuildTime(options.now);
  let state: SourceState['state'] = 'failed';

  async function* readDeals(): AsyncGenerator<readonly FeedDeal[]> {
    ledger.account(name);
    try {
      const found = await findSourceFiles(options.folder, feed);
      if (found.length === 0) ledger.note(missingNotice(feed));
      for (const sourceFile of found) {
        const file = openFile(sourceFile, feed.maxBytes);
        const context = {
          source: name,
          missingAllowance: feed.missingAllowance,
          time,
          currency: options.currency,
          note: ledger.note.bind(ledger),
        };
        for await (const items of read(file, context)) yield enter(ledger, name, items);
        const digest = file.digest();
        if (digest !== undefined) files.push(digest);
      }
      state = found.length === 0 ? 'absent' : 'fresh';
    } catch (error) {
      if (error instanceof SourceError) {
        ledger.withdraw(name);
        ledger.note(sourceErrorNotice(error));
      }
      throw error;
    }
  }

  return {
    deals: readDeals(),
    era: () => time.era,
    state: () => ({ name, kind: 'feed', adapter, required, state, files }),
  };
}

/** Enters a batch in the ledger; the deals of it are still open. */
function enter(ledger: Ledger, source: string, items: readonly FeedItem[]): readonly FeedDeal[] {
  ledger.read(source, items.length);
  const deals: FeedDeal[] = [];
  for (const item of items) {
    if (item.kind === 'deal') deals.push(item);
    else ledger.leaveOut(item.notice);
  }
  return deals;
}
