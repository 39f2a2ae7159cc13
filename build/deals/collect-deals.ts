import { isNameRule, type ProductReference } from '../../data/record/deal.ts';
import { type ProductRecord, recordKey, type RetailerRecord } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { UnmatchedName } from '../../data/report/report.ts';
import type { BuildConfig } from '../config/config.ts';
import type { FeedDeal } from '../feed/parse-deal.ts';
import type { Ledger, NoticeDetails, SourceCost } from '../ledger/ledger.ts';
import type { UnmatchedProduct } from '../match/match-notices.ts';
import {
  createProductMatcher,
  type MatchProduct,
  type ProductMatch,
  type MatchEvidence,
} from '../match/match-product.ts';
import { type CatalogueDeals, findRepeatedKeys, orderDeals, toCatalogueDeals } from './catalogue-deals.ts';
import type { CatalogueRecords, JoinedRecords } from '../records/join-records.ts';
import { DealDictionaries, DealTable, type FeedFile } from './deal-table.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import { noticeAt } from '../source/errors.ts';
import type { Sourced, SourceLocation } from '../source/record.ts';
import { createDealResolver, type ResolveDeal } from './resolve-deal.ts';

interface DealCollectorOptions {
  readonly joined: JoinedRecords;
  readonly exclusions: ExcludeRules;
  readonly money: BuildConfig['money'];
  readonly ledger: Ledger;
}

/** Collects the deals of all feeds in one table, with one dictionary for the build, and makes those of the catalogue. */
export class DealCollector {
  readonly table = new DealTable();
  readonly dictionaries = new DealDictionaries();
  /** Rows that are not served. */
  readonly dropped = new Set<number>();
  readonly matchProduct: MatchProduct;
  readonly resolveDeal: ResolveDeal;
  readonly ledger: Ledger;
  readonly #records: CatalogueRecords;

  constructor({ joined, exclusions, money, ledger }: DealCollectorOptions) {
    this.matchProduct = createProductMatcher(joined);
    this.resolveDeal = createDealResolver(joined, exclusions, money, this.dictionaries);
    this.ledger = ledger;
    this.#records = joined.records;
  }

  /** The rows from `firstRow` on that are not dropped. */
  listRows(firstRow = 0): Uint32Array {
    const all = Uint32Array.from({ length: this.table.rowCount - firstRow }, (_, i) => firstRow + i);
    return this.dropped.size === 0 ? all : all.filter((row) => !this.dropped.has(row));
  }

  // Every row is of a file, a product and a retailer.

  fileOf(row: number): FeedFile {
    return this.dictionaries.files.entries[this.table.columns.file.at(row)] as FeedFile;
  }

  originOf(row: number): SourceLocation {
    const { source, file } = this.fileOf(row);
    return { source, file, line: this.table.columns.line.at(row) };
  }

  /** Its slug. */
  retailerOf(row: number): string {
    return (this.#records.retailers[this.table.columns.retailer.at(row)] as Sourced<RetailerRecord>).record.slug;
  }

  /** Quarantines a row for its price. `prices` are for the next build. */
  holdOut(row: number, { details, prices }: Required<Pick<Notice, 'prices'>> & { details: NoticeDetails }): void {
    const { record } = this.#records.products[this.table.columns.product.at(row)] as Sourced<ProductRecord>;
    this.#exclude(row, details, { product: recordKey(record), prices });
  }

  /** Leaves out a row that offers the same as the deal of `keptRow`. */
  excludeDuplicate(row: number, keptRow: number): void {
    this.excludeFor(row, keptRow, { code: 'duplicate-deal', found: this.table.key.at(keptRow) });
  }

  /** Leaves out a row because of the deal of `otherRow`. */
  excludeFor(row: number, otherRow: number, details: NoticeDetails): void {
    const { source, file, line } = this.originOf(otherRow);
    const { rule, found } = this.dictionaries.matches.entries[this.table.columns.match.at(row)] as MatchEvidence;
    this.#exclude(row, details, {
      ...(isNameRule(rule) ? { names: [found] } : {}),
      other: { source, file, line, record: this.table.key.at(otherRow) },
    });
  }

  #exclude(row: number, details: NoticeDetails, facts: Partial<Notice>): void {
    this.dropped.add(row);
    const notice = noticeAt({ ...this.originOf(row), record: this.table.key.at(row) }, details);
    this.ledger.exclude({ ...notice, retailer: this.retailerOf(row), ...facts });
  }

  /**
   * The deals of the catalogue: ranked, without duplicates, and without those that `isHeldOut` holds out, which is asked
   * in order of total cost. The ledger gets every row as kept or excluded.
   */
  finish(isHeldOut: (row: number) => boolean): CatalogueDeals {
    const ordered = orderDeals(this, this.listRows());
    const rows = ordered.rows.filter((row) => !isHeldOut(row));
    for (const [row, keptRow] of ordered.keptRows) this.excludeDuplicate(row, keptRow);
    for (const row of rows) {
      this.ledger.keep(this.fileOf(row).source);
      for (const notice of this.table.notices.get(row) ?? []) this.ledger.note(notice);
    }
    return toCatalogueDeals(this, rows, this.#records.products.length);
  }
}

