import { isNameRule, type ProductReference } from '../../data/record/deal.ts';
import type { RetailerRecord } from '../../data/record/network-retailer.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { FeedDeal } from '../adapt/feed-checks.ts';
import { productNames } from '../adapt/read-source.ts';
import type { BuildConfig, ExcludeRule } from '../config/config.ts';
import { createNotice, formatFileAndLine, OBJECT_BYTES, type Ledger, type NoticeDetails } from '../ledger/ledger.ts';
import { MAX_LOOKUPS, type SourceCost } from '../ledger/source-limits.ts';
import type { ProductMatch } from '../match/candidates.ts';
import { createProductMatcher } from '../match/match-product.ts';
import { UnmatchedNames, type UnmatchedName } from '../match/unmatched-names.ts';
import type { MatchEvidence } from '../records/catalogue.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import { truncateText } from '../source/quote.ts';
import type { Sourced, SourceLocation } from '../source/record.ts';
import { DealTable, type DealTableRow } from './deal-table.ts';
import { DealDictionaries, type DealEntries } from './dictionaries.ts';
import { LinkTable } from './links.ts';
import { findDuplicateKeys, type FeedFile } from './order.ts';
import { createDealValidator, type ResolvedDeal } from './validate.ts';

/** What every deal is joined with. */
export interface JoinInputs {
  readonly joined: JoinedRecords;
  readonly exclusions: ExcludeRules;
  readonly money: BuildConfig['money'];
}

/** The deals of one feed, while it is read. */
export interface FeedCollector {
  /** `evidence` is the original one of a stale deal, whose reference has only an id. */
  add(item: FeedDeal, evidence?: MatchEvidence): void;
  /** The memory that the feed has cost so far. */
  cost(): SourceCost;
  /** The product of a reference, served or not: `101/new`. */
  productOf(reference: ProductReference): string | undefined;
  /** The rules of `exclude` that have excluded a deal. */
  usedRules(): readonly ExcludeRule[];
  /** Ends the feed, and returns its deals. */
  finish(): CollectedFeed;
}

/** The deals of one feed, before they meet those of other feeds. */
export interface CollectedFeed {
  readonly deals: DealTable;
  /** What the numbers in `deals` stand for. */
  readonly entries: DealEntries;
  /** Rows of `deals` whose key is already taken by an earlier row: `dropped[n]` is dropped for `kept[n]`. */
  readonly repeated: { readonly dropped: Uint32Array; readonly kept: Uint32Array };
  readonly unmatchedNames: readonly UnmatchedName[];
}

/** Opens a feed. `ledger` gets each of its deals that is excluded. */
export type OpenFeed = (feed: string, ledger: Ledger) => FeedCollector;

export function createFeedOpener({ joined, exclusions, money }: JoinInputs): OpenFeed {
  const matchProduct = createProductMatcher(joined);
  const validateDeal = createDealValidator(joined, money);
  const retailers = joined.records.retailers;

  return (feed, ledger) => {
    const deals = new DealTable();
    const links = new LinkTable();
    const dictionaries = new DealDictionaries();
    const ownExclusions = exclusions.fork();
    const encodeRow = createRowEncoder(dictionaries, links);
    const names = new UnmatchedNames(feed);
    let lookups = 0;
    const match = memoizeMatch((reference) => {
      lookups++;
      return matchProduct(feed, reference);
    });

    return {
      add(item, evidence) {
        const { deal, origin } = item;
        const matched = match(deal.product);
        const product = evidence !== undefined && matched.kind === 'product' ? { ...matched, evidence } : matched;
        if (product.kind === 'none') names.count(product);
        const result = validateDeal(feed, deal, product, ownExclusions);
        if (result.kind === 'excluded') {
          ledger.exclude({
            ...createNotice(result.details, deal.key, origin),
            ...productNames(deal.product),
            ...productOfMatch(product),
            ...(result.retailerRow === undefined ? {} : { retailer: slugOf(retailers, result.retailerRow) }),
          });
          return;
        }
        const notices = result.deal.notices.map((details) => createNotice(details, deal.key, origin));
        deals.append(encodeRow(item, result.deal), [...item.notices, ...notices]);
      },
      cost() {
        const heldBytes = deals.heldBytes + links.heldBytes + dictionaries.heldBytes + names.size * 4 * OBJECT_BYTES;
        return { heldBytes, lookups, unknownNames: names.size };
      },
      productOf: (reference) => productOfMatch(match(reference)).product,
      usedRules: () => ownExclusions.usedRules,
      finish() {
        const entries = {
          ...dictionaries.entries,
          linkTemplates: Array.from({ length: links.templateCount }, (_, template) => links.publish(template)),
        };
        const pairs = findDuplicateKeys(deals, entries.files);
        const rows = { deals, entries, retailers };
        for (const { row, keptRow } of pairs) ledger.exclude(repeatedNotice(rows, row, keptRow));
        return {
          deals,
          entries,
          repeated: {
            dropped: Uint32Array.from(pairs, ({ row }) => row),
            kept: Uint32Array.from(pairs, ({ keptRow }) => keptRow),
          },
          unmatchedNames: names.list(),
        };
      },
    };
  };
}

/** Rows with what their numbers stand for. */
export interface TableWithEntries {
  readonly deals: DealTable;
  readonly entries: Pick<DealEntries, 'files' | 'matches'>;
  readonly retailers: readonly Sourced<RetailerRecord>[];
}

function repeatedNotice(rows: TableWithEntries, row: number, keptRow: number): Notice {
  const found = truncateText(rows.deals.key.at(row));
  const expected = `one deal with this id of the retailer; ${formatFileAndLine(originOf(rows, keptRow))} has it too`;
  return otherDealNotice(rows, row, keptRow, { code: 'duplicate-id', field: 'dealId', found, expected });
}

/** The notice of a row that is not served because the deal of `keptRow` is. */
export function otherDealNotice(rows: TableWithEntries, row: number, keptRow: number, details: NoticeDetails): Notice {
  const { deals, entries, retailers } = rows;
  const { source, file, line } = originOf(rows, keptRow);
  const { rule, found } = entries.matches[deals.columns.match.at(row)] as MatchEvidence;
  return {
    ...createNotice(details, deals.key.at(row), originOf(rows, row)),
    ...(isNameRule(rule) ? { names: [found] } : {}),
    retailer: slugOf(retailers, deals.columns.retailer.at(row)),
    other: { source, file, line, record: deals.key.at(keptRow) },
  };
}

export function fileOf({ deals: { columns }, entries }: TableWithEntries, row: number): FeedFile {
  const file = entries.files[columns.file.at(row)];
  if (file === undefined) throw new RangeError(`row ${row} has no file`);
  return file;
}

export function originOf(rows: TableWithEntries, row: number): SourceLocation {
  return { ...fileOf(rows, row), line: rows.deals.columns.line.at(row) };
}

export function slugOf(retailers: TableWithEntries['retailers'], row: number): string {
  return (retailers[row] as Sourced<RetailerRecord>).record.slug;
}

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
