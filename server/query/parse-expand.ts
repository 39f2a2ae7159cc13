import {
  GIFT_CATEGORY_EXPANSIONS,
  PREFIXED_EXPANSIONS,
  PRODUCT_EXPANSIONS,
  type GiftCategoryExpansion,
  type ProductExpansion,
} from '../../data/query/expand.ts';
import { parseWords } from './parse-words.ts';
import type { Projection } from './projection.ts';
import type { QueryIssue } from './query-issue.ts';

const PRODUCT_VOCABULARY: ReadonlyMap<string, ProductExpansion> = new Map([
  ...PRODUCT_EXPANSIONS.map(({ word }) => [word, word] as const),
  ...PREFIXED_EXPANSIONS.map(({ word, means }) => [word, means] as const),
]);

const GIFT_CATEGORY_VOCABULARY: ReadonlyMap<string, GiftCategoryExpansion> = new Map(
  GIFT_CATEGORY_EXPANSIONS.map(({ word }) => [word, word]),
);

/** Reads `expand=` of products (spec §4.1). */
export function parseProductExpand(text: string, issues: QueryIssue[]): ReadonlySet<ProductExpansion> {
  return parseWords('expand', text, 'products', PRODUCT_VOCABULARY, issues);
}

/** Reads `expand=` of gift categories (spec §4.1). */
export function parseGiftCategoryExpand(text: string, issues: QueryIssue[]): ReadonlySet<GiftCategoryExpansion> {
  return parseWords('expand', text, 'giftcategories', GIFT_CATEGORY_VOCABULARY, issues);
}

/** The words that expand a group of attributes; the others change something else about the answer. */
const GROUPS = [
  { word: 'content', group: 'content' },
  { word: 'page-content', group: 'pageContent' },
  { word: 'meta-data', group: 'metaData' },
  { word: 'specs', group: 'specs' },
  { word: 'images', group: 'images' },
] as const satisfies readonly { word: ProductExpansion | GiftCategoryExpansion; group: keyof Projection }[];

/** Adds the expanded groups to the selected attributes: where `fields` names a group, it narrows it (D6). */
export function joinProjection(
  expansions: ReadonlySet<ProductExpansion | GiftCategoryExpansion>,
  fields: Projection,
): Projection {
  const joined: { -readonly [Group in keyof Projection]: Projection[Group] } = {};
  for (const { word, group } of GROUPS) {
    if (expansions.has(word)) joined[group] = 'whole';
  }
  return Object.assign(joined, fields);
}
