import { recordKey, type ProductRecord } from '../../data/record/product.ts';
import { createNotice, type Ledger } from '../ledger/ledger.ts';
import { sortUnmatchedNames, type UnmatchedName } from '../match/unmatched-names.ts';
import type { ExcludeRule } from '../config/config.ts';
import type { CatalogueDeals } from '../records/catalogue.ts';
import { truncateText } from '../source/quote.ts';
import type { Sourced } from '../source/record.ts';
import {
  createFeedOpener,
  fileOf,
  originOf,
  otherDealNotice,
  slugOf,
  type CollectedFeed,
  type FeedCollector,
  type JoinInputs,
  type OpenFeed,
} from './collect-feed.ts';
import { compareDeals, NO_COMPARISON, type DealComparison } from './compare-deals.ts';
import { DealTable } from './deal-table.ts';
import { DealDictionaries } from './dictionaries.ts';
import { finalizeColumns } from './finalize.ts';
import type { PublishedTemplate } from './links.ts';
import { orderDeals } from './order.ts';
import type { PriceJumpRules } from './price-jumps.ts';
import type { ServedDeals } from './served-deals.ts';

/** Collects the deals of all feeds while they are read, and turns them into the deals of the catalogue. */
export interface DealCollector {
  /** Starts a feed that is read here, or one that is stale. Its deals count after `enter`. */
  openFeed(feed: string, isStale?: boolean): FeedCollector;
  /** Takes the deals of a feed that has been read to its end. The caller has told the ledger. */
  enter(collected: CollectedFeed, usedRules: readonly ExcludeRule[]): void;
  /** Takes nothing of a feed that was not read to its end; `usedRules` excluded some of its deals. */
  drop(feed: string, usedRules: readonly ExcludeRule[]): void;
  /** The deals that are served. Call it once, when every feed has been entered or dropped. */
  finish(): CatalogueDeals;
  /** The deals compared with those of the snapshot being served; call it after `finish`. */
  comparison(): DealComparison;
  /** The names in the feeds that matched no product, most deals first. */
  unmatchedNames(): readonly UnmatchedName[];
}

export interface DealCollectorOptions extends JoinInputs {
  readonly ledger: Ledger;
  /** The prices to compare with; absent when nothing is served. */
  readonly prices?: { readonly served: ServedDeals; readonly rules: PriceJumpRules } | undefined;
}

/**
 * The reader of a feed enters each deal in the ledger as read. The collector enters it as kept or excluded, at the
 * latest in `finish`.
 */
export function createDealCollector(options: DealCollectorOptions): DealCollector {
  const { joined, exclusions, ledger, prices } = options;
  const { retailers } = joined.records;
  const dictionaries = new DealDictionaries();
  const { files } = dictionaries.entries;
  const table = new DealTable();
  const tableRows = { deals: table, entries: dictionaries.entries, retailers };
  const linkTemplates: PublishedTemplate[] = [];
  const repeatedRows = new Set<number>();
  const unmatched: UnmatchedName[] = [];
  /** Feeds that may not have been read to their end. */
  const feeds = new Set<string>();
  let comparison = NO_COMPARISON;
  let open: OpenFeed | undefined;

  function openFeed(feed: string, isStale = false): FeedCollector {
    feeds.add(feed);
    if (isStale) keepHeldOut(feed);
    open ??= createFeedOpener(options);
    return open(feed, ledger);
  }

  function drop(feed: string, usedRules: readonly ExcludeRule[]): void {
    feeds.add(feed);
    exclusions.markUsed(usedRules);
  }

  /** Adds the deals of a feed to those of the others. */
  function enter(collected: CollectedFeed, usedRules: readonly ExcludeRule[]): void {
    const { deals, entries, repeated, unmatchedNames } = collected;
    const firstRow = table.rowCount;
    const firstTemplate = linkTemplates.length;
    for (const row of repeated.dropped) repeatedRows.add(firstRow + row);
    for (const template of entries.linkTemplates) linkTemplates.push(template);
    table.appendAll(deals, {
      ...dictionaries.addAll(entries),
      linkTemplate: Uint32Array.from(entries.linkTemplates, (_, template) => firstTemplate + template),
    });
    for (const name of unmatchedNames) unmatched.push(name);
    exclusions.markUsed(usedRules);
  }

  function finish(): CatalogueDeals {
    const { rows: ordered, duplicates } = orderDeals(table, files, repeatedRows);
    const rows = holdOutJumps(ordered);
    for (const { row, keptRow } of duplicates) {
      const details = { code: 'duplicate-deal', found: truncateText(table.key.at(keptRow)) } as const;
      ledger.exclude(otherDealNotice(tableRows, row, keptRow, details));
    }
    rows.forEach((row) => {
      ledger.keep(fileOf(tableRows, row).source);
      for (const notice of table.notices.get(row) ?? []) ledger.note(notice);
    });
    const isFeed = (source: string): boolean => feeds.has(source);
    const unread = ledger.listUnread();
    const sources = { isCmsRead: unread.every(isFeed), areFeedsRead: !unread.some(isFeed) };
    for (const notice of exclusions.listUnused(sources)) ledger.note(notice);
    return finalizeColumns(table, rows, joined.records.products.length, { ...dictionaries.entries, linkTemplates });
  }

  /** The rows without those that are held out for their price. */
  function holdOutJumps(rows: Uint32Array): Uint32Array {
    if (prices === undefined) return rows;
    const entries = { ...dictionaries.entries, linkTemplates };
    const compared = compareDeals({ table, rows, entries, records: joined.records }, prices.served, prices.rules);
    comparison = compared.comparison;
    for (const { row, details, prices: jump } of compared.heldOut) {
      const { record } = joined.records.products[table.columns.product.at(row)] as Sourced<ProductRecord>;
      ledger.exclude({
        ...createNotice(details, table.key.at(row), originOf(tableRows, row)),
        product: recordKey(record),
        retailer: slugOf(retailers, table.columns.retailer.at(row)),
        prices: jump,
      });
    }
    const left = new Set(compared.heldOut.map(({ row }) => row));
    return left.size === 0 ? rows : rows.filter((row) => !left.has(row));
  }

  /** A deal that was held out stays held out while its feed is stale: its price was not found again. */
  function keepHeldOut(feed: string): void {
    for (const notice of prices?.served.heldOut ?? []) {
      if (notice.source !== feed) continue;
      ledger.read(feed);
      ledger.exclude(notice);
    }
  }

  return {
    openFeed,
    enter,
    drop,
    finish,
    comparison: () => comparison,
    unmatchedNames: () => sortUnmatchedNames(unmatched),
  };
}
