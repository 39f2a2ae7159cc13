import { recordKey, type ProductRecord } from '../../data/record/product.ts';
import type { BuildConfig } from '../config/config.ts';
import type { Notice } from '../../data/report/notice.ts';
import { createNotice, type Ledger, type NoticeDetails } from '../ledger/ledger.ts';
import { createProductMatcher } from '../match/match-product.ts';
import type { CatalogueDeals } from '../records/catalogue.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import { truncateText } from '../source/quote.ts';
import type { Sourced } from '../source/record.ts';
import { FeedCollector, fileOf, originOf, otherDealNotice, slugOf, type FeedTarget } from './collect-feed.ts';
import { DealTable } from './deal-table.ts';
import { DealDictionaries } from './dictionaries.ts';
import { finalizeColumns } from './finalize.ts';
import { orderDeals } from './order.ts';
import { createDealValidator } from './validate.ts';

export interface DealCollectorOptions {
  readonly joined: JoinedRecords;
  readonly exclusions: ExcludeRules;
  readonly money: BuildConfig['money'];
  readonly ledger: Ledger;
}

/** Why a deal is held out for its price, and what the next build has to know of it. */
interface HeldOut {
  readonly details: NoticeDetails;
  readonly prices: NonNullable<Notice['prices']>;
}

/** Collects the deals of all feeds in one table, with one dictionary for the build, and makes those of the catalogue. */
export class DealCollector {
  readonly target: FeedTarget;
  readonly #joined: JoinedRecords;

  constructor({ joined, exclusions, money, ledger }: DealCollectorOptions) {
    this.#joined = joined;
    this.target = {
      table: new DealTable(),
      dictionaries: new DealDictionaries(),
      linkTemplates: [],
      dropped: new Set(),
      matchProduct: createProductMatcher(joined),
      validateDeal: createDealValidator(joined, money),
      exclusions,
      retailers: joined.records.retailers,
      ledger,
    };
  }

  openFeed(feed: string): FeedCollector {
    return new FeedCollector(feed, this.target);
  }

  /** Quarantines a row for its price. */
  holdOut(row: number, { details, prices }: HeldOut): void {
    const { table, dictionaries, retailers, ledger, dropped } = this.target;
    const rows = { deals: table, entries: dictionaries.entries, retailers };
    const { record } = this.#joined.records.products[table.columns.product.at(row)] as Sourced<ProductRecord>;
    dropped.add(row);
    ledger.exclude({
      ...createNotice(details, table.key.at(row), originOf(rows, row)),
      product: recordKey(record),
      retailer: slugOf(retailers, table.columns.retailer.at(row)),
      prices,
    });
  }

  /** Leaves out a duplicate of a row that is not served. */
  dropDuplicate(row: number, keptRow: number): void {
    this.target.dropped.add(row);
    this.#excludeDuplicate(row, keptRow);
  }

  #excludeDuplicate(row: number, keptRow: number): void {
    const { table, dictionaries, retailers, ledger } = this.target;
    const rows = { deals: table, entries: dictionaries.entries, retailers };
    const details = { code: 'duplicate-deal', found: truncateText(table.key.at(keptRow)) } as const;
    ledger.exclude(otherDealNotice(rows, row, keptRow, details));
  }

  /**
   * The deals of the catalogue: ranked, without duplicates, and without those that `isHeldOut` holds out, which is asked
   * in order of total cost. The ledger gets every row as kept or excluded.
   */
  finish(isHeldOut: (row: number) => boolean): CatalogueDeals {
    const { table, dictionaries, linkTemplates, retailers, ledger, dropped } = this.target;
    const { files } = dictionaries.entries;
    const tableRows = { deals: table, entries: dictionaries.entries, retailers };
    const all = Uint32Array.from({ length: table.rowCount }, (_, row) => row).filter((row) => !dropped.has(row));
    const { rows: ordered, duplicates } = orderDeals(table, files, all);
    const rows = ordered.filter((row) => !isHeldOut(row));
    for (const { row, keptRow } of duplicates) this.#excludeDuplicate(row, keptRow);
    rows.forEach((row) => {
      ledger.keep(fileOf(tableRows, row).source);
      for (const notice of table.notices.get(row) ?? []) ledger.note(notice);
    });
    return finalizeColumns(table, rows, this.#joined.records.products.length, {
      ...dictionaries.entries,
      linkTemplates,
    });
  }
}
