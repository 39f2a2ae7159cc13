import type { ResourceWord } from './resource.ts';

/** The words of `expand=` on products and what each adds (spec §4.1). */
export const PRODUCT_EXPANSIONS = [
  { word: 'content', adds: 'the `content` object' },
  { word: 'page-content', adds: 'the `pageContent` object' },
  { word: 'meta-data', adds: 'the `metaData` object' },
  { word: 'specs', adds: 'the `specs` object' },
  { word: 'images', adds: 'the `images` object with all 36 keys' },
  { word: 'deals', adds: 'the top-level `deals` array' },
  { word: 'grouped', adds: 'nothing, and returns one product per model' },
  { word: 'cheapestDeal', adds: 'the `cheapestDeal` object' },
] as const;

/** The words of `expand=` on gift categories (spec §4.1). */
export const GIFT_CATEGORY_EXPANSIONS = [
  { word: 'content', adds: 'the `content` object' },
  { word: 'page-content', adds: 'the `pageContent` object' },
  { word: 'meta-data', adds: 'the `metaData` object' },
  { word: 'images', adds: 'the `images` object with its three keys' },
  { word: 'gifts', adds: 'the `gifts` object' },
] as const;

export type ProductExpansion = (typeof PRODUCT_EXPANSIONS)[number]['word'];
export type GiftCategoryExpansion = (typeof GIFT_CATEGORY_EXPANSIONS)[number]['word'];

/**
 * Prefixed names that the parameter table of spec §4.1 shows beside the ones its requests use (D5). They hold for
 * products, and on no other resource.
 */
export const PREFIXED_EXPANSIONS: readonly {
  readonly resource: ResourceWord;
  readonly word: string;
  readonly means: ProductExpansion;
}[] = [
  { resource: 'products', word: 'product-content', means: 'content' },
  { resource: 'products', word: 'product-page-content', means: 'page-content' },
  { resource: 'products', word: 'product-specs', means: 'specs' },
  { resource: 'products', word: 'product-images', means: 'images' },
  { resource: 'products', word: 'product-deals', means: 'deals' },
  { resource: 'products', word: 'product-meta-data', means: 'meta-data' },
];