/** The deals of one feed while it is read: the rows of the table from its beginning on. */
export class FeedCollector {
  readonly #feed: string;
  readonly #firstRow: number;
  readonly #all: DealCollector;
  /** The names that match no product, each with the number of its deals. */
  readonly #names = new Map<string, UnmatchedName>();
  readonly #matches = new Map<string, ProductMatch>();

  constructor(feed: string, all: DealCollector) {
    this.#feed = feed;
    this.#firstRow = all.table.rowCount;
    this.#all = all;
  }

  /** Enters a deal, or the notice that excludes it. `evidence` is the original one of a deal of an earlier snapshot. */
  add(item: FeedDeal, evidence?: MatchEvidence): void {
    const { deal, origin } = item;
    const { ledger, table, resolveDeal } = this.#all;
    const location = { ...origin, record: deal.key };
    const matched = this.#match(deal.product);
    const product = evidence !== undefined && 'row' in matched ? { ...matched, evidence } : matched;
    if ('excluded' in product && product.unmatched !== undefined) this.#countName(product.unmatched);
    const result = resolveDeal(this.#feed, item, product);
    if ('row' in result) {
      table.append(result.row, [...item.notices, ...result.notices.map((details) => noticeAt(location, details))]);
      return;
    }
    ledger.exclude({
      ...noticeAt(location, result.excluded),
      ...productNames(deal.product),
      ...productOfMatch(product),
      retailer: result.retailer,
    });
  }

  /** What the feed has cost so far. */
  cost(): SourceCost {
    return { lookups: this.#matches.size, unknownNames: this.#names.size };
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
    return this.#all.listRows(this.#firstRow);
  }

  /** Takes nothing of a feed that was not read to its end. */
  discard(): void {
    for (const row of this.rows()) this.#all.dropped.add(row);
  }

  /**
   * Ends the feed. Of two rows under one id the same offer is a duplicate, and two offers are both quarantined: nothing
   * says which one is right (INPUTS "What must never go out").
   */
  finish(): void {
    for (const { rows, isSameOffer } of findRepeatedKeys(this.#all, this.rows())) {
      const [first, second] = rows as unknown as readonly [number, number];
      for (const row of isSameOffer ? rows.subarray(1) : rows) {
        const other = row === first ? second : first;
        if (isSameOffer) this.#all.excludeDuplicate(row, other);
        else this.#all.excludeFor(row, other, this.#describeRepeated(row, other));
      }
    }
  }

  #describeRepeated(row: number, other: number): NoticeDetails {
    const found = this.#all.table.key.at(row);
    const { file, line } = this.#all.originOf(other);
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
      match = this.#all.matchProduct(this.#feed, reference);
      this.#matches.set(key, match);
    }
    return match;
  }
}

const MAX_NAME_LENGTH = 300;

/** The name of the phone as the feed has it, for searches. */
export function productNames({ name }: ProductReference): Pick<Notice, 'names'> {
  return name === undefined ? {} : { names: [name.slice(0, MAX_NAME_LENGTH)] };
}

/** The product of a deal, served or suppressed. */
function productOfMatch(match: ProductMatch): Pick<Notice, 'product'> {
  if ('row' in match) return { product: recordKey(match) };
  return match.suppressed === undefined ? {} : { product: match.suppressed };
}
