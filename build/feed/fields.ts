import type { KindName } from './kinds.ts';

interface FieldRow {
  readonly kind: KindName;
  /** Where the value is in the record of a deal, if not under its own name; the record has no validity and no stock. */
  readonly record?: string;
  /** A deal needs it, one of the products of a deal, or it unless `missingAllowance` is set. */
  readonly need?: 'always' | 'product' | 'allowance';
  /** Our own feed has it in the name of the phone. */
  readonly isForeign?: true;
  /** Usual names in the feeds of others, for `deals init` and for suggestions. */
  readonly headers?: string;
  readonly description?: string;
  readonly example?: unknown;
}

/** THE table of the fields of a deal, in the order in which they are read and documented. */
const FIELD_ROWS = {
  dealId: {
    kind: 'id',
    record: 'key',
    need: 'always',
    headers:
      'offerId dealRef dealReference dealCode offerCode uniqueId uid merchantProductId awProductId sku reference ref id productId',
    description: 'unique per retailer, and the same from night to night',
    example: 'H-1042',
  },
  productId: {
    kind: 'id',
    record: 'product.id',
    need: 'product',
    description: 'the id of a product; this, `productName` or `gtin` is needed',
    example: '101',
  },
  productName: {
    kind: 'name',
    record: 'product.name',
    need: 'product',
    headers:
      'deviceFullName deviceName handsetName phoneName device handset phone mobile modelName handsetModel product productTitle model title name',
    description: 'the name of the phone, with its storage',
    example: 'Google Pixel 9 128GB',
  },
  gtin: {
    kind: 'gtin',
    record: 'product.gtin',
    need: 'product',
    headers: 'ean ean13 upc barcode',
    description: 'the bar code of the phone',
    example: '0840244706500',
  },
  condition: {
    kind: 'condition',
    record: 'product.condition',
    headers: 'productCondition phoneCondition',
    description: '`new` or `refurbished`; `new` if absent',
    example: 'new',
  },
  retailer: {
    kind: 'reference',
    record: 'retailer.key',
    need: 'always',
    headers: 'retailerName merchantName merchant shop store seller advertiser advertiserName',
    description: 'id, slug, name or alias',
    example: 'phonewright',
  },
  network: {
    kind: 'reference',
    record: 'network.key',
    need: 'always',
    headers: 'networkName networkOperator networkProvider mobileNetwork operator carrier provider',
    description: 'id, slug, name or alias',
    example: 'fernlink',
  },
  dealType: {
    kind: 'word',
    headers: 'contractType planType tariffType',
    description: 'a lower-case word; `contract` if absent',
    example: 'contract',
  },
  contractName: {
    kind: 'name',
    need: 'always',
    headers: 'tariffName planName tariff plan ratePlan pricePlan package bundle contract',
    description: 'the name of the plan',
    example: 'Fernlink 50GB',
  },
  contractMonths: {
    kind: 'months',
    need: 'always',
    headers:
      'contractLength contractTerm contractDuration contractPeriod minimumTerm minTerm termMonths term months duration length',
    description: '1 to 120',
    example: 24,
  },
  dataGb: {
    kind: 'data',
    record: 'dataMegabytes',
    need: 'allowance',
    headers: 'dataAllowance incData inclusiveData monthlyData dataMb dataLimit data gb',
    description: 'gigabytes a month, or `unlimited`; needed unless `missingAllowance` says what none means',
    example: 50,
  },
  callMinutes: {
    kind: 'count',
    need: 'allowance',
    headers: 'incMinutes inclusiveMinutes voiceMinutes minutes mins calls voice talktime',
    description: 'a month, or `unlimited`; needed as `dataGb` is',
    example: 'unlimited',
  },
  textMessages: {
    kind: 'count',
    need: 'allowance',
    headers: 'incTexts inclusiveTexts textAllowance texts text sms messages',
    description: 'a month, or `unlimited`; needed as `dataGb` is',
    example: 'unlimited',
  },
  upfrontCost: {
    kind: 'amount',
    record: 'upfrontPence',
    need: 'always',
    headers:
      'upfront upfrontPrice upfrontFee upfrontPayment initialCost initialPayment oneOffCost payToday deposit handsetCost handsetPrice deviceCost devicePrice phoneCost phonePrice price',
    description: 'at most two decimals',
    example: 29.99,
  },
  monthlyCost: {
    kind: 'amount',
    record: 'monthlyPence',
    need: 'always',
    headers:
      'monthly monthlyPrice monthlyPayment monthlyFee monthlyCharge monthlyRental monthCost monthPrice costPerMonth pricePerMonth perMonth lineRental pcm price',
    description: 'at most two decimals',
    example: 24,
  },
  totalCost: {
    kind: 'amount',
    record: 'statedTotalPence',
    headers: 'total totalPrice totalContractCost totalCostOfOwnership contractTotal tco',
    description: 'upfront + monthly x months if absent',
    example: 605.99,
  },
  cashbackType: {
    kind: 'name',
    headers: 'cashbackKind',
    description: 'needs `cashbackValue`',
    example: 'Automatic Cashback',
  },
  cashbackValue: {
    kind: 'amount',
    record: 'cashbackPence',
    headers: 'cashback cashbackAmount',
    description: 'needs `cashbackType`',
    example: 50,
  },
  gift: {
    kind: 'reference',
    headers: 'freeGift giftName',
    description: 'id, slug or name of a gift, or a text',
    example: 'pebble-earbuds',
  },
  dealLink: {
    kind: 'url',
    record: 'link',
    need: 'always',
    headers:
      'awDeepLink deepLink trackingLink trackingUrl affiliateLink clickUrl dealUrl offerUrl buyUrl productLink productUrl landingPage link url',
    description: 'http or https',
    example: 'https://shop.example.com/d/1042',
  },
  productImage: {
    kind: 'url',
    headers: 'merchantImageUrl awImageUrl imageUrl imageLink image pictureUrl picture img',
    description: 'http or https',
    example: 'https://shop.example.com/d/1042.jpg',
  },
  validFrom: {
    kind: 'date',
    headers: 'startDate offerStart starts start',
    description: 'a day or an instant, inclusive',
    example: '2026-11-20',
  },
  validTo: {
    kind: 'date',
    headers: 'endDate expiryDate validUntil offerEnd expires expiry ends end',
    description: 'a day or an instant, inclusive',
    example: '2026-11-30T22:00:00Z',
  },
  inStock: {
    kind: 'switch',
    headers: 'stock stockStatus availability available',
    description: '`true` or `false`, `yes` or `no`, `1` or `0`',
    example: true,
  },
  storage: {
    kind: 'size',
    record: 'product.storage',
    isForeign: true,
    headers: 'storageSize storageGb capacity memory handsetMemory',
  },
  colour: { kind: 'word', record: 'product.colour', isForeign: true, headers: 'color colourName handsetColour' },
} as const satisfies Readonly<Record<string, FieldRow>>;

