import type { DealRow, ManufacturerRow, ProductRow } from './column.ts';
import type { DealColumns } from './deal-columns.ts';
import type {
  Dictionaries,
  GiftCategoryLine,
  GiftLine,
  Manufacturer,
  Network,
  PictureLine,
  Plan,
  ProductLine,
  Retailer,
} from './format.ts';

/** Finds the row of a record by its slug, or else by its id (D13: a slug is looked up before an id). */
export interface SlugLookup {
  readonly slugs: readonly string[];
  find(word: string): number | undefined;
}

/**
 * A snapshot in memory: records by row, deals as columns, lookups by slug, and indexes. Immutable.
 * Everything in it was checked when it was opened.
 */
export interface CatalogueIndex {
  readonly currency: Dictionaries['currency'];
  /** By row: in order of numeric id, new before refurbished. */
  readonly products: readonly ProductLine[];
  /** The place of each product's name in lower case among all names (D14), equal ones alike. */
  readonly productNameRanks: Uint32Array;
  /** The words of each product's name, to search in (D23). */
  readonly productNameWords: readonly string[];
  readonly manufacturerOfProduct: readonly (ManufacturerRow | undefined)[];
  /** The first product of the same model; itself for one without a model. */
  readonly firstOfModel: Uint32Array;
  readonly gifts: readonly GiftLine[];
  readonly giftCategories: readonly GiftCategoryLine[];
  readonly networks: readonly Network[];
  readonly retailers: readonly Retailer[];
  readonly manufacturers: readonly Manufacturer[];
  readonly plans: readonly Plan[];
  readonly dealGifts: Dictionaries['gifts'];
  readonly cashbacks: Dictionaries['cashbacks'];
  readonly linkTemplates: Dictionaries['linkTemplates'];
  readonly feedPictures: Dictionaries['pictures'];
  readonly deals: DealColumns;
  /** By deal: 1 for a cashback, and 2 for a gift. */
  readonly offers: Uint8Array;
  /** The rendered pictures by their path. */
  readonly pictures: ReadonlyMap<string, PictureLine>;
  readonly lookups: Readonly<Record<'networks' | 'retailers' | 'manufacturers', SlugLookup>>;
  /** The rows of an id: none, one, or its new and refurbished variants. */
  rowsOfId(id: string): readonly ProductRow[];
  /** First deal of a product; its deals end where those of the next begin. */
  firstDeal(product: ProductRow): DealRow;
  endOfDeals(product: ProductRow): DealRow;
}
