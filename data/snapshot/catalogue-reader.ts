import { compareCodeUnits, compareIds } from '../record/id.ts';
import { compareVariants } from '../record/product.ts';
import { type CatalogueIndex, type SlugLookup, rowAt, type ProductRow, createNameKey } from './catalogue-index.ts';
import { DealColumnsBuilder, type ExpectedDeals } from './deal-columns.ts';
import {
  dictionariesSchema,
  giftCategoryLineSchema,
  giftLineSchema,
  pictureLineSchema,
  productLineSchema,
  type Dictionaries,
  type GiftCategoryLine,
  type GiftLine,
  type PictureLine,
  type ProductLine,
  type ServedFile,
} from './format.ts';
import { checkShape, malformed, type SnapshotError } from './snapshot-error.ts';

/**
 * Builds the index of a snapshot from the lines of its served files, given in the order of `SERVED_FILES`. Everything
 * is checked here once (shape, array lengths, every dictionary number, every reference, order of rows) and trusted
 * afterwards: by a server, and by the build that has just written the lines. Reading one line is short work, so a server
 * can read the next snapshot between requests.
 *
 * The caller compares the files with the hashes of the manifest; `pictureBaseUrl` is put before the paths of
 * rendered pictures, and `expected` is what the manifest says of the deals.
 */
export class CatalogueReader {
  readonly #pictureBaseUrl: string;
  readonly #expected: ExpectedDeals;
  #dictionaries: Dictionaries | undefined;
  readonly #products: ProductLine[] = [];
  readonly #productNameWords: string[] = [];
  readonly #gifts: GiftLine[] = [];
  readonly #giftCategories: GiftCategoryLine[] = [];
  readonly #pictures = new Map<string, PictureLine>();
  /** The paths of rendered pictures that records show. */
  readonly #shownPictures = new Set<string>();
  #lastPicturePath = '';
  #deals: DealColumnsBuilder | undefined;

  constructor(options: { readonly pictureBaseUrl: string; readonly expected: ExpectedDeals }) {
    this.#pictureBaseUrl = options.pictureBaseUrl.replace(/\/$/, '');
    this.#expected = options.expected;
  }

