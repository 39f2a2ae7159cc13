import type { z } from 'zod';
import { compareCodeUnits, compareIds } from '../record/id.ts';
import { compareVariants } from '../record/product.ts';
import type { CatalogueIndex, SlugLookup } from './catalogue-index.ts';
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
import { rowAt, type ProductRow } from './column.ts';
import { createNameKey } from './name-words.ts';
import { malformedLine, parseLine } from './snapshot-error.ts';

/**
 * Builds the index of a snapshot from the lines of its served files, given in the order of `SERVED_FILES`. Everything
 * is checked here once (shape, array lengths, every dictionary number, order of rows) and trusted afterwards. Reading
 * one line is short work, so a server can read the next snapshot between requests.
 *
 * The caller has compared the files with the hashes of the manifest; `pictureBaseUrl` is put before the paths of
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
  #deals: DealColumnsBuilder | undefined;

  constructor(options: { readonly pictureBaseUrl: string; readonly expected: ExpectedDeals }) {
    this.#pictureBaseUrl = options.pictureBaseUrl.replace(/\/$/, '');
    this.#expected = options.expected;
  }

  /**
   * Reads one line of a served file (`dictionaries.json` is one line). The caller may reuse `bytes`.
   * @throws {SnapshotError} `malformed-file`, naming file, line and what was expected
   */
  read(file: ServedFile, bytes: Buffer, line: number): void {
    if (file === 'deals.ndjson') {
      this.#requireDeals().add(bytes, line);
      return;
    }
    const value = parseLine(file, bytes, line);
    switch (file) {
      case 'dictionaries.json':
        this.#dictionaries = this.#placeSupplierLogos(check(dictionariesSchema, value, file, line));
        break;
      case 'products.ndjson':
        this.#append(this.#products, check(productLineSchema, value, file, line), compareVariants, file, line);
        this.#productNameWords.push(createNameKey(this.#products.at(-1)?.name ?? ''));
        break;
      case 'gifts.ndjson':
        this.#append(this.#gifts, check(giftLineSchema, value, file, line), compareRecords, file, line);
        break;
      case 'gift-categories.ndjson':
        this.#append(
          this.#giftCategories,
          check(giftCategoryLineSchema, value, file, line),
          compareRecords,
          file,
          line,
        );
        break;
      case 'pictures.ndjson': {
        const picture = check(pictureLineSchema, value, file, line);
        this.#pictures.set(picture.path, picture);
        break;
      }
    }
  }

  /** Makes the index after all lines of all files were read. */
  finish(): CatalogueIndex {
    const dictionaries = this.#requireDictionaries();
    const { rangeEnd, columns, offers } = this.#requireDeals().finish();
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
    for (const plan of dictionaries.plans) {
      if (plan.network >= dictionaries.networks.length) {
        throw malformedLine(
          'dictionaries.json',
          1,
          `a network below ${dictionaries.networks.length}`,
          String(plan.network),
        );
      }
    }
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
      throw malformedLine(file, line, 'records in order of id, new before refurbished, each once', `id ${record.id}`);
    }
    records.push(this.#placeImages(record));
  }

  #requireDictionaries(): Dictionaries {
    if (this.#dictionaries === undefined)
      throw malformedLine('dictionaries.json', 1, 'the dictionaries, before all else', 'none');
    return this.#dictionaries;
  }

  #requireDeals(): DealColumnsBuilder {
    this.#deals ??= new DealColumnsBuilder(this.#requireDictionaries(), this.#products.length, this.#expected);
    return this.#deals;
  }

  #placeImages<Line extends ImagedLine>(line: Line): Line {
    return { ...line, images: this.#placeEach(line.images) };
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
    return url.startsWith('/') ? this.#pictureBaseUrl + url : url;
  }
}

interface ImagedLine {
  readonly id: string;
  readonly images: Readonly<Record<string, string | undefined>>;
}

function check<Shape>(schema: z.ZodType<Shape>, value: unknown, file: ServedFile, line: number): Shape {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw malformedLine(
    file,
    line,
    issue?.message ?? 'the published shape',
    `something else at ${issue?.path.join('.') ?? 'the top'}`,
  );
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
