import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Transform, Writable } from 'node:stream';
import { MAX_CACHED_BYTES } from './answer-cache.ts';
import { copyPiece, type Answer } from './answer.ts';
import { BodyStart } from './body-start.ts';
import { encodeBody, isEncoderFree, MIN_ENCODED_BYTES, openEncoder } from './encoding.ts';
import { toPlainTag } from './etag.ts';
import { holdPiece, PIECE_BYTES, releasePiece } from './piece-memory.ts';
import { SharedTurn } from './shared-turn.ts';

/** A body up to this size is sent at once, with its length: so much a slow reader may hold. */
const WHOLE_BYTES = 64 * 1024;
/**
 * The same of a body that is encoded, of which a twentieth is left. It is not gathered while a long one would be sent as
 * it is: who takes nothing would hold what the system has not taken of it, a hundred kilobytes.
 */
const WHOLE_ENCODED_BYTES = 256 * 1024;
/** Who has not taken a long body by then reads slowly, and nothing is held besides what waits to be read. */
const KEEP_MS = 5_000;
/** All long bodies together that are held so: a thousand readers at once would have 250 MB held. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

/** Longer lines than these are not to grow: what has begun may be short, what is long takes long anyway. */
const MAX_BEGUN_WAIT_MS = 150;
const MAX_LONG_WAIT_MS = 2_000;

const turn = new SharedTurn();

/** Whether those who stand in line to be sent wait too long, though the event loop goes round quickly. */
export function isSendingBehind(): boolean {
  return turn.waitedMs('begun') > MAX_BEGUN_WAIT_MS || turn.waitedMs('long') > MAX_LONG_WAIT_MS;
}

/**
 * Sends an answer. HEAD gets the same status and headers and no body (D2). A long body is produced only as fast as it
 * is read, and gives way to other requests.
 */
export async function sendAnswer(req: IncomingMessage, res: ServerResponse, answer: Answer): Promise<void> {
  await send(req, res, answer, false);
}

/**
 * As `sendAnswer`; resolves to the whole body as it was sent, encoded, or to undefined when it is too large to keep, its
 * reader was slow or gone, or it was not made.
 */
