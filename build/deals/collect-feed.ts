import { isNameRule, type ProductReference } from '../../data/record/deal.ts';
import type { RetailerRecord } from '../../data/record/network-retailer.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { UnmatchedName } from '../../data/report/report.ts';
import type { FeedDeal } from '../feed/feed-checks.ts';
import { createNotice, type Ledger, type NoticeDetails } from '../ledger/ledger.ts';
import type { SourceCost } from '../ledger/source-limits.ts';
import type { UnmatchedProduct } from '../match/match-notices.ts';
import type { MatchProduct, ProductMatch } from '../match/match-product.ts';
import type { MatchEvidence } from '../records/catalogue.ts';
import { truncateText } from '../source/quote.ts';
import type { Sourced, SourceLocation } from '../source/record.ts';
import type { DealTable } from './deal-table.ts';
import type { DealDictionaries, FeedFile } from './dictionaries.ts';
import { FeedLinks, type FeedTemplate } from './links.ts';
import { findRepeatedKeys } from './order.ts';
import type { ResolveDeal } from './resolve-deal.ts';

/** What the deals of all feeds go into, and what they are joined with. */
export interface FeedTarget {
  readonly table: DealTable;
  readonly dictionaries: DealDictionaries;
  /** By the numbers in the column `linkTemplate`. */
  readonly linkTemplates: FeedTemplate[];
  /** Rows that are not served. */
  readonly dropped: Set<number>;
  readonly matchProduct: MatchProduct;
  readonly resolveDeal: ResolveDeal;
  readonly retailers: readonly Sourced<RetailerRecord>[];
  readonly ledger: Ledger;
}

/** The deals of one feed while it is read: the rows of the table from its beginning on. */
export class FeedCollector {
  readonly #feed: string;
  readonly #firstRow: number;
  readonly #target: FeedTarget;
  readonly #links: FeedLinks;
  /** The names that match no product, each with the number of its deals. */
  readonly #names = new Map<string, UnmatchedName>();
  readonly #matches = new Map<string, ProductMatch>();
  #lookups = 0;

  constructor(feed: string, target: FeedTarget) {
    this.#feed = feed;
    this.#firstRow = target.table.rowCount;
    this.#target = target;
    this.#links = new FeedLinks(target.linkTemplates);
  }

