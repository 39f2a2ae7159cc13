import { isNameRule, type ProductReference } from '../../data/record/deal.ts';
import type { RetailerRecord } from '../../data/record/network-retailer.ts';
import { recordKey, type ProductRecord } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { FeedDeal } from '../adapt/feed-checks.ts';
import { productNames } from '../adapt/read-source.ts';
import type { BuildConfig } from '../config/config.ts';
import { createNotice, formatFileAndLine, OBJECT_BYTES, type Ledger, type NoticeDetails } from '../ledger/ledger.ts';
import { truncateText } from '../source/quote.ts';
import { MAX_LOOKUPS, type SourceCost } from '../ledger/source-limits.ts';
import type { ProductMatch } from '../match/candidates.ts';
import { createProductMatcher } from '../match/match-product.ts';
import { sortUnmatchedNames, UnmatchedNames, type UnmatchedName } from '../match/unmatched-names.ts';
import type { CatalogueDeals, MatchEvidence } from '../records/catalogue.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import type { Sourced, SourceLocation } from '../source/record.ts';
import { compareDeals, NO_COMPARISON, type DealComparison } from './compare-deals.ts';
import { DealTable, type DealTableRow } from './deal-table.ts';
import { DealDictionaries, type DealEntries } from './dictionaries.ts';
import { finalizeColumns } from './finalize.ts';
import { LinkTable, type PublishedTemplate } from './links.ts';
import { findDuplicateKeys, orderDeals, type FeedFile } from './order.ts';
import type { PriceJumpRules } from './price-jumps.ts';
import type { ServedDeals } from './served-deals.ts';
import { createDealValidator, type ResolvedDeal } from './validate.ts';

/** Collects the deals of all feeds while they are read, and turns them into the deals of the catalogue. */
export interface DealCollector {
  /** Starts a feed, read or stale. Several feeds may be open at a time. */
  openFeed(feed: string, isStale?: boolean): FeedCollector;
  /** Takes the cached deals of a feed from an earlier build. The caller fills the ledger. */
  restore(collected: CollectedFeed): void;
  /** The deals that are served. Call it once, after every feed has been committed or discarded. */
  finish(): CatalogueDeals;
  /** The deals compared with those of the snapshot being served; call it after `finish`. */
  comparison(): DealComparison;
  /** The product of a reference, served or not: `101/new`. */
  productOf(feed: string, reference: ProductReference): string | undefined;
  /** The names in committed feeds that matched no product, most deals first. */
  unmatchedNames(): readonly UnmatchedName[];
}

/** The deals of one feed. They count only after `commit`. */
interface FeedCollector {
  /** `evidence` is the original one of a stale deal, whose reference has only an id. */
  add(item: FeedDeal, evidence?: MatchEvidence): void;
  /** The memory that the feed has cost so far. */
  cost(): SourceCost;
  /** Ends the feed, and returns its result for the build cache. */
  commit(): CollectedFeed;
  /** Forgets the deals, and removes the feed from the ledger. */
  discard(): void;
}

export interface DealCollectorOptions {
  readonly joined: JoinedRecords;
  readonly exclusions: ExcludeRules;
  readonly money: BuildConfig['money'];
  readonly ledger: Ledger;
  /** The prices to compare with; absent when nothing is served. */
  readonly prices?: { readonly served: ServedDeals; readonly rules: PriceJumpRules } | undefined;
}

/**
 * The reader of a feed enters each deal in the ledger as read. The collector enters it as kept or excluded, at the
 * latest in `finish`.
 */
