import { isNameRule, type ProductReference } from '../../data/record/deal.ts';
import type { RetailerRecord } from '../../data/record/network-retailer.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { FeedDeal } from '../feed/feed-checks.ts';
import { productNames } from '../read-source.ts';
import { createNotice, formatFileAndLine, type Ledger, type NoticeDetails } from '../ledger/ledger.ts';
import { MAX_LOOKUPS, type SourceCost } from '../ledger/source-limits.ts';
import type { MatchProduct, ProductMatch } from '../match/match-product.ts';
import { UnmatchedNames, type UnmatchedName } from '../match/unmatched-names.ts';
import type { MatchEvidence } from '../records/catalogue.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import { truncateText } from '../source/quote.ts';
import type { Sourced, SourceLocation } from '../source/record.ts';
import type { DealTable, DealTableRow } from './deal-table.ts';
import type { DealDictionaries, DealEntries } from './dictionaries.ts';
import { LinkTable, type PublishedTemplate } from './links.ts';
import { findRepeatedKeys, type FeedFile } from './order.ts';
import type { ResolvedDeal, ValidateDeal } from './validate.ts';

/** What the deals of all feeds go into, and what they are joined with. */
export interface FeedTarget {
  readonly table: DealTable;
  readonly dictionaries: DealDictionaries;
  /** By the numbers in the column `linkTemplate`. */
  readonly linkTemplates: PublishedTemplate[];
  /** Rows that are not served. */
  readonly dropped: Set<number>;
  readonly matchProduct: MatchProduct;
  readonly validateDeal: ValidateDeal;
  readonly exclusions: ExcludeRules;
  readonly retailers: readonly Sourced<RetailerRecord>[];
  readonly ledger: Ledger;
}

/** The deals of one feed while it is read: rows of the table from `firstRow` on. */
export class FeedCollector {
  readonly feed: string;
  readonly firstRow: number;
  readonly #target: FeedTarget;
  readonly #links = new LinkTable();
  readonly #firstTemplate: number;
  readonly #names: UnmatchedNames;
  readonly #matches = new Map<string, ProductMatch>();
  #lookups = 0;
  #lastFile: FeedFile & { readonly number: number } = { source: '', file: '', number: -1 };

  constructor(feed: string, target: FeedTarget) {
    this.feed = feed;
    this.firstRow = target.table.rowCount;
    this.#target = target;
    this.#firstTemplate = target.linkTemplates.length;
    this.#names = new UnmatchedNames(feed);
  }

