import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { encodeBody, isEncoderFree, MIN_ENCODED_BYTES, openEncoder, type Encoding } from './compression.ts';
import { toIdentityTag } from './headers.ts';
import { MAX_CACHED_BYTES } from './response-cache.ts';
import { copyChunk, type ApiResponse } from './response.ts';
import { FairScheduler } from './scheduler.ts';

/** A body up to this size is sent at once, with its length: a slow client may hold this much. */
const FULL_BYTES = 64 * 1024;
/**
 * The same for a body that will be encoded to about a twentieth. Not used when no encoder is free: a stalled client would
 * hold a plain body of a hundred kilobytes.
 */
const FULL_ENCODED_BYTES = 256 * 1024;
/** The smallest chunk of a long body: a slow client may hold one, and up to 20 KB more. */
const CHUNK_BYTES = 64 * 1024;
/** A client that has not read a long body by then is slow, and the body is no longer collected for the cache. */
const TEE_MS = 5_000;
/** The limit for all bodies collected at one time: a thousand clients would need 250 MB. */
const MAX_TEED_BYTES = 4 * 1024 * 1024;

/** The size of pooled memory: a body that is not encoded and may still turn out to be long. */
const POOLED_BYTES = 84 * 1024;

/** Memory used again: V8 counts new memory for every body as garbage. */
const spare: Buffer[] = [];
/** As many as the responses of one tick of the event loop use. */
const MAX_SPARE = 16;

/** The longest waits in the queues of `scheduler` before the server is overloaded. */
const MAX_SHORT_WAIT_MS = 150;
const MAX_LONG_WAIT_MS = 2_000;

const scheduler = new FairScheduler();

/** Whether responses wait too long in the queues of the scheduler. */
export function isSendBacklogged(): boolean {
  return scheduler.waitedMs('short') > MAX_SHORT_WAIT_MS || scheduler.waitedMs('long') > MAX_LONG_WAIT_MS;
}

/**
 * Sends a response. HEAD gets the same status and headers and no body (D2). A long body is made only as fast as the client
 * reads it, and yields to other requests.
 */
export async function sendResponse(req: IncomingMessage, res: ServerResponse, answer: ApiResponse): Promise<void> {
  await send(req, res, answer, false);
}

/** A body as it was sent. */
interface CapturedBody {
  readonly bytes: Buffer;
  readonly encoding?: Encoding;
}

/**
 * As `sendResponse`, and resolves to the encoded body for the cache. Undefined when the body is too large to cache, the
 * client was slow or gone, or the body was not made.
 */
export function sendAndCapture(
  req: IncomingMessage,
  res: ServerResponse,
  answer: ApiResponse,
): Promise<CapturedBody | undefined> {
  return send(req, res, answer, true);
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  answer: ApiResponse,
  isCached: boolean,
): Promise<CapturedBody | undefined> {
  const chunks = answer.body[Symbol.iterator]();
  const isEncoded = answer.encoding !== undefined && answer.encoding !== 'identity';
  // Decided once: bytes with one tag must be encoded in one way.
  const canEncodeLong = isEncoded && isEncoderFree();
  const maxBytes = canEncodeLong ? FULL_ENCODED_BYTES : FULL_BYTES;
  // Nothing is sent before it is known whether the body is long, so that an error can still be a 500.
  const start = new BodyBuffer();
  while (start.byteLength <= maxBytes) {
    const next = chunks.next();
    if (next.done === true) return sendFull(req, res, answer, start, isCached);
    start.add(next.value);
    // A body that is an array is ready, such as every error.
    if (!Array.isArray(answer.body) && scheduler.isUsedUp) await scheduler.wait('short');
  }
  try {
    if (req.method === 'HEAD') {
      writeHead(res, answer, isEncoded ? answer.encoding : undefined);
      res.end();
      return undefined;
    }
    const encoder = canEncodeLong ? openEncoder(answer.encoding) : undefined;
    if (encoder !== undefined || !isEncoded) return await sendChunked(res, answer, start, chunks, encoder, isCached);
    // Not cached: the next client may get it encoded.
    return await sendChunked(res, toIdentity(answer), start, chunks, undefined, false);
  } finally {
    chunks.return?.();
  }
}

/** Sends a collected body at once, with its length. */
async function sendFull(
  req: IncomingMessage,
  res: ServerResponse,
  answer: ApiResponse,
  start: BodyBuffer,
  isCached: boolean,
): Promise<CapturedBody | undefined> {
  const { encoding, status } = answer;
  let body = start.view();
  const isEncoded = encoding !== undefined && encoding !== 'identity' && body.byteLength >= MIN_ENCODED_BYTES;
  if (isEncoded) {
    body = await encodeBody(body, encoding);
  } else if (isCached) body = copyChunk(body);
  // 304 and 204 have no length of their own (RFC 9110 §8.6).
  const length = status === 304 || status === 204 ? undefined : body.byteLength;
  writeHead(res, answer, isEncoded ? encoding : undefined, length);
  res.end(req.method === 'HEAD' ? undefined : body);
  // Nearly always the system has taken all bytes by now.
  if (res.writableLength === 0 || isEncoded || isCached) start.release();
  return isCached ? { bytes: body, ...(isEncoded ? { encoding } : {}) } : undefined;
}

