import { compareCodeUnits } from '../../data/record/id.ts';
import { hashLatin1, hashText } from './hash-index.ts';

const FIRST_CAPACITY = 1_024;

/** A growing column of whole numbers below 2^32: four bytes a row. */
export class GrowableNumberColumn {
  readonly name: string;
  #values: Uint32Array;
  #rowCount = 0;

  /** An empty column with room for `capacity` rows, which grows when there are more. */
  constructor(name: string, capacity = FIRST_CAPACITY) {
    this.name = name;
    this.#values = new Uint32Array(capacity);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** @throws {RangeError} when the value does not fit: a bug, since every stage before has its bounds. */
  append(value: number): void {
    if (value >>> 0 !== value) {
      throw new RangeError(`${this.name}, row ${this.#rowCount}: expected a whole number below 2^32, got ${value}`);
    }
    if (this.#rowCount === this.#values.length) this.#grow(this.#rowCount + 1);
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

  #grow(needed: number): void {
    const grown = new Uint32Array(Math.max(needed, Math.ceil(this.#values.length * 1.5)));
    grown.set(this.#values);
    this.#values = grown;
  }
}

const FIRST_TEXT_CAPACITY = 16_384;
const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/**
 * A growing column of texts. It takes a byte a character and four bytes a row. Strings would take forty, and keep alive
 * the text they were cut from. Texts beyond Latin-1 are rare in keys and links and are kept as strings.
 */
export class GrowableTextColumn {
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
    const start = this.#byteLength();
    if (BEYOND_LATIN1.test(text)) {
      this.#wide.set(this.rowCount, text);
      this.#ends.append(start);
      return;
    }
    this.#reserve(start + text.length);
    this.#bytes.write(text, start, 'latin1');
    this.#ends.append(start + text.length);
  }

  at(row: number): string {
    return this.#wide.get(row) ?? this.#bytes.toString('latin1', this.#startOf(row), this.#endOf(row));
  }

  /** The `hashText` of a row, without making its text. */
  hash(row: number, seed: number): number {
    const wide = this.#wide.size === 0 ? undefined : this.#wide.get(row);
    return wide === undefined
      ? hashLatin1(this.#bytes, this.#startOf(row), this.#endOf(row), seed)
      : hashText(wide, seed);
  }

  /** Order of two rows by code unit. */
  compare(a: number, b: number): number {
    if (this.#wide.size > 0 && (this.#wide.has(a) || this.#wide.has(b)))
      return compareCodeUnits(this.at(a), this.at(b));
    const bytes = this.#bytes;
    const startOfA = this.#startOf(a);
    const startOfB = this.#startOf(b);
    const lengthOfA = this.#endOf(a) - startOfA;
    const lengthOfB = this.#endOf(b) - startOfB;
    const length = Math.min(lengthOfA, lengthOfB);
    for (let i = 0; i < length; i++) {
      const difference = (bytes[startOfA + i] as number) - (bytes[startOfB + i] as number);
      if (difference !== 0) return difference;
    }
    return lengthOfA - lengthOfB;
  }

  #startOf(row: number): number {
    return row === 0 ? 0 : this.#ends.at(row - 1);
  }

  #endOf(row: number): number {
    return this.#ends.at(row);
  }

  #byteLength(): number {
    return this.rowCount === 0 ? 0 : this.#endOf(this.rowCount - 1);
  }

  #reserve(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.alloc(Math.max(needed, Math.ceil(this.#bytes.length * 1.5)));
    this.#bytes.copy(grown);
    this.#bytes = grown;
  }
}
