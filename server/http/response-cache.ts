import { LRUCache } from 'lru-cache';
import type { Sendable } from './send.ts';

/** The snapshot that responses are made from. */
interface Snapshot {
  readonly manifest: { readonly id: string };
}

interface WholeResponse extends Sendable {
  readonly body: Buffer;
}

/** Memory of all entries. */
const MAX_BYTES = 16_000_000;
/** Memory of an entry without its texts and its body. */
const ENTRY_BYTES = 1_024;

/**
 * Whole responses by request target and encoding, as they are sent. All are of the current snapshot: another one empties
 * the cache.
 */
export class ResponseCache {
  readonly #responses: LRUCache<string, WholeResponse>;
  #snapshot: Snapshot | undefined;

  /** @param maxBytes of memory */
  constructor(maxBytes = MAX_BYTES) {
    this.#responses = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (response, key) => measureMemory(response, key),
    });
  }

  find(key: string, current: Snapshot | undefined): WholeResponse | undefined {
    this.#follow(current);
    return this.#responses.get(key);
  }

  /** Keeps a whole 200 with a tag, unless it is of another snapshot: few clients need those, and not for long. */
  keep(key: string, response: Sendable, current: Snapshot | undefined): void {
    const { status, tag, snapshotId, body } = response;
    this.#follow(current);
    if (status !== 200 || tag === undefined || !Buffer.isBuffer(body)) return;
    if (snapshotId !== undefined && snapshotId !== current?.manifest.id) return;
    this.#responses.set(key, { ...response, headers: response.headers.map(toOwnText), body: toOwnMemory(body) });
  }

  #follow(current: Snapshot | undefined): void {
    if (current === this.#snapshot) return;
    this.#responses.clear();
    this.#snapshot = current;
  }
}

/** A text in its own memory: one that was cut from a target, or made of parts, keeps those alive. */
function toOwnText(text: string): string {
  // Shorter ones are mostly shared by all entries.
  return text.length < 64 ? text : Buffer.from(text, 'latin1').toString('latin1');
}

/** A body in its own memory: zlib and `Buffer.from` return a part of a larger one. */
function toOwnMemory(body: Buffer): Buffer {
  if (body.byteLength === body.buffer.byteLength) return body;
  const own = Buffer.allocUnsafeSlow(body.byteLength);
  own.set(body);
  return own;
}

function measureMemory({ headers, body }: WholeResponse, key: string): number {
  const texts = headers.reduce((sum, text) => sum + text.length, key.length);
  return ENTRY_BYTES + texts + body.byteLength;
}
