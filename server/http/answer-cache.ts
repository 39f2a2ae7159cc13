import { LRUCache } from 'lru-cache';
import type { Encoding } from './encoding.ts';
import { matchesTag } from './etag.ts';
import { NO_SNIFF } from './security-headers.ts';

/** A larger answer is not kept, so that a crawl of large pages cannot empty the cache. */
export const MAX_CACHED_BYTES = 256 * 1024;

/** What an entry costs besides its body: the target, the headers, the entry itself. */
const ENTRY_BYTES = 1_024;

/** Headers of a 200 that a 304 does not have (RFC 9110 §15.4.5). */
const BODY_HEADERS: ReadonlySet<string> = new Set([
  'Content-Type',
  'Content-Encoding',
  'Content-Length',
  'X-Total-Count',
  'Link',
]);

export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/** An answer that can be sent as it is. */
export interface ReadyAnswer {
  readonly status: 200 | 304;
  /** Whoever sends it fills in `X-Request-Id`: one object for all who ask. */
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer | undefined;
  /** The same headers with places for what is left to a key; made when a key under a limit first asks. */
  headersUnderLimit?: Record<string, string | string[]>;
}

/** Both answers to a request: to those who have it, and to all others. */
export interface CachedAnswer {
  readonly tag: string;
  /** Absent as long as only those who have it have asked. */
  readonly whole: ReadyAnswer | undefined;
  readonly notModified: ReadyAnswer;
}

/**
 * An answer in the form in which it is kept.
 * @param headers of a 200, or of a 304 when there is no body
 * @param body encoded
 */
export function createCachedAnswer(tag: string, headers: HeaderValues, body: Buffer | undefined): CachedAnswer {
  const entries = Object.entries(headers).filter(([name]) => !BODY_HEADERS.has(name));
  return {
    tag,
    whole:
      body === undefined
        ? undefined
        : { status: 200, headers: readyHeaders({ ...headers, 'Content-Length': String(body.byteLength) }), body },
    notModified: { status: 304, headers: readyHeaders(Object.fromEntries(entries)), body: undefined },
  };
}

/** The request id comes first, and its place is there from the beginning: the object never changes its shape. */
function readyHeaders(headers: HeaderValues): Record<string, string | string[]> {
  const ready: Record<string, string | string[]> = { 'X-Request-Id': '', [NO_SNIFF.name]: NO_SNIFF.value };
  for (const [name, value] of Object.entries(headers)) ready[name] = typeof value === 'string' ? value : [...value];
  return ready;
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
            sizeCalculation: ({ whole }, key) => (whole?.body?.byteLength ?? 0) + key.length + ENTRY_BYTES,
          });
  }

  /** False when nothing is ever kept. */
  get isOn(): boolean {
    return this.#answers !== undefined;
  }

  /** What to send to a request for `target`, in origin form: the whole answer, or 304 to whoever has it. */
  find(target: string, encoding: Encoding, ifNoneMatch: string | undefined): ReadyAnswer | undefined {
    const cached = this.#answers?.get(`${encoding} ${target}`);
    if (cached === undefined) return undefined;
    return matchesTag(ifNoneMatch, cached.tag) ? cached.notModified : cached.whole;
  }

  keep(target: string, encoding: Encoding, answer: CachedAnswer): void {
    this.#answers?.set(`${encoding} ${target}`, answer);
  }

  /** Lets go of every answer: of a snapshot that only page walks still ask for. */
  clear(): void {
    this.#answers?.clear();
  }
}
