import type { z } from 'zod';
import { IMAGE_KEYS, VIEWS } from '../../../data/field/image.ts';
import { SPEC_KEYS } from '../../../data/field/spec.ts';
import {
  manufacturerRecordSchema,
  networkRecordSchema,
  retailerRecordSchema,
} from '../../../data/record/network-retailer.ts';
import { giftCategoryRecordSchema, giftRecordSchema, productRecordSchema } from '../../../data/record/product.ts';

/**
 * How the value of a CMS is converted: `word` a short text as it is, `condition` new or refurbished, `prose` a text for
 * people, `words` a list of texts, `picture` a source image or a URL, `url` a URL, `gift` the ids and `manufacturer` the
 * slug of linked entries.
 */
export type CmsFieldKind = 'word' | 'condition' | 'prose' | 'words' | 'picture' | 'url' | 'gift' | 'manufacturer';

type Fields = Readonly<Record<string, CmsFieldKind>>;

function fieldsOf(names: readonly string[], kind: CmsFieldKind): Fields {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

const EDITORIAL: Fields = {
  ...fieldsOf(['id', 'name', 'slug'], 'word'),
  ...fieldsOf(['content.heading', 'content.introduction'], 'prose'),
  ...fieldsOf(['pageContent.heading', 'pageContent.introduction'], 'prose'),
  ...fieldsOf(['metaData.title', 'metaData.description', 'metaData.keywords'], 'prose'),
  ...fieldsOf(
    VIEWS.map((view) => `images.${view}`),
    'picture',
  ),
  ...fieldsOf(
    IMAGE_KEYS.map((key) => `imageUrls.${key}`),
    'url',
  ),
  'matches.names': 'words',
  updatedAt: 'word',
};

/** The fields that are slugs, which `slugOf` may make from other texts. */
export const SLUG_FIELDS: readonly string[] = ['slug', 'model', 'manufacturer'];

const NETWORK_OR_RETAILER: Fields = { ...fieldsOf(['id', 'name', 'slug'], 'word'), aliases: 'words', logo: 'picture' };

/** The fields of our records that a mapping may fill. */
export const CMS_FIELDS: Readonly<Record<EntityType, Fields>> = {
  products: {
    ...EDITORIAL,
    condition: 'condition',
    model: 'word',
    manufacturer: 'manufacturer',
    ...fieldsOf(
      SPEC_KEYS.map((key) => `specs.${key}`),
      'prose',
    ),
    'matches.gtins': 'words',
  },
  giftCategories: { ...EDITORIAL, gifts: 'gift' },
  gifts: EDITORIAL,
  networks: {
    ...NETWORK_OR_RETAILER,
    ...fieldsOf(
      ['small', 'medium', 'large', 'deal'].map((size) => `logos.${size}`),
      'url',
    ),
  },
  retailers: {
    ...NETWORK_OR_RETAILER,
    ...fieldsOf(
      ['large', 'deal'].map((size) => `logos.${size}`),
      'url',
    ),
  },
  manufacturers: fieldsOf(['slug', 'name'], 'word'),
};

/** The lists of a CMS export, with the schema of their records. */
export const ENTITY_SCHEMAS = {
  products: productRecordSchema,
  giftCategories: giftCategoryRecordSchema,
  gifts: giftRecordSchema,
  networks: networkRecordSchema,
  retailers: retailerRecordSchema,
  manufacturers: manufacturerRecordSchema,
} as const satisfies Record<string, z.ZodType>;

export type EntityType = keyof typeof ENTITY_SCHEMAS;

export const ENTITY_TYPES = Object.keys(ENTITY_SCHEMAS) as readonly EntityType[];

/** The name of one record, in the names of content types and in slugs. */
export const ENTITY_NOUNS: Readonly<Record<EntityType, string>> = {
  products: 'product',
  giftCategories: 'gift-category',
  gifts: 'gift',
  networks: 'network',
  retailers: 'retailer',
  manufacturers: 'manufacturer',
};
