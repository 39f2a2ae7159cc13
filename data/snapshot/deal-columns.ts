import { isWebUrl } from '../record/product.ts';
import { NumberColumn, TextColumn, type ColumnValues, type DealColumns, type DealNumber } from './catalogue-index.ts';
import { dealsLineSchema, MAX_DEALS_PER_LINE, MAX_PENCE, type DealsLine, type Dictionaries } from './format.ts';
import { malformed, type SnapshotError } from './snapshot-error.ts';

/** Of all texts together, so that starts have 32 bits. */
const MAX_START = 0xffff_ffff;

/** A deal takes more bytes of `deals.ndjson`, so a wrong count in a manifest allocates little. */
const MIN_DEAL_BYTES = 16;

/** What the manifest says, so that columns are allocated once. */
export interface ExpectedDeals {
  readonly dealCount: number;
  /** Of `deals.ndjson`: more than its texts can take. */
  readonly byteLength: number;
}

/** After a complete host, any path, query or fragment without spaces and control characters gives a valid URL. */
const HAS_WHOLE_HOST = /^https?:\/\/[^/?#]+[/?#]/i;
const PLAIN_PART = /^[\w.~-]*$/;

type DealArray = Exclude<keyof DealsLine, 'product'>;
const OPTIONAL_DEAL_ARRAYS: readonly DealArray[] = ['gift', 'cashback', 'picture'];
const DEAL_ARRAYS = Object.keys(dealsLineSchema.shape).filter((name): name is DealArray => name !== 'product');
const NUMBER_ARRAYS = DEAL_ARRAYS.filter((name) => name !== 'linkPart');

/** Fills and checks the deal columns of a snapshot line by line. Unusable after an error. */
export class DealColumnsBuilder {
  readonly #productCount: number;
  /** The highest value of each column. */
  readonly #maxima: Readonly<Record<DealNumber, number>>;
  readonly #numbers: Readonly<Record<DealNumber, ColumnValues>>;
  /** By deal: 1 for a cashback, and 2 for a gift. */
  readonly #offers: Uint8Array;
  readonly #linkBytes: Buffer;
  /** Where the part of each link begins, and at the end where the last one ends. */
  readonly #linkStarts: Uint32Array;
  /** `#rangeEnd[p]`: the row after the last deal of product p, for every product up to the last one read. */
  readonly #rangeEnd: number[] = [];
  readonly #linkTemplates: Dictionaries['linkTemplates'];
  /** By template, whether all its links with a plain part are web addresses. */
  readonly #isSoundTemplate: readonly boolean[];
  /** By rank, 1 + the deal that has it; 0 while no deal has it. */
  readonly #dealOfRank: ColumnValues;
  /** How many deals there is room for. */
  readonly #capacity: number;
  #rowCount = 0;
  #lastRank = -1;

  constructor(dictionaries: Dictionaries, productCount: number, expected: ExpectedDeals) {
    const textBytes = expected.byteLength;
    const capacity = Math.min(expected.dealCount, Math.floor(textBytes / MIN_DEAL_BYTES));
    this.#maxima = {
      rank: capacity - 1,
      product: productCount - 1,
      plan: dictionaries.plans.length - 1,
      retailer: dictionaries.retailers.length - 1,
      totalPence: MAX_PENCE,
      upfrontPence: MAX_PENCE,
      monthlyPence: MAX_PENCE,
      gift: dictionaries.gifts.length,
      cashback: dictionaries.cashbacks.length,
      picture: dictionaries.pictures.length,
      linkTemplate: dictionaries.linkTemplates.length - 1,
    };
    const numbers = Object.entries(this.#maxima).map(([name, max]) => [name, [capacity, max]] as const);
    const { linkStarts, linkBytes, offers, dealOfRank, ...columns } = allocateColumns({
      // The keys are those of the maxima.
      ...(Object.fromEntries(numbers) as Record<DealNumber, ColumnSize>),
      linkStarts: [capacity + 1, MAX_START],
      linkBytes: [textBytes, 0xff],
      offers: [capacity, 3],
      dealOfRank: [capacity, capacity],
    });
    this.#productCount = productCount;
    this.#numbers = columns;
    this.#linkStarts = linkStarts as Uint32Array;
    this.#linkBytes = Buffer.from(linkBytes.buffer, linkBytes.byteOffset, textBytes);
    this.#offers = offers as Uint8Array;
    this.#dealOfRank = dealOfRank;
    this.#capacity = capacity;
    this.#linkTemplates = dictionaries.linkTemplates;
    this.#isSoundTemplate = dictionaries.linkTemplates.map(
      ({ prefix, suffix }) => HAS_WHOLE_HOST.test(prefix) && isWebUrl(`${prefix}0${suffix}`),
    );
  }

  /**
   * Adds the value of a line.
   * @throws {SnapshotError} `malformed-file`
   */
  add(value: unknown, lineNumber: number): void {
    const deals = checkShape(value, lineNumber);
    if (this.#rowCount + deals.rank.length > this.#capacity) {
      throw malformedDeals(lineNumber, `${this.#capacity} deals in all lines, as in the manifest`, 'more');
    }
    this.#beginRange(deals.product, lineNumber);
    this.#append(deals, lineNumber);
    this.#takeRanks(deals, lineNumber);
    this.#checkLinks(deals, lineNumber);
    this.#rowCount += deals.rank.length;
    this.#rangeEnd[deals.product] = this.#rowCount;
  }

  /**
   * The caller compares the number of rows with the manifest.
   * @throws {SnapshotError} `malformed-file`
   */
  finish() {
    const dealOfRank = this.#orderByRank();
    while (this.#rangeEnd.length < this.#productCount) this.#rangeEnd.push(this.#rowCount);
    const numbers = Object.entries(this.#numbers).map(([name, values]) => [
      name,
      new NumberColumn(values.subarray(0, this.#rowCount)),
    ]);
    return {
      rangeEnd: Uint32Array.from(this.#rangeEnd),
      offers: this.#offers.subarray(0, this.#rowCount),
      dealOfRank,
      columns: {
        // The keys are those of the maxima.
        ...(Object.fromEntries(numbers) as Pick<DealColumns, DealNumber>),
        rowCount: this.#rowCount,
        linkPart: new TextColumn(
          this.#linkBytes.subarray(0, this.#linkStarts[this.#rowCount]),
          this.#linkStarts.subarray(0, this.#rowCount + 1),
        ),
      },
    };
  }

  #beginRange(product: number, lineNumber: number): void {
    const lastProduct = this.#rangeEnd.length - 1;
    if (product === lastProduct) return;
    if (!Number.isInteger(product) || product < Math.max(0, lastProduct) || product >= this.#productCount) {
      const expected = `a product row from ${Math.max(0, lastProduct)} to ${this.#productCount - 1}`;
      throw malformedDeals(lineNumber, expected, String(product));
    }
    while (this.#rangeEnd.length <= product) this.#rangeEnd.push(this.#rowCount);
    this.#lastRank = -1;
  }

  /** Column by column: each loop is over numbers of one width. */
  #append(deals: DealsLine, lineNumber: number): void {
    const rowCount = deals.rank.length;
    this.#numbers.product.fill(deals.product, this.#rowCount, this.#rowCount + rowCount);
    for (const name of NUMBER_ARRAYS) {
      const values = deals[name];
      // A line omits a column when all its values are 0, which new memory is.
      if (values !== undefined) this.#appendNumbers(name, values, lineNumber);
    }
    let end = this.#linkStarts[this.#rowCount] as number;
    for (let i = 0; i < rowCount; i++) {
      const hasCashback = (deals.cashback?.[i] ?? 0) !== 0;
      const hasGift = (deals.gift?.[i] ?? 0) !== 0;
      this.#offers[this.#rowCount + i] = (hasCashback ? 1 : 0) + (hasGift ? 2 : 0);
      end += this.#linkBytes.write(deals.linkPart[i] as string, end);
      this.#linkStarts[this.#rowCount + i + 1] = end;
    }
  }

  /** No value wraps. */
  #appendNumbers(name: DealNumber, values: readonly number[], lineNumber: number): void {
    const column = this.#numbers[name];
    const max = this.#maxima[name];
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      if (!Number.isInteger(value) || value < 0 || value > max) {
        throw malformedDeals(lineNumber, `${name}[${i}] from 0 to ${max}`, String(value));
      }
      column[this.#rowCount + i] = value;
    }
  }

  /** Ranks ascend within a product, and no two deals have the same. */
  #takeRanks({ rank: ranks }: DealsLine, lineNumber: number): void {
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number;
      if (rank <= this.#lastRank) throw malformedDeals(lineNumber, `rank[${i}] above ${this.#lastRank}`, String(rank));
      this.#lastRank = rank;
      if (this.#dealOfRank[rank] !== 0) throw malformedDeals(lineNumber, 'each rank once', String(rank));
      this.#dealOfRank[rank] = 1 + this.#rowCount + i;
    }
  }

  /**
   * The deal of each rank. The ranks of all deals are 0 to their number, and follow the total cost over the whole
   * catalogue (D14).
   */
  #orderByRank(): ColumnValues {
    const { totalPence } = this.#numbers;
    const deals = this.#dealOfRank.subarray(0, this.#rowCount);
    let before = 0;
    for (let rank = 0; rank < deals.length; rank++) {
      const row = (deals[rank] as number) - 1;
      if (row === -1) {
        throw malformedDeals(undefined, `each rank from 0 to ${this.#rowCount - 1} once`, `none with ${rank}`);
      }
      const total = totalPence[row] as number;
      if (total < before)
        throw malformedDeals(undefined, `a total of at least ${before} pence at rank ${rank}`, String(total));
      before = total;
      deals[rank] = row;
    }
    return deals;
  }

  #checkLinks({ linkTemplate, linkPart }: DealsLine, lineNumber: number): void {
    for (let i = 0; i < linkPart.length; i++) {
      const part = linkPart[i] as string;
      const code = linkTemplate[i] as number;
      if (this.#isSoundTemplate[code] === true && PLAIN_PART.test(part)) continue;
      const { prefix, suffix } = this.#linkTemplates[code] as Dictionaries['linkTemplates'][number];
      const link = `${prefix}${part}${suffix}`;
      if (isWebUrl(link)) continue;
      throw malformedDeals(lineNumber, `an http or https link at ${i}`, JSON.stringify(link.slice(0, 80)));
    }
  }
}

