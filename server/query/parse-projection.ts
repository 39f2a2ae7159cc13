import {
  CONTENT_FIELDS,
  META_DATA_FIELDS,
  PRODUCT_FIELDS,
  type ContentKey,
  type MetaDataKey,
  type ProductAttribute,
} from '../../data/field/field.ts';
import {
  FORMATS,
  imageKey,
  SIZES,
  VIEWS,
  type Format,
  type ImageKey,
  type Size,
  type View,
} from '../../data/field/image.ts';
import { SPEC_FIELDS, type SpecKey } from '../../data/field/spec.ts';
import type { ResourceWord } from '../../data/query/endpoint.ts';
import {
  GIFT_CATEGORY_EXPANSIONS,
  PREFIXED_EXPANSIONS,
  PRODUCT_EXPANSIONS,
  type GiftCategoryExpansion,
  type ProductExpansion,
} from '../../data/query/vocabulary.ts';
import { parseWords } from './parse-words.ts';
import type { QueryIssue } from './query-issue.ts';
import { GROUP_WORDS, GROUPS, type Projection } from './query.ts';

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

/** Adds the expanded groups to the selected attributes: where `fields` names a group, it narrows it (D6). */
export function joinProjection(
  expansions: ReadonlySet<ProductExpansion | GiftCategoryExpansion>,
  fields: Projection,
): Projection {
  const joined: { -readonly [Group in keyof Projection]: Projection[Group] } = {};
  for (const group of GROUPS) {
    if (expansions.has(GROUP_WORDS[group])) joined[group] = 'whole';
  }
  return Object.assign(joined, fields);
}

/** Words of attributes that every item has (D6). */
const ALWAYS = ['id', 'name', 'slug'] as const;

interface ImageWords {
  readonly views: readonly View[];
  readonly sizes: readonly Size[];
  readonly formats: readonly Format[];
}

const PRODUCT_IMAGE_WORDS: ImageWords = { views: VIEWS, sizes: SIZES, formats: FORMATS };
/** Gifts and gift categories have the large front picture only (spec §2.11, §4.2). */
const GIFT_IMAGE_WORDS: ImageWords = { views: ['front'], sizes: ['large'], formats: FORMATS };

interface Vocabulary {
  readonly images: ImageWords;
  readonly words: ReadonlyMap<string, string>;
}

const VOCABULARY: Readonly<Record<ResourceWord, Vocabulary>> = {
  products: createVocabulary(PRODUCT_IMAGE_WORDS, true),
  giftcategories: createVocabulary(GIFT_IMAGE_WORDS, false),
  gifts: createVocabulary(GIFT_IMAGE_WORDS, false),
};

/** Reads `fields=` of a resource into the chosen attributes of each group (spec §4.2, D7). */
export function parseFields(text: string, resource: ResourceWord, issues: QueryIssue[]): Projection {
  const vocabulary = VOCABULARY[resource];
  const words = parseWords('fields', text, resource, vocabulary.words, issues);
  const attributes = PRODUCT_FIELDS.filter(({ word }) => words.has(word)).map(({ key }): ProductAttribute => key);
  const content = CONTENT_FIELDS.filter(({ word }) => words.has(word)).map(({ key }): ContentKey => key);
  const metaData = META_DATA_FIELDS.filter(({ word }) => words.has(word)).map(({ key }): MetaDataKey => key);
  const specs = SPEC_FIELDS.filter(({ word }) => words.has(word)).map(({ key }): SpecKey => key);
  const images = selectImages(words, vocabulary.images, text, issues);
  return {
    ...(attributes.length > 0 ? { attributes } : {}),
    ...(content.length > 0 ? { content } : {}),
    ...(metaData.length > 0 ? { metaData } : {}),
    ...(specs.length > 0 ? { specs } : {}),
    ...(images.length > 0 ? { images } : {}),
  };
}

/** Views x sizes x formats of the words listed; all three axes or none (spec §4.2). */
function selectImages(
  words: ReadonlySet<string>,
  known: ImageWords,
  text: string,
  issues: QueryIssue[],
): readonly ImageKey[] {
  const views = known.views.filter((view) => words.has(view));
  const sizes = known.sizes.filter((size) => words.has(size));
  const formats = known.formats.filter((format) => words.has(format));
  const axes = [
    { name: 'view', chosen: views, all: known.views },
    { name: 'size', chosen: sizes, all: known.sizes },
    { name: 'format', chosen: formats, all: known.formats },
  ] as const;
  const missing = axes.filter(({ chosen }) => chosen.length === 0);
  if (missing.length > 0 && missing.length < axes.length) {
    const names = missing.map(({ name }) => name).join(' and ');
    issues.push({
      code: 'incomplete-image-selection',
      parameter: 'fields',
      expected: `at least one view, one size and one format for images; missing: ${names}`,
      value: text,
      allowed: missing.flatMap(({ all }): readonly string[] => all),
    });
  }
  return views.flatMap((view) => sizes.flatMap((size) => formats.map((format) => imageKey(size, view, format))));
}

function createVocabulary(images: ImageWords, isProduct: boolean): Vocabulary {
  const words: readonly string[] = [
    ...ALWAYS,
    ...CONTENT_FIELDS.map(({ word }) => word),
    ...META_DATA_FIELDS.map(({ word }) => word),
    ...images.views,
    ...images.sizes,
    ...images.formats,
    ...(isProduct ? [...SPEC_FIELDS, ...PRODUCT_FIELDS].map(({ word }) => word) : []),
  ];
  return { images, words: new Map(words.map((word) => [word, word])) };
}
