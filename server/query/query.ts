import type { DealSortKey, ProductSortKey, Sort } from '../../data/query/sort.ts';
import type { Filter } from './filter.ts';
import type { Projection } from './projection.ts';

/** A request for products as understood, whatever its spelling: the list, or the variants of one id. */
export interface ProductsQuery {
  readonly kind: 'products';
  /** The id of the path `/products/<id>/`. */
  readonly id?: string;
  /** In the order of the table of filters, then of operators. */
  readonly filters: readonly Filter[];
  readonly projection: Projection;
  readonly hasCheapestDeal: boolean;
  readonly isGrouped: boolean;
  readonly productSort?: Sort<ProductSortKey>;
  /** What the `deals` array holds; absent when deals are not expanded. */
  readonly deals?: { readonly sort: Sort<DealSortKey>; readonly perProduct?: number };
  /** Products per page. */
  readonly pageLimit: number;
  /** The cursor as sent. */
  readonly cursor?: string;
}

export interface GiftCategoriesQuery {
  readonly kind: 'giftCategories';
  readonly projection: Projection;
  readonly hasGifts: boolean;
}

export interface GiftsQuery {
  readonly kind: 'gifts';
  readonly projection: Projection;
}

export interface ListQuery {
  readonly kind: 'networks' | 'retailers' | 'manufacturers';
}

export type Query = ProductsQuery | GiftCategoriesQuery | GiftsQuery | ListQuery;