/** The columns check the numbers. */
function checkShape(deals: unknown, lineNumber: number): DealsLine {
  if (typeof deals !== 'object' || deals === null || !('rank' in deals) || !Array.isArray(deals.rank)) {
    throw malformedDeals(lineNumber, 'an object of parallel arrays', typeof deals);
  }
  const rowCount = deals.rank.length;
  if (rowCount === 0 || rowCount > MAX_DEALS_PER_LINE) {
    throw malformedDeals(lineNumber, `1 to ${MAX_DEALS_PER_LINE} deals`, String(rowCount));
  }
  const unknown = Object.keys(deals).find((name) => !(name in dealsLineSchema.shape));
  if (unknown !== undefined) throw malformedDeals(lineNumber, 'the arrays of the format', JSON.stringify(unknown));
  const arrays = deals as Readonly<Record<DealArray, unknown>>;
  for (const name of DEAL_ARRAYS) {
    const cells = arrays[name];
    if (cells === undefined && OPTIONAL_DEAL_ARRAYS.includes(name)) continue;
    if (!Array.isArray(cells) || cells.length !== rowCount) {
      const got = Array.isArray(cells) ? String(cells.length) : typeof cells;
      throw malformedDeals(lineNumber, `${rowCount} values in ${name}`, got);
    }
  }
  const other = (arrays.linkPart as readonly unknown[]).find((part) => typeof part !== 'string');
  if (other !== undefined) throw malformedDeals(lineNumber, 'texts in linkPart', typeof other);
  return deals as unknown as DealsLine;
}