export function createDealCollector(options: DealCollectorOptions): DealCollector {
  const { joined, exclusions, money, ledger, prices } = options;
  const matchProduct = createProductMatcher(joined);
  const validateDeal = createDealValidator(joined, money);
  const dictionaries = new DealDictionaries();
  const { files } = dictionaries.entries;
  const table = new DealTable();
  const linkTemplates: PublishedTemplate[] = [];
  const repeatedRows = new Set<number>();
  const unmatched: UnmatchedName[] = [];
  /** Feeds that were opened. A restored feed is complete. */
  const feeds = new Set<string>();
  let comparison = NO_COMPARISON;

  const matchers = new Map<string, (reference: ProductReference) => ProductMatch>();
  const lookups = new Map<string, number>();

  function matcherOf(feed: string): (reference: ProductReference) => ProductMatch {
    const matcher =
      matchers.get(feed) ??
      memoizeMatch((reference) => {
        lookups.set(feed, (lookups.get(feed) ?? 0) + 1);
        return matchProduct(feed, reference);
      });
    matchers.set(feed, matcher);
    return matcher;
  }

  function openFeed(feed: string, isStale = false): FeedCollector {
    feeds.add(feed);
    if (isStale) keepHeldOut(feed);
    const deals = new DealTable();
    const links = new LinkTable();
    const ownDictionaries = new DealDictionaries();
    const ownExclusions = exclusions.fork();
    const encodeRow = createRowEncoder(ownDictionaries, links);
    const names = new UnmatchedNames(feed);
    const match = matcherOf(feed);

    return {
      add(item, evidence) {
        const { deal, origin } = item;
        const matched = match(deal.product);
        const product = evidence !== undefined && matched.kind === 'product' ? { ...matched, evidence } : matched;
        if (product.kind === 'none') names.count(product);
        const result = validateDeal(feed, deal, product, ownExclusions);
        if (result.kind === 'excluded') {
          const retailer = result.retailerRow === undefined ? undefined : retailerAt(result.retailerRow);
          ledger.exclude({
            ...createNotice(result.details, deal.key, origin),
            ...productNames(deal.product),
            ...productOfMatch(product),
            ...(retailer === undefined ? {} : { retailer }),
          });
          return;
        }
        const notices = result.deal.notices.map((details) => createNotice(details, deal.key, origin));
        deals.append(encodeRow(item, result.deal), [...item.notices, ...notices]);
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
        const pairs = findDuplicateKeys(deals, entries.files);
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
        for (const { row, keptRow } of pairs) excludeRepeated(deals, entries, row, keptRow);
        enter(collected);
        return collected;
      },
      discard() {
        exclusions.markUsed(ownExclusions.usedRules);
        ledger.discardSource(feed);
      },
    };
  }

  /** Adds the deals of a feed to those of the others. */
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
      excludeForOther(table, dictionaries.entries, row, keptRow, {
        code: 'duplicate-deal',
        found: truncateText(table.key.at(keptRow)),
      });
    }
    rows.forEach((row) => {
      ledger.keep(fileOf(table, files, row).source);
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
        ...createNotice(details, table.key.at(row), originOf(table, files, row)),
        product: recordKey(record),
        retailer: retailerAt(table.columns.retailer.at(row)),
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

  function excludeRepeated(deals: DealTable, own: SharedEntries, row: number, keptRow: number): void {
    const key = deals.key.at(row);
    const expected = `one deal with this id of the retailer; ${formatFileAndLine(originOf(deals, own.files, keptRow))} has it too`;
    const details = { code: 'duplicate-id', field: 'dealId', found: truncateText(key), expected } as const;
    excludeForOther(deals, own, row, keptRow, details);
  }

  function excludeForOther(
    deals: DealTable,
    { files: dealFiles, matches }: SharedEntries,
    row: number,
    keptRow: number,
    details: NoticeDetails,
  ): void {
    const { source, file, line } = originOf(deals, dealFiles, keptRow);
    const { rule, found } = matches[deals.columns.match.at(row)] as MatchEvidence;
    const notice = createNotice(details, deals.key.at(row), originOf(deals, dealFiles, row));
    ledger.exclude({
      ...(isNameRule(rule) ? { ...notice, names: [found] } : notice),
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

  function originOf(deals: DealTable, dealFiles: readonly FeedFile[], row: number): SourceLocation {
    return { ...fileOf(deals, dealFiles, row), line: deals.columns.line.at(row) };
  }

  return {
    openFeed,
    restore: enter,
    finish,
    comparison: () => comparison,
    productOf: (feed, reference) => productOfMatch(matcherOf(feed)(reference)).product,
    unmatchedNames: () => sortUnmatchedNames(unmatched),
  };
}

/** Lists that the rows of a table point into. */
type SharedEntries = Pick<DealDictionaries['entries'], 'files' | 'matches'>;

/** The product of a deal, served or suppressed. */
function productOfMatch(match: ProductMatch): Pick<Notice, 'product'> {
  switch (match.kind) {
    case 'product':
      return { product: recordKey(match) };
    case 'suppressed':
      return { product: match.key };
    case 'contradiction':
    case 'none':
      return {};
  }
}

/** A feed names each phone many times, and the match depends on the reference alone. */
function memoizeMatch(
  match: (reference: ProductReference) => ProductMatch,
): (reference: ProductReference) => ProductMatch {
  const cache = new Map<string, ProductMatch>();
  return (reference) => {
    const key = keyOfProductReference(reference);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    if (cache.size >= MAX_LOOKUPS) cache.clear();
    const found = match(reference);
    cache.set(key, found);
    return found;
  };
}

/** Equal for equal references only: every text but the last comes with its length. */
function keyOfProductReference(reference: ProductReference): string {
  const { id, feedIds, gtin, name, colour, storage, condition, conditionWords, saysNotNew } = reference;
  let key = `${condition} ${conditionWords} ${saysNotNew} ${id} ${gtin?.length} ${gtin} ${colour?.length} ${colour}`;
  key += ` ${storage?.length} ${storage} ${feedIds.length}`;
  for (const feedId of feedIds) key += ` ${feedId.length} ${feedId}`;
  return name === undefined ? key : `${key} ${name}`;
}

/** The deals of one feed, before they meet those of other feeds. */
export interface CollectedFeed {
  readonly deals: DealTable;
  /** What the numbers in `deals` stand for. */
  readonly entries: DealEntries;
  /** Rows of `deals` whose key is already taken by an earlier row: `dropped[n]` is dropped for `kept[n]`. */
  readonly repeated: { readonly dropped: Uint32Array; readonly kept: Uint32Array };
  readonly unmatchedNames: readonly UnmatchedName[];
  /** Positions of the rules of `exclude` in force that excluded a deal. */
  readonly usedRules: readonly number[];
}

/** Encodes a deal as a row, and adds its shared parts to the dictionaries. */
type EncodeDealRow = (item: FeedDeal, resolved: ResolvedDeal) => DealTableRow;

/** Encodes deals with the codes of `dictionaries` and the templates of `links`. */
function createRowEncoder(dictionaries: DealDictionaries, links: LinkTable): EncodeDealRow {
  let last: FeedFile & { readonly number: number } = { source: '', file: '', number: -1 };

  /** Rows come file by file, so nearly all are of the file of the row before. */
  function numberOfFile({ source, file }: SourceLocation): number {
    if (last.number === -1 || source !== last.source || file !== last.file) {
      last = { source, file, number: dictionaries.fileCode({ source, file }) };
    }
    return last.number;
  }

  return ({ deal, origin }, resolved) => {
    const { gift, cashback } = resolved;
    const { template, part } = links.add(deal.link);
    const picture = deal.productImage;
    return {
      product: resolved.productRow,
      plan: dictionaries.planCode(createPlan(deal, resolved.networkRow)),
      retailer: resolved.retailerRow,
      totalPence: resolved.totalPence,
      upfrontPence: deal.upfrontPence,
      monthlyPence: deal.monthlyPence,
      gift: gift === undefined ? 0 : 1 + dictionaries.giftCode(gift),
      cashback: cashback === undefined ? 0 : 1 + dictionaries.cashbackCode(cashback),
      picture: picture === undefined ? 0 : 1 + dictionaries.pictureCode(picture),
      linkTemplate: template,
      match: dictionaries.matchCode(resolved.evidence),
      file: numberOfFile(origin),
      line: origin.line,
      key: deal.key,
      linkPart: part,
    };
  };
}

function createPlan(deal: FeedDeal['deal'], networkRow: number): Plan {
  const { dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages } = deal;
  return { network: networkRow, dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages };
}
