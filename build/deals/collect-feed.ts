import type { ProductReference } from '../../data/record/deal.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { UnmatchedName } from '../../data/report/report.ts';
import type { FeedDeal } from '../feed/raw-deal.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { noticeAt } from '../source/notice-at.ts';
import type { SourceCost } from '../ledger/source-limits.ts';
import type { UnmatchedProduct } from '../match/match-notices.ts';
import type { ProductMatch } from '../match/match-product.ts';
import type { MatchEvidence } from '../records/catalogue.ts';
import { truncateText } from '../source/quote.ts';
import type { DealCollector } from './collect-deals.ts';
import { FeedLinks } from './links.ts';
import { findRepeatedKeys } from './order.ts';

/** The deals of one feed while it is read: the rows of the table from its beginning on. */
export class FeedCollector {
  readonly #feed: string;
  readonly #firstRow: number;
  readonly #all: DealCollector;
  readonly #links: FeedLinks;
  /** The names that match no product, each with the number of its deals. */
  readonly #names = new Map<string, UnmatchedName>();
  readonly #matches = new Map<string, ProductMatch>();

  constructor(feed: string, all: DealCollector) {
    this.#feed = feed;
    this.#firstRow = all.table.rowCount;
    this.#all = all;
    this.#links = new FeedLinks(all.linkTemplates);
  }

  /** Enters a deal, or the notice that excludes it. `evidence` is the original one of a deal of an earlier snapshot. */
  add(item: FeedDeal, evidence?: MatchEvidence): void {
    const { deal, origin } = item;
    const { ledger, table, resolveDeal } = this.#all;
    const location = { ...origin, record: deal.key };
    const matched = this.#match(deal.product);
    const product = evidence !== undefined && 'row' in matched ? { ...matched, evidence } : matched;
    if ('excluded' in product && product.unmatched !== undefined) this.#countName(product.unmatched);
    const result = resolveDeal(this.#feed, item, product, this.#links);
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
    const { table, dictionaries } = this.#all;
    for (const { rows, isSameOffer } of findRepeatedKeys(table, this.rows(), dictionaries.files.entries)) {
      const [first, second] = rows as readonly [number, number];
      for (const row of isSameOffer ? rows.slice(1) : rows) {
        const other = row === first ? second : first;
        if (isSameOffer) this.#all.excludeDuplicate(row, other);
        else this.#all.excludeFor(row, other, this.#describeRepeated(row, other));
      }
    }
  }

  #describeRepeated(row: number, other: number): NoticeDetails {
    const found = truncateText(this.#all.table.key.at(row));
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
