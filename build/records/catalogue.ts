import type { MatchRule } from '../../data/record/deal.ts';
import type {
  NetworkRecord,
  RetailerRecord,
  GiftCategoryRecord,
  GiftRecord,
  ProductRecord,
} from '../../data/record/product.ts';
import type { Manufacturer, Plan } from '../../data/snapshot/format.ts';
import type { Sourced, SourceLocation } from '../source/record.ts';

/** The rule by which a deal found its product, and the text that matched, cut to 80 characters. */
export interface MatchEvidence {
  readonly rule: MatchRule;
  readonly found: string;
}

/**
 * The published records of the CMS: checked against each other, without duplicates, each list in order of numeric id.
 */
export interface CatalogueRecords {
  /** By numeric id, new before refurbished: the position is the product's row. */
  readonly products: readonly Sourced<ProductRecord>[];
  readonly gifts: readonly Sourced<GiftRecord>[];
  /** `gifts` of each hold only published gifts. */
  readonly giftCategories: readonly Sourced<GiftCategoryRecord>[];
  readonly networks: readonly Sourced<NetworkRecord>[];
  readonly retailers: readonly Sourced<RetailerRecord>[];
  /** Every manufacturer that a product names or the CMS lists, by slug. */
  readonly manufacturers: readonly Manufacturer[];
}

/** A gift as deals name it: a record of the catalogue, or the text of a feed. */
export type DealGift =
  | { readonly kind: 'record'; readonly giftRow: number }
  | { readonly kind: 'text'; readonly name: string };

/**
 * The deals that are served, as columns. Rows `rangeStart[p]` up to `rangeStart[p + 1]` are the deals of product row p, in
 * order of rank. `gift`, `cashback` and `picture` are 0 for none, else 1 + the position in their dictionary.
 * Dictionaries hold what is used, in an order that does not depend on the order of the sources.
 */
export interface CatalogueDeals {
  readonly rowCount: number;
  readonly rangeStart: Uint32Array;
  /** Position in the order of total cost over the whole catalogue with the ties of D14: a permutation of the rows. */
  readonly rank: Uint32Array;
  readonly plan: Uint32Array;
  readonly retailer: Uint32Array;
  readonly totalPence: Uint32Array;
  readonly upfrontPence: Uint32Array;
  readonly monthlyPence: Uint32Array;
  readonly gift: Uint32Array;
  readonly cashback: Uint32Array;
  readonly picture: Uint32Array;
  readonly linkTemplate: Uint32Array;
  linkPartAt(row: number): string;
  keyAt(row: number): string;
  originAt(row: number): SourceLocation;
  /** The match evidence of a deal; one object for all deals with the same. */
  matchAt(row: number): MatchEvidence;
  readonly plans: readonly Plan[];
  readonly gifts: readonly DealGift[];
  readonly cashbacks: readonly { readonly type: string; readonly valuePence: number }[];
  readonly linkTemplates: readonly { readonly prefix: string; readonly suffix: string }[];
  readonly pictures: readonly string[];
}

export interface Catalogue {
  readonly records: CatalogueRecords;
  readonly deals: CatalogueDeals;
}
