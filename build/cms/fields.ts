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
  ['id', /^id$/], // decimal digits
  ['condition', /^condition$/],
  ['manufacturer', /^manufacturer$/], // the slug of a linked entry, or a slug
  ['gift', /^gifts$/], // the ids of linked entries, or ids
  ['words', /^(?:aliases|matches\.names)$/],
  ['ids', /^matches\.gtins$/],
  ['feedIds', /(?:^|\.)feedIds$/], // lists of ids, by the name of a feed
  ['picture', /^(?:images\..+|logo)$/], // a source image or a URL
  ['url', /^(?:imageUrls|logos)\./],
  ['prose', /^(?:content|pageContent|metaData|specs)\./], // a text for people
  ['word', /^/], // a short text as it is
] as const;

export type CmsFieldKind = (typeof KINDS)[number][0];

/** The fields of our records, nested ones with a point, and their kinds. */
export const CMS_FIELDS = Object.fromEntries(ENTITY_TYPES.map((list) => [list, fieldsOf(list)])) as unknown as Readonly<
  Record<EntityType, ReadonlyMap<string, CmsFieldKind>>
>;

function fieldsOf(list: EntityType): ReadonlyMap<string, CmsFieldKind> {
  const names = namesOf(ENTITY_SCHEMAS[list]);
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

/** Where our fields are in content models that a site designs: under our names. */
export const MODELLED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  slug: ['slug'],
  condition: ['condition'],
  manufacturer: ['manufacturer'],
  'pageContent.heading': ['pageContent.heading'],
  'pageContent.introduction': ['pageContent.introduction'],
  gifts: ['gifts'],
  aliases: ['aliases'],
  logo: ['logo'],
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
  ...Object.fromEntries(
    VIEWS.map((view) => [`images.${view}`, [`images.${view}`, `image${view[0]?.toUpperCase()}${view.slice(1)}`]]),
  ),
  'images.front': ['images.front', 'imageFront', 'image', 'images[0]'],
  'matches.names': ['matchNames'],
  'matches.gtins': ['gtins', 'gtin'],
};
