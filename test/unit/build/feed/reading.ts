import { createFeedAdapter, feedSchema } from '../../../../build/registry.ts';
import { parseDeal } from '../../../../build/feed/parse-deal.ts';
import type { FeedAdapter, FeedContext } from '../../../../build/feed/raw-deal.ts';
import type { ReadResult } from '../../../../build/source/record.ts';
import type { DealRecord } from '../../../../data/record/deal.ts';
import type { Notice } from '../../../../data/report/notice.ts';
import { collect, memoryFile } from '../source/memory-file.ts';

/** What an adapter makes of a file: its items, and what it noted of the file as a whole. */
export interface AdapterOutput {
  readonly items: readonly ReadResult[];
  readonly notes: readonly Notice[];
}

export const NOW = new Date('2026-11-20T02:30:00Z');

export async function readWith(
  adapter: FeedAdapter,
  content: string | Buffer,
  {
    chunkBytes,
    ...settings
  }: Partial<Pick<FeedContext, 'missingAllowance' | 'currency'>> & { readonly chunkBytes?: number | undefined } = {},
): Promise<AdapterOutput> {
  const notes: Notice[] = [];
  const context: FeedContext = {
    missingAllowance: 'quarantine',
    conditionWords: 'quarantine',
    now: NOW,
    currency: 'GBP',
    note: (notice) => notes.push(notice),
    ...settings,
  };
  const records = await collect(adapter(memoryFile(content, chunkBytes), context));
  return { items: records.map((record) => ('notice' in record ? record : parseDeal(record, context))), notes };
}

const COMPILED = new Map<string, ReturnType<typeof compile>>();

/** The adapter for the settings of a feed, compiled once. */
function compileFeed(settings: object): ReturnType<typeof compile> {
  const key = JSON.stringify(settings);
  const compiled = COMPILED.get(key) ?? compile(settings);
  COMPILED.set(key, compiled);
  return compiled;
}

function compile(settings: object): { adapter: FeedAdapter; missingAllowance: FeedContext['missingAllowance'] } {
  const feed = feedSchema.parse({ name: 'feed', files: ['feed.csv'], ...settings });
  return { adapter: createFeedAdapter(feed), missingAllowance: feed.missingAllowance };
}

/** Reads a text by the settings of a feed as a configuration has them. */
export async function readText(
  settings: object,
  content: string | Buffer,
  chunkBytes?: number,
): Promise<AdapterOutput> {
  const { adapter, missingAllowance } = compileFeed(settings);
  return readWith(adapter, content, { missingAllowance, chunkBytes });
}

/** The deal of an item; fails the test with the notice when it was left out. */
export function dealOf(item: ReadResult | undefined): DealRecord {
  if (item?.kind !== 'deal') throw new Error(`expected a deal, got ${JSON.stringify(item)}`);
  return item.deal;
}

/** The notice of an item that was left out. */
export function noticeOf(item: ReadResult | undefined): Notice {
  if (item?.kind !== 'excluded') throw new Error(`expected a notice, got ${JSON.stringify(item)}`);
  return item.notice;
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
