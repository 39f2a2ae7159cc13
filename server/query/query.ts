import type { ContentKey, MetaDataKey, ProductAttribute } from '../../data/field/field.ts';
import type { ImageKey } from '../../data/field/image.ts';
import type { SpecKey } from '../../data/field/spec.ts';
import type { FilterName, FilterOperator, FilterValue } from '../../data/query/filter.ts';
import type { DealSortKey, ProductExpansion, ProductSortKey, Sort } from '../../data/query/vocabulary.ts';

/**
 * A parsed request for products: the list, or the variants of one id. As JSON it is the canonical text of the query: only
 * what changes the answer, each fact in one form.
 */
export interface ProductsQuery {
  readonly kind: 'products';
  /** The id of the path `/products/<id>/`. */
  readonly id?: string | undefined;
  /** In the order of the table of filters, then of operators. */
  readonly filters: readonly Filter[];
  readonly projection: Projection;
  readonly hasCheapestDeal: boolean;
  readonly hasPriceHistory: boolean;
  readonly isGrouped: boolean;
  readonly productSort?: Sort<ProductSortKey> | undefined;
  /** Present when deals are expanded. */
  readonly dealSort?: Sort<DealSortKey> | undefined;
  /** Products per page. */
  readonly pageLimit: number;
  readonly dealsPerProduct?: number | undefined;
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

/** A parsed filter. Its values are unique and ascending, records by their slugs; unlimited is Infinity, in JSON null. */
export interface Filter {
  readonly name: FilterName;
  readonly operator: FilterOperator;
  readonly values: readonly FilterValue[];
}

/** The whole object of a group, or the listed attributes in the order in which they are written. */
export type GroupSelection<Key extends string> = 'whole' | readonly Key[];

/** What an item in the response has; an absent group or attribute was not requested (D6). */
export interface Projection {
  /** In the order in which they are written (D22). */
  readonly attributes?: readonly ProductAttribute[] | undefined;
  readonly content?: GroupSelection<ContentKey> | undefined;
  readonly pageContent?: 'whole' | undefined;
  readonly metaData?: GroupSelection<MetaDataKey> | undefined;
  readonly specs?: GroupSelection<SpecKey> | undefined;
  readonly images?: GroupSelection<ImageKey> | undefined;
}

export type GroupName = Exclude<keyof Projection, 'attributes'>;

/** The word of `expand` for each group of an item, in the order in which groups are written. */
export const GROUP_WORDS = {
  content: 'content',
  pageContent: 'page-content',
  metaData: 'meta-data',
  specs: 'specs',
  images: 'images',
} as const satisfies Record<GroupName, ProductExpansion>;

export const GROUPS = Object.keys(GROUP_WORDS) as readonly GroupName[];
