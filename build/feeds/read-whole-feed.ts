import type { Notice } from '../../data/report/notice.ts';
import type { PreviousSources } from '../adapt/feed-checks.ts';
import { readFeed } from '../adapt/read-source.ts';
import type { FeedConfig } from '../adapt/registry.ts';
import type { WholeFeed } from '../cache/feed-sections.ts';
import { createFeedOpener, type JoinInputs } from '../join/collect-feed.ts';
import { Ledger } from '../ledger/ledger.ts';
import { SourceError } from '../source/errors.ts';
import type { SourceState } from '../source/source-state.ts';

/** What a feed is read with, apart from its own settings. */
export interface FeedInputs extends JoinInputs {
  /** The folder of the configuration. */
  readonly folder: string;
  readonly now: Date;
  readonly currency: string;
  readonly earlier: PreviousSources;
}

/** The result of reading a feed: everything of it, or only why it was not read to its end or has no file. */
export type FeedResult =
  | { readonly kind: 'whole'; readonly feed: WholeFeed }
  | {
      readonly kind: 'unread';
      readonly state: SourceState;
      readonly notices: readonly Notice[];
      /** Positions of the rules of `exclude` in force that excluded a deal of it. */
      readonly usedRules: readonly number[];
    };

/** How much of a feed has been read: rows, and bytes of its files as they are on the disk. */
export interface FeedProgress {
  readonly rows: number;
  readonly bytes: number;
}

/** Called after every batch of rows. */
export type OnFeedProgress = (progress: FeedProgress) => void;

export type ReadWholeFeed = (feed: FeedConfig, onProgress: OnFeedProgress) => Promise<FeedResult>;

/**
 * Reads feeds, checks their deals and matches them with the products of the catalogue. A feed depends on no other, so
 * several threads may each have a reader.
 */
export function createFeedReader(inputs: FeedInputs): ReadWholeFeed {
  const openFeed = createFeedOpener(inputs);

  return async (feed, onProgress) => {
    const { name } = feed;
    const ledger = new Ledger();
    const collector = openFeed(name, ledger);
    const { folder, now, currency, earlier } = inputs;
    const reading = readFeed(
      feed,
      {
        folder,
        now,
        currency,
        earlier,
        productOf: (reference) => collector.productOf(reference),
        costOf: () => collector.cost(),
      },
      ledger,
    );
    const unread = (): FeedResult => {
      const usedRules = collector.usedRules();
      return { kind: 'unread', state: reading.state(), notices: ledger.noticesOf(name), usedRules };
    };
    try {
      for await (const batch of reading.deals) {
        for (const deal of batch) collector.add(deal);
        onProgress(reading.progress());
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      ledger.discardSource(name);
      return unread();
    }
    const { state, files, fields = [] } = reading.state();
    if (state !== 'fresh') return unread();
    const collected = collector.finish();
    const { read: readCount } = ledger.account(name);
    const notices = ledger.noticesOf(name);
    return { kind: 'whole', feed: { collected, readCount, notices, files, fields, era: reading.validityWindow() } };
  };
}