  /** Enters a deal, or the notice that excludes it. `evidence` is the original one of a deal of an earlier snapshot. */
  add(item: FeedDeal, evidence?: MatchEvidence): void {
    const { deal, origin } = item;
    const { ledger, table, resolveDeal } = this.#target;
    const matched = this.#match(deal.product);
    const product = evidence !== undefined && matched.kind === 'product' ? { ...matched, evidence } : matched;
    if (product.kind === 'none') this.#countName(product.unmatched);
    const result = resolveDeal(this.#feed, item, product, this.#links);
    if ('row' in result) {
      table.append(result.row, [
        ...item.notices,
        ...result.notices.map((details) => createNotice(details, deal.key, origin)),
      ]);
      return;
    }
    ledger.exclude({
      ...createNotice(result.excluded, deal.key, origin),
      ...productNames(deal.product),
      ...productOfMatch(product),
      retailer: result.retailer,
    });
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
    return [...this.#names.values()];
  }

  /** The rows of the feed that are not dropped. */
  rows(): Uint32Array {
    return listRows(this.#target, this.#firstRow);
  }

  /** Takes nothing of a feed that was not read to its end. */
  discard(): void {
    for (const row of this.rows()) this.#target.dropped.add(row);
  }

  /**
   * Ends the feed. Of two rows under one id the same offer is a duplicate, and two offers are both quarantined: nothing
   * says which one is right (INPUTS "What must never go out").
   */
  finish(): void {
    const { table, dictionaries } = this.#target;
    for (const { rows, isSameOffer } of findRepeatedKeys(table, this.rows(), dictionaries.files.entries)) {
      const [first, second] = rows as readonly [number, number];
      for (const row of isSameOffer ? rows.slice(1) : rows) {
        const other = row === first ? second : first;
        if (isSameOffer) excludeDuplicate(this.#target, row, other);
        else excludeFor(this.#target, row, other, this.#describeRepeated(row, other));
      }
    }
  }

  #describeRepeated(row: number, other: number): NoticeDetails {
    const found = truncateText(this.#target.table.key.at(row));
    const { file, line } = originOf(this.#target, other);
    const expected = `one deal with this id of the retailer; ${file}:${line} has it too, and offers something else`;
    return { code: 'duplicate-id', field: 'dealId', found, expected };
  }

  #countName(unmatched: UnmatchedProduct): void {
    const key = `${unmatched.field ?? ''} ${unmatched.name}`;
    const known = this.#names.get(key) ?? { ...unmatched, feed: this.#feed, dealCount: 0 };
    this.#names.set(key, { ...known, dealCount: known.dealCount + 1 });
  }

  /** A feed names each phone many times, and the match depends on the reference alone. `findExceededLimit` bounds the map. */
  #match(reference: ProductReference): ProductMatch {
    const key = JSON.stringify(reference);
    let match = this.#matches.get(key);
    if (match === undefined) {
      this.#lookups++;
      match = this.#target.matchProduct(this.#feed, reference);
      this.#matches.set(key, match);
    }
    return match;
  }
}

/** The rows from `firstRow` on that are not dropped. */
export function listRows({ table, dropped }: FeedTarget, firstRow = 0): Uint32Array {
  const all = Uint32Array.from({ length: table.rowCount - firstRow }, (_, i) => firstRow + i);
  return dropped.size === 0 ? all : all.filter((row) => !dropped.has(row));
}

/** Leaves out a row that offers the same as the deal of `keptRow`. */
export function excludeDuplicate(target: FeedTarget, row: number, keptRow: number): void {
  excludeFor(target, row, keptRow, { code: 'duplicate-deal', found: truncateText(target.table.key.at(keptRow)) });
}

/** Leaves out a row because of the deal of `otherRow`. */
function excludeFor(target: FeedTarget, row: number, otherRow: number, details: NoticeDetails): void {
  const { table, dictionaries } = target;
  const { source, file, line } = originOf(target, otherRow);
  const { rule, found } = dictionaries.matches.entries[table.columns.match.at(row)] as MatchEvidence;
  excludeRow(target, row, details, {
    ...(isNameRule(rule) ? { names: [found] } : {}),
    other: { source, file, line, record: table.key.at(otherRow) },
  });
}

export function excludeRow(target: FeedTarget, row: number, details: NoticeDetails, facts: Partial<Notice>): void {
  const { table, retailers, ledger, dropped } = target;
  const retailer = slugOf(retailers, table.columns.retailer.at(row));
  dropped.add(row);
  ledger.exclude({ ...createNotice(details, table.key.at(row), originOf(target, row)), retailer, ...facts });
}

export function fileOf({ table, dictionaries }: FeedTarget, row: number): FeedFile {
  // Every row is of a file.
  return dictionaries.files.entries[table.columns.file.at(row)] as FeedFile;
}

export function originOf(target: FeedTarget, row: number): SourceLocation {
  return { ...fileOf(target, row), line: target.table.columns.line.at(row) };
}

export function slugOf(retailers: FeedTarget['retailers'], row: number): string {
  return (retailers[row] as Sourced<RetailerRecord>).record.slug;
}

const MAX_NAME_LENGTH = 300;

/** The name of the phone as the feed has it, for searches. */
export function productNames({ name }: ProductReference): Pick<Notice, 'names'> {
  return name === undefined ? {} : { names: [name.slice(0, MAX_NAME_LENGTH)] };
}

/** The product of a deal, served or suppressed. */
function productOfMatch(match: ProductMatch): Pick<Notice, 'product'> {
  if (match.kind === 'product') return { product: recordKey(match) };
  return match.kind === 'suppressed' ? { product: match.key } : {};
}
