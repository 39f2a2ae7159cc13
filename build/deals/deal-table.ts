import type { MatchEvidence } from '../match/match-product.ts';
import type { DealGift } from '../records/references.ts';
import { compareCodeUnits } from '../../data/record/id.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { Dictionaries, Plan } from '../../data/snapshot/format.ts';

const NUMBER_COLUMNS = [
  'product',
  'plan',
  'retailer',
  'totalPence',
  'upfrontPence',
  'monthlyPence',
  'gift',
  'cashback',
  'picture',
  'match',
  'file',
  'line',
] as const;

type NumberColumnName = (typeof NUMBER_COLUMNS)[number];

/** A deal as a row of dictionary codes and pence. `gift`, `cashback` and `picture` are 0 for none, else 1 + code. */
export interface DealTableRow extends Readonly<Record<NumberColumnName, number>> {
  readonly key: string;
  readonly link: string;
}

/** Deals as columns, in the order of reading: 56 bytes a deal, its key and its link. */
export class DealTable {
  // Every name of the list has its column.
  readonly columns = Object.fromEntries(
    NUMBER_COLUMNS.map((name) => [name, new GrowableNumberColumn(name)]),
  ) as unknown as Readonly<Record<NumberColumnName, GrowableNumberColumn>>;
  readonly key = new GrowableTextColumn('key');
  readonly link = new GrowableTextColumn('link');
  /** Notices about a row, which count if it is served. */
  readonly notices = new Map<number, readonly Notice[]>();

  get rowCount(): number {
    return this.key.rowCount;
  }

  append(row: DealTableRow, notices: readonly Notice[]): void {
    if (notices.length > 0) this.notices.set(this.rowCount, notices);
    for (const name of NUMBER_COLUMNS) this.columns[name].append(row[name]);
    this.key.append(row.key);
    this.link.append(row.link);
  }
}

/** What tells entries apart, and the order in which they are published. */
export type EntryKey = readonly (number | string)[];

/** Entries that many deals share, each with a code: its position. At most one part of a key has spaces. */
export class Dictionary<Entry> {
  readonly keyOf: (entry: Entry) => EntryKey;
  readonly #codes = new Map<string, number>();
  readonly #entries: Entry[] = [];

  constructor(keyOf: (entry: Entry) => EntryKey) {
    this.keyOf = keyOf;
  }

  /** The code of an entry; entries with equal keys are one. */
  codeOf(entry: Entry): number {
    const key = this.keyOf(entry).join(' ');
    let code = this.#codes.get(key);
    if (code === undefined) {
      code = this.#entries.push(entry) - 1;
      this.#codes.set(key, code);
    }
    return code;
  }

  /** 0 for none, else 1 + the code. */
  numberOf(entry: Entry | undefined): number {
    return entry === undefined ? 0 : 1 + this.codeOf(entry);
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }
}

/** A file of a feed. */
export interface FeedFile {
  readonly source: string;
  readonly file: string;
}

/** What the codes of a deal table stand for. */
export class DealDictionaries {
  readonly plans = new Dictionary<Plan>(
    ({ network, contractName, dealType, contractMonths, dataMegabytes, callMinutes, textMessages }) => {
      const sizes = [dataMegabytes, callMinutes, textMessages].map((size) => (size === 'unlimited' ? Infinity : size));
      return [network, contractName, dealType, contractMonths, ...sizes];
    },
  );
  /** Records of the catalogue first, then texts of the feeds. */
  readonly gifts = new Dictionary<DealGift>(({ row = Infinity, name }) => [row, name]);
  readonly cashbacks = new Dictionary<Dictionaries['cashbacks'][number]>(({ type, valuePence }) => [type, valuePence]);
  readonly pictures = new Dictionary<string>((picture) => [picture]);
  readonly matches = new Dictionary<MatchEvidence>(({ rule, found }) => [rule, found]);
  readonly files = new Dictionary<FeedFile>(({ source, file }) => [source, file]);
}

const FIRST_CAPACITY = 1_024;
const MIN_CAPACITY = 16;

/** A growing column of whole numbers below 2^32: four bytes a row. */
export class GrowableNumberColumn {
  readonly name: string;
  #values: Uint32Array;
  #rowCount = 0;

  /** @param rowCount how many rows are expected */
  constructor(name: string, rowCount = FIRST_CAPACITY) {
    this.name = name;
    this.#values = new Uint32Array(Math.max(rowCount, MIN_CAPACITY));
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** @throws {RangeError} when the value does not fit: a bug, since every stage before has its bounds. */
  append(value: number): void {
    if (value >>> 0 !== value) {
      throw new RangeError(`${this.name}, row ${this.#rowCount}: expected a whole number below 2^32, got ${value}`);
    }
    if (this.#rowCount === this.#values.length) {
      const grown = new Uint32Array(Math.ceil(this.#values.length * 1.5));
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#rowCount++] = value;
  }

  /** The value at a row below `rowCount`. */
  at(row: number): number {
    return this.#values[row] as number;
  }

  /** The values so far. They are valid until the next append. */
  values(): Uint32Array {
    return this.#values.subarray(0, this.#rowCount);
  }
}

const FIRST_TEXT_CAPACITY = 16_384;
const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/**
 * A growing column of texts. It takes a byte a character and four bytes a row. Strings would take forty, and keep alive
 * the text they were cut from. Texts beyond Latin-1 are rare in keys and links and are kept as strings.
 */
class GrowableTextColumn {
  readonly #ends: GrowableNumberColumn;
  readonly #wide = new Map<number, string>();
  #bytes: Buffer = Buffer.alloc(FIRST_TEXT_CAPACITY);

  constructor(name: string) {
    this.#ends = new GrowableNumberColumn(name);
  }

  get rowCount(): number {
    return this.#ends.rowCount;
  }

  append(text: string): void {
    const start = this.#startOf(this.rowCount);
    if (BEYOND_LATIN1.test(text)) {
      this.#wide.set(this.rowCount, text);
      this.#ends.append(start);
      return;
    }
    const end = start + text.length;
    if (end > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(end, Math.ceil(this.#bytes.length * 1.5)));
      this.#bytes.copy(grown);
      this.#bytes = grown;
    }
    this.#bytes.write(text, start, 'latin1');
    this.#ends.append(end);
  }

  at(row: number): string {
    return this.#wide.get(row) ?? this.#bytes.toString('latin1', this.#startOf(row), this.#ends.at(row));
  }

  /** Order of two rows by code unit, which is that of the bytes of Latin-1. */
  compare(a: number, b: number): number {
    if (this.#wide.has(a) || this.#wide.has(b)) return compareCodeUnits(this.at(a), this.at(b));
    return this.#bytes.compare(this.#bytes, this.#startOf(b), this.#ends.at(b), this.#startOf(a), this.#ends.at(a));
  }

  #startOf(row: number): number {
    return row === 0 ? 0 : this.#ends.at(row - 1);
  }
}
