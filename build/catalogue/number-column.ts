const FIRST_CAPACITY = 1_024;

/** A growing column of whole numbers below 2^32: four bytes a row. */
export class NumberColumn {
  readonly name: string;
  #values: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  #rowCount = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** A column of these values, which it takes over. */
  static of(name: string, values: Uint32Array): NumberColumn {
    const column = new NumberColumn(name);
    column.#values = values;
    column.#rowCount = values.length;
    return column;
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
    const start = this.#extend(other.#rowCount);
    for (let row = 0; row < other.#rowCount; row++) {
      this.#values[start + row] = (other.#values[row] as number) + offset;
    }
  }

  /** Appends the rows of `other`, each value n as `numbers[n]`. */
  appendRenumbered(other: NumberColumn, numbers: Uint32Array): void {
    const start = this.#extend(other.#rowCount);
    for (let row = 0; row < other.#rowCount; row++) {
      this.#values[start + row] = numbers[other.#values[row] as number] as number;
    }
  }

  /** The value at a row below `rowCount`. */
  at(row: number): number {
    return this.#values[row] as number;
  }

  /** The values so far, not to be kept across an append. */
  values(): Uint32Array {
    return this.#values.subarray(0, this.#rowCount);
  }

  /** Makes room for `count` more rows; the row of the first. */
  #extend(count: number): number {
    const start = this.#rowCount;
    if (start + count > this.#values.length) this.#grow(start + count);
    this.#rowCount += count;
    return start;
  }

  #grow(needed: number): void {
    const grown = new Uint32Array(Math.max(needed, Math.ceil(this.#values.length * 1.5)));
    grown.set(this.#values);
    this.#values = grown;
  }
}
