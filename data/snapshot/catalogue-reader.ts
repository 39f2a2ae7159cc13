import type { z } from 'zod';
import { compareIds } from '../record/id.ts';
import type { CatalogueIndex, Directory } from './catalogue-index.ts';
import { NumberColumnBuilder, TextColumnBuilder } from './column.ts';
import {
  dealsLineSchema,
  dictionariesSchema,
  giftCategoryLineSchema,
  giftLineSchema,
  MAX_DEALS_PER_LINE,
  pictureLineSchema,
  productLineSchema,
  type DealsLine,
  type Dictionaries,
  type GiftCategoryLine,
  type GiftLine,
  type PictureLine,
  type ProductLine,
  type ServedFile,
} from './format.ts';
import { rowAt, type ManufacturerRow, type NetworkRow, type ProductRow, type RetailerRow, type Row } from './row.ts';
import { SnapshotError } from './snapshot-error.ts';

const MAX_PENCE = 1_000_000_000;
const MAX_ROW = 0xffff_ffff;

/**
 * Builds the index of a snapshot from the lines of its served files, given in the order of `SERVED_FILES`. Everything
 * is checked here once (shape, array lengths, every dictionary number, order of rows) and trusted afterwards. Reading
 * one line is short work, so a server can read the next snapshot between requests.
 *
 * The caller has compared the files with the hashes of the manifest; `pictureBaseUrl` is put before the paths of
 * rendered pictures.
 */
export class CatalogueReader {
  readonly #pictureBaseUrl: string;
  #dictionaries: Dictionaries | undefined;
  readonly #products: ProductLine[] = [];
  readonly #gifts: GiftLine[] = [];
  readonly #giftCategories: GiftCategoryLine[] = [];
  readonly #pictures = new Map<string, PictureLine>();
  #deals: DealColumnBuilders | undefined;

  constructor(options: { readonly pictureBaseUrl: string }) {
    this.#pictureBaseUrl = options.pictureBaseUrl.replace(/\/$/, '');
  }

  /**
   * Takes up one line of a served file (`dictionaries.json` is one line).
   * @throws {SnapshotError} `malformed-file`, naming file, line and what was expected
   */
  read(file: ServedFile, text: string, line: number): void {
    const value = parseLine(file, text, line);
    switch (file) {
      case 'dictionaries.json':
        this.#dictionaries = this.#placeSupplierLogos(check(dictionariesSchema, value, file, line));
        break;
      case 'products.ndjson':
        this.#append(this.#products, check(productLineSchema, value, file, line), compareVariants, file, line);
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
      case 'deals.ndjson':
        this.#addDeals(value as DealsLine, line);
        break;
    }
  }

  /** The index, when every line of every file has been read. */
  finish(): CatalogueIndex {
    const dictionaries = this.#requireDictionaries();
    return createIndex(
      dictionaries,
      this.#products,
      this.#gifts,
      this.#giftCategories,
      this.#pictures,
      this.#requireDeals(),
    );
  }

  /** Takes up a record, which must come after the one before it in the order that all answers keep (D14). */
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
    records.push(this.#placeImages(record));
  }

  #addDeals(deals: DealsLine, line: number): void {
    const builders = this.#requireDeals();
    const fault = builders.add(deals, this.#products.length);
    if (fault !== undefined) throw malformed('deals.ndjson', line, fault.expected, fault.got);
  }

  #requireDictionaries(): Dictionaries {
    if (this.#dictionaries === undefined)
      throw malformed('dictionaries.json', 1, 'the dictionaries, before all else', 'none');
    return this.#dictionaries;
  }

  #requireDeals(): DealColumnBuilders {
    this.#deals ??= new DealColumnBuilders(this.#requireDictionaries());
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

function parseLine(file: ServedFile, text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(file, line, 'one JSON value', JSON.stringify(text.slice(0, 80)));
  }
}

function check<Shape>(schema: z.ZodType<Shape>, value: unknown, file: ServedFile, line: number): Shape {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw malformed(
    file,
    line,
    issue?.message ?? 'the published shape',
    `something else at ${issue?.path.join('.') ?? 'the top'}`,
  );
}

function malformed(file: ServedFile, line: number, expected: string, got: string): SnapshotError {
  return new SnapshotError({ code: 'malformed-file', file, line, expected, got });
}

function compareRecords(a: ImagedLine, b: ImagedLine): number {
  return compareIds(a.id, b.id);
}

/** Numeric id, new before refurbished: the order of products everywhere (D14). */
function compareVariants(a: ProductLine, b: ProductLine): number {
  return compareIds(a.id, b.id) || Number(a.condition === 'refurbished') - Number(b.condition === 'refurbished');
}

