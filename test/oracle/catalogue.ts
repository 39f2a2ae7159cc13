/** What the paths of rendered pictures begin with, in the answers of every server that is held against the oracle. */
export const PUBLIC_URL = 'https://deals.test';

/**
 * A catalogue as plain lists of plain objects: what the oracle answers from, and what `writeSnapshot` turns into files.
 * Nothing is sorted, numbered or shared here, so that no order or join of the real thing can leak into expectations.
 */
export interface OracleCatalogue {
  readonly currency: { readonly code: string; readonly label: string };
  readonly products: readonly OracleProduct[];
  readonly gifts: readonly OracleGift[];
  readonly giftCategories: readonly OracleGiftCategory[];
  readonly networks: readonly OracleNetwork[];
  readonly retailers: readonly OracleRetailer[];
  readonly manufacturers: readonly OracleManufacturer[];
  readonly deals: readonly OracleDeal[];
}

/** Attributes by their JSON key; an empty text is the same as none (D6). */
export type Attributes = Readonly<Record<string, string>>;

export type Amount = number | 'unlimited';

interface Editorial {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly content: Attributes;
  readonly metaData: Attributes;
  readonly images: Attributes;
}

export interface OracleProduct extends Editorial {
  readonly condition: 'new' | 'refurbished';
  readonly model?: string;
  readonly manufacturer?: string;
  readonly pageContent: Attributes;
  readonly specs: Attributes;
  /** Absent as in a snapshot of an older build (D24). */
  readonly priceHistory?: readonly OraclePricePoint[];
}

/** Pence are absent on days without a deal. */
export interface OraclePricePoint {
  readonly date: string;
  readonly dealCount: number;
  readonly totalPence?: number;
  readonly monthlyPence?: number;
  readonly upfrontPence?: number;
}

export interface OracleGift extends Editorial {}

interface OracleGiftCategory extends Editorial {
  readonly pageContent: Attributes;
  /** Ids of gifts in the order of the editor. */
  readonly gifts: readonly string[];
}

interface OracleNetwork {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly logos: { readonly small: string; readonly medium: string; readonly large: string; readonly deal: string };
}

interface OracleRetailer {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly logos: { readonly large: string; readonly deal: string };
}

interface OracleManufacturer {
  readonly slug: string;
  readonly name: string;
}

export interface OracleDeal {
  /** Position in `products`. */
  readonly product: number;
  readonly key: string;
  readonly feed: string;
  /** Ids. */
  readonly retailer: string;
  readonly network: string;
  readonly dealType: string;
  readonly contractName: string;
  readonly contractMonths: number;
  readonly dataMegabytes: Amount;
  readonly callMinutes: Amount;
  readonly textMessages: Amount;
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  readonly totalPence: number;
  readonly cashback?: { readonly type: string; readonly pence: number };
  /** A gift of the catalogue, or the text of a feed. */
  readonly gift?: { readonly id: string } | { readonly text: string };
  readonly link: string;
  /** The feed's picture of the product, or empty. */
  readonly picture: string;
}
