import type { Row, TextColumn } from '../../data/snapshot/column.ts';

/**
 * The size of a chunk. With 32 KB a stalled client held 79 KB instead of 38, and a long response took a seventh less
 * processor time.
 */
const CHUNK_BYTES = 16 * 1024;

/**
 * The memory for the chunks of every response, which stays in the cache of the processor. A new buffer for each chunk costs
 * more in page faults than the writing itself (2x in total, for 1,000 deals).
 */
const sharedBytes = new Uint8Array(2 * CHUNK_BYTES);

const ZERO = 0x30;
const POINT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const FIRST_PRINTABLE = 0x20;
/** Digits and point of the largest amount, ten million pounds. */
const MAX_AMOUNT_BYTES = 11;

/** The bytes of a text to be put. Never a Buffer: `put` is faster when all that it copies is of one shape. */
export function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}

/**
 * Writes JSON as bytes, fragment by fragment: copying ready bytes beats joining texts, which are encoded once more when
 * they are sent (2.3x for 1,000 deals, test/bench/case/write-deals.ts).
 *
 * All writers share the memory of a chunk, so a chunk must be used before any writer continues.
 */
export class ChunkWriter {
  #bytes = sharedBytes;
  #length = 0;

  /** How long the chunk is so far. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= CHUNK_BYTES;
  }

  /** The bytes since the last call, valid until any writer writes again. */
  take(): Uint8Array {
    const chunk = this.#bytes.subarray(0, this.#length);
    this.#bytes = sharedBytes;
    this.#length = 0;
    return chunk;
  }

  /** A copy of the bytes from `start` on. */
  copyFrom(start: number): Uint8Array {
    return this.#bytes.slice(start, this.#length);
  }

  put(fragment: Uint8Array): void {
    const end = this.#length + fragment.length;
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.set(fragment, this.#length);
    this.#length = end;
  }

  /**
   * Makes the comma at `position` the beginning of a list. Every item is written with a comma before it, which is part of
   * its first fragment.
   */
  openList(position: number): void {
    this.#bytes[position] = OPENING_BRACKET;
  }

  /** Pence as money in deals: two decimals (`2999` is `29.99`, spec §2.5). */
  putAmount(pence: number): void {
    const pounds = this.#putPounds(pence);
    const rest = pence - pounds * 100;
    const tens = Math.trunc(rest / 10);
    this.#bytes[this.#length++] = POINT;
    this.#bytes[this.#length++] = ZERO + tens;
    this.#bytes[this.#length++] = ZERO + rest - tens * 10;
  }

  /** Pence as money in `cheapestDeal`: the shortest JSON number (`2990` is `29.9`, spec §2.10). */
  putNumber(pence: number): void {
    const pounds = this.#putPounds(pence);
    const rest = pence - pounds * 100;
    if (rest === 0) return;
    const tens = Math.trunc(rest / 10);
    this.#bytes[this.#length++] = POINT;
    this.#bytes[this.#length++] = ZERO + tens;
    if (rest !== tens * 10) this.#bytes[this.#length++] = ZERO + rest - tens * 10;
  }

  /** A text of a column, as it stands inside a JSON string. Nearly none needs an escape, so its bytes are copied first. */
  putText<Table extends string>(column: TextColumn<Table>, row: Row<Table>): void {
    const start = this.#length;
    const end = start + column.byteLengthAt(row);
    if (end > this.#bytes.length) this.#grow(end);
    column.copyTo(row, this.#bytes, start);
    for (let i = start; i < end; i++) {
      const byte = this.#bytes[i] as number;
      // What else JSON.stringify escapes are halves of surrogate pairs, which UTF-8 cannot hold.
      if (byte < FIRST_PRINTABLE || byte === QUOTE || byte === BACKSLASH) {
        this.put(bytesOf(escapeJson(column.at(row))));
        return;
      }
    }
    this.#length = end;
  }

  /** Digits of the whole pounds, and room for the pence after them; returns the pounds. */
  #putPounds(pence: number): number {
    if (this.#length + MAX_AMOUNT_BYTES > this.#bytes.length) this.#grow(this.#length + MAX_AMOUNT_BYTES);
    const pounds = Math.trunc(pence / 100);
    let end = this.#length + 1;
    for (let more = pounds; more >= 10; more = Math.trunc(more / 10)) end++;
    let rest = pounds;
    for (let i = end - 1; i >= this.#length; i--) {
      const tenth = Math.trunc(rest / 10);
      this.#bytes[i] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.#length = end;
    return pounds;
  }

  /** An item that is longer than any chunk gets memory of its own, until the chunk that holds it is taken. */
  #grow(minBytes: number): void {
    const wider = new Uint8Array(Math.max(minBytes, this.#bytes.length * 2));
    wider.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = wider;
  }
}

/** The text as it stands inside a JSON string. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