export function sendForKeeping(req: IncomingMessage, res: ServerResponse, answer: Answer): Promise<Buffer | undefined> {
  return send(req, res, answer, true);
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  answer: Answer,
  isKept: boolean,
): Promise<Buffer | undefined> {
  const pieces = answer.body[Symbol.iterator]();
  const isEncoded = answer.encoding !== undefined && answer.encoding !== 'identity';
  // Asked once: the same bytes have the same tag, so one length is always encoded in one way, or not at all.
  const canEncodeLong = isEncoded && isEncoderFree();
  const maxBytes = canEncodeLong ? WHOLE_ENCODED_BYTES : WHOLE_BYTES;
  // Nothing is sent before it is known whether the body is long, so that a fault can still be a 500.
  const start = new BodyStart();
  while (start.byteLength <= maxBytes) {
    const next = pieces.next();
    if (next.done === true) return sendWhole(req, res, answer, start, isKept);
    start.add(next.value);
    // What is made already takes no time; those who ask without a key get nothing else.
    if (!Array.isArray(answer.body) && turn.isOver) await turn.wait('begun');
  }
  try {
    if (req.method !== 'HEAD') {
      const ready = start.split(PIECE_BYTES, holdPiece);
      start.release();
      const encoder = canEncodeLong ? openEncoder(answer.encoding) : undefined;
      if (encoder !== undefined || !isEncoded) return await sendLong(res, answer, ready, pieces, encoder, isKept);
      // Not kept: the next to ask may have it encoded.
      return await sendLong(res, toPlain(answer), ready, pieces, undefined, false);
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
async function sendWhole(
  req: IncomingMessage,
  res: ServerResponse,
  answer: Answer,
  start: BodyStart,
  isKept: boolean,
): Promise<Buffer | undefined> {
  const { encoding, status } = answer;
  let body = start.view();
  const isEncoded = encoding !== undefined && encoding !== 'identity' && body.byteLength >= MIN_ENCODED_BYTES;
  if (isEncoded) {
    body = await encodeBody(body, encoding);
    res.setHeader('Content-Encoding', encoding);
  } else if (isKept) body = copyPiece(body);
  // 304 and 204 have no length of their own (RFC 9110 §8.6).
  writeHead(res, answer, status === 304 || status === 204 ? {} : { 'Content-Length': body.byteLength });
  res.end(req.method === 'HEAD' ? undefined : body);
  // Nearly always the system has taken all of it by now.
  if (res.writableLength === 0 || isEncoded || isKept) start.release();
  return isKept ? body : undefined;
}

/** Sends a body in pieces, each when its reader has taken those before. */
async function sendLong(
  res: ServerResponse,
  answer: Answer,
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
  const kept = isKept ? new KeptBody() : undefined;
  if (encoder !== undefined) pipeEncoder(res, answer, encoder, kept);
  const sink: Writable = encoder ?? res;
  writeHead(res, answer);
  // Whole segments alone, until the end: each wakes the reader, which costs more than to make what is in it.
  res.socket?.setNoDelay(false);
  for (;;) {
    // What was made already is let go of as it is written, so that a slow reader holds no more than a chunk for long.
    const piece = ready.shift() ?? holdNext(pieces);
    if (piece === undefined || res.destroyed) break;
    if (encoder === undefined) kept?.add(piece);
    if (!sink.write(piece)) {
      // A quick reader has taken it by then, and nobody needs to listen for that.
      await untilWritten();
      if (sink.writableNeedDrain) await untilDrained(sink);
    }
    const isHeld = encoder === undefined && kept?.isKeeping === true;
    // Its reader has taken all of it; of one that is gone an encoder may still be at work.
    if (sink.writableLength === 0 && !isHeld && !res.destroyed) releasePiece(piece);
    // A reader on the same machine drains within the turn, so waiting for it gives way to nobody.
    if (turn.isOver) await turn.wait();
  }
  if (res.destroyed) return undefined;
  sink.end();
  if (encoder !== undefined) await untilClosed(encoder);
  res.socket?.setNoDelay(true);
  return encoder === undefined || encoder.readableEnded ? kept?.join() : undefined;
}

/** The next piece, to hold; undefined at the end. */
function holdNext(pieces: Iterator<string | Uint8Array>): Buffer | undefined {
  const next = pieces.next();
  return next.done === true ? undefined : holdPiece(next.value);
}

/** Puts an encoder before the response, which dies with it. */
function pipeEncoder(res: ServerResponse, { encoding }: Answer, encoder: Transform, kept: KeptBody | undefined): void {
  if (encoding !== undefined) res.setHeader('Content-Encoding', encoding);
  if (kept !== undefined) encoder.on('data', (data: Buffer) => kept.add(data));
  encoder.on('error', () => res.destroy());
  res.once('close', () => encoder.destroy());
  encoder.pipe(res);
}

/** The same answer under the tag of its plain body, for which there was no encoder. */
function toPlain(answer: Answer): Answer {
  const tag = answer.headers['ETag'];
  return tag === undefined ? answer : { ...answer, headers: { ...answer.headers, ETag: toPlainTag(tag) } };
}

/** Status and headers; CORS may have named Origin in `Vary` already. */
function writeHead(res: ServerResponse, { status, headers }: Answer, more: OutgoingHttpHeaders = {}): void {
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
class KeptBody {
  static #allBytes = 0;

  #pieces: Buffer[] | undefined = [];
  #byteLength = 0;
  readonly #timer = setTimeout(() => this.#drop(), KEEP_MS).unref();

  /** Whether the pieces that were added are still held. */
  get isKeeping(): boolean {
    return this.#pieces !== undefined;
  }

  add(piece: Buffer): void {
    if (this.#pieces === undefined) return;
    this.#pieces.push(piece);
    this.#byteLength += piece.byteLength;
    KeptBody.#allBytes += piece.byteLength;
    if (this.#byteLength > MAX_CACHED_BYTES || KeptBody.#allBytes > MAX_KEPT_BYTES) this.#drop();
  }

  join(): Buffer | undefined {
    const pieces = this.#pieces;
    this.#drop();
    return pieces === undefined ? undefined : Buffer.concat(pieces);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#pieces = undefined;
    KeptBody.#allBytes -= this.#byteLength;
    this.#byteLength = 0;
  }
}
