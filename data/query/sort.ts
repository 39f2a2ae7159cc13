/** The keys of `sort=deals(<key>-asc|desc)` (spec §4.4). */
export const DEAL_SORT_KEYS = ['data-allowance', 'total-cost', 'upfront-cost', 'contract-price'] as const;

/** The keys of `sort=products(<key>-asc|desc)` (D14). */
export const PRODUCT_SORT_KEYS = ['name', 'upfront-cost', 'contract-price', 'total-cost'] as const;

export const SORT_DIRECTIONS = ['asc', 'desc'] as const;

export type DealSortKey = (typeof DEAL_SORT_KEYS)[number];
export type ProductSortKey = (typeof PRODUCT_SORT_KEYS)[number];
export type SortDirection = (typeof SORT_DIRECTIONS)[number];

export interface Sort<Key extends string> {
  readonly key: Key;
  readonly direction: SortDirection;
}
