import type { FeedDeal } from '../../../../build/feed/parse-deal.ts';
import { Ledger, type SourceAccount } from '../../../../build/ledger/ledger.ts';
import { readFeed, type DealTaker, type PreviousSources } from '../../../../build/read-source.ts';
import type { SourceState } from '../../../../build/source/record.ts';
import type { DealRecord } from '../../../../data/record/deal.ts';
import { NOTICES, type Notice } from '../../../../data/report/notice.ts';
import { writeSources, type Files } from '../write-sources.ts';

/** What became of a feed, with accounts that add up. */
export interface FeedReading {
  /** The deals, in the order of the file. */
  readonly items: readonly FeedDeal[];
  readonly deals: readonly DealRecord[];
  /** Of records that were left out, and of the file. */
  readonly notices: readonly Notice[];
  /** Those of records that were left out. */
  readonly excluded: readonly Notice[];
  readonly account: SourceAccount;
  readonly state: SourceState;
  /** Why it was not read to its end. */
  readonly fault: Notice | undefined;
}

const NOW = new Date('2026-11-20T02:30:00Z');

/**
 * Reads a file, or files by their names, by the settings of a feed as a configuration has them, and keeps every deal; the
 * accounts are checked.
 */
export async function readWith(
  settings: Readonly<Record<string, unknown>>,
  content: string | Buffer | Files,
  earlier: PreviousSources = [],
): Promise<FeedReading> {
  const files = typeof content === 'string' || Buffer.isBuffer(content) ? { 'feed.csv': content } : content;
  const cms = [{ name: 'site', adapter: 'catalogue', files: ['site.json'] }];
  const { feeds, folder } = await writeSources(files, {
    cms,
    feeds: [{ name: 'feed', files: ['feed*'], ...settings }],
  });
  const [feed] = feeds;
  if (feed === undefined) throw new Error('the configuration has no feed');

  const ledger = new Ledger();
  const items: FeedDeal[] = [];
  const reader = { folder, now: NOW, currency: 'GBP', earlier, ledger };
  const state = await readFeed(feed, keepEvery('feed', ledger), reader, (deals) => items.push(...deals));
  ledger.check();
  const { notices } = ledger;
  return {
    items,
    deals: items.map(({ deal }) => deal),
    notices,
    excluded: notices.filter(({ code }) => ['out-of-scope', 'quarantined'].includes(NOTICES[code].outcome)),
    account: ledger.account('feed'),
    state,
    fault: state.state === 'failed' ? ledger.noticesOf('feed').at(-1) : undefined,
  };
}

/** Takes every deal of a feed, where nothing is known about what the deals name. */
function keepEvery(feed: string, ledger: Ledger): DealTaker {
  return {
    add: ({ notices }) => {
      ledger.keep(feed);
      for (const notice of notices) ledger.note(notice);
    },
    cost: () => ({ lookups: 0, unknownNames: 0 }),
    productOf: () => undefined,
    finish: () => {},
    discard: () => {},
  };
}

/** The only deal of a feed; fails the test with the notices when there is not exactly one. */
export function onlyDeal({ deals, notices }: FeedReading): DealRecord {
  const [deal] = deals;
  if (deal === undefined || deals.length > 1) throw new Error(`expected one deal, got ${JSON.stringify(notices)}`);
  return deal;
}

/** The only notice of a feed. */
export function onlyNotice({ notices }: FeedReading): Notice {
  const [notice] = notices;
  if (notice === undefined || notices.length > 1)
    throw new Error(`expected one notice, got ${JSON.stringify(notices)}`);
  return notice;
}

/** A CSV file of a header and one row for each record. */
export function csvOf(columns: readonly string[], ...rows: readonly Readonly<Record<string, string>>[]): string {
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => `${cells.map(quoteCell).join(',')}\n`)
    .join('');
}

function quoteCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
