import type { MatchRule } from '../../data/record/deal.ts';
import type { Notice, NoticeCode, Outcome } from '../../data/report/notice.ts';
import type { ProductWithoutDeals, SnapshotReport } from '../../data/report/report.ts';
import type { SourceLocation } from '../../data/report/source-location.ts';

/** Hits of a kind: how many there are, and the first of them. */
export interface Counted<Item> {
  readonly count: number;
  readonly items: readonly Item[];
}

/** What a snapshot says of the records that some words may mean: `deals explain --json` and `/status/explain.json`. */
export interface Explanation {
  readonly snapshot: string;
  readonly asked: string;
  /** The request whose answer is explained, too. */
  readonly target?: string;
  /** Before every amount: `£`. */
  readonly currencyLabel: string;
  /** Of each kind, records that are what was asked for come before those that only contain it. */
  readonly products: Counted<ExplainedProduct>;
  readonly deals: Counted<ExplainedDeal>;
  /** Gifts, gift categories, networks, retailers and manufacturers. */
  readonly others: Counted<OtherRecord>;
  /** Records that are not served, each with the rule that excludes it. */
  readonly leftOut: Counted<ExplainedNotice>;
  /** Findings that name what was asked for, about other records than those above. */
  readonly notices: Counted<ExplainedNotice>;
  /** Names of phones in feeds without a product, with the nearest products and the line for `matches`. */
  readonly names: Counted<SnapshotReport['unmatchedNames'][number]>;
  /** What may have been meant, when nothing was found. */
  readonly nearest: readonly string[];
}

/** A notice with the meaning of its code, and what to do. */
export interface ExplainedNotice extends Notice {
  readonly outcome: Outcome;
  readonly meaning: string;
  readonly remedy: string;
}

interface ServedRecord {
  readonly origin: SourceLocation;
  /** Why its source is held, and when the record was last found in it. */
  readonly held?: { readonly because: string; readonly since?: string };
  readonly notices: readonly ExplainedNotice[];
  /** With a target. */
  readonly answer?: ExplainedAnswer;
}

export interface ExplainedProduct extends ServedRecord {
  /** `101/new`. */
  readonly product: string;
  readonly name: string;
  readonly slug: string;
  readonly dealCount: number;
  readonly cheapest?: DealFacts;
  /** The records of feeds for it that are not served, by code, with the first of each. */
  readonly dealsLeftOut: readonly LeftOutDeals[];
  /** Of a product without a deal: when it last had one. */
  readonly lastDeal?: ProductWithoutDeals['lastDeal'];
}

export interface LeftOutDeals {
  readonly code: NoticeCode;
  readonly count: number;
  readonly first: readonly Pick<Notice, 'source' | 'file' | 'line' | 'record'>[];
}

/** What a deal offers and costs, as responses show it. */
export interface DealFacts {
  readonly retailer: string;
  readonly network: string;
  readonly months: number;
  /** `5.00` GB, or `unlimited`. */
  readonly data: string;
  readonly upfrontCost: string;
  readonly monthlyCost: string;
  readonly totalCost: string;
}

export interface ExplainedDeal extends ServedRecord, DealFacts {
  readonly key: string;
  /** `101/new`. */
  readonly product: string;
  readonly name: string;
  /** How it found its product. */
  readonly match: { readonly rule: MatchRule; readonly found: string; readonly meaning: string };
  /** 1-based, by total cost, among the deals of its product. */
  readonly place: number;
  readonly dealCount: number;
}

export interface OtherRecord {
  readonly kind: 'gift' | 'gift category' | 'network' | 'retailer' | 'manufacturer';
  /** A manufacturer has none. */
  readonly id?: string;
  readonly slug: string;
  readonly name: string;
}

/** Whether a response has a record, and what every filter alone says of it. */
export interface ExplainedAnswer {
  readonly isAnswered: boolean;
  readonly why: string;
  readonly filters: readonly TriedFilter[];
}

export interface TriedFilter {
  /** As sent: `filter[totalCost]=lte{500}`. */
  readonly filter: string;
  readonly holds: boolean;
  /** Of a product and a filter of deals: how many of its deals satisfy it. */
  readonly dealCount?: number;
}
