import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Transform, Writable } from 'node:stream';
import { acquireChunk, BodyBuffer, POOLED_CHUNK_BYTES, releaseChunk } from './buffer-pool.ts';
import { encodeBody, isEncoderFree, MIN_ENCODED_BYTES, openEncoder } from './compression.ts';
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
/** A client that has not read a long body by then is slow, and the body is no longer collected for the cache. */
const TEE_MS = 5_000;
/** The limit for all bodies collected at one time: a thousand clients would need 250 MB. */
const MAX_TEED_BYTES = 4 * 1024 * 1024;

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

/**
 * As `sendResponse`, and resolves to the encoded body for the cache. Undefined when the body is too large to cache, the
 * client was slow or gone, or the body was not made.
 */
export function sendAndCapture(
  req: IncomingMessage,
  res: ServerResponse,
  answer: ApiResponse,
): Promise<Buffer | undefined> {
  return send(req, res, answer, true);
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  answer: ApiResponse,
  isCached: boolean,
): Promise<Buffer | undefined> {
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
    if (req.method !== 'HEAD') {
      const ready = start.split(POOLED_CHUNK_BYTES, acquireChunk);
      start.release();
      const encoder = canEncodeLong ? openEncoder(answer.encoding) : undefined;
      if (encoder !== undefined || !isEncoded) return await sendChunked(res, answer, ready, chunks, encoder, isCached);
      // Not cached: the next client may get it encoded.
      return await sendChunked(res, toIdentity(answer), ready, chunks, undefined, false);
    }
    if (isEncoded) res.setHeader('Content-Encoding', answer.encoding);
    writeHead(res, answer);
    res.end();
    return undefined;
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
): Promise<Buffer | undefined> {
  const { encoding, status } = answer;
  let body = start.view();
  const isEncoded = encoding !== undefined && encoding !== 'identity' && body.byteLength >= MIN_ENCODED_BYTES;
  if (isEncoded) {
    body = await encodeBody(body, encoding);
    res.setHeader('Content-Encoding', encoding);
  } else if (isCached) body = copyChunk(body);
  // 304 and 204 have no length of their own (RFC 9110 §8.6).
  writeHead(res, answer, status === 304 || status === 204 ? {} : { 'Content-Length': body.byteLength });
  res.end(req.method === 'HEAD' ? undefined : body);
  // Nearly always the system has taken all bytes by now.
  if (res.writableLength === 0 || isEncoded || isCached) start.release();
  return isCached ? body : undefined;
}

/** Sends a body in chunks, each when the client has read the previous one. */
async function sendChunked(
  res: ServerResponse,
  answer: ApiResponse,
  ready: Buffer[],
  chunks: Iterator<string | Uint8Array>,
  encoder: Transform | undefined,
  isCached: boolean,
): Promise<Buffer | undefined> {
  if (res.destroyed) {
    // A pipe to a closed response would never end.
    encoder?.destroy();
    return undefined;
  }
  const tee = isCached ? new CacheTee() : undefined;
  if (encoder !== undefined) pipeEncoder(res, answer, encoder, tee);
  const sink: Writable = encoder ?? res;
  writeHead(res, answer);
  // Full segments only, until the end: each segment wakes the client, which costs more than making its bytes.
  res.socket?.setNoDelay(false);
  for (;;) {
    // `shift` frees each chunk when it is written, so that a slow client holds one chunk only.
    const chunk = ready.shift() ?? acquireNext(chunks);
    if (chunk === undefined || res.destroyed) break;
    if (encoder === undefined) tee?.add(chunk);
    if (!sink.write(chunk)) {
      // A fast client has read it by then, and no listener is needed.
      await untilWritten();
      if (sink.writableNeedDrain) await untilDrained(sink);
    }
    const isHeld = encoder === undefined && tee?.isRecording === true;
    // The client has read all bytes. After a disconnect an encoder may still use them.
    if (sink.writableLength === 0 && !isHeld && !res.destroyed) releaseChunk(chunk);
    // A client on the same machine drains within the tick, so waiting for it does not yield.
    if (scheduler.isUsedUp) await scheduler.wait();
  }
  if (res.destroyed) return undefined;
  sink.end();
  if (encoder !== undefined) await untilClosed(encoder);
  res.socket?.setNoDelay(true);
  return encoder === undefined || encoder.readableEnded ? tee?.join() : undefined;
}

/** A copy of the next chunk; undefined at the end. */
function acquireNext(chunks: Iterator<string | Uint8Array>): Buffer | undefined {
  const next = chunks.next();
  return next.done === true ? undefined : acquireChunk(next.value);
}

/** Pipes an encoder into the response, and destroys both together. */
function pipeEncoder(
  res: ServerResponse,
  { encoding }: ApiResponse,
  encoder: Transform,
  tee: CacheTee | undefined,
): void {
  if (encoding !== undefined) res.setHeader('Content-Encoding', encoding);
  if (tee !== undefined) encoder.on('data', (data: Buffer) => tee.add(data));
  encoder.on('error', () => res.destroy());
  res.once('close', () => encoder.destroy());
  encoder.pipe(res);
}

/** The same response with the tag of its plain body, when no encoder is free. */
function toIdentity(answer: ApiResponse): ApiResponse {
  const tag = answer.headers['ETag'];
  return tag === undefined ? answer : { ...answer, headers: { ...answer.headers, ETag: toIdentityTag(tag) } };
}

/** Writes status and headers; CORS may have set `Vary: Origin` already. */
function writeHead(res: ServerResponse, { status, headers }: ApiResponse, more: OutgoingHttpHeaders = {}): void {
  const all: OutgoingHttpHeaders = { ...headers, ...more };
  const vary = res.getHeader('Vary');
  if (vary !== undefined && headers['Vary'] !== undefined) all['Vary'] = [String(vary), headers['Vary']];
  res.writeHead(status, all);
}

/** Resolves after Node has passed the written bytes to the system. */
function untilWritten(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** Resolves when the client has read what was written, or is gone. Leaves no listener behind. */
function untilDrained(sink: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (sink.destroyed) {
      resolve();
      return;
    }
    const settle = (): void => {
      sink.off('drain', settle).off('close', settle);
      resolve();
    };
    sink.on('drain', settle).on('close', settle);
  });
}

/** Resolves when an encoder has ended. */
function untilClosed(encoder: Transform): Promise<void> {
  return new Promise((resolve) => {
    if (encoder.closed) resolve();
    else encoder.once('close', resolve);
  });
}

/** Collects a body for the response cache while it is sent, if the body is small and the client fast. */
class CacheTee {
  static #allBytes = 0;

  #chunks: Buffer[] | undefined = [];
  #byteLength = 0;
  readonly #timer = setTimeout(() => this.#drop(), TEE_MS).unref();

  /** Whether the added chunks are still held. */
  get isRecording(): boolean {
    return this.#chunks !== undefined;
  }

  add(chunk: Buffer): void {
    if (this.#chunks === undefined) return;
    this.#chunks.push(chunk);
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