type DealArray = Exclude<keyof DealsLine, 'product'>;
const OPTIONAL_DEAL_ARRAYS: readonly DealArray[] = ['gift', 'cashback', 'picture'];
const DEAL_ARRAYS = Object.keys(dealsLineSchema.shape).filter((name): name is DealArray => name !== 'product');

/** Grows the deal columns line by line. */
class DealColumnBuilders {
  readonly #rank = new NumberColumnBuilder<'deal'>('rank', MAX_ROW);
  readonly #product = new NumberColumnBuilder<'deal'>('product', MAX_ROW);
  readonly #plan: NumberColumnBuilder<'deal'>;
  readonly #retailer: NumberColumnBuilder<'deal'>;
  readonly #totalPence = new NumberColumnBuilder<'deal'>('totalPence', MAX_PENCE);
  readonly #upfrontPence = new NumberColumnBuilder<'deal'>('upfrontPence', MAX_PENCE);
  readonly #monthlyPence = new NumberColumnBuilder<'deal'>('monthlyPence', MAX_PENCE);
  readonly #gift: NumberColumnBuilder<'deal'>;
  readonly #cashback: NumberColumnBuilder<'deal'>;
  readonly #picture: NumberColumnBuilder<'deal'>;
  readonly #linkTemplate: NumberColumnBuilder<'deal'>;
  readonly #linkPart = new TextColumnBuilder<'deal'>();
  /** `#runEnd[p]`: the row after the last deal of product p, for every product up to the last one read. */
  readonly #runEnd: number[] = [];
  #rowCount = 0;
  #lastRank = -1;
  #lastTotalPence = 0;

  constructor(dictionaries: Dictionaries) {
    this.#plan = new NumberColumnBuilder('plan', dictionaries.plans.length - 1);
    this.#retailer = new NumberColumnBuilder('retailer', dictionaries.retailers.length - 1);
    this.#gift = new NumberColumnBuilder('gift', dictionaries.gifts.length);
    this.#cashback = new NumberColumnBuilder('cashback', dictionaries.cashbacks.length);
    this.#picture = new NumberColumnBuilder('picture', dictionaries.pictures.length);
    this.#linkTemplate = new NumberColumnBuilder('linkTemplate', dictionaries.linkTemplates.length - 1);
  }

  /** Adds a line; returns what is wrong with it, if anything. */
  add(deals: DealsLine, productCount: number): { expected: string; got: string } | undefined {
    const fault = this.#findShapeFault(deals, productCount);
    if (fault !== undefined) return fault;
    const isContinued = deals.product === this.#runEnd.length - 1;
    if (!isContinued) {
      while (this.#runEnd.length < deals.product) this.#runEnd.push(this.#rowCount);
      this.#runEnd.push(this.#rowCount);
      this.#lastRank = -1;
      this.#lastTotalPence = 0;
    }
    try {
      for (let i = 0; i < deals.rank.length; i++) this.#push(deals, i);
    } catch (error) {
      return {
        expected: 'numbers within their columns, in order of rank and total cost',
        got: error instanceof Error ? error.message : String(error),
      };
    }
    this.#runEnd[deals.product] = this.#rowCount;
    return undefined;
  }

  #findShapeFault(deals: DealsLine, productCount: number): { expected: string; got: string } | undefined {
    if (typeof deals !== 'object' || deals === null || !Array.isArray(deals.rank)) {
      return { expected: 'an object of parallel arrays', got: typeof deals };
    }
    const lastProduct = this.#runEnd.length - 1;
    if (
      !Number.isInteger(deals.product) ||
      deals.product < lastProduct ||
      deals.product >= productCount ||
      deals.product < 0
    ) {
      return {
        expected: `a product row from ${Math.max(0, lastProduct)} to ${productCount - 1}`,
        got: String(deals.product),
      };
    }
    const rowCount = deals.rank.length;
    if (rowCount === 0 || rowCount > MAX_DEALS_PER_LINE) {
      return { expected: `1 to ${MAX_DEALS_PER_LINE} deals`, got: String(rowCount) };
    }
    const unknown = Object.keys(deals).find((name) => !(name in dealsLineSchema.shape));
    if (unknown !== undefined) return { expected: 'the arrays of the format', got: JSON.stringify(unknown) };
    for (const name of DEAL_ARRAYS) {
      const cells: unknown = deals[name];
      if (cells === undefined && OPTIONAL_DEAL_ARRAYS.includes(name)) continue;
      if (!Array.isArray(cells) || cells.length !== rowCount) {
        return {
          expected: `${rowCount} values in ${name}`,
          got: Array.isArray(cells) ? String(cells.length) : typeof cells,
        };
      }
    }
    return undefined;
  }