export type FeedField = keyof typeof FIELD_ROWS;

export const FIELDS: Readonly<Record<FeedField, FieldRow>> = FIELD_ROWS;

/** The fields of foreign feeds: ours, and those that our own feed has in the name of the phone. */
export const FEED_FIELDS = Object.keys(FIELDS) as readonly FeedField[];

/** The columns of our own feed, which are the keys of its NDJSON form too. */
export const DEALS_COLUMNS = FEED_FIELDS.filter((field) => FIELDS[field].isForeign !== true);

export const REQUIRED_COLUMNS = fieldsThatNeed('always');

/** The fields that a feed must have, besides one that names the product. */
export function findRequired(feed: { readonly missingAllowance: 'quarantine' | 'unlimited' }): readonly FeedField[] {
  return [...REQUIRED_COLUMNS, ...(feed.missingAllowance === 'unlimited' ? [] : fieldsThatNeed('allowance'))];
}

/** A deal names its product in at least one of these ways. */
export const PRODUCT_COLUMNS = fieldsThatNeed('product');

export function fieldsOfKind(...kinds: readonly KindName[]): readonly FeedField[] {
  return FEED_FIELDS.filter((field) => kinds.includes(FIELDS[field].kind));
}

/** The fields whose text is a number, or `unlimited`. */
export const NUMBER_FIELDS = fieldsOfKind('amount', 'months', 'data', 'count');

export function isFeedField(name: string): name is FeedField {
  return Object.hasOwn(FIELDS, name);
}

/** The usual headers of a field in the feeds of others. */
export function usualHeaders(field: string): readonly string[] {
  return isFeedField(field) ? (FIELDS[field].headers?.split(' ') ?? []) : [];
}

function fieldsThatNeed(need: FieldRow['need']): readonly FeedField[] {
  return FEED_FIELDS.filter((field) => FIELDS[field].need === need);
}
