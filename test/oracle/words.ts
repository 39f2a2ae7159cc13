/** The words of the query language as the specification lists them, written down a second time on purpose. */
export const CONTENT_WORDS = ['heading', 'introduction'];
export const META_DATA_WORDS = ['meta-data-title', 'meta-data-description', 'meta-data-keywords'];
export const VIEW_WORDS = ['front', 'back', 'left', 'right'];
export const SIZE_WORDS = ['large', 'medium', 'small'];
export const FORMAT_WORDS = ['webp', 'png', 'jpg'];
export const SPEC_WORDS = [
  'os',
  'family-os',
  'weight',
  'size',
  'height',
  'width',
  'depth',
  'screen-size',
  'screen-pixel-density',
  'screen-resolution',
  'sim-type',
  'display-type',
  'handset-style',
  'camera-front',
  'camera-back',
  'camera-flash',
  'battery-type',
  'battery-capacity',
  'chipset',
  'gpu',
  'cpu',
  'nfc',
  'sensors',
  'fm-radio',
  '4g',
];
export const ITEM_WORDS = ['id', 'name', 'slug'];
export const PRODUCT_WORDS = ['condition', 'manufacturer', 'model', 'deal-count'];

export const PRODUCT_EXPAND_WORDS = [
  'content',
  'page-content',
  'meta-data',
  'specs',
  'images',
  'deals',
  'grouped',
  'cheapestDeal',
  'priceHistory',
];
export const CATEGORY_EXPAND_WORDS = ['content', 'page-content', 'meta-data', 'images', 'gifts'];

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

/** `family-os` is `familyOs`. */
export function camelCase(word: string): string {
  return word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `largeFrontImageWebp`. */
export function imageKeyOf(size: string, view: string, format: string): string {
  const capital = (word: string): string => word[0]?.toUpperCase() + word.slice(1);
  return `${size}${capital(view)}Image${capital(format)}`;
}