/** Sends a body in chunks, each when the client has read the previous one. */
async function sendChunked(
  res: ServerResponse,
  answer: ApiResponse,
  start: BodyBuffer,
  chunks: Iterator<string | Uint8Array>,
  encoder: Transform | undefined,
  isCached: boolean,
): Promise<CapturedBody | undefined> {
  if (res.destroyed) {
    encoder?.destroy();
    return undefined;
  }
  const tee = isCached ? new CacheTee() : undefined;
  if (tee !== undefined) encoder?.on('data', (data: Buffer) => tee.add(data));
  const encoding = encoder === undefined ? undefined : answer.encoding;
  writeHead(res, answer, encoding);
  const { socket } = res;
  // Full segments only, until the end: each segment wakes the client, which costs more than making its bytes.
  socket?.setNoDelay(false);
  const source = collectChunks(start, chunks, encoder ?? res, encoder === undefined ? tee : undefined);
  try {
    await (encoder === undefined ? pipeline(source, res) : pipeline(source, encoder, res));
  } catch (error) {
    // A client that goes away ends the pipeline; that is no error.
    if (!isDisconnect(error)) throw error;
    return undefined;
  }
  socket?.setNoDelay(true);
  start.release();
  const bytes = tee?.join();
  return bytes === undefined ? undefined : { bytes, ...(encoding === undefined ? {} : { encoding }) };
}

/**
 * The chunks of a body, the collected part first, each of at least `CHUNK_BYTES` but the last. Yields to other requests.
 * All are in the same memory: new memory for each chunk cost a quarter of the time of a response of 1.2 MB.
 */
async function* collectChunks(
  start: BodyBuffer,
  chunks: Iterator<string | Uint8Array>,
  sink: Writable,
  tee: CacheTee | undefined,
): AsyncGenerator<Buffer> {
  let buffer = start;
  for (let isEnd = false; !isEnd;) {
    tee?.add(buffer.view());
    yield buffer.view();
    // Without waiting bytes, the sink does not use the memory any more.
    if (sink.writableLength === 0) buffer.clear();
    else buffer = new BodyBuffer();
    while (!isEnd && buffer.byteLength < CHUNK_BYTES) {
      // A client on the same machine drains within the tick, so waiting for it does not yield.
      if (scheduler.isUsedUp) await scheduler.wait();
      const next = chunks.next();
      if (next.done === true) isEnd = true;
      else buffer.add(next.value);
    }
  }
  if (buffer.byteLength > 0) {
    tee?.add(buffer.view());
    yield buffer.view();
  }
}

const DISCONNECT_CODES: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']);

function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISCONNECT_CODES.has(error.code);
}

/** The same response with the tag of its plain body, when no encoder is free. */
function toIdentity(answer: ApiResponse): ApiResponse {
  const tag = answer.headers['ETag'];
  return tag === undefined ? answer : { ...answer, headers: { ...answer.headers, ETag: toIdentityTag(tag) } };
}

/** Writes status and headers; CORS may have set `Vary: Origin` already. */
function writeHead(
  res: ServerResponse,
  { status, requestHeaders, headers }: ApiResponse,
  encoding?: Encoding,
  byteLength?: number,
): void {
  const all: OutgoingHttpHeaders = { ...requestHeaders };
  if (encoding !== undefined) all['Content-Encoding'] = encoding;
  Object.assign(all, headers);
  if (byteLength !== undefined) all['Content-Length'] = byteLength;
  const vary = requestHeaders?.['Vary'] ?? res.getHeader('Vary');
  if (vary !== undefined && headers['Vary'] !== undefined) all['Vary'] = [String(vary), headers['Vary']];
  res.writeHead(status, all);
}

/** Collects a body for the response cache while it is sent, if the body is small and the client fast. */
class CacheTee {
  static #allBytes = 0;

  #chunks: Buffer[] | undefined = [];
  #byteLength = 0;
  readonly #timer = setTimeout(() => this.#drop(), TEE_MS).unref();

  add(chunk: Buffer): void {
    if (this.#chunks === undefined) return;
    this.#chunks.push(Buffer.from(chunk));
    this.#byteLength += chunk.byteLength;
    CacheTee.#allBytes += chunk.byteLength;
    if (this.#byteLength > MAX_CACHED_BYTES || CacheTee.#allBytes > MAX_TEED_BYTES) this.#drop();
  }

  join(): Buffer | undefined {
    const chunks = this.#chunks;
    this.#drop();
    return chunks === undefined ? undefined : Buffer.concat(chunks);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#chunks = undefined;
    CacheTee.#allBytes -= this.#byteLength;
    this.#byteLength = 0;
  }
}

/**
 * The first part of a body, collected until it is known whether the body is long. New memory for each response is not in
 * the cache of the processor: it cost 50 µs of the 130 of a response of 31 KB.
 */
class BodyBuffer {
  #memory = spare.pop() ?? Buffer.allocUnsafeSlow(POOLED_BYTES);
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

  /** Starts again in the same memory: nothing of it is read any more. */
  clear(): void {
    this.#byteLength = 0;
  }

  /** Returns the memory: nothing of it is read any more. */
  release(): void {
    if (this.#memory.length === POOLED_BYTES && spare.length < MAX_SPARE) spare.push(this.#memory);
  }

  #grow(minBytes: number): void {
    const wider = Buffer.allocUnsafeSlow(Math.max(minBytes, this.#memory.length * 2));
    wider.set(this.view());
    this.#memory = wider;
  }
}
