import { compareCodeUnits } from '../../data/record/code-unit.ts';
import { NumberColumn } from './number-column.ts';
import { OBJECT_BYTES } from './ledger.ts';

const FIRST_CAPACITY = 16_384;
const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/** A column of texts as it is kept: where each ends in `bytes`, and by row the texts that are not in there. */
export interface TextParts {
  readonly ends: Uint32Array;
  readonly bytes: Buffer;
  readonly wide: readonly (readonly [number, string])[];
}

/**
 * A growing column of texts: a byte a character and four a row, where strings would take forty and keep alive the text
 * they were cut from. Texts beyond Latin-1 are rare in keys and links and are kept as strings.
 */
export class TextColumn {
  #ends: NumberColumn;
  readonly #wide = new Map<number, string>();
  #bytes: Buffer = Buffer.alloc(FIRST_CAPACITY);

  constructor(name: string) {
    this.#ends = new NumberColumn(name);
  }

  /** The column that `parts` gave these of, which it takes over. */
  static of(name: string, { ends, bytes, wide }: TextParts): TextColumn {
    const column = new TextColumn(name);
    column.#ends = NumberColumn.of(name, ends);
    column.#bytes = bytes;
    for (const [row, text] of wide) column.#wide.set(row, text);
    return column;
  }

  /** Everything that the column is made of, not to be kept across an append. */
  parts(): TextParts {
    return { ends: this.#ends.values(), bytes: this.#bytes.subarray(0, this.#byteLength()), wide: [...this.#wide] };
  }

  get rowCount(): number {
    return this.#ends.rowCount;
  }

  /** About what the texts take. */
  get heldBytes(): number {
    return this.#byteLength() + this.#wide.size * OBJECT_BYTES;
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

  appendAll(other: TextColumn): void {
    const start = this.#byteLength();
    const firstRow = this.rowCount;
    this.#reserve(start + other.#byteLength());
    other.#bytes.copy(this.#bytes, start, 0, other.#byteLength());
    this.#ends.appendAll(other.#ends, start);
    for (const [row, text] of other.#wide) this.#wide.set(firstRow + row, text);
  }

  at(row: number): string {
    return this.#wide.get(row) ?? this.#bytes.toString('latin1', this.#startOf(row), this.#endOf(row));
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
