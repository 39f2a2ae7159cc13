import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Transform, Writable } from 'node:stream';
import { acquireChunk, BodyBuffer, POOLED_CHUNK_BYTES, releaseChunk } from './buffer-pool.ts';
import { encodeBody, isEncoderFree, MIN_ENCODED_BYTES, openEncoder } from './compression.ts';
import { toIdentityTag } from './headers.ts';
import { MAX_CACHED_BYTES } from './response-cache.ts';
import { copyChunk, type ApiResponse } from './response.ts';
import { FairScheduler } from './scheduler.ts';

/** A body up to this size is sent at once, with its length: so much a slow reader may hold. */
const FULL_BYTES = 64 * 1024;
/**
 * The same of a body that is encoded, of which a twentieth is left. It is not gathered while a long one would be sent as
 * it is: who takes nothing would hold what the system has not taken of it, a hundred kilobytes.
 */
const FULL_ENCODED_BYTES = 256 * 1024;
/** Who has not taken a long body by then reads slowly, and nothing is held besides what waits to be read. */
const TEE_MS = 5_000;
/** All long bodies together that are held so: a thousand readers at once would have 250 MB held. */
const MAX_TEED_BYTES = 4 * 1024 * 1024;

/** Longer lines than these are not to grow: what has begun may be short, what is long takes long anyway. */
const MAX_SHORT_WAIT_MS = 150;
const MAX_LONG_WAIT_MS = 2_000;

const scheduler = new FairScheduler();

/** Whether those who stand in line to be sent wait too long, though the event loop goes round quickly. */
export function isSendBacklogged(): boolean {
  return scheduler.waitedMs('short') > MAX_SHORT_WAIT_MS || scheduler.waitedMs('long') > MAX_LONG_WAIT_MS;
}

/**
 * Sends an answer. HEAD gets the same status and headers and no body (D2). A long body is produced only as fast as it
 * is read, and gives way to other requests.
 */
export async function sendResponse(req: IncomingMessage, res: ServerResponse, answer: ApiResponse): Promise<void> {
  await send(req, res, answer, false);
}

/**
 * As `sendResponse`; resolves to the whole body as it was sent, encoded, or to undefined when it is too large to keep, its
 * reader was slow or gone, or it was not made.
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
  isKept: boolean,
): Promise<Buffer | undefined> {
  const pieces = answer.body[Symbol.iterator]();
  const isEncoded = answer.encoding !== undefined && answer.encoding !== 'identity';
  // Asked once: the same bytes have the same tag, so one length is always encoded in one way, or not at all.
  const canEncodeLong = isEncoded && isEncoderFree();
  const maxBytes = canEncodeLong ? FULL_ENCODED_BYTES : FULL_BYTES;
  // Nothing is sent before it is known whether the body is long, so that a fault can still be a 500.
  const start = new BodyBuffer();
  while (start.byteLength <= maxBytes) {
    const next = pieces.next();
    if (next.done === true) return sendFull(req, res, answer, start, isKept);
    start.add(next.value);
    // What is made already takes no time; those who ask without a key get nothing else.
    if (!Array.isArray(answer.body) && scheduler.isUsedUp) await scheduler.wait('short');
  }
  try {
    if (req.method !== 'HEAD') {
      const ready = start.split(POOLED_CHUNK_BYTES, acquireChunk);
      start.release();
      const encoder = canEncodeLong ? openEncoder(answer.encoding) : undefined;
      if (encoder !== undefined || !isEncoded) return await sendChunked(res, answer, ready, pieces, encoder, isKept);
      // Not kept: the next to ask may have it encoded.
      return await sendChunked(res, toIdentity(answer), ready, pieces, undefined, false);
    }
    if (isEncoded) res.setHeader('Content-Encoding', answer.encoding);
    writeHead(res, answer);
    res.end();
    return undefined;
  } finally {
    pieces.return?.();
  }
}

/** Sends a body that is at hand whole, with its length. */
async function sendFull(
  req: IncomingMessage,
  res: ServerResponse,
  answer: ApiResponse,
  start: BodyBuffer,
  isKept: boolean,
): Promise<Buffer | undefined> {
  const { encoding, status } = answer;
  let body = start.view();
  const isEncoded = encoding !== undefined && encoding !== 'identity' && body.byteLength >= MIN_ENCODED_BYTES;
  if (isEncoded) {
    body = await encodeBody(body, encoding);
    res.setHeader('Content-Encoding', encoding);
  } else if (isKept) body = copyChunk(body);
  // 304 and 204 have no length of their own (RFC 9110 §8.6).
  writeHead(res, answer, status === 304 || status === 204 ? {} : { 'Content-Length': body.byteLength });
  res.end(req.method === 'HEAD' ? undefined : body);
  // Nearly always the system has taken all of it by now.
  if (res.writableLength === 0 || isEncoded || isKept) start.release();
  return isKept ? body : undefined;
}

