import { recordKey, type ProductRecord } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { BuildConfig } from '../config/config.ts';
import type { Ledger, NoticeDetails } from '../ledger/ledger.ts';
import { createProductMatcher } from '../match/match-product.ts';
import type { CatalogueDeals } from '../records/catalogue.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import type { Sourced } from '../source/record.ts';
import { excludeDuplicate, excludeRow, FeedCollector, fileOf, listRows, type FeedTarget } from './collect-feed.ts';
import { DealTable } from './deal-table.ts';
import { DealDictionaries } from './dictionaries.ts';
import { finalizeColumns } from './finalize.ts';
import { orderDeals } from './order.ts';
import { createDealResolver } from './resolve-deal.ts';

interface DealCollectorOptions {
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
  readonly #products: readonly Sourced<ProductRecord>[];

  constructor({ joined, exclusions, money, ledger }: DealCollectorOptions) {
    const dictionaries = new DealDictionaries();
    this.#products = joined.records.products;
    this.target = {
      table: new DealTable(),
      dictionaries,
      linkTemplates: [],
      dropped: new Set(),
      matchProduct: createProductMatcher(joined),
      resolveDeal: createDealResolver(joined, exclusions, money, dictionaries),
      retailers: joined.records.retailers,
      ledger,
    };
  }

  openFeed(feed: string): FeedCollector {
    return new FeedCollector(feed, this.target);
  }

  /** Quarantines a row for its price. */
  holdOut(row: number, { details, prices }: HeldOut): void {
    const { record } = this.#products[this.target.table.columns.product.at(row)] as Sourced<ProductRecord>;
    excludeRow(this.target, row, details, { product: recordKey(record), prices });
  }

  /** Leaves out a duplicate of a row that is not served. */
  dropDuplicate(row: number, keptRow: number): void {
    excludeDuplicate(this.target, row, keptRow);
  }

  /**
   * The deals of the catalogue: ranked, without duplicates, and without those that `isHeldOut` holds out, which is asked
   * in order of total cost. The ledger gets every row as kept or excluded.
   */
  finish(isHeldOut: (row: number) => boolean): CatalogueDeals {
    const { table, dictionaries, ledger } = this.target;
    const ordered = orderDeals(table, dictionaries.files.entries, listRows(this.target));
    const rows = ordered.rows.filter((row) => !isHeldOut(row));
    for (const { row, keptRow } of ordered.duplicates) excludeDuplicate(this.target, row, keptRow);
    for (const row of rows) {
      ledger.keep(fileOf(this.target, row).source);
      for (const notice of table.notices.get(row) ?? []) ledger.note(notice);
    }
    return finalizeColumns(this.target, rows, this.#products.length);
  }
}
