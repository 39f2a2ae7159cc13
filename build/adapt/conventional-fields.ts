import { VIEWS } from '../../data/field/image.ts';
import { SPEC_FIELDS } from '../../data/field/spec.ts';
import type { RecordList } from './record-list.ts';

/** What a mapping takes for granted where the configuration is silent. */
export interface Convention {
  /** The type of the CMS of which the records of a list are. */
  readonly types: Readonly<Record<RecordList, string>>;
  /** The paths of our fields; those that a list does not have are not for it. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Where an entry says when it was made; absent where its id grows with every entry. */
  readonly createdAt?: string;
}

/** Of a content model that a site has designed for itself: fields named as ours are. */
const MODELLED: Convention['fields'] = {
  name: ['name', 'title'],
  slug: ['slug'],
  condition: ['condition'],
  model: ['model.slug', 'model'],
  manufacturer: ['manufacturer'],
  'content.heading': ['content.heading', 'heading'],
  'content.introduction': ['content.introduction', 'introduction', 'description'],
  'pageContent.heading': ['pageContent.heading'],
  'pageContent.introduction': ['pageContent.introduction'],
  'metaData.title': ['seo.metaTitle', 'seo.title'],
  'metaData.description': ['seo.metaDescription', 'seo.description'],
  'metaData.keywords': ['seo.keywords'],
  ...Object.fromEntries(SPEC_FIELDS.map(({ key }) => [`specs.${key}`, [`specs.${key}`]])),
  // Content models allow no name that begins with a digit.
  'specs.4g': ['specs.4g', 'specs.fourG'],
  ...Object.fromEntries(VIEWS.map((view) => [`images.${view}`, [`images.${view}`, `image${capitalize(view)}`]])),
  'images.front': ['images.front', 'imageFront', 'image', 'images[0]'],
  'matches.names': ['matchNames'],
  'matches.gtins': ['gtins', 'gtin'],
  gifts: ['gifts'],
  aliases: ['aliases'],
  logo: ['logo'],
};

export const STRAPI_CONVENTION: Convention = {
  types: {
    products: 'api::product.product',
    giftCategories: 'api::gift-category.gift-category',
    gifts: 'api::gift.gift',
    networks: 'api::network.network',
    retailers: 'api::retailer.retailer',
    manufacturers: 'api::manufacturer.manufacturer',
  },
  fields: { ...MODELLED, updatedAt: ['updatedAt'] },
  createdAt: 'createdAt',
};

export const CONTENTFUL_CONVENTION: Convention = {
  types: {
    products: 'product',
    giftCategories: 'giftCategory',
    gifts: 'gift',
    networks: 'network',
    retailers: 'retailer',
    manufacturers: 'manufacturer',
  },
  fields: { ...MODELLED, updatedAt: ['sys.updatedAt'] },
  createdAt: 'sys.createdAt',
};

/** The keys under which the three SEO plugins in use keep their texts, Yoast, Rank Math and SEOPress. */
export const WORDPRESS_CONVENTION: Convention = {
  types: {
    products: 'product',
    giftCategories: 'gift_category',
    gifts: 'gift',
    networks: 'network',
    retailers: 'retailer',
    manufacturers: 'manufacturer',
  },
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

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