/** Sends a body in pieces, each when its reader has taken those before. */
async function sendChunked(
  res: ServerResponse,
  answer: ApiResponse,
  ready: Buffer[],
  pieces: Iterator<string | Uint8Array>,
  encoder: Transform | undefined,
  isKept: boolean,
): Promise<Buffer | undefined> {
  if (res.destroyed) {
    // It would wait for an end that nobody tells it.
    encoder?.destroy();
    return undefined;
  }
  const kept = isKept ? new CacheTee() : undefined;
  if (encoder !== undefined) pipeEncoder(res, answer, encoder, kept);
  const sink: Writable = encoder ?? res;
  writeHead(res, answer);
  // Whole segments alone, until the end: each wakes the reader, which costs more than to make what is in it.
  res.socket?.setNoDelay(false);
  for (;;) {
    // What was made already is let go of as it is written, so that a slow reader holds no more than a chunk for long.
    const piece = ready.shift() ?? acquireNext(pieces);
    if (piece === undefined || res.destroyed) break;
    if (encoder === undefined) kept?.add(piece);
    if (!sink.write(piece)) {
      // A quick reader has taken it by then, and nobody needs to listen for that.
      await untilWritten();
      if (sink.writableNeedDrain) await untilDrained(sink);
    }
    const isHeld = encoder === undefined && kept?.isRecording === true;
    // Its reader has taken all of it; of one that is gone an encoder may still be at work.
    if (sink.writableLength === 0 && !isHeld && !res.destroyed) releaseChunk(piece);
    // A reader on the same machine drains within the turn, so waiting for it gives way to nobody.
    if (scheduler.isUsedUp) await scheduler.wait();
  }
  if (res.destroyed) return undefined;
  sink.end();
  if (encoder !== undefined) await untilClosed(encoder);
  res.socket?.setNoDelay(true);
  return encoder === undefined || encoder.readableEnded ? kept?.join() : undefined;
}

/** The next piece, to hold; undefined at the end. */
function acquireNext(pieces: Iterator<string | Uint8Array>): Buffer | undefined {
  const next = pieces.next();
  return next.done === true ? undefined : acquireChunk(next.value);
}

/** Puts an encoder before the response, which dies with it. */
function pipeEncoder(
  res: ServerResponse,
  { encoding }: ApiResponse,
  encoder: Transform,
  kept: CacheTee | undefined,
): void {
  if (encoding !== undefined) res.setHeader('Content-Encoding', encoding);
  if (kept !== undefined) encoder.on('data', (data: Buffer) => kept.add(data));
  encoder.on('error', () => res.destroy());
  res.once('close', () => encoder.destroy());
  encoder.pipe(res);
}

/** The same answer under the tag of its plain body, for which there was no encoder. */
function toIdentity(answer: ApiResponse): ApiResponse {
  const tag = answer.headers['ETag'];
  return tag === undefined ? answer : { ...answer, headers: { ...answer.headers, ETag: toIdentityTag(tag) } };
}

/** Status and headers; CORS may have named Origin in `Vary` already. */
function writeHead(res: ServerResponse, { status, headers }: ApiResponse, more: OutgoingHttpHeaders = {}): void {
  const all: OutgoingHttpHeaders = { ...headers, ...more };
  const vary = res.getHeader('Vary');
  if (vary !== undefined && headers['Vary'] !== undefined) all['Vary'] = [String(vary), headers['Vary']];
  res.writeHead(status, all);
}

/** Resolves when the system was offered what was written: Node does that at the end of what it is doing. */
function untilWritten(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** Resolves when the reader has taken what was written, or is gone. Leaves no listener behind. */
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

/** Resolves when an encoder has given all that it will. */
function untilClosed(encoder: Transform): Promise<void> {
  return new Promise((resolve) => {
    if (encoder.closed) resolve();
    else encoder.once('close', resolve);
  });
}

/** What was sent of a long body, as long as it is small and its reader quick: then the next to ask gets it whole. */
class CacheTee {
  static #allBytes = 0;

  #chunks: Buffer[] | undefined = [];
  #byteLength = 0;
  readonly #timer = setTimeout(() => this.#drop(), TEE_MS).unref();

  /** Whether the pieces that were added are still held. */
  get isRecording(): boolean {
    return this.#chunks !== undefined;
  }

  add(piece: Buffer): void {
    if (this.#chunks === undefined) return;
    this.#chunks.push(piece);
    this.#byteLength += piece.byteLength;
    CacheTee.#allBytes += piece.byteLength;
    if (this.#byteLength > MAX_CACHED_BYTES || CacheTee.#allBytes > MAX_TEED_BYTES) this.#drop();
  }

  join(): Buffer | undefined {
    const pieces = this.#chunks;
    this.#drop();
    return pieces === undefined ? undefined : Buffer.concat(pieces);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#chunks = undefined;
    CacheTee.#allBytes -= this.#byteLength;
    this.#byteLength = 0;
  }
}