  /** Enters a deal, or the notice that excludes it. `evidence` is the original one of a deal of an earlier snapshot. */
  add(item: FeedDeal, evidence?: MatchEvidence): void {
    const { deal, origin } = item;
    const { ledger, table, retailers, validateDeal, exclusions } = this.#target;
    const matched = this.#match(deal.product);
    const product = evidence !== undefined && matched.kind === 'product' ? { ...matched, evidence } : matched;
    if (product.kind === 'none') this.#names.count(product.unmatched);
    const result = validateDeal(this.feed, deal, product, exclusions);
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
    table.append(this.#encode(item, result.deal), [...item.notices, ...notices]);
  }

  /** What the feed has cost so far. */
  cost(): SourceCost {
    return { lookups: this.#lookups, unknownNames: this.#names.size };
  }

  /** The product of a reference, served or not: `101/new`. */
  productOf(reference: ProductReference): string | undefined {
    return productOfMatch(this.#match(reference)).product;
  }

  unmatchedNames(): readonly UnmatchedName[] {
    return this.#names.list();
  }

  /** The rows of the feed that are not dropped. */
  rows(): Uint32Array {
    const { table, dropped } = this.#target;
    const all = Uint32Array.from({ length: table.rowCount - this.firstRow }, (_, i) => this.firstRow + i);
    return dropped.size === 0 ? all : all.filter((row) => !dropped.has(row));
  }

  /** Takes nothing of a feed that was not read to its end. */
  discard(): void {
    this.#publishLinks();
    for (const row of this.rows()) this.#target.dropped.add(row);
  }

  /**
   * Ends the feed. Of two rows under one id the same offer is a duplicate, and two offers are both quarantined: nothing
   * says which one is right (INPUTS "What must never go out").
   */
  finish(): void {
    const { table, dictionaries, ledger, dropped, retailers } = this.#target;
    this.#publishLinks();
    const rows = { deals: table, entries: dictionaries.entries, retailers };
    for (const group of findRepeatedKeys(table, this.rows(), dictionaries.entries.files)) {
      const [first] = group.rows as [number, ...number[]];
      const excluded = group.isSameOffer ? group.rows.slice(1) : group.rows;
      for (const row of excluded) {
        const other = row === first ? (group.rows[1] as number) : first;
        ledger.exclude(
          group.isSameOffer
            ? otherDealNotice(rows, row, other, { code: 'duplicate-deal', found: truncateText(table.key.at(row)) })
            : repeatedNotice(rows, row, other),
        );
        dropped.add(row);
      }
    }
  }

  /** The templates of its links are known when the last link is. */
  #publishLinks(): void {
    const { linkTemplates } = this.#target;
    for (let template = 0; template < this.#links.templateCount; template++) {
      linkTemplates[this.#firstTemplate + template] = this.#links.publish(template);
    }
  }

  /** A feed names each phone many times, and the match depends on the reference alone. */
  #match(reference: ProductReference): ProductMatch {
    const key = keyOfProductReference(reference);
    const cached = this.#matches.get(key);
    if (cached !== undefined) return cached;
    if (this.#matches.size >= MAX_LOOKUPS) this.#matches.clear();
    this.#lookups++;
    const found = this.#target.matchProduct(this.feed, reference);
    this.#matches.set(key, found);
    return found;
  }

  #encode({ deal, origin }: FeedDeal, resolved: ResolvedDeal): DealTableRow {
    const { dictionaries } = this.#target;
    const { gift, cashback } = resolved;
    const { template, part } = this.#links.add(deal.link);
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
      linkTemplate: this.#firstTemplate + template,
      match: dictionaries.matchCode(resolved.evidence),
      file: this.#numberOfFile(origin),
      line: origin.line,
      key: deal.key,
      linkPart: part,
    };
  }

  /** Rows come file by file, so nearly all are of the file of the row before. */
  #numberOfFile({ source, file }: SourceLocation): number {
    if (source !== this.#lastFile.source || file !== this.#lastFile.file) {
      this.#lastFile = { source, file, number: this.#target.dictionaries.fileCode({ source, file }) };
    }
    return this.#lastFile.number;
  }
}

/** Rows with what their numbers stand for. */
export interface TableWithEntries {
  readonly deals: DealTable;
  readonly entries: Pick<DealEntries, 'files' | 'matches'>;
  readonly retailers: readonly Sourced<RetailerRecord>[];
}

function repeatedNotice(rows: TableWithEntries, row: number, otherRow: number): Notice {
  const found = truncateText(rows.deals.key.at(row));
  const expected = `one deal with this id of the retailer; ${formatFileAndLine(originOf(rows, otherRow))} has it too, and offers something else`;
  return otherDealNotice(rows, row, otherRow, { code: 'duplicate-id', field: 'dealId', found, expected });
}

/** The notice of a row that is not served because of the deal of `otherRow`. */
export function otherDealNotice(rows: TableWithEntries, row: number, otherRow: number, details: NoticeDetails): Notice {
  const { deals, entries, retailers } = rows;
  const { source, file, line } = originOf(rows, otherRow);
  const { rule, found } = entries.matches[deals.columns.match.at(row)] as MatchEvidence;
  return {
    ...createNotice(details, deals.key.at(row), originOf(rows, row)),
    ...(isNameRule(rule) ? { names: [found] } : {}),
    retailer: slugOf(retailers, deals.columns.retailer.at(row)),
    other: { source, file, line, record: deals.key.at(otherRow) },
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

/** Equal for equal references only: every text but the last comes with its length. */
function keyOfProductReference(reference: ProductReference): string {
  const { id, feedIds, gtin, name, colour, storage, condition, conditionWords, saysNotNew } = reference;
  let key = `${condition} ${conditionWords} ${saysNotNew} ${id} ${gtin?.length} ${gtin} ${colour?.length} ${colour}`;
  key += ` ${storage?.length} ${storage} ${feedIds.length}`;
  for (const feedId of feedIds) key += ` ${feedId.length} ${feedId}`;
  return name === undefined ? key : `${key} ${name}`;
}

function createPlan(deal: FeedDeal['deal'], networkRow: number): Plan {
  const { dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages } = deal;
  return { network: networkRow, dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages };
}