  #push(deals: DealsLine, i: number): void {
    const rank = deals.rank[i] as number;
    const totalPence = deals.totalPence[i] as number;
    const linkPart: unknown = deals.linkPart[i];
    if (rank <= this.#lastRank) throw new RangeError(`rank ${rank} after ${this.#lastRank}`);
    if (totalPence < this.#lastTotalPence) throw new RangeError(`total ${totalPence} after ${this.#lastTotalPence}`);
    if (typeof linkPart !== 'string') throw new RangeError(`${typeof linkPart} in linkPart`);
    this.#lastRank = rank;
    this.#lastTotalPence = totalPence;
    this.#rank.push(rank);
    this.#product.push(deals.product);
    this.#plan.push(deals.plan[i] as number);
    this.#retailer.push(deals.retailer[i] as number);
    this.#totalPence.push(totalPence);
    this.#upfrontPence.push(deals.upfrontPence[i] as number);
    this.#monthlyPence.push(deals.monthlyPence[i] as number);
    this.#gift.push(numberAt(deals.gift, i));
    this.#cashback.push(numberAt(deals.cashback, i));
    this.#picture.push(numberAt(deals.picture, i));
    this.#linkTemplate.push(deals.linkTemplate[i] as number);
    this.#linkPart.push(linkPart);
    this.#rowCount++;
  }

  finish(productCount: number) {
    while (this.#runEnd.length < productCount) this.#runEnd.push(this.#rowCount);
    return {
      runEnd: Uint32Array.from(this.#runEnd),
      columns: {
        rowCount: this.#rowCount,
        rank: this.#rank.finish(),
        product: this.#product.finish(),
        plan: this.#plan.finish(),
        retailer: this.#retailer.finish(),
        totalPence: this.#totalPence.finish(),
        upfrontPence: this.#upfrontPence.finish(),
        monthlyPence: this.#monthlyPence.finish(),
        gift: this.#gift.finish(),
        cashback: this.#cashback.finish(),
        picture: this.#picture.finish(),
        linkTemplate: this.#linkTemplate.finish(),
        linkPart: this.#linkPart.finish(),
      },
    };
  }
}

/** A cell of a column that is left out when all its cells are 0. */
function numberAt(cells: readonly number[] | undefined, i: number): number {
  return cells === undefined ? 0 : (cells[i] as number);
}

function createIndex(
  dictionaries: Dictionaries,
  products: readonly ProductLine[],
  gifts: readonly GiftLine[],
  giftCategories: readonly GiftCategoryLine[],
  pictures: ReadonlyMap<string, PictureLine>,
  builders: DealColumnBuilders,
): CatalogueIndex {
  const { runEnd, columns } = builders.finish(products.length);
  const rowsById = new Map<string, ProductRow[]>();
  products.forEach(({ id }, position) => {
    const rows = rowsById.get(id);
    if (rows === undefined) rowsById.set(id, [rowAt(position)]);
    else rows.push(rowAt(position));
  });
  const manufacturerDirectory = createDirectory<ManufacturerRow>(dictionaries.manufacturers);
  for (const plan of dictionaries.plans) {
    if (plan.network >= dictionaries.networks.length) {
      throw malformed('dictionaries.json', 1, `a network below ${dictionaries.networks.length}`, String(plan.network));
    }
  }
  return {
    currency: dictionaries.currency,
    products,
    productNameKeys: products.map(({ name }) => name.toLowerCase()),
    manufacturerOfProduct: products.map(({ manufacturer }) =>
      manufacturer === undefined ? undefined : manufacturerDirectory.find(manufacturer),
    ),
    gifts,
    giftCategories,
    networks: dictionaries.networks,
    retailers: dictionaries.retailers,
    manufacturers: dictionaries.manufacturers,
    plans: dictionaries.plans,
    dealGifts: dictionaries.gifts,
    cashbacks: dictionaries.cashbacks,
    linkTemplates: dictionaries.linkTemplates,
    feedPictures: dictionaries.pictures,
    deals: columns,
    pictures,
    networkDirectory: createDirectory<NetworkRow>(dictionaries.networks),
    retailerDirectory: createDirectory<RetailerRow>(dictionaries.retailers),
    manufacturerDirectory,
    rowsOfId: (id) => rowsById.get(id) ?? [],
    firstDeal: (product) => rowAt(product === 0 ? 0 : (runEnd[product - 1] as number)),
    endOfDeals: (product) => rowAt(runEnd[product] as number),
  };
}

function createDirectory<Found extends Row<string>>(
  records: readonly { readonly slug: string; readonly id?: string }[],
): Directory<Found> {
  const rows = new Map<string, Found>();
  records.forEach(({ id }, position) => {
    if (id !== undefined) rows.set(id, rowAt(position) as Found);
  });
  // A slug has a letter and an id has none, so the two never meet.
  records.forEach(({ slug }, position) => rows.set(slug, rowAt(position) as Found));
  return { slugs: records.map(({ slug }) => slug).sort(), find: (word) => rows.get(word) };
}