  /**
   * Takes the value of one line of a served file (`dictionaries.json` is one line).
   * @throws {SnapshotError} `malformed-file`, naming file, line and what was expected
   */
  take(file: ServedFile, value: unknown, line: number): void {
    switch (file) {
      case 'deals.ndjson':
        this.#requireDeals().add(value, line);
        break;
      case 'dictionaries.json':
        this.#dictionaries = this.#placeSupplierLogos(checkShape(dictionariesSchema, value, file, line));
        checkDictionaries(this.#dictionaries);
        break;
      case 'products.ndjson': {
        const product = checkShape(productLineSchema, value, file, line);
        this.#checkProduct(product, line);
        this.#append(this.#products, product, compareVariants, file, line);
        this.#productNameWords.push(createNameKey(product.name));
        break;
      }
      case 'gifts.ndjson':
        this.#append(this.#gifts, checkShape(giftLineSchema, value, file, line), compareRecords, file, line);
        break;
      case 'gift-categories.ndjson': {
        const category = checkShape(giftCategoryLineSchema, value, file, line);
        this.#checkGifts(category, line);
        this.#append(this.#giftCategories, category, compareRecords, file, line);
        break;
      }
      case 'pictures.ndjson': {
        const picture = checkShape(pictureLineSchema, value, file, line);
        this.#checkPicture(picture, line);
        this.#pictures.set(picture.path, picture);
        this.#lastPicturePath = picture.path;
        break;
      }
    }
  }

  /** Makes the index after all lines of all files were read. */
  finish(): CatalogueIndex {
    const dictionaries = this.#requireDictionaries();
    this.#checkAllPicturesRead();
    const { rangeEnd, columns, offers, dealOfRank } = this.#requireDeals().finish();
    const products = this.#products;
    const rowsById = new Map<string, ProductRow[]>();
    products.forEach(({ id }, position) => {
      rowsById.set(id, [...(rowsById.get(id) ?? []), rowAt(position)]);
    });
    const lookups = {
      networks: createSlugLookup(dictionaries.networks),
      retailers: createSlugLookup(dictionaries.retailers),
      manufacturers: createSlugLookup(dictionaries.manufacturers),
    };
    return {
      currency: dictionaries.currency,
      products,
      productNameRanks: rankTexts(products.map(({ name }) => name.toLowerCase())),
      productNameWords: this.#productNameWords,
      firstOfModel: findFirstOfModels(products),
      manufacturerOfProduct: products.map(({ manufacturer }) => {
        const row = manufacturer === undefined ? undefined : lookups.manufacturers.find(manufacturer);
        return row === undefined ? undefined : rowAt(row);
      }),
      gifts: this.#gifts,
      giftCategories: this.#giftCategories,
      networks: dictionaries.networks,
      retailers: dictionaries.retailers,
      manufacturers: dictionaries.manufacturers,
      plans: dictionaries.plans,
      dealGifts: dictionaries.gifts,
      cashbacks: dictionaries.cashbacks,
      linkTemplates: dictionaries.linkTemplates,
      feedPictures: dictionaries.pictures,
      deals: columns,
      offers,
      dealOfRank,
      pictures: this.#pictures,
      lookups,
      rowsOfId: (id) => rowsById.get(id) ?? [],
      firstDeal: (product) => rowAt(product === 0 ? 0 : (rangeEnd[product - 1] as number)),
      endOfDeals: (product) => rowAt(rangeEnd[product] as number),
    };
  }

  /** Adds a record, which must follow the one before it in the order of D14. */
  #append<Line extends ImagedLine>(
    records: Line[],
    record: Line,
    compare: (a: Line, b: Line) => number,
    file: ServedFile,
    line: number,
  ): void {
    const before = records.at(-1);
    if (before !== undefined && compare(before, record) >= 0) {
      throw malformed(file, line, 'records in order of id, new before refurbished, each once', `id ${record.id}`);
    }
    records.push({ ...record, images: this.#placeEach(record.images) });
  }

  #checkProduct({ manufacturer }: ProductLine, line: number): void {
    const file = 'products.ndjson';
    const { manufacturers } = this.#requireDictionaries();
    if (manufacturer !== undefined && !manufacturers.some(({ slug }) => slug === manufacturer)) {
      throw malformedText(file, line, 'a manufacturer of dictionaries.json', manufacturer);
    }
  }

  #checkGifts(category: GiftCategoryLine, line: number): void {
    for (const { id, name, slug } of category.gifts) {
      if (this.#gifts.some((gift) => gift.id === id && gift.name === name && gift.slug === slug)) continue;
      throw malformedText('gift-categories.ndjson', line, 'gifts of gifts.ndjson', id);
    }
  }

  /** All that shows a picture has been read before. */
  #checkPicture({ path }: PictureLine, line: number): void {
    const file = 'pictures.ndjson';
    if (path <= this.#lastPicturePath) throw malformedText(file, line, 'pictures in order of path, each once', path);
    if (!this.#shownPictures.has(path)) throw malformedText(file, line, 'a picture that a record shows', path);
  }

  #checkAllPicturesRead(): void {
    for (const path of this.#shownPictures) {
      if (this.#pictures.has(path)) continue;
      throw malformedText('pictures.ndjson', this.#pictures.size + 1, `a line for ${path}`, 'none');
    }
  }

  #requireDictionaries(): Dictionaries {
    if (this.#dictionaries !== undefined) return this.#dictionaries;
    throw malformed('dictionaries.json', 1, 'the dictionaries, before all else', 'none');
  }

  #requireDeals(): DealColumnsBuilder {
    this.#deals ??= new DealColumnsBuilder(this.#requireDictionaries(), this.#products.length, this.#expected);
    return this.#deals;
  }

  #placeSupplierLogos(dictionaries: Dictionaries): Dictionaries {
    return {
      ...dictionaries,
      networks: dictionaries.networks.map((network) => ({ ...network, logos: this.#placeEach(network.logos) })),
      retailers: dictionaries.retailers.map((retailer) => ({ ...retailer, logos: this.#placeEach(retailer.logos) })),
      gifts: dictionaries.gifts.map((gift) => ({ ...gift, image: this.#place(gift.image) })),
    };
  }

  #placeEach<Urls extends Readonly<Record<string, string | undefined>>>(urls: Urls): Urls {
    // Keys are those of a schema, so the object has the shape that it had before.
    return Object.fromEntries(Object.entries(urls).map(([key, url]) => [key, this.#place(url ?? '')])) as Urls;
  }

  #place(url: string): string {
    if (!url.startsWith('/')) return url;
    this.#shownPictures.add(url);
    return this.#pictureBaseUrl + url;
  }
}

interface ImagedLine {
  readonly id: string;
  readonly images: Readonly<Record<string, string | undefined>>;
}

/** Every slug and id names one record, and every plan a network. */
function checkDictionaries(dictionaries: Dictionaries): void {
  const file = 'dictionaries.json';
  for (const name of ['networks', 'retailers', 'manufacturers'] as const) {
    const records: readonly { readonly slug: string; readonly id?: string }[] = dictionaries[name];
    for (const field of ['slug', 'id'] as const) {
      const words = records.map((record) => record[field]).filter((word) => word !== undefined);
      const repeated = words.find((word, at) => words.indexOf(word) !== at);
      if (repeated !== undefined) throw malformedText(file, 1, `each ${name}.${field} once`, repeated);
    }
  }
  const position = dictionaries.plans.findIndex(({ network }) => network >= dictionaries.networks.length);
  const plan = dictionaries.plans[position];
  if (plan === undefined) return;
  const expected = `plans[${position}].network below ${dictionaries.networks.length}`;
  throw malformed(file, 1, expected, String(plan.network));
}

function malformedText(file: ServedFile, line: number, expected: string, got: string): SnapshotError {
  return malformed(file, line, expected, JSON.stringify(got));
}

function findFirstOfModels(products: readonly ProductLine[]): Uint32Array {
  const firstOf = new Map<string, number>();
  return Uint32Array.from(products, ({ model }, row) => {
    if (model === undefined) return row;
    const first = firstOf.get(model) ?? row;
    firstOf.set(model, first);
    return first;
  });
}

function rankTexts(texts: readonly string[]): Uint32Array {
  const ranks = new Map([...new Set(texts)].sort(compareCodeUnits).map((text, rank) => [text, rank]));
  return Uint32Array.from(texts, (text) => ranks.get(text) as number);
}

function compareRecords(a: ImagedLine, b: ImagedLine): number {
  return compareIds(a.id, b.id);
}

function createSlugLookup(records: readonly { readonly slug: string; readonly id?: string }[]): SlugLookup {
  const rows = new Map<string, number>();
  records.forEach(({ id }, row) => {
    if (id !== undefined) rows.set(id, row);
  });
  // A slug has a letter and an id has none, so the two never meet.
  records.forEach(({ slug }, row) => rows.set(slug, row));
  return { slugs: records.map(({ slug }) => slug).sort(), find: (word) => rows.get(word) };
}
