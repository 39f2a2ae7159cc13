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
/** Memory of the keys of responses that were asked for once, and of each without its text. */
const MAX_ASKED_BYTES = 500_000;
const ASKED_BYTES = 128;
/** Memory of an entry without its texts and its body. */
const ENTRY_BYTES = 1_024;

/**
 * Whole responses by request target and encoding, as they are sent, from the second time on: most targets of a crawler
 * never come again, and to keep their responses cost a quarter of all time. All are of the current snapshot: another one
 * empties the cache.
 */
export class ResponseCache {
  readonly #responses = new LRUCache<string, WholeResponse>({ maxSize: MAX_BYTES, sizeCalculation: measureMemory });
  readonly #asked = new LRUCache<string, true>({
    maxSize: MAX_ASKED_BYTES,
    sizeCalculation: (_, key) => ASKED_BYTES + key.length,
  });
  #snapshot: Snapshot | undefined;

  find(key: string, current: Snapshot | undefined): WholeResponse | undefined {
    this.#follow(current);
    return this.#responses.get(key);
  }

  /** Keeps a whole 200 with a tag that was made before, unless it is of another snapshot: few clients need those, and not for long. */
  keep(key: string, response: Sendable, current: Snapshot | undefined): void {
    const { status, tag, snapshotId, body } = response;
    this.#follow(current);
    if (status !== 200 || tag === undefined || !Buffer.isBuffer(body)) return;
    if (snapshotId !== undefined && snapshotId !== current?.manifest.id) return;
    if (!this.#asked.has(key)) {
      this.#asked.set(key, true);
      return;
    }
    this.#responses.set(key, { ...response, headers: response.headers.map(toOwnText), body: toOwnMemory(body) });
  }

  #follow(current: Snapshot | undefined): void {
    if (current === this.#snapshot) return;
    this.#responses.clear();
    this.#asked.clear();
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
