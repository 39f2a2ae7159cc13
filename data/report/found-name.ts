import type { Notice, NoticeCode } from './notice.ts';

/** Hits of a kind: how many there are, and the first of them. */
export interface Counted<Item> {
  readonly count: number;
  readonly items: readonly Item[];
}

/** What became of the deals under a name: `served` as those of a product, or left out by a code. */
export interface NameOutcome {
  readonly code: 'served' | NoticeCode;
  /** `101/new`, where the deals are for a product. */
  readonly product?: string;
  readonly count: number;
}

/** A name under which a feed has deals, or what else it means a record of the CMS by. */
export interface FoundName {
  readonly feed: string;
  readonly name: string;
  /** `gtin`, `network`: the field of the feed, where it is not the name of a phone. */
  readonly field?: string;
  readonly dealCount: number;
  /** Most deals first. */
  readonly outcomes: readonly NameOutcome[];
  /** What was expected in place of a name that found no product: names the nearest. */
  readonly expected?: string;
  readonly remedy?: string;
  /** The line for `matches` of the one product that is near. */
  readonly matchesLine?: string;
}

/** A deal of a feed that is not served. */
export type LeftOutDeal = Pick<Notice, 'source' | 'file' | 'line' | 'record'>;

/** The deals of a product that are not served for one reason: how many, and the first of them. */
export interface LeftOutDeals {
  readonly code: NoticeCode;
  readonly count: number;
  readonly deals: readonly LeftOutDeal[];
}
