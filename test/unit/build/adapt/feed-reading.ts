import { FieldCounts, type FeedAdapter, type FeedContext } from '../../../../build/adapt/deal/adapter.ts';
import { BuildClock } from '../../../../build/adapt/deal/dates.ts';
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
    now = NOW,
    ...settings
  }: Partial<Pick<FeedContext, 'missingAllowance' | 'currency'>> & { readonly now?: Date } = {},
): Promise<AdapterOutput> {
  const notes: Notice[] = [];
  const context: FeedContext = {
    source: 'feed',
    missingAllowance: 'quarantine',
    conditionWords: 'quarantine',
    time: new BuildClock(now),
    fields: new FieldCounts(),
    currency: 'GBP',
    note: (notice) => notes.push(notice),
    ...settings,
  };
  return { items: await collect(adapter(memoryFile(content), context)), notes };
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
