import { ColumnArena, columnByteLength, NumberColumn, TextColumn, type ColumnValues } from './column.ts';
import { dealsLineSchema, MAX_DEALS_PER_LINE, type DealsLine, type Dictionaries } from './format.ts';
import { malformedLine, parseLine, type SnapshotError } from './snapshot-error.ts';

/** The deals of a snapshot as columns, one row a deal. */
export interface DealColumns {
  readonly rowCount: number;
  /** Position in the order of total cost with the ties of D14, over the whole catalogue; ascending within a product. */
  readonly rank: NumberColumn<'deal'>;
  readonly product: NumberColumn<'deal'>;
  readonly plan: NumberColumn<'deal'>;
  readonly retailer: NumberColumn<'deal'>;
  readonly totalPence: NumberColumn<'deal'>;
  readonly upfrontPence: NumberColumn<'deal'>;
  readonly monthlyPence: NumberColumn<'deal'>;
  /** 0 for none, else 1 + the position in the dictionary. */
  readonly gift: NumberColumn<'deal'>;
  readonly cashback: NumberColumn<'deal'>;
  readonly picture: NumberColumn<'deal'>;
  readonly linkTemplate: NumberColumn<'deal'>;
  readonly linkPart: TextColumn<'deal'>;
}

const MAX_PENCE = 1_000_000_000;
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

type DealArray = Exclude<keyof DealsLine, 'product'>;
const OPTIONAL_DEAL_ARRAYS: readonly DealArray[] = ['gift', 'cashback', 'picture'];
const DEAL_ARRAYS = Object.keys(dealsLineSchema.shape).filter((name): name is DealArray => name !== 'product');
const NUMBER_ARRAYS = DEAL_ARRAYS.filter((name) => name !== 'linkPart');

type NumberColumnName = Exclude<keyof DealColumns, 'rowCount' | 'linkPart'>;

/** Fills and checks the deal columns of a snapshot line by line. Unusable after an error. */
export class DealColumnsBuilder {
  readonly #productCount: number;
  /** The highest value of each column. */
  readonly #maxima: Readonly<Record<NumberColumnName, number>>;
  readonly #numbers: Readonly<Record<NumberColumnName, ColumnValues>>;
  /** By deal: 1 for a cashback, and 2 for a gift. */
  readonly #offers: Uint8Array;
  readonly #linkBytes: Buffer;
  /** Where the part of each link begins, and at the end where the last one ends. */
  readonly #linkStarts: Uint32Array;
  /** `#rangeEnd[p]`: the row after the last deal of product p, for every product up to the last one read. */
  readonly #rangeEnd: number[] = [];
  /** A bit for every rank that a deal has. */
  readonly #takenRanks: Uint8Array;
  /** How many deals there is room for. */
  readonly #capacity: number;
  #rowCount = 0;
  #lastRank = -1;
  #lastTotalPence = 0;

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
    const valueBytes = Object.values(this.#maxima).reduce((sum, max) => sum + columnByteLength(capacity, max), 0);
    const arena = new ColumnArena(
      valueBytes + columnByteLength(capacity, 3) + columnByteLength(capacity + 1, MAX_START) + textBytes,
    );
    this.#productCount = productCount;
    this.#numbers = Object.fromEntries(
      Object.entries(this.#maxima).map(([name, max]) => [name, arena.allocateValues(capacity, max)]),
      // The keys are those of the maxima.
    ) as Record<NumberColumnName, ColumnValues>;
    this.#linkStarts = arena.allocateValues(capacity + 1, MAX_START) as Uint32Array;
    this.#linkBytes = arena.allocateBytes(textBytes);
    this.#offers = arena.allocateValues(capacity, 3) as Uint8Array;
    this.#capacity = capacity;
    this.#takenRanks = new Uint8Array(Math.ceil(capacity / 8));
  }

  /**
   * Adds a line.
   * @throws {SnapshotError} `malformed-file`
   */
  add(line: Buffer, lineNumber: number): void {
    const deals = parseDeals(line, lineNumber);
    if (this.#rowCount + deals.rank.length > this.#capacity) {
      throw malformed(lineNumber, `${this.#capacity} deals in all lines, as in the manifest`, 'more');
    }
    this.#beginRange(deals.product, lineNumber);
    try {
      this.#append(deals);
      this.#checkOrder(deals);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw malformed(lineNumber, 'numbers within their columns, in order of rank and total cost', error.message);
    }
    this.#rowCount += deals.rank.length;
    this.#rangeEnd[deals.product] = this.#rowCount;
  }

