import type { GiftRecord, ProductRecord } from '../../data/record/product.ts';

/** What an editor writes that no deal is matched by. Matching is given records without it, so that it cannot be used. */
export const UNMATCHED_KEYS = [
  'content',
  'pageContent',
  'metaData',
  'images',
  'imageUrls',
  'specs',
  'updatedAt',
] as const satisfies readonly (keyof ProductRecord)[];

type UnmatchedKey = (typeof UNMATCHED_KEYS)[number];

export type MatchedProduct = Omit<ProductRecord, UnmatchedKey>;

export type MatchedGift = Omit<GiftRecord, UnmatchedKey>;