function malformedDeals(line: number | undefined, expected: string, got: string): SnapshotError {
  return malformed('deals.ndjson', line, expected, got);
}

/** The narrowest typed array that holds 0 … `max`. */
function narrowestArray(max: number) {
  if (max < 0x100) return Uint8Array;
  return max < 0x1_0000 ? Uint16Array : Uint32Array;
}

type ColumnSize = readonly [length: number, max: number];

/**
 * Columns for whole numbers from 0 to `max`, all in one block of memory. The system gets it back whole when the snapshot is
 * dropped. Many small allocations would stay with the process: 50 MB after a few snapshots of a million deals. Unused
 * pages are never resident, so the columns may be larger than needed.
 */
function allocateColumns<Name extends string>(sizes: Readonly<Record<Name, ColumnSize>>): Record<Name, ColumnValues> {
  let byteLength = 0;
  const places = Object.entries<ColumnSize>(sizes).map(([name, [length, max]]) => {
    const place = { name, length, Values: narrowestArray(max), offset: byteLength };
    // The next column is aligned, too.
    byteLength += Math.ceil((length * place.Values.BYTES_PER_ELEMENT) / 4) * 4;
    return place;
  });
  const memory = new ArrayBuffer(byteLength);
  const columns = places.map(({ name, length, Values, offset }) => [name, new Values(memory, offset, length)]);
  return Object.fromEntries(columns) as Record<Name, ColumnValues>;
}
