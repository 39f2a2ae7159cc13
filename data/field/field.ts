/** A key of a response. Its schema, the description of the interface and the READMEs are made from its table. */
export interface Field {
  readonly key: string;
  readonly meaning: string;
  /** Of the value, or of the number in its text; absent where it has none. */
  readonly unit?: string | undefined;
  /** A value as it may come. */
  readonly example: string | number | boolean | Readonly<Record<string, string>>;
}

type WordedField = Field & { readonly word: string };

/** Of money: the currency of the catalogue, whose symbol is `currencyLabel` of `cheapestDeal`. */
export const CURRENCY = 'currency of the catalogue';

/** What a field means, in one sentence. */
export function describeField({ meaning, unit }: Pick<Field, 'meaning' | 'unit'>): string {
  const sentence = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
  return unit === undefined ? sentence : `${sentence} Unit: ${unit}.`;
}

/** What a product has beside its groups, each there when `fields` asked for it (D22). */
export const PRODUCT_FIELDS = [
  { word: 'condition', key: 'condition', meaning: '`New` or `Refurbished`, as in deals', example: 'New' },
  {
    word: 'manufacturer',
    key: 'manufacturer',
    meaning: 'name and slug of the manufacturer, where it is known',
    example: { name: 'Kestrel', slug: 'kestrel' },
  },
  { word: 'model', key: 'model', meaning: 'slug that the variants of a model share', example: 'kestrel-k9' },
  { word: 'deal-count', key: 'dealCount', meaning: 'how many of its deals qualify', example: 41 },
] as const satisfies readonly WordedField[];

export type ProductAttribute = (typeof PRODUCT_FIELDS)[number]['key'];

/** The groups of a product, a gift category or a gift, each there when it was asked for (D6). */
export const GROUP_FIELDS = {
  content: 'Texts about the item. Asked for by `expand` or `fields`.',
  pageContent: 'Texts for a page about the item. Asked for by `expand`.',
  metaData: 'Texts for the head of an HTML page. Asked for by `expand` or `fields`.',
  specs: 'Specifications, each only where it is known. Asked for by `expand` or `fields`.',
  images: 'URLs of pictures; without any the object is empty. Asked for by `expand` or `fields`.',
  cheapestDeal:
    'The deal of the product with the lowest total cost of those that satisfy the filters; absent when none does. Asked for by `expand`.',
  priceHistory:
    'What the cheapest deal of the product cost after the last build of each day, over 400 days. Filters do not change it. Asked for by `expand`.',
  gifts: 'The gifts of the category, in the order of the editor. Asked for by `expand`.',
} as const;

/** The attributes of `content` and `pageContent` (spec §2.6, §4.2); word and JSON key are the same. */
export const CONTENT_FIELDS = [
  {
    word: 'heading',
    key: 'heading',
    meaning: 'heading of the product or category',
    example: 'Kestrel K9 128GB: the one most people should buy',
  },
  {
    word: 'introduction',
    key: 'introduction',
    meaning: 'introductory text',
    example: 'The K9 takes the screen and the chip of the dearer Pro and leaves out the third lens.',
  },
] as const satisfies readonly WordedField[];

/** The attributes of `metaData` (spec §2.7, §4.2). */
export const META_DATA_FIELDS = [
  {
    word: 'meta-data-title',
    key: 'title',
    meaning: 'HTML page title',
    example: 'Kestrel K9 128GB deals and contracts',
  },
  {
    word: 'meta-data-description',
    key: 'description',
    meaning: 'HTML page description',
    example: 'Compare Kestrel K9 contracts: upfront cost, monthly price and the total over the whole term.',
  },
  {
    word: 'meta-data-keywords',
    key: 'keywords',
    meaning: 'HTML page keywords, comma-separated text',
    example: 'kestrel k9, k9 deals, kestrel phones, 6.3 inch phone',
  },
] as const satisfies readonly WordedField[];

export type ContentKey = (typeof CONTENT_FIELDS)[number]['key'];
