import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { RateLimitResult } from '../keys/rate-limit.ts';
import type { Encoding } from './compression.ts';
import { matchesTag, NO_SNIFF } from './headers.ts';

/** Larger responses are not cached, so that a crawl of large pages cannot empty the cache. */
export const MAX_CACHED_BYTES = 256 * 1024;

/** Memory of an entry without its body, its target and the values of its headers. */
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

/** A response that can be sent as it is. */
export interface CachedResponse {
  readonly status: 200 | 304;
  /** One object for all requests: `sendCached` fills in `X-Request-Id`. */
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer | undefined;
  /** The same headers with the rate limit; made for the first request of a key with a limit. */
  rateLimitedHeaders?: Record<string, string | string[]>;
}

/** Both responses to a request: the full one, and the 304. */
export interface CacheEntry {
  readonly tag: string;
  /** Absent while all clients have got 304. */
  readonly full: CachedResponse | undefined;
  readonly notModified: CachedResponse;
  /** Memory without the target. */
  readonly byteLength: number;
}

/**
 * Makes a cache entry.
 * @param headers of a 200, or of a 304 when there is no body
 * @param body encoded
 */
export function createCacheEntry(tag: string, headers: HeaderValues, body: Buffer | undefined): CacheEntry {
  const flat = Object.entries(headers).map(([name, value]) => [name, toOwnText(value)] as const);
  const ownBody = body === undefined ? undefined : toOwnMemory(body);
  return {
    tag,
    full:
      ownBody === undefined
        ? undefined
        : {
            status: 200,
            headers: toCachedHeaders({ ...Object.fromEntries(flat), 'Content-Length': String(ownBody.byteLength) }),
            body: ownBody,
          },
    notModified: {
      status: 304,
      headers: toCachedHeaders(Object.fromEntries(flat.filter(([name]) => !BODY_HEADERS.has(name)))),
      body: undefined,
    },
    byteLength: (ownBody?.byteLength ?? 0) + flat.reduce((sum, [, value]) => sum + value.length, ENTRY_BYTES),
  };
}

/** A header in its own memory: a string made of parts keeps each part alive, and the target it was cut from. */
function toOwnText(value: string | readonly string[]): string | readonly string[] {
  // Shorter values are mostly shared.
  if (typeof value !== 'string' || value.length < 256) return value;
  return Buffer.from(value, 'latin1').toString('latin1');
}

/** A body in its own memory: zlib returns a part of 16 KB. */
function toOwnMemory(body: Buffer): Buffer {
  if (body.byteLength === body.buffer.byteLength) return body;
  const own = Buffer.allocUnsafeSlow(body.byteLength);
  own.set(body);
  return own;
}

/** The request id is a member from the start, so that the object never changes its shape. */
function toCachedHeaders(headers: HeaderValues): Record<string, string | string[]> {
  const ready: Record<string, string | string[]> = { 'X-Request-Id': '', [NO_SNIFF.name]: NO_SNIFF.value };
  for (const [name, value] of Object.entries(headers)) ready[name] = typeof value === 'string' ? value : [...value];
  return ready;
}

/** The cached responses of a snapshot by request target and encoding, bounded in bytes. */
export class ResponseCache {
  readonly #entries: LRUCache<string, CacheEntry> | undefined;

  /** @param maxBytes 0 for no cache */
  constructor(maxBytes: number) {
    this.#entries =
      maxBytes === 0
        ? undefined
        : new LRUCache({
            maxSize: maxBytes,
            sizeCalculation: ({ byteLength }, key) => byteLength + key.length,
          });
  }

  /** False when nothing is ever cached. */
  get isOn(): boolean {
    return this.#entries !== undefined;
  }

  /** The response to a request for `target` in origin form: the full one, or 304 if the client has it. */
  find(target: string, encoding: Encoding, ifNoneMatch: string | undefined): CachedResponse | undefined {
    const cached = this.#entries?.get(`${encoding} ${target}`);
    if (cached === undefined) return undefined;
    return matchesTag(ifNoneMatch, cached.tag) ? cached.notModified : cached.full;
  }

  set(target: string, encoding: Encoding, entry: CacheEntry): void {
    if ((entry.full?.body?.byteLength ?? 0) > MAX_CACHED_BYTES) return;
    this.#entries?.set(`${encoding} ${target}`, entry);
  }

  /** Frees the memory of a snapshot that only pagination still needs. */
  clear(): void {
    this.#entries?.clear();
  }
}

/** Headers that differ for each request. */
export interface PerRequestHeaders {
  readonly requestId: string;
  readonly corsHeaders?: Readonly<Record<string, string>> | undefined;
  /** Absent for a key without a limit. */
  readonly rateLimit?: RateLimitResult | undefined;
}

/**
 * Sends a cached response, with CORS and rate limit headers if there are any. HEAD gets no body.
 *
 * All responses share one headers object, in which request id and rate limit change: they are written before this
 * returns. A copy for each response took 2 µs of the 25 that a request takes.
 */
export function sendCached(
  req: IncomingMessage,
  res: ServerResponse,
  answer: CachedResponse,
  { requestId, corsHeaders, rateLimit }: PerRequestHeaders,
): void {
  const { status, body } = answer;
  const headers = rateLimit === undefined ? answer.headers : withRateLimit(answer, rateLimit);
  headers['X-Request-Id'] = requestId;
  res.writeHead(status, corsHeaders === undefined ? headers : { ...headers, ...corsHeaders });
  res.end(req.method === 'HEAD' ? undefined : body);
}

function withRateLimit(answer: CachedResponse, { policy, state }: RateLimitResult): Record<string, string | string[]> {
  answer.rateLimitedHeaders ??= { ...answer.headers, 'RateLimit-Policy': '', RateLimit: '' };
  answer.rateLimitedHeaders['RateLimit-Policy'] = policy;
  answer.rateLimitedHeaders['RateLimit'] = state;
  return answer.rateLimitedHeaders;
}
