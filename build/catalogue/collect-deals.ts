import type { ProductReference } from '../../data/record/deal.ts';
import type { ProductRecord } from '../../data/record/product.ts';
import type { RetailerRecord } from '../../data/record/supplier.ts';
import { isNameRule } from '../../data/report/match-rule.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { Sourced } from '../adapt/adapter.ts';
import { namesOf, type FeedDeal } from '../adapt/read-feed.ts';
import { MAX_LOOKUPS, type SourceCost } from '../adapt/source-share.ts';
import type { BuildConfig } from '../config.ts';
import { arrangeDeals } from './arrange-deals.ts';
import type { CatalogueDeals, MatchWay } from './catalogue.ts';
import { compareDeals, NO_COMPARISON, type DealComparison } from './compare-deals.ts';
import type { CollectedFeed } from './collected-feed.ts';
import { DealDictionaries } from './deal-dictionaries.ts';
import { DealTable } from './deal-table.ts';
import { createEncodeRow } from './encode-row.ts';
import type { Exclusions } from './exclusion.ts';
import { createNotice, cutText, describeOrigin, type Finding } from './finding.ts';
import type { JoinedRecords } from './join-records.ts';
import { createJudgeDeal } from './judge-deal.ts';
import type { JumpRules } from './judge-price.ts';
import { type Ledger, OBJECT_BYTES } from './ledger.ts';
import { LinkTable, type PublishedTemplate } from './link-table.ts';
import { createMatchProduct } from './match-product.ts';
import { findRepeatedKeys, orderDeals, type FeedFile } from './order-deals.ts';
import type { Origin } from '../source/origin.ts';
import type { ServedDeals } from './served-deals.ts';
import { sortUnmatchedNames, UnmatchedNames, type UnmatchedName } from './unmatched-names.ts';
import type { ProductMatch } from './product-list.ts';

/** Takes the deals of every feed as they stream in, and makes of them the deals of the catalogue. */
export interface DealCollector {
  /** Opens the deals of one feed, read or carried forward. Several feeds may be open at a time. */
  openFeed(feed: string, isCarried?: boolean): DealSource;
  /** Takes what an earlier build made of the deals of a feed, in place of the deals. The ledger is for the caller. */
  restore(collected: CollectedFeed): void;
  /** The deals that are served; called once, when every source has been committed or discarded. */
  finish(): CatalogueDeals;
  /** What the deals are beside those of the snapshot being served, when `finish` has been called. */
  comparison(): DealComparison;
  /** The product that a reference of a feed means, served or not: `101/new`. */
  productOf(feed: string, reference: ProductReference): string | undefined;
  /** The names in committed feeds that matched no product, most deals first. */
  unmatchedNames(): readonly UnmatchedName[];
}

/** The deals of one feed, which count only when the feed could be read to its end. */
interface DealSource {
  /** `way` is how the deal came to its product in the first place, where its reference no longer says so. */
  add(item: FeedDeal, way?: MatchWay): void;
  /** What has been made of the deals so far. */
  cost(): SourceCost;
  /** Returns what was made of the deals, to be kept for a build that would make the same of them. */
  commit(): CollectedFeed;
  /** Forgets the deals, and withdraws the feed from the ledger. */
  discard(): void;
}

export interface DealCollectorOptions {
  readonly joined: JoinedRecords;
  readonly exclusions: Exclusions;
  readonly money: BuildConfig['money'];
  readonly ledger: Ledger;
  /** What prices are compared with; absent where nothing is served. */
  readonly prices?: { readonly served: ServedDeals; readonly rules: JumpRules } | undefined;
}

