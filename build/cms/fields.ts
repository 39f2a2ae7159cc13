import { z } from 'zod';
import { VIEWS } from '../../data/field/image.ts';
import { SPEC_FIELDS } from '../../data/field/field.ts';
import {
  giftCategoryRecordSchema,
  giftRecordSchema,
  manufacturerRecordSchema,
  networkRecordSchema,
  productRecordSchema,
  retailerRecordSchema,
} from '../../data/record/product.ts';

/** The lists of a CMS export, with the schema of their records. */
export const ENTITY_SCHEMAS = {
  products: productRecordSchema,
  giftCategories: giftCategoryRecordSchema,
  gifts: giftRecordSchema,
  networks: networkRecordSchema,
  retailers: retailerRecordSchema,
  manufacturers: manufacturerRecordSchema,
} as const satisfies Record<string, z.ZodObject>;

export type EntityType = keyof typeof ENTITY_SCHEMAS;

export const ENTITY_TYPES = Object.keys(ENTITY_SCHEMAS) as readonly EntityType[];

/** An export of our own: any of the lists. */
export const LISTS_SCHEMA = z.object(
  Object.fromEntries(ENTITY_TYPES.map((list) => [list, z.array<z.ZodType>(ENTITY_SCHEMAS[list]).optional()])),
);

/** The name of one record, in the names of content types and in slugs. */
export const ENTITY_NOUNS: Readonly<Record<EntityType, string>> = {
  products: 'product',
  giftCategories: 'gift-category',
  gifts: 'gift',
  networks: 'network',
  retailers: 'retailer',
  manufacturers: 'manufacturer',
};

/** How the value of a CMS is converted, by the name of the field; the first row counts. */
const KINDS = [
  /** Decimal digits. */
  ['id', /^id$/],
  /** New or refurbished. */
  ['condition', /^condition$/],
  /** The slug of a linked entry, or a slug. */
  ['manufacturer', /^manufacturer$/],
  /** The ids of linked entries, or ids. */
  ['gift', /^gifts$/],
  /** A list of texts. */
  ['words', /^(?:aliases|matches\.names)$/],
  /** A list of numbers. */
  ['ids', /^matches\.gtins$/],
  /** Such lists, by the name of a feed. */
  ['feedIds', /(?:^|\.)feedIds$/],
  /** A source image or a URL. */
  ['picture', /^(?:images\..+|logo)$/],
  ['url', /^(?:imageUrls|logos)\./],
  /** A text for people. */
  ['prose', /^(?:content|pageContent|metaData|specs)\./],
  /** A short text as it is. */
  ['word', /^/],
] as const;

export type CmsFieldKind = (typeof KINDS)[number][0];

/** The fields of our records, nested ones with a point, and their kinds. */
export const CMS_FIELDS = Object.fromEntries(ENTITY_TYPES.map((list) => [list, fieldsOf(list)])) as unknown as Readonly<
  Record<EntityType, ReadonlyMap<string, CmsFieldKind>>
>;

/** The fields that are slugs, which `slugOf` may make from other texts. */
export const SLUG_FIELDS: readonly string[] = ['slug', 'model', 'manufacturer'];

function fieldsOf(list: EntityType): ReadonlyMap<string, CmsFieldKind> {
  // No deal finds a gift by its bar code.
  const names = namesOf(ENTITY_SCHEMAS[list]).filter((name) => list === 'products' || name !== 'matches.gtins');
  return new Map(names.map((name) => [name, KINDS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'word']));
}

function namesOf(schema: z.core.$ZodType, name = ''): readonly string[] {
  const members = membersOf(schema);
  if (members === undefined) return [name];
  return [...members].flatMap(([key, member]) => namesOf(member, name === '' ? key : `${name}.${key}`));
}

/** The keys that a schema allows, with the schemas of their values; undefined where any key is allowed. */
export function membersOf(schema: z.core.$ZodType): ReadonlyMap<string, z.core.$ZodType> | undefined {
  const inner = withoutWrappers(schema);
  if (inner instanceof z.ZodObject) return new Map(Object.entries(inner.shape));
  if (!(inner instanceof z.ZodRecord && inner.keyType instanceof z.ZodEnum)) return undefined;
  const { keyType, valueType } = inner;
  return new Map(keyType.options.map((key) => [String(key), valueType]));
}

/** The schema inside of optional, default and the like. */
function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = (schema as z.ZodType).def as { readonly innerType?: z.core.$ZodType };
  return innerType === undefined ? schema : withoutWrappers(innerType);
}

