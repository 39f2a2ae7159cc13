import type { ContentKey, MetaDataKey, ProductAttribute } from '../../data/field/field.ts';
import type { ImageKey } from '../../data/field/image.ts';
import type { SpecKey } from '../../data/field/spec.ts';
import type { FilterName, FilterRow, QuantityOperator, SetOperator } from '../../data/query/filter.ts';
import type { DealSortKey, ProductExpansion, ProductSortKey, Sort } from '../../data/query/vocabulary.ts';
import type { NetworkRow, RetailerRow } from '../../data/snapshot/column.ts';

/** A parsed request for products: the list, or the variants of one id. */
export interface ProductsQuery {
  readonly kind: 'products';
  /** The id of the path `/products/<id>/`. */
  readonly id?: string;
  /** In the order of the table of filters, then of operators. */
  readonly filters: readonly Filter[];
  readonly projection: Projection;
  readonly hasCheapestDeal: boolean;
  readonly hasPriceHistory: boolean;
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

/** The filters whose values are numbers, as pence, months or megabytes. */
type QuantityFilterName = Extract<FilterRow, { readonly kind: 'money' | 'months' | 'gigabytes' }>['name'];

/** A parsed filter: names of networks and retailers resolved to rows of the snapshot. Values are unique and ascending. */
export type Filter =
  | {
      readonly name: QuantityFilterName;
      readonly operator: QuantityOperator;
      /** Unlimited is Infinity. A range operator has exactly one. */
      readonly quantities: readonly number[];
    }
  | { readonly name: 'networks'; readonly operator: SetOperator; readonly rows: readonly NetworkRow[] }
  | { readonly name: 'retailers'; readonly operator: SetOperator; readonly rows: readonly RetailerRow[] }
  /** Of `splitNameWords`; none where the value has no letter or digit. */
  | { readonly name: 'name'; readonly operator: 'has'; readonly words: readonly string[] }
  | TextFilter;

export interface TextFilter {
  readonly name: Exclude<FilterName, QuantityFilterName | 'networks' | 'retailers' | 'name'>;
  readonly operator: SetOperator;
  readonly texts: readonly string[];
}

/** The whole object of a group, or the listed attributes in the order in which they are written. */
export type GroupSelection<Key extends string> = 'whole' | readonly Key[];

/** What an item in the response has; an absent group or attribute was not requested (D6). */
export interface Projection {
  /** In the order in which they are written (D22). */
  readonly attributes?: readonly ProductAttribute[];
  readonly content?: GroupSelection<ContentKey>;
  readonly pageContent?: 'whole';
  readonly metaData?: GroupSelection<MetaDataKey>;
  readonly specs?: GroupSelection<SpecKey>;
  readonly images?: GroupSelection<ImageKey>;
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
