import { VIEWS } from '../../data/field/image.ts';
import { SPEC_FIELDS } from '../../data/field/field.ts';
import { CMS_FIELDS, ENTITY_NOUNS, ENTITY_TYPES, SLUG_FIELDS, type CmsFieldKind, type EntityType } from './fields.ts';
import type { MappingSettings } from './settings.ts';
import { compileFieldRule, type FieldRule } from './field-rule.ts';

/** A field of our records with the rule that fills it. */
interface MappedField {
  /** `content.heading`, `matches.feedIds.awin` */
  readonly name: string;
  readonly kind: CmsFieldKind;
  readonly rule: FieldRule;
}

/** How the entries of one type become the records of one list. */
export interface EntityMapping {
  readonly list: EntityType;
  readonly type: string;
  readonly fields: readonly MappedField[];
}

/** How the entries of an export become records. */
export interface CmsMapping {
  readonly lists: readonly EntityMapping[];
  /** The rules for linked entries, also when their list is not read. */
  readonly idOfGift: FieldRule | undefined;
  readonly slugOfManufacturer: FieldRule | undefined;
  /** The time of creation. */
  readonly createdAt: FieldRule | undefined;
  readonly isSpreadsheet: boolean;
}

/** The mapping where the configuration does not set it. */
interface Convention {
  /** The content type of a list, whose records are called `noun`. */
  typeOf(noun: string): string;
  /** The paths of our fields, of any list. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** The path of the time of creation; absent where ids increase with each entry. */
  readonly createdAt?: string;
  /** An editor types lists into a cell, and Excel writes `101.0` for an id. */
  readonly isSpreadsheet?: boolean;
}

/** Compiles the mapping of a configuration; the convention of the CMS fills the gaps. */
export function compileMapping(settings: MappingSettings, convention: Convention): CmsMapping {
  const ruleOf = (list: EntityType, name: string): FieldRule | undefined => {
    const setting = settings[list]?.fields[name];
    if (setting === null) return undefined;
    const conventional = convention.fields[name];
    if (setting === undefined) return conventional && compileFieldRule([...conventional]);
    return compileFieldRule(setting, (part) => partRule(list, part));
  };
  // The parts of a slug are our fields other than slugs, or paths.
  const partRule = (list: EntityType, name: string): FieldRule | undefined =>
    CMS_FIELDS[list].has(name) && !SLUG_FIELDS.includes(name) ? ruleOf(list, name) : undefined;
  const lists = ENTITY_TYPES.flatMap((list): EntityMapping[] => {
    const listSettings = settings[list];
    if (listSettings === undefined) return [];
    const fields = [...CMS_FIELDS[list]].flatMap(([name, kind]): MappedField[] => {
      const rule = ruleOf(list, name);
      const feeds = kind === 'feedIds' ? Object.entries(listSettings.feedIds ?? {}) : [];
      return [
        ...(rule === undefined ? [] : [{ name, kind, rule }]),
        ...feeds.flatMap(([feed, setting]): MappedField[] =>
          setting === null ? [] : [{ name: `${name}.${feed}`, kind: 'ids', rule: compileFieldRule(setting) }],
        ),
      ];
    });
    return [{ list, type: listSettings.type ?? convention.typeOf(ENTITY_NOUNS[list]), fields }];
  });
  return {
    lists,
    idOfGift: ruleOf('gifts', 'id'),
    slugOfManufacturer: ruleOf('manufacturers', 'slug'),
    createdAt: convention.createdAt === undefined ? undefined : compileFieldRule(convention.createdAt),
    isSpreadsheet: convention.isSpreadsheet === true,
  };
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