/** The mapping where the configuration does not set it. */
export interface Convention {
  /** The content type of a list, whose records are called `noun`. */
  typeOf(noun: string): string;
  /** The paths of our fields, of any list. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** The path of the time of creation; absent where ids increase with each entry. */
  readonly createdAt?: string;
  /** An editor types lists into a cell, and Excel writes `101.0` for an id. */
  readonly isSpreadsheet?: boolean;
}

const AS_NAMED = [
  'slug',
  'condition',
  'manufacturer',
  'pageContent.heading',
  'pageContent.introduction',
  'gifts',
  'aliases',
  'logo',
];

/** The convention for content models that a site designs: fields named as ours. */
const MODELLED_FIELDS: Convention['fields'] = {
  ...Object.fromEntries(AS_NAMED.map((name) => [name, [name]])),
  name: ['name', 'title'],
  model: ['model.slug', 'model'],
  'content.heading': ['content.heading', 'heading'],
  'content.introduction': ['content.introduction', 'introduction', 'description'],
  'metaData.title': ['seo.metaTitle', 'seo.title'],
  'metaData.description': ['seo.metaDescription', 'seo.description'],
  'metaData.keywords': ['seo.keywords'],
  ...Object.fromEntries(SPEC_FIELDS.map(({ key }) => [`specs.${key}`, [`specs.${key}`]])),
  // Content models allow no name that starts with a digit.
  'specs.4g': ['specs.4g', 'specs.fourG'],
  ...Object.fromEntries(VIEWS.map((view) => [`images.${view}`, [`images.${view}`, `image${capitalize(view)}`]])),
  'images.front': ['images.front', 'imageFront', 'image', 'images[0]'],
  'matches.names': ['matchNames'],
  'matches.gtins': ['gtins', 'gtin'],
};

export const STRAPI_CONVENTION: Convention = {
  typeOf: (noun) => `api::${noun}.${noun}`,
  fields: { ...MODELLED_FIELDS, updatedAt: ['updatedAt'] },
  createdAt: 'createdAt',
};

export const CONTENTFUL_CONVENTION: Convention = {
  typeOf: (noun) => noun.replace('-c', 'C'),
  fields: { ...MODELLED_FIELDS, updatedAt: ['sys.updatedAt'] },
  createdAt: 'sys.createdAt',
};

/** With the keys of three SEO plugins: Yoast, Rank Math and SEOPress. */
export const WORDPRESS_CONVENTION: Convention = {
  typeOf: (noun) => noun.replace('-', '_'),
  fields: {
    id: ['id'],
    name: ['title'],
    slug: ['slug'],
    condition: ['meta.condition', 'terms.condition.slug'],
    model: ['meta.model', 'terms.model.slug'],
    manufacturer: ['meta.manufacturer', 'terms.manufacturer.slug', 'terms.brand.slug'],
    'content.heading': ['meta.heading'],
    'content.introduction': ['excerpt', 'content'],
    'pageContent.heading': ['meta.page_heading'],
    'pageContent.introduction': ['meta.page_introduction'],
    'metaData.title': ['meta._yoast_wpseo_title', 'meta.rank_math_title', 'meta._seopress_titles_title'],
    'metaData.description': ['meta._yoast_wpseo_metadesc', 'meta.rank_math_description', 'meta._seopress_titles_desc'],
    'metaData.keywords': [
      'meta._yoast_wpseo_focuskw',
      'meta.rank_math_focus_keyword',
      'meta._seopress_analysis_target_kw',
    ],
    ...Object.fromEntries(
      SPEC_FIELDS.map(({ word, key }) => [`specs.${key}`, [`meta.specs_${word.replaceAll('-', '_')}`]]),
    ),
    ...Object.fromEntries(VIEWS.map((view) => [`images.${view}`, [`meta.image_${view}`]])),
    'images.front': ['thumbnail', 'meta.image_front'],
    'matches.names': ['meta.match_names'],
    'matches.gtins': ['meta._global_unique_id', 'meta.gtin'],
    gifts: ['meta.gifts', 'posts'],
    aliases: ['meta.aliases'],
    logo: ['thumbnail', 'meta.logo'],
    updatedAt: ['modified'],
  },
};

/** The columns of a sheet are called as our fields; the name of its file says what is in it. */
export const SHEET_CONVENTION: Convention = {
  typeOf: (noun) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`),
  fields: Object.fromEntries(
    ENTITY_TYPES.flatMap((list) => [...CMS_FIELDS[list].keys()].map((name) => [name, [name]])),
  ),
  isSpreadsheet: true,
};

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
