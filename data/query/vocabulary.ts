import {
  CONTENT_FIELDS,
  DEAL_FIELDS,
  describeField,
  META_DATA_FIELDS,
  PRODUCT_FIELDS,
  SPEC_FIELDS,
  type Field,
} from '../field/field.ts';
import { FORMATS, SIZES, VIEWS, type Format, type Size, type View } from '../field/image.ts';
import type { ResourceWord } from './endpoint.ts';

/** The words of `expand=` on products and what each adds (spec §4.1). */
export const PRODUCT_EXPANSIONS = [
  { word: 'content', adds: 'the `content` object' },
  { word: 'page-content', adds: 'the `pageContent` object' },
  { word: 'meta-data', adds: 'the `metaData` object' },
  { word: 'specs', adds: 'the `specs` object' },
  { word: 'images', adds: 'the `images` object with all 36 keys' },
  { word: 'deals', adds: 'the top-level `deals` array' },
  { word: 'grouped', adds: 'no object; one product of each model is returned' },
  { word: 'cheapestDeal', adds: 'the `cheapestDeal` object' },
  { word: 'priceHistory', adds: 'the `priceHistory` object (D24)' },
] as const;

/** The words of `expand=` on gift categories (spec §4.1). */
const GIFT_CATEGORY_EXPANSIONS = [
  { word: 'content', adds: 'the `content` object' },
  { word: 'page-content', adds: 'the `pageContent` object' },
  { word: 'meta-data', adds: 'the `metaData` object' },
  { word: 'images', adds: 'the `images` object with its three keys' },
  { word: 'gifts', adds: 'the `gifts` object' },
] as const;

/** The other spellings in the parameter table of spec §4.1 (D5). They are accepted for products only. */
export const PREFIXED_EXPANSIONS = (
  ['content', 'page-content', 'specs', 'images', 'deals', 'meta-data'] as const satisfies readonly ProductExpansion[]
).map((means) => ({ word: `product-${means}`, means }));

type ProductExpansion = (typeof PRODUCT_EXPANSIONS)[number]['word'];

/** The keys of `sort=deals(<key>-asc|desc)` (spec §4.4). */
export const DEAL_SORT_KEYS = ['data-allowance', 'total-cost', 'upfront-cost', 'contract-price'] as const;

/** The keys of `sort=products(<key>-asc|desc)` (D14). */
export const PRODUCT_SORT_KEYS = ['name', 'upfront-cost', 'contract-price', 'total-cost'] as const;

export const SORT_DIRECTIONS = ['asc', 'desc'] as const;

/** Every order, as a client writes it. */
export const SORT_WORDS = {
  products: listOrders('products', PRODUCT_SORT_KEYS),
  deals: listOrders('deals', DEAL_SORT_KEYS),
} as const;

function listOrders(wrapper: 'deals' | 'products', keys: readonly string[]): readonly ValueWord[] {
  return keys.flatMap((key) =>
    SORT_DIRECTIONS.map((direction) => ({
      word: `${wrapper}(${key}-${direction})`,
      effect: `${wrapper} by ${key.replaceAll('-', ' ')}, ${direction === 'asc' ? 'ascending' : 'descending'}`,
    })),
  );
}

export type DealSortKey = (typeof DEAL_SORT_KEYS)[number];
export type ProductSortKey = (typeof PRODUCT_SORT_KEYS)[number];
type SortDirection = (typeof SORT_DIRECTIONS)[number];

export interface Sort<Key extends string> {
  readonly key: Key;
  readonly direction: SortDirection;
}

export interface ValueWord {
  readonly word: string;
  readonly effect: string;
}

/** The words of `expand=`, with their other spellings (spec §4.1, D5). */
export const EXPANSION_WORDS: Readonly<Record<ResourceWord, readonly ValueWord[]>> = {
  products: [
    ...PRODUCT_EXPANSIONS.map(({ word, adds }) => ({ word, effect: `adds ${adds}` })),
    ...PREFIXED_EXPANSIONS.map(({ word, means }) => ({ word, effect: `means \`${means}\`` })),
  ],
  deals: [],
  giftcategories: GIFT_CATEGORY_EXPANSIONS.map(({ word, adds }) => ({ word, effect: `adds ${adds}` })),
  gifts: [],
};

const ALWAYS: readonly ValueWord[] = ['id', 'name', 'slug'].map((word) => ({
  word,
  effect: `\`${word}\`, which is always there`,
}));

/** The words of a table of fields. @param place of a key: `` `specs.os` `` */
function listWords(
  fields: readonly (Field & { readonly word: string })[],
  place: (key: string) => string = (key) => `\`${key}\``,
): readonly ValueWord[] {
  return fields.map((field) => ({ word: field.word, effect: `${place(field.key)}: ${describeField(field)}` }));
}

const TEXT_WORDS = [
  ...listWords(CONTENT_FIELDS, (key) => `\`content.${key}\``),
  ...listWords(META_DATA_FIELDS, (key) => `\`metaData.${key}\``),
];

/** The words of `fields=deals(…)` (D26). */
const DEAL_WORDS = listWords(DEAL_FIELDS, (key) => `\`${key}\` of each deal`);

interface ImageWords {
  readonly view: readonly View[];
  readonly size: readonly Size[];
  readonly format: readonly Format[];
}

const EVERY_IMAGE: ImageWords = { view: VIEWS, size: SIZES, format: FORMATS };
const NO_IMAGE: ImageWords = { view: [], size: [], format: [] };
/** Gifts and gift categories have the large front picture only (spec §2.11, §4.2). */
const LARGE_FRONT: ImageWords = { view: ['front'], size: ['large'], format: FORMATS };

/** The words of `fields` that choose pictures, by axis. */
export const IMAGE_WORDS: Readonly<Record<ResourceWord, ImageWords>> = {
  products: EVERY_IMAGE,
  deals: NO_IMAGE,
  giftcategories: LARGE_FRONT,
  gifts: LARGE_FRONT,
};

function listImageWords(words: ImageWords): readonly ValueWord[] {
  return Object.entries(words).flatMap(([axis, ofAxis]: readonly [string, readonly string[]]) =>
    ofAxis.map((word) => ({ word, effect: `pictures: a ${axis}, with at least one of each other axis` })),
  );
}

const GIFT_FIELD_WORDS: readonly ValueWord[] = [...ALWAYS, ...TEXT_WORDS, ...listImageWords(LARGE_FRONT)];

/** The words of `fields=` (spec §4.2, D22). */
export const FIELD_WORDS: Readonly<Record<ResourceWord, readonly ValueWord[]>> = {
  products: [
    ...ALWAYS,
    ...TEXT_WORDS,
    ...listImageWords(EVERY_IMAGE),
    ...listWords(SPEC_FIELDS, (key) => `\`specs.${key}\``),
    ...listWords(PRODUCT_FIELDS),
  ],
  deals: DEAL_WORDS,
  giftcategories: GIFT_FIELD_WORDS,
  gifts: GIFT_FIELD_WORDS,
};
