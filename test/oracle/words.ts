/** The words of the query language as the specification lists them, written down a second time on purpose. */
const split = (text: string): readonly string[] => text.split(' ');

const ITEM_WORDS = ['id', 'name', 'slug'];
export const CONTENT_WORDS = ['heading', 'introduction'];
export const META_DATA_WORDS = ['meta-data-title', 'meta-data-description', 'meta-data-keywords'];
export const VIEW_WORDS = ['front', 'back', 'left', 'right'];
export const SIZE_WORDS = ['large', 'medium', 'small'];
export const FORMAT_WORDS = ['webp', 'png', 'jpg'];
export const SPEC_WORDS = split(
  'os family-os weight size height width depth screen-size screen-pixel-density screen-resolution sim-type ' +
    'display-type handset-style camera-front camera-back camera-flash battery-type battery-capacity chipset gpu cpu ' +
    'nfc sensors fm-radio 4g',
);

/** Prefixed names and what they mean (spec §4.1, D5). */
export const PREFIXED_WORDS: Readonly<Record<string, string>> = {
  'product-content': 'content',
  'product-page-content': 'page-content',
  'product-meta-data': 'meta-data',
  'product-specs': 'specs',
  'product-images': 'images',
  'product-deals': 'deals',
};

export const DEAL_SORT_WORDS = ['data-allowance', 'total-cost', 'upfront-cost', 'contract-price'];
export const PRODUCT_SORT_WORDS = ['name', 'upfront-cost', 'contract-price', 'total-cost'];

export type EndpointName =
  | 'products'
  | 'product'
  | 'deals'
  | 'gifts'
  | 'giftCategories'
  | 'networks'
  | 'retailers'
  | 'manufacturers';

export interface OracleEndpoint {
  /** Without the id of a product. */
  readonly path: string;
  readonly parameters: readonly string[];
  /** What may stand around the words of `expand` and `fields`. */
  readonly wrapper: string;
  readonly expand: readonly string[];
  /** Without those of pictures, which are the axes. */
  readonly fields: readonly string[];
  readonly axes: readonly (readonly string[])[];
}

export const DEAL_WORDS = split('product-id product-slug gift-id');

export const FACET_WORDS = split('networks retailers manufacturers condition offers contractLength');

const TEXT_WORDS = [...ITEM_WORDS, ...CONTENT_WORDS, ...META_DATA_WORDS];
const BARE = { parameters: [], wrapper: '', expand: [], fields: [], axes: [] };
const PRODUCTS = {
  path: '/deals/v1/products/',
  parameters: split('filter expand fields sort limit cursor'),
  wrapper: 'products',
  expand: split('content page-content meta-data specs images deals grouped cheapestDeal priceHistory'),
  fields: [...TEXT_WORDS, 'condition', 'manufacturer', 'model', 'deal-count', ...SPEC_WORDS],
  axes: [VIEW_WORDS, SIZE_WORDS, FORMAT_WORDS],
};
const GIFTS = {
  path: '/deals/v1/gifts/',
  parameters: ['fields'],
  wrapper: 'gifts',
  expand: [],
  fields: TEXT_WORDS,
  axes: [['front'], ['large'], FORMAT_WORDS],
};

export const ENDPOINTS: Readonly<Record<EndpointName, OracleEndpoint>> = {
  products: { ...PRODUCTS, parameters: [...PRODUCTS.parameters, 'facets'] },
  product: PRODUCTS,
  deals: {
    ...BARE,
    path: '/deals/v1/deals/',
    parameters: split('filter fields sort limit cursor'),
    wrapper: 'deals',
    fields: DEAL_WORDS,
  },
  gifts: GIFTS,
  giftCategories: {
    ...GIFTS,
    path: '/deals/v1/gifts/categories/',
    parameters: ['expand', 'fields'],
    wrapper: 'giftcategories',
    expand: split('content page-content meta-data images gifts'),
  },
  networks: { ...BARE, path: '/deals/v1/networks/' },
  retailers: { ...BARE, path: '/deals/v1/retailers/' },
  manufacturers: { ...BARE, path: '/deals/v1/manufacturers/' },
};

/** `family-os` is `familyOs`. */
export function camelCase(word: string): string {
  return word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `largeFrontImageWebp`. */
export function imageKeyOf(size: string, view: string, format: string): string {
  const capital = (word: string): string => word[0]?.toUpperCase() + word.slice(1);
  return `${size}${capital(view)}Image${capital(format)}`;
}
