/** The columns of our own feed, which are the keys of its NDJSON form too. */
export const DEALS_COLUMNS = [
  'dealId',
  'productId',
  'productName',
  'gtin',
  'condition',
  'retailer',
  'network',
  'dealType',
  'contractName',
  'contractMonths',
  'dataGb',
  'callMinutes',
  'textMessages',
  'upfrontCost',
  'monthlyCost',
  'totalCost',
  'cashbackType',
  'cashbackValue',
  'gift',
  'dealLink',
  'productImage',
  'validFrom',
  'validTo',
  'inStock',
] as const;

export type DealsColumn = (typeof DEALS_COLUMNS)[number];

/** The fields of foreign feeds: ours, and those that our own feed has in the name of the phone. */
export const FEED_FIELDS = [...DEALS_COLUMNS, 'storage', 'colour'] as const;

export type FeedField = (typeof FEED_FIELDS)[number];

export const MONEY_FIELDS = [
  'upfrontCost',
  'monthlyCost',
  'totalCost',
  'cashbackValue',
] as const satisfies readonly DealsColumn[];

/** The fields whose text is a number, or `unlimited`. */
export const NUMBER_FIELDS = [
  ...MONEY_FIELDS,
  'contractMonths',
  'dataGb',
  'callMinutes',
  'textMessages',
] as const satisfies readonly DealsColumn[];

/** Every deal needs these. */
export const REQUIRED_COLUMNS = [
  'dealId',
  'retailer',
  'network',
  'contractName',
  'contractMonths',
  'upfrontCost',
  'monthlyCost',
  'dealLink',
] as const satisfies readonly DealsColumn[];

export const ALLOWANCE_COLUMNS = ['dataGb', 'callMinutes', 'textMessages'] as const satisfies readonly DealsColumn[];

/** A deal names its product in at least one of these ways. */
export const PRODUCT_COLUMNS = ['productId', 'productName', 'gtin'] as const satisfies readonly DealsColumn[];

const COLUMN_NAMES: ReadonlySet<string> = new Set(DEALS_COLUMNS);

export function isDealsColumn(name: string): name is DealsColumn {
  return COLUMN_NAMES.has(name);
}

export interface RawField {
  /** In the spelling of our own feed; undefined when the value cannot be converted. */
  readonly text: string | undefined;
  readonly found: string;
  /** The same, if it is not a text. */
  readonly value?: number | boolean;
  /** The expected value in the file, if it differs from that of our own feed. */
  readonly expected?: string | undefined;
}

export interface FieldReader {
  /** Whether the file has a value, where that is cheaper than reading it. */
  isFilled?(field: FeedField): boolean;
  /** Undefined when the file has no value. */
  get(field: FeedField): RawField | undefined;
  /** The name of the field in the file, for messages. */
  nameOf(field: FeedField): string;
  /** The remedy for a text that cannot be read, if it is not to correct the source. */
  remedyOf?(field: FeedField, found: string): string | undefined;
}
