import { compareCodeUnits } from '../../data/record/id.ts';

const FIRST_CAPACITY = 1_024;

/** A growing column of whole numbers below 2^32: four bytes a row. */
export class GrowableNumberColumn {
  readonly name: string;
  #values = new Uint32Array(FIRST_CAPACITY);
  #rowCount = 0;

  constructor(name: string) {
    this.name = name;
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
