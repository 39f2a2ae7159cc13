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

/** What a deal has beside its own members, each there when `fields` asked for it (D26). */
export const DEAL_FIELDS = [
  { word: 'product-id', key: 'productId', meaning: 'id of its product', example: '101' },
  { word: 'product-slug', key: 'productSlug', meaning: 'slug of its product', example: 'kestrel-k9-128gb' },
  { word: 'gift-id', key: 'giftId', meaning: 'id of its gift, where that is a gift of the catalogue', example: '7' },
] as const satisfies readonly WordedField[];

export type DealAttribute = (typeof DEAL_FIELDS)[number]['key'];

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

/**
 * The attributes of `specs`: the word of `fields=`, the JSON key, the meaning (spec §2.8, §4.2). All are text of the
 * CMS, and the unit is part of the text.
 */
export const SPEC_FIELDS = [
  { word: 'os', key: 'os', meaning: 'operating system', example: 'Android 16' },
  { word: 'family-os', key: 'familyOs', meaning: 'operating system family', example: 'Android' },
  { word: 'weight', key: 'weight', meaning: 'weight', unit: 'grammes', example: '178 g' },
  {
    word: 'size',
    key: 'size',
    meaning: 'width x height x depth',
    unit: 'millimetres',
    example: '71.4 x 149.6 x 7.9 mm',
  },
  { word: 'height', key: 'height', meaning: 'height', unit: 'millimetres', example: '149.6 mm' },
  { word: 'width', key: 'width', meaning: 'width', unit: 'millimetres', example: '71.4 mm' },
  { word: 'depth', key: 'depth', meaning: 'depth', unit: 'millimetres', example: '7.9 mm' },
  { word: 'screen-size', key: 'screenSize', meaning: 'screen size', unit: 'inches', example: '6.3 inches' },
  {
    word: 'screen-pixel-density',
    key: 'screenPixelDensity',
    meaning: 'pixel density',
    unit: 'ppi',
    example: '409 ppi',
  },
  {
    word: 'screen-resolution',
    key: 'screenResolution',
    meaning: 'resolution',
    unit: 'pixels',
    example: '1080 x 2340 pixels',
  },
  { word: 'sim-type', key: 'simType', meaning: 'SIM card type', example: 'Nano-SIM and eSIM' },
  { word: 'display-type', key: 'displayType', meaning: 'display type', example: 'LTPO OLED, 120 Hz' },
  { word: 'handset-style', key: 'handsetStyle', meaning: 'handset style', example: 'Touchscreen' },
  { word: 'camera-front', key: 'cameraFront', meaning: 'primary camera size', unit: 'megapixels', example: '50 MP' },
  { word: 'camera-back', key: 'cameraBack', meaning: 'secondary camera size', unit: 'megapixels', example: '16 MP' },
  { word: 'camera-flash', key: 'cameraFlash', meaning: 'flash type', example: 'Dual LED' },
  { word: 'battery-type', key: 'batteryType', meaning: 'battery type', example: 'Lithium-ion, not removable' },
  {
    word: 'battery-capacity',
    key: 'batteryCapacity',
    meaning: 'battery capacity',
    unit: 'milliampere hours',
    example: '4400 mAh',
  },
  { word: 'chipset', key: 'chipset', meaning: 'chipset', example: 'Silica 9 (3 nm)' },
  { word: 'gpu', key: 'gpu', meaning: 'graphics processor', example: 'Silica Vista 960' },
  { word: 'cpu', key: 'cpu', meaning: 'processor', example: 'Octa-core (1x 3.5 GHz, 5x 3.0 GHz, 2x 2.2 GHz)' },
  { word: 'nfc', key: 'nfc', meaning: 'near-field communication support', example: 'Yes' },
  {
    word: 'sensors',
    key: 'sensors',
    meaning: 'sensor types, comma-separated text',
    example: 'Accelerometer, Compass, Fingerprint, Gyroscope',
  },
  { word: 'fm-radio', key: 'fmRadio', meaning: 'the text Yes or No', example: 'No' },
  { word: '4g', key: '4g', meaning: 'the text Yes or No', example: 'Yes' },
] as const satisfies readonly WordedField[];

export type SpecKey = (typeof SPEC_FIELDS)[number]['key'];

export const SPEC_KEYS = SPEC_FIELDS.map((field) => field.key) as readonly SpecKey[];
