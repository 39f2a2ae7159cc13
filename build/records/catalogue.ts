import type { MatchRule } from '../../data/record/deal.ts';
import type {
  NetworkRecord,
  RetailerRecord,
  GiftCategoryRecord,
  GiftRecord,
  ProductRecord,
} from '../../data/record/product.ts';
import type { DealNumber } from '../../data/snapshot/catalogue-index.ts';
import type { Dictionaries, Manufacturer } from '../../data/snapshot/format.ts';
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

/** A gift as deals name it: a record of the catalogue, with its row, or the text of a feed. */
export interface DealGift {
  readonly name: string;
  readonly row?: number;
}

/**
 * The deals that are served, as columns: `rank` is the position in the order of total cost over the whole catalogue with
 * the ties of D14. Rows `rangeStart[p]` up to `rangeStart[p + 1]` are the deals of product row p, in order of rank. `gift`,
 * `cashback` and `picture` are 0 for none, else 1 + the position in their dictionary. Dictionaries hold what is used, in
 * an order that does not depend on the order of the sources.
 */
export interface CatalogueDeals
  extends
    Readonly<Record<Exclude<DealNumber, 'product'>, Uint32Array>>,
    Readonly<Pick<Dictionaries, 'plans' | 'cashbacks' | 'linkTemplates' | 'pictures'>> {
  readonly rowCount: number;
  readonly rangeStart: Uint32Array;
  readonly gifts: readonly DealGift[];
  linkPartAt(row: number): string;
  keyAt(row: number): string;
  originAt(row: number): SourceLocation;
  /** The match evidence of a deal; one object for all deals with the same. */
  matchAt(row: number): MatchEvidence;
}

export interface Catalogue {
  readonly records: CatalogueRecords;
  readonly deals: CatalogueDeals;
}
