/** Products per page and deals per product (D15). The first two are defaults that `deals serve` may be told to change. */
export const DEFAULT_PAGE_LIMIT = 20;
export const MAX_PAGE_LIMIT = 100;
export const MAX_DEALS_PER_PRODUCT = 1_000;

/** Longest request target in bytes (D4). */
export const MAX_TARGET_BYTES = 8 * 1024;
