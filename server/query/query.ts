import {
  CONTENT_FIELDS,
  META_DATA_FIELDS,
  type DealAttribute,
  type ProductAttribute,
  SPEC_FIELDS,
} from '../../data/field/field.ts';
import type { FilterName, FilterOperator, FilterValue } from '../../data/query/filter.ts';
import type { DealSortKey, ProductSortKey, Sort } from '../../data/query/vocabulary.ts';

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
  /** What `fields` adds to each deal, in the order in which it is written (D26). */
  readonly dealAttributes?: readonly DealAttribute[] | undefined;
  /** In the order asked (D25). */
  readonly facets?: readonly FilterName[] | undefined;
}

/** A parsed request for the deals of the whole catalogue (D27), canonical as JSON, too. */
export interface DealsQuery {
  readonly kind: 'deals';
  readonly filters: readonly Filter[];
  readonly dealSort: Sort<DealSortKey>;
  /** Deals per page. */
  readonly pageLimit: number;
  readonly dealAttributes?: readonly DealAttribute[] | undefined;
}

/** A parsed request for a list that is sent whole. */
export interface ListQuery {
  readonly kind: 'giftCategories' | 'gifts' | 'networks' | 'retailers' | 'manufacturers';
  readonly projection: Projection;
  readonly hasGifts: boolean;
}

export type Query = ProductsQuery | DealsQuery | ListQuery;

/** A parsed filter. Its values are unique and ascending, records by their slugs; unlimited is Infinity, in JSON null. */
export interface Filter {
  readonly name: FilterName;
  readonly operator: FilterOperator;
  readonly values: readonly FilterValue[];
}

/** The groups of an item, in the order in which they are written: the word of `expand`, and those of `fields`. */
const GROUPS = {
  content: { word: 'content', fields: CONTENT_FIELDS },
  pageContent: { word: 'page-content', fields: [] },
  metaData: { word: 'meta-data', fields: META_DATA_FIELDS },
  specs: { word: 'specs', fields: SPEC_FIELDS },
  // Words of `fields` choose pictures together.
  images: { word: 'images', fields: [] },
} as const satisfies Record<string, GroupRow>;

interface GroupRow {
  readonly word: string;
  readonly fields: readonly { readonly word: string; readonly key: string }[];
}

export type GroupName = keyof typeof GROUPS;

export const GROUP_ROWS = Object.entries(GROUPS) as readonly (readonly [GroupName, GroupRow])[];

/**
 * What an item in the response has: of each requested group the whole object, or the listed keys in the order in which they
 * are written (D6, D22).
 */
export type Projection = { readonly attributes?: readonly ProductAttribute[] | undefined } & {
  readonly [Name in GroupName]?: 'whole' | readonly string[] | undefined;
};
