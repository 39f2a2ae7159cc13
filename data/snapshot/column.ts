declare const rowOf: unique symbol;

/** Position of a record in its table: 0 … rowCount − 1. Meaningless outside the snapshot it came from. */
export type Row<Table extends string> = number & { readonly [rowOf]: Table };

export type ProductRow = Row<'product'>;
export type DealRow = Row<'deal'>;
export type ManufacturerRow = Row<'manufacturer'>;

/** Brands a position; the caller knows it lies in the table. */
export function rowAt<Table extends string>(position: number): Row<Table> {
  return position as Row<Table>;
}

export type ColumnValues = Uint8Array | Uint16Array | Uint32Array;

/** A read-only column of whole numbers; `Table` keeps rows of different tables apart. */
export class NumberColumn<Table extends string> {
  readonly rowCount: number;
  readonly #values: ColumnValues;

  constructor(values: ColumnValues) {
    this.#values = values;
    this.rowCount = values.length;
  }

  /** The value at `row`. Rows come from the same snapshot, so there is no range check here. */
  at(row: Row<Table>): number {
    return this.#values[row] as number;
  }

  /** The values by row, for a loop over many rows. Read only. */
  get values(): ColumnValues {
    return this.#values;
  }
}

/** A read-only column of short texts: all texts as UTF-8, and where each begins. */
export class TextColumn<Table extends string> {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;

  constructor(bytes: Buffer, starts: Uint32Array) {
    this.#bytes = bytes;
    this.#starts = starts;
  }

  /** The text at `row`, decoded on demand. */
  at(row: Row<Table>): string {
    return this.#bytes.toString('utf8', this.#starts[row], this.#starts[row + 1]);
  }
}

interface ValuesConstructor {
  new (rowCount: number): ColumnValues;
  new (memory: ArrayBuffer, byteOffset: number, rowCount: number): ColumnValues;
  readonly BYTES_PER_ELEMENT: number;
}

/** The narrowest typed array that holds 0 … `max`. */
function narrowestArray(max: number): ValuesConstructor {
  if (max < 0x100) return Uint8Array;
  return max < 0x1_0000 ? Uint16Array : Uint32Array;
}

/** Values from 0 to `max`, in the narrowest typed array. */
export function allocateValues(rowCount: number, max: number): ColumnValues {
  return new (narrowestArray(max))(rowCount);
}

/**
 * One block of memory from which all columns of a snapshot are cut. The system gets it back whole when the snapshot is
 * dropped. Many small allocations would stay with the process: 50 MB after a few snapshots of a million deals. Unused
 * pages are never resident, so the block may be larger than needed.
 */
export class ColumnArena {
  readonly #memory: ArrayBuffer;
  #taken = 0;

  constructor(byteLength: number) {
    this.#memory = new ArrayBuffer(byteLength);
  }

  /** As `allocateValues`. @throws {RangeError} when there is no room left */
  allocateValues(rowCount: number, max: number): ColumnValues {
    const byteOffset = this.#take(columnByteLength(rowCount, max));
    return new (narrowestArray(max))(this.#memory, byteOffset, rowCount);
  }

  allocateBytes(byteLength: number): Buffer {
    return Buffer.from(this.#memory, this.#take(byteLength), byteLength);
  }

  #take(byteLength: number): number {
    const byteOffset = this.#taken;
    this.#taken += byteLength;
    return byteOffset;
  }
}

/** The bytes of a column in a `ColumnArena`: a multiple of four, so that the next column is aligned. */
export function columnByteLength(rowCount: number, max: number): number {
  return Math.ceil((rowCount * narrowestArray(max).BYTES_PER_ELEMENT) / 4) * 4;
}
