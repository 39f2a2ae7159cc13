import type { Row } from './row.ts';

type Cells = Uint8Array | Uint16Array | Uint32Array;

/** A read-only column of whole numbers; `Table` keeps rows of different tables apart. */
export class NumberColumn<Table extends string> {
  readonly rowCount: number;
  readonly byteLength: number;
  readonly #cells: Cells;

  constructor(cells: Cells) {
    this.#cells = cells;
    this.rowCount = cells.length;
    this.byteLength = cells.byteLength;
  }

  /** The value at `row`. Rows come from the same snapshot, so there is no range check here. */
  at(row: Row<Table>): number {
    return this.#cells[row] as number;
  }
}

/** A read-only column of short texts: one run of UTF-8 bytes and where each text begins. */
export class TextColumn<Table extends string> {
  readonly byteLength: number;
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;

  constructor(bytes: Buffer, starts: Uint32Array) {
    this.#bytes = bytes;
    this.#starts = starts;
    this.byteLength = bytes.byteLength + starts.byteLength;
  }

  /** The text at `row`, decoded on demand. */
  at(row: Row<Table>): string {
    return this.#bytes.toString('utf8', this.#starts[row], this.#starts[row + 1]);
  }
}

/** The narrowest cells that hold 0 … `max`. */
export function createCells(rowCount: number, max: number): Cells {
  if (max < 0x100) return new Uint8Array(rowCount);
  if (max < 0x1_0000) return new Uint16Array(rowCount);
  return new Uint32Array(rowCount);
}

/**
 * Collects a number column whose length is not known beforehand, in cells wide enough for `max`.
 * A value that would wrap is a `RangeError` naming column and row.
 */
export class NumberColumnBuilder<Table extends string> {
  readonly #name: string;
  readonly #max: number;
  #cells: Cells;
  #rowCount = 0;

  constructor(name: string, max: number, capacity = 1024) {
    this.#name = name;
    this.#max = max;
    this.#cells = createCells(capacity, max);
  }

  push(value: number): void {
    if (!(Number.isInteger(value) && value >= 0 && value <= this.#max)) {
      throw new RangeError(`column ${this.#name}, row ${this.#rowCount}: expected 0 to ${this.#max}, got ${value}`);
    }
    if (this.#rowCount === this.#cells.length) {
      const wider = createCells(Math.max(1024, this.#rowCount * 2), this.#max);
      wider.set(this.#cells);
      this.#cells = wider;
    }
    this.#cells[this.#rowCount++] = value;
  }

  finish(): NumberColumn<Table> {
    return new NumberColumn(this.#cells.slice(0, this.#rowCount));
  }
}

/** Collects a text column whose length is not known beforehand. */
export class TextColumnBuilder<Table extends string> {
  #bytes = Buffer.allocUnsafeSlow(16_384);
  #byteLength = 0;
  readonly #starts = new NumberColumnCells();

  push(text: string): void {
    const most = this.#byteLength + text.length * 3;
    if (most > this.#bytes.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(most, this.#bytes.length * 2));
      this.#bytes.copy(wider, 0, 0, this.#byteLength);
      this.#bytes = wider;
    }
    this.#starts.push(this.#byteLength);
    this.#byteLength += this.#bytes.write(text, this.#byteLength);
  }

  finish(): TextColumn<Table> {
    this.#starts.push(this.#byteLength);
    const bytes = Buffer.allocUnsafeSlow(this.#byteLength);
    this.#bytes.copy(bytes, 0, 0, this.#byteLength);
    return new TextColumn(bytes, this.#starts.finish());
  }
}

/** A growing `Uint32Array`. */
class NumberColumnCells {
  #cells = new Uint32Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#cells.length) {
      const wider = new Uint32Array(this.#length * 2);
      wider.set(this.#cells);
      this.#cells = wider;
    }
    this.#cells[this.#length++] = value;
  }

  finish(): Uint32Array {
    return this.#cells.slice(0, this.#length);
  }
}
