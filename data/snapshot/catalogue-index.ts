import type {
  DealsLine,
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

declare const rowOf: unique symbol;

/** Position of a record in its table: 0 … rowCount − 1. Meaningless outside the snapshot it came from. */
export type Row<Table extends string> = number & { readonly [rowOf]: Table };

export type ProductRow = Row<'product'>;
export type DealRow = Row<'deal'>;
type ManufacturerRow = Row<'manufacturer'>;

/** Brands a position; the caller knows it lies in the table. */
export function rowAt<Table extends string>(position: number): Row<Table> {
  return position as Row<Table>;
}

/** Whole numbers by row, in the narrowest array. */
export type ColumnValues = Uint8Array | Uint16Array | Uint32Array;

/** A read-only column of whole numbers; `Table` keeps rows of different tables apart. */
export class NumberColumn<Table extends string> {
  /** The values by row, for a loop over many rows. Read only. */
  readonly values: ColumnValues;

  constructor(values: ColumnValues) {
    this.values = values;
  }

  /** The value at `row`. Rows come from the same snapshot, so there is no range check here. */
  at(row: Row<Table>): number {
    return this.values[row] as number;
  }
}

/** A read-only column of short texts: all texts as UTF-8, and where each begins. */
export class TextColumn<Table extends string> {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;

  constructor(bytes: Buffer, starts: Uint32Array) {
    this.#bytes = bytes;
    this.#starts = starts;
  }

  /** The text at `row`, decoded on demand. */
  at(row: Row<Table>): string {
    return this.#bytes.toString('utf8', this.#starts[row], this.#starts[row + 1]);
  }
}

/**
 * The columns of deals that hold numbers. Of `gift`, `cashback` and `picture`, 0 is none, else 1 + the position in the
 * dictionary.
 */
export type DealNumber = Exclude<keyof DealsLine, 'linkPart'>;

/** The deals of a snapshot as columns, one row a deal; those of a product together, in order of rank. */
export interface DealColumns extends Readonly<Record<DealNumber, NumberColumn<'deal'>>> {
  readonly rowCount: number;
  readonly linkPart: TextColumn<'deal'>;
}

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
  /** The deals of all products by rank: in order of total cost. */
  readonly dealOfRank: ColumnValues;
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

/** What is no part of a word once accents are taken off: spaces, punctuation and symbols. */
const SEPARATORS = /[^\p{L}\p{N}]+/u;
const ACCENTS = /\p{M}/gu;

/**
 * The words of a name, or of a text that is looked for in names, so that two spellings of one word are equal: without
 * accents, in one case, full-width letters and ligatures as plain ones. Everything but letters and digits separates words.
 */
export function splitNameWords(text: string): readonly string[] {
  return (
    text
      .normalize('NFKD')
      .replaceAll(ACCENTS, '')
      // Upper case has one form of ß, of the two i and of the two sigma; a capital ß gets there through lower case.
      .toLowerCase()
      .toUpperCase()
      .split(SEPARATORS)
      .filter((word) => word !== '')
  );
}

/** The words of a name as one text for `compileNameSearch`, a space before each word. */
export function createNameKey(name: string): string {
  return splitNameWords(name)
    .map((word) => ` ${word}`)
    .join('');
}

/**
 * A test for the names that have all of `words`, each as the beginning of a word (D23). No name has none of them: a text
 * without a letter or digit finds nothing. A scan is fast enough without a tree or lists of words (bench case `list-filter`).
 * @param words of `splitNameWords`, with a space between them
 * @param keys of `createNameKey`, by row
 */
export function compileNameSearch(words: string, keys: readonly string[]): (row: number) => boolean {
  const starts = words.split(' ').flatMap((word) => (word === '' ? [] : [` ${word}`]));
  if (starts.length === 0) return () => false;
  return (row) => {
    const key = keys[row] as string;
    return starts.every((start) => key.includes(start));
  };
}