/** The reader of a feed enters each deal in the ledger as read; here it is kept or left out, at the latest by `finish`. */
export function createDealCollector(options: DealCollectorOptions): DealCollector {
  const { joined, exclusions, money, ledger, prices } = options;
  const matchProduct = createMatchProduct(joined);
  const judgeDeal = createJudgeDeal(joined, money);
  const dictionaries = new DealDictionaries();
  const { files } = dictionaries.entries;
  const table = new DealTable();
  const linkTemplates: PublishedTemplate[] = [];
  const repeatedRows = new Set<number>();
  const unmatched: UnmatchedName[] = [];
  /** Those that were opened; one that an earlier build has read was read to its end. */
  const feeds = new Set<string>();
  let comparison = NO_COMPARISON;

  const matchers = new Map<string, (reference: ProductReference) => ProductMatch>();
  const lookups = new Map<string, number>();

  function matcherOf(feed: string): (reference: ProductReference) => ProductMatch {
    const matcher =
      matchers.get(feed) ??
      cacheMatches((reference) => {
        lookups.set(feed, (lookups.get(feed) ?? 0) + 1);
        return matchProduct(feed, reference);
      });
    matchers.set(feed, matcher);
    return matcher;
  }

  function openFeed(feed: string, isCarried = false): DealSource {
    feeds.add(feed);
    if (isCarried) keepHeldOut(feed);
    const deals = new DealTable();
    const links = new LinkTable();
    const ownDictionaries = new DealDictionaries();
    const ownExclusions = exclusions.fork();
    const encodeRow = createEncodeRow(ownDictionaries, links);
    const names = new UnmatchedNames(feed);
    const match = matcherOf(feed);

    return {
      add(item, way) {
        const { deal, origin } = item;
        const matched = match(deal.product);
        const product = way !== undefined && matched.kind === 'product' ? { ...matched, way } : matched;
        if (product.kind === 'none') names.count(product);
        const verdict = judgeDeal(feed, deal, product, ownExclusions);
        if (verdict.kind === 'left-out') {
          const retailer = verdict.retailerRow === undefined ? undefined : retailerAt(verdict.retailerRow);
          ledger.leaveOut({
            ...createNotice(verdict.finding, deal.key, origin),
            ...namesOf(deal.product),
            ...productFact(product),
            ...(retailer === undefined ? {} : { retailer }),
          });
          return;
        }
        const notices = verdict.deal.notices.map((finding) => createNotice(finding, deal.key, origin));
        deals.append(encodeRow(item, verdict.deal), [...item.notices, ...notices]);
      },
      cost() {
        const heldBytes = deals.heldBytes + links.heldBytes + ownDictionaries.heldBytes + names.size * 4 * OBJECT_BYTES;
        return { heldBytes, lookups: lookups.get(feed) ?? 0, unknownNames: names.size };
      },
      commit() {
        const entries = {
          ...ownDictionaries.entries,
          linkTemplates: Array.from({ length: links.templateCount }, (_, template) => links.publish(template)),
        };
        const pairs = findRepeatedKeys(deals, entries.files);
        const collected: CollectedFeed = {
          deals,
          entries,
          repeated: {
            dropped: Uint32Array.from(pairs, ({ row }) => row),
            kept: Uint32Array.from(pairs, ({ keptRow }) => keptRow),
          },
          unmatchedNames: names.list(),
          usedRules: ownExclusions.usedRules,
        };
        matchers.delete(feed);
        for (const { row, keptRow } of pairs) leaveOutRepeated(deals, entries, row, keptRow);
        enter(collected);
        return collected;
      },
      discard() {
        exclusions.markUsed(ownExclusions.usedRules);
        ledger.withdraw(feed);
      },
    };
  }

  /** Puts the deals of a feed beside those of the others. */
  function enter({ deals, entries, repeated, unmatchedNames, usedRules }: CollectedFeed): void {
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
      leaveOutForOther(table, dictionaries.entries, row, keptRow, {
        code: 'duplicate-deal',
        found: cutText(table.key.at(keptRow)),
      });
    }
    for (const row of rows) {
      ledger.keep(fileOf(table, files, row).source);
      for (const notice of table.notices.get(row) ?? []) ledger.note(notice);
    }
    const isFeed = (source: string): boolean => feeds.has(source);
    const unread = ledger.listUnread();
    const sources = { isCmsRead: unread.every(isFeed), areFeedsRead: !unread.some(isFeed) };
    for (const notice of exclusions.listUnused(sources)) ledger.note(notice);
    return arrangeDeals(table, rows, joined.records.products.length, { ...dictionaries.entries, linkTemplates });
  }

  /** The rows without those that are held out for their price. */
  function holdOutJumps(rows: Uint32Array): Uint32Array {
    if (prices === undefined) return rows;
    const entries = { ...dictionaries.entries, linkTemplates };
    const compared = compareDeals({ table, rows, entries, records: joined.records }, prices.served, prices.rules);
    comparison = compared.comparison;
    for (const { row, finding, prices: jump } of compared.heldOut) {
      const { id, condition } = (joined.records.products[table.columns.product.at(row)] as Sourced<ProductRecord>)
        .record;
      ledger.leaveOut({
        ...createNotice(finding, table.key.at(row), originOf(table, files, row)),
        product: `${id}/${condition}`,
        retailer: retailerAt(table.columns.retailer.at(row)),
        prices: jump,
      });
    }
    const left = new Set(compared.heldOut.map(({ row }) => row));
    return left.size === 0 ? rows : rows.filter((row) => !left.has(row));
  }

  /** What was held out of a feed stays held out while the feed is carried forward: its price was not found again. */
  function keepHeldOut(feed: string): void {
    for (const notice of prices?.served.heldOut ?? []) {
      if (notice.source !== feed) continue;
      ledger.read(feed);
      ledger.leaveOut(notice);
    }
  }

  function leaveOutRepeated(deals: DealTable, own: Shared, row: number, keptRow: number): void {
    const key = deals.key.at(row);
    const expected = `one deal with this id of the retailer; ${describeOrigin(originOf(deals, own.files, keptRow))} has it too`;
    const finding = { code: 'duplicate-id', field: 'dealId', found: cutText(key), expected } as const;
    leaveOutForOther(deals, own, row, keptRow, finding);
  }

  function leaveOutForOther(
    deals: DealTable,
    { files: dealFiles, matches }: Shared,
    row: number,
    keptRow: number,
    finding: Finding,
  ): void {
    const { source, file, line } = originOf(deals, dealFiles, keptRow);
    const { rule, found } = matches[deals.columns.match.at(row)] as MatchWay;
    ledger.leaveOut({
      ...createNotice(finding, deals.key.at(row), originOf(deals, dealFiles, row)),
      ...(isNameRule(rule) ? { names: [found] } : {}),
      retailer: retailerAt(deals.columns.retailer.at(row)),
      other: { source, file, line, record: deals.key.at(keptRow) },
    });
  }

  function retailerAt(row: number): string {
    return (joined.records.retailers[row] as Sourced<RetailerRecord>).record.slug;
  }

  function fileOf({ columns }: DealTable, dealFiles: readonly FeedFile[], row: number): FeedFile {
    const file = dealFiles[columns.file.at(row)];
    if (file === undefined) throw new RangeError(`row ${row} has no file`);
    return file;
  }

  function originOf(deals: DealTable, dealFiles: readonly FeedFile[], row: number): Origin {
    return { ...fileOf(deals, dealFiles, row), line: deals.columns.line.at(row) };
  }

  return {
    openFeed,
    restore: enter,
    finish,
    comparison: () => comparison,
    productOf: (feed, reference) => productFact(matcherOf(feed)(reference)).product,
    unmatchedNames: () => sortUnmatchedNames(unmatched),
  };
}

