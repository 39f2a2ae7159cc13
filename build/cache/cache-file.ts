import { createHmac, timingSafeEqual, type Hmac } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeAll } from '../../data/store/regular-file.ts';
import { newPath } from '../../data/store/layout.ts';
import { CHUNK_BYTES, SectionReader, SectionWriter } from './sections.ts';

/**
 * A file of sections that are read in the order in which they were written: their bytes one after the other, an index
 * (JSON: a head, and the length of each section), and a trailer of fixed size with the length of the index and the
 * HMAC-SHA-256 of all that stands before it. Only a program that can read the key can write a file that is used.
 *
 * It is renamed into place when it is whole, and not synced: a file that a power cut has damaged is noticed by its HMAC.
 */
const MAGIC = Buffer.from('dealsec1');
const TRAILER_BYTES = MAGIC.length + 4 + 32;
const MAX_INDEX_BYTES = 100_000_000;

class CacheFileWriter extends SectionWriter {
  readonly #descriptor: number;
  readonly #hash: Hmac;
  readonly #lengths: number[] = [];

  constructor(descriptor: number, key: Buffer) {
    super();
    this.#descriptor = descriptor;
    this.#hash = createHmac('sha256', key);
  }

  protected override section(pieces: Iterable<Uint8Array>): void {
    let byteLength = 0;
    for (const piece of pieces) {
      byteLength += piece.length;
      this.#put(piece);
    }
    this.#lengths.push(byteLength);
  }

  finish(head: unknown): void {
    const index = Buffer.from(JSON.stringify({ head, lengths: this.#lengths }));
    this.#put(index);
    const trailer = Buffer.alloc(TRAILER_BYTES);
    MAGIC.copy(trailer);
    trailer.writeUInt32LE(index.length, MAGIC.length);
    this.#hash.digest().copy(trailer, MAGIC.length + 4);
    writeAll(this.#descriptor, trailer);
  }

  #put(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    writeAll(this.#descriptor, bytes);
  }
}

/** Replaces a file of sections. When it cannot be finished, nothing is left. */
export function writeCacheFile(path: string, key: Buffer, head: unknown, write: (writer: SectionWriter) => void): void {
  const temporary = newPath(dirname(path));
  try {
    const descriptor = openSync(temporary, 'wx');
    try {
      const writer = new CacheFileWriter(descriptor, key);
      write(writer);
      writer.finish(head);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Reads sections in their order. They must not be trusted before `finish` has returned. */
export class CacheFileReader extends SectionReader {
  readonly head: unknown;
  readonly #descriptor: number;
  readonly #hash: Hmac;
  readonly #lengths: readonly number[];
  readonly #index: Buffer;
  readonly #expected: Buffer;
  #section = 0;
  #position = 0;

  /** @throws {Error} when the file is not one of sections */
  constructor(descriptor: number, key: Buffer) {
    super();
    this.#descriptor = descriptor;
    this.#hash = createHmac('sha256', key);
    const size = fstatSync(descriptor).size;
    const trailer = this.#readAt(size - TRAILER_BYTES, Buffer.alloc(TRAILER_BYTES));
    if (!trailer.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('expected a file of sections');
    const indexBytes = trailer.readUInt32LE(MAGIC.length);
    if (indexBytes > Math.min(MAX_INDEX_BYTES, size)) throw new Error('expected an index of sections');
    this.#index = this.#readAt(size - TRAILER_BYTES - indexBytes, Buffer.alloc(indexBytes));
    this.#expected = trailer.subarray(MAGIC.length + 4);
    const { head, lengths } = JSON.parse(this.#index.toString('utf8')) as { head: unknown; lengths: number[] };
    const total = lengths.reduce((sum, length) => sum + length, 0);
    if (total + indexBytes + TRAILER_BYTES !== size) throw new Error('expected sections that fill the file');
    this.head = head;
    this.#lengths = lengths;
  }

  bytes(): Buffer {
    return this.#take(Buffer.allocUnsafeSlow(this.#nextLength()));
  }

  protected override *pieces(): Generator<Buffer> {
    for (let left = this.#nextLength(); left > 0;) {
      const piece = this.#take(Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES)));
      left -= piece.length;
      yield piece;
    }
  }

  /** @throws {Error} when the file is not what was written, or has sections that were not read */
  finish(): void {
    if (this.#section !== this.#lengths.length) throw new Error('expected every section to be read');
    if (!timingSafeEqual(this.#hash.update(this.#index).digest(), this.#expected))
      throw new Error('expected the bytes as written');
  }

  #nextLength(): number {
    const length = this.#lengths[this.#section++];
    if (length === undefined) throw new Error('expected another section');
    return length;
  }

  #take(bytes: Buffer): Buffer {
    this.#readAt(this.#position, bytes);
    this.#position += bytes.length;
    this.#hash.update(bytes);
    return bytes;
  }

  #readAt(position: number, bytes: Buffer): Buffer {
    for (let filled = 0; filled < bytes.length;) {
      const length = readSync(this.#descriptor, bytes, filled, bytes.length - filled, position + filled);
      if (length === 0) throw new Error('expected more bytes');
      filled += length;
    }
    return bytes;
  }
}
