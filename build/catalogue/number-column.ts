const FIRST_CAPACITY = 1_024;

/** A growing column of whole numbers below 2^32: four bytes a row. */
export class NumberColumn {
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
    if (value < 0 || value > 0xffff_ffff || !Number.isInteger(value)) {
      throw new RangeError(`${this.name}, row ${this.#rowCount}: expected a whole number below 2^32, got ${value}`);
    }
    if (this.#rowCount === this.#values.length) this.#grow(this.#rowCount + 1);
    this.#values[this.#rowCount++] = value;
  }

  appendAll(other: NumberColumn, offset = 0): void {
    const end = this.#rowCount + other.#rowCount;
    if (end > this.#values.length) this.#grow(end);
    for (let row = 0; row < other.#rowCount; row++) {
      this.#values[this.#rowCount + row] = (other.#values[row] as number) + offset;
    }
    this.#rowCount = end;
  }

  /** The value at a row below `rowCount`. */
  at(row: number): number {
    return this.#values[row] as number;
  }

  /** The values so far, not to be kept across an append. */
  values(): Uint32Array {
    return this.#values.subarray(0, this.#rowCount);
  }

  #grow(needed: number): void {
    const grown = new Uint32Array(Math.max(needed, Math.ceil(this.#values.length * 1.5)));
    grown.set(this.#values);
    this.#values = grown;
  }
}