/** Lists that the rows of a table point into. */
type Shared = Pick<DealDictionaries['entries'], 'files' | 'matches'>;

/** The product that a deal is for, whether it is served or withheld. */
function productFact(match: ProductMatch): Pick<Notice, 'product'> {
  switch (match.kind) {
    case 'product':
      return { product: `${match.id}/${match.condition}` };
    case 'withheld':
      return { product: match.key };
    case 'contradiction':
    case 'none':
      return {};
  }
}

/** A feed names each phone many times, and the answer depends on the reference alone. */
function cacheMatches(
  match: (reference: ProductReference) => ProductMatch,
): (reference: ProductReference) => ProductMatch {
  const cache = new Map<string, ProductMatch>();
  return (reference) => {
    const key = keyOfReference(reference);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    if (cache.size >= MAX_LOOKUPS) cache.clear();
    const found = match(reference);
    cache.set(key, found);
    return found;
  };
}

/** Equal for equal references only: every text but the last comes with its length. */
function keyOfReference(reference: ProductReference): string {
  const { id, feedIds, gtin, name, colour, storage, condition, conditionWords, saysNotNew } = reference;
  let key = `${condition} ${conditionWords} ${saysNotNew} ${id} ${gtin?.length} ${gtin} ${colour?.length} ${colour}`;
  key += ` ${storage?.length} ${storage} ${feedIds.length}`;
  for (const feedId of feedIds) key += ` ${feedId.length} ${feedId}`;
  return name === undefined ? key : `${key} ${name}`;
}
