import { isNameRule } from '../../data/record/deal.ts';
import type { RetailerRecord } from '../../data/record/network-retailer.ts';
import { recordKey, type ProductRecord } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { BuildConfig } from '../config/config.ts';
import type { Ledger, NoticeDetails } from '../ledger/ledger.ts';
import { noticeAt } from '../source/notice-at.ts';
import { createProductMatcher, type MatchProduct } from '../match/match-product.ts';
import type { CatalogueDeals, CatalogueRecords, MatchEvidence } from '../records/catalogue.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import { truncateText } from '../source/quote.ts';
import type { Sourced, SourceLocation } from '../source/record.ts';
import { FeedCollector } from './collect-feed.ts';
import { DealTable } from './deal-table.ts';
import { DealDictionaries, type FeedFile } from './dictionaries.ts';
import { finalizeColumns } from './finalize.ts';
import type { FeedTemplate } from './links.ts';
import { orderDeals } from './order.ts';
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
  /** By the numbers in the column `linkTemplate`. */
  readonly linkTemplates: FeedTemplate[] = [];
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

  openFeed(feed: string): FeedCollector {
    return new FeedCollector(feed, this);
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
    this.excludeFor(row, keptRow, { code: 'duplicate-deal', found: truncateText(this.table.key.at(keptRow)) });
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
    const ordered = orderDeals(this.table, this.dictionaries.files.entries, this.listRows());
    const rows = ordered.rows.filter((row) => !isHeldOut(row));
    for (const { row, keptRow } of ordered.duplicates) this.excludeDuplicate(row, keptRow);
    for (const row of rows) {
      this.ledger.keep(this.fileOf(row).source);
      for (const notice of this.table.notices.get(row) ?? []) this.ledger.note(notice);
    }
    return finalizeColumns(this, rows, this.#records.products.length);
  }
}