  /** The caller compares the number of rows with the manifest. */
  finish(): { readonly rangeEnd: Uint32Array; readonly columns: DealColumns; readonly offers: Uint8Array } {
    while (this.#rangeEnd.length < this.#productCount) this.#rangeEnd.push(this.#rowCount);
    const column = (name: NumberColumnName): NumberColumn<'deal'> =>
      new NumberColumn(this.#numbers[name].subarray(0, this.#rowCount));
    return {
      rangeEnd: Uint32Array.from(this.#rangeEnd),
      offers: this.#offers.subarray(0, this.#rowCount),
      columns: {
        rowCount: this.#rowCount,
        rank: column('rank'),
        product: column('product'),
        plan: column('plan'),
        retailer: column('retailer'),
        totalPence: column('totalPence'),
        upfrontPence: column('upfrontPence'),
        monthlyPence: column('monthlyPence'),
        gift: column('gift'),
        cashback: column('cashback'),
        picture: column('picture'),
        linkTemplate: column('linkTemplate'),
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
      throw malformed(lineNumber, expected, String(product));
    }
    while (this.#rangeEnd.length <= product) this.#rangeEnd.push(this.#rowCount);
    this.#lastRank = -1;
    this.#lastTotalPence = 0;
  }

  /** Column by column: each loop is over numbers of one width. */
  #append(deals: DealsLine): void {
    const rowCount = deals.rank.length;
    this.#numbers.product.fill(deals.product, this.#rowCount, this.#rowCount + rowCount);
    for (const name of NUMBER_ARRAYS) {
      const values = deals[name];
      // A line omits a column when all its values are 0, which new memory is.
      if (values !== undefined) this.#appendNumbers(name, values);
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

  /** @throws {RangeError} naming column and row, for a value that would wrap */
  #appendNumbers(name: NumberColumnName, values: readonly number[]): void {
    const column = this.#numbers[name];
    const max = this.#maxima[name];
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      const row = this.#rowCount + i;
      if (!Number.isInteger(value) || value < 0 || value > max) {
        throw new RangeError(`column ${name}, row ${row}: expected 0 to ${max}, got ${value}`);
      }
      column[row] = value;
    }
  }

  /** Ranks ascend within a product, and totals with them; all ranks together are 0 to the number of deals, each once. */
  #checkOrder({ rank: ranks, totalPence }: DealsLine): void {
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number;
      const total = totalPence[i] as number;
      if (rank <= this.#lastRank) throw new RangeError(`rank ${rank} after ${this.#lastRank}`);
      if (total < this.#lastTotalPence) throw new RangeError(`total ${total} after ${this.#lastTotalPence}`);
      this.#lastRank = rank;
      this.#lastTotalPence = total;
      const bits = this.#takenRanks[rank >> 3] as number;
      const bit = 1 << (rank & 7);
      if ((bits & bit) !== 0) throw new RangeError(`rank ${rank} a second time`);
      this.#takenRanks[rank >> 3] = bits | bit;
    }
  }
}

/** Parses a line, and names its fault. The columns check the numbers. */
function parseDeals(line: Buffer, lineNumber: number): DealsLine {
  const deals = parseLine('deals.ndjson', line, lineNumber);
  if (typeof deals !== 'object' || deals === null || !('rank' in deals) || !Array.isArray(deals.rank)) {
    throw malformed(lineNumber, 'an object of parallel arrays', typeof deals);
  }
  const rowCount = deals.rank.length;
  if (rowCount === 0 || rowCount > MAX_DEALS_PER_LINE) {
    throw malformed(lineNumber, `1 to ${MAX_DEALS_PER_LINE} deals`, String(rowCount));
  }
  const unknown = Object.keys(deals).find((name) => !(name in dealsLineSchema.shape));
  if (unknown !== undefined) throw malformed(lineNumber, 'the arrays of the format', JSON.stringify(unknown));
  const arrays = deals as Readonly<Record<DealArray, unknown>>;
  for (const name of DEAL_ARRAYS) {
    const cells = arrays[name];
    if (cells === undefined && OPTIONAL_DEAL_ARRAYS.includes(name)) continue;
    if (!Array.isArray(cells) || cells.length !== rowCount) {
      const got = Array.isArray(cells) ? String(cells.length) : typeof cells;
      throw malformed(lineNumber, `${rowCount} values in ${name}`, got);
    }
  }
  const other = (arrays.linkPart as readonly unknown[]).find((part) => typeof part !== 'string');
  if (other !== undefined) throw malformed(lineNumber, 'texts in linkPart', typeof other);
  return deals as unknown as DealsLine;
}

function malformed(line: number, expected: string, got: string): SnapshotError {
  return malformedLine('deals.ndjson', line, expected, got);
}
