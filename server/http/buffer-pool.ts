import { copyChunk } from './response.ts';

/** Memory of one size that is used again: V8 counts new memory for every body as garbage. */
class BufferPool {
  readonly #byteLength: number;
  readonly #maxSpare: number;
  readonly #spare: ArrayBuffer[] = [];

  constructor(byteLength: number, maxSpare: number) {
    this.#byteLength = byteLength;
    this.#maxSpare = maxSpare;
  }

  acquire(): ArrayBuffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.#byteLength).buffer;
  }

  /** Takes memory back that is not read any more; memory of another size is not from this pool. */
  release(memory: ArrayBufferLike): void {
    const isOwn = memory instanceof ArrayBuffer && memory.byteLength === this.#byteLength;
    if (isOwn && this.#spare.length < this.#maxSpare) this.#spare.push(memory);
  }
}

/** What the writer of products makes at a time, and a large item more. */
export const POOLED_CHUNK_BYTES = 20 * 1024;

/**
 * Spare chunks are what the readers of one tick of the event loop use. With new memory for each chunk, a thousand slow
 * readers of long responses made V8 collect the whole heap six times a second, up to 17 ms each time.
 */
const chunkPool = new BufferPool(POOLED_CHUNK_BYTES, 64);

/** A copy of bytes to hold until they are sent. */
export function acquireChunk(value: string | Uint8Array): Buffer {
  if (typeof value === 'string' || value.length > POOLED_CHUNK_BYTES) return copyChunk(value);
  const chunk = Buffer.from(chunkPool.acquire(), 0, value.length);
  chunk.set(value);
  return chunk;
}

/** Returns the memory of a chunk: nothing of it is read any more. */
export function releaseChunk({ buffer }: Buffer): void {
  chunkPool.release(buffer);
}

/** Memory for a body that may still turn out to be long, when it is not encoded. */
const bodyPool = new BufferPool(84 * 1024, 1);

/**
 * The first part of a body, collected until it is known whether the body is long. New memory for each response is not in
 * the cache of the processor: it cost 50 µs of the 130 of a response of 31 KB.
 */
export class BodyBuffer {
  #memory = Buffer.from(bodyPool.acquire());
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  add(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const end = this.#byteLength + bytes.length;
    if (end > this.#memory.length) this.#grow(end);
    this.#memory.set(bytes, this.#byteLength);
    this.#byteLength = end;
  }

  /** The collected bytes, valid until `release`. */
  view(): Buffer {
    return this.#memory.subarray(0, this.#byteLength);
  }

  /** The collected bytes in chunks of `byteLength`, which `copy` copies. */
  split(byteLength: number, copy: (chunk: Uint8Array) => Buffer): Buffer[] {
    const chunks: Buffer[] = [];
    for (let from = 0; from < this.#byteLength; from += byteLength) {
      chunks.push(copy(this.#memory.subarray(from, Math.min(this.#byteLength, from + byteLength))));
    }
    return chunks;
  }

  /** Returns the memory: nothing of it is read any more. */
  release(): void {
    bodyPool.release(this.#memory.buffer);
  }

  #grow(minBytes: number): void {
    const wider = Buffer.allocUnsafeSlow(Math.max(minBytes, this.#memory.length * 2));
    wider.set(this.view());
    this.#memory = wider;
  }
}
