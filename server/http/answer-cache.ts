import { LRUCache } from 'lru-cache';
import type { Encoding } from './encoding.ts';

/** A larger answer is not kept, so that a crawl of large pages cannot empty the cache. */
export const MAX_CACHED_BYTES = 256 * 1024;

/** What an entry costs besides its body: the target, the headers, the entry itself. */
const ENTRY_BYTES = 1_024;

/** A whole answer as it was sent: headers in pairs, and the encoded body. */
export interface CachedAnswer {
  readonly tag: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** The hot answers of a snapshot, bounded in bytes, by request target and encoding. It dies with its snapshot. */
export class AnswerCache {
  readonly #answers: LRUCache<string, CachedAnswer> | undefined;

  /** @param maxBytes 0 keeps nothing */
  constructor(maxBytes: number) {
    this.#answers =
      maxBytes === 0
        ? undefined
        : new LRUCache({
            maxSize: maxBytes,
            maxEntrySize: MAX_CACHED_BYTES + ENTRY_BYTES,
            sizeCalculation: ({ body }, key) => body.byteLength + key.length + ENTRY_BYTES,
          });
  }

  find(target: string, encoding: Encoding): CachedAnswer | undefined {
    return this.#answers?.get(`${encoding} ${target}`);
  }

  keep(target: string, encoding: Encoding, answer: CachedAnswer): void {
    this.#answers?.set(`${encoding} ${target}`, answer);
  }
}
