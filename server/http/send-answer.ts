import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import type { Answer } from './answer.ts';
import { setDeadline } from './deadline.ts';
import { createEncoder, encodeBody, MIN_ENCODED_BYTES } from './encoding.ts';

/** A long body is written in chunks of this size. */
const CHUNK_CHARACTERS = 32 * 1024;
/** A body up to this size is sent at once, with its length. */
const WHOLE_CHARACTERS = 96 * 1024;
/** How long writing may hold the thread before other requests get their turn. */
const TURN_MS = 5;

/**
 * Sends an answer. HEAD gets the same status and headers and no body (D2). A long body is produced only as fast as it
 * is read, gives way to other requests, and is cut off when its reader is too slow.
 */
export async function sendAnswer(req: IncomingMessage, res: ServerResponse, answer: Answer): Promise<void> {
  await sendForKeeping(req, res, answer);
}

/** As `sendAnswer`; resolves to the body as it was sent at once, encoded, or to undefined for one sent in chunks. */
export async function sendForKeeping(
  req: IncomingMessage,
  res: ServerResponse,
  answer: Answer,
): Promise<Buffer | undefined> {
  const chunks = gatherChunks(answer.body);
  // Nothing is sent before it is known whether the body is long, so that a fault can still be a 500.
  const ready: string[] = [];
  let readyLength = 0;
  let next = chunks.next();
  for (; next.done !== true && readyLength <= WHOLE_CHARACTERS; next = chunks.next()) {
    ready.push(next.value);
    readyLength += next.value.length;
  }
  res.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) {
    // CORS may have named Origin already.
    if (name === 'Vary') res.appendHeader(name, value);
    else res.setHeader(name, value);
  }
  if (next.done === true) return sendWhole(req, res, answer, ready.join(''));
  ready.push(next.value);
  try {
    const sink = openSink(req, res, answer);
    if (req.method !== 'HEAD') await writeChunks(sink, res, startWith(ready, chunks));
    if (!res.destroyed) sink.end();
  } finally {
    chunks.return(undefined);
  }
  return undefined;
}

/** Sends a body that is at hand whole, with its length. */
async function sendWhole(req: IncomingMessage, res: ServerResponse, answer: Answer, text: string): Promise<Buffer> {
  let body: Buffer = Buffer.from(text);
  if (answer.encoding !== undefined && answer.encoding !== 'identity' && body.byteLength >= MIN_ENCODED_BYTES) {
    body = await encodeBody(body, answer.encoding);
    res.setHeader('Content-Encoding', answer.encoding);
  }
  // 304 and 204 have no length of their own (RFC 9110 §8.6).
  if (answer.status !== 304 && answer.status !== 204) res.setHeader('Content-Length', body.byteLength);
  setDeadline(res, body.byteLength);
  res.end(req.method === 'HEAD' ? undefined : body);
  return body;
}

/** Where a long body is written: the response, or an encoder before it, which dies with it. */
function openSink(req: IncomingMessage, res: ServerResponse, { encoding }: Answer): Writable {
  if (encoding === undefined || encoding === 'identity') return res;
  res.setHeader('Content-Encoding', encoding);
  if (req.method === 'HEAD') return res;
  const encoder = createEncoder(encoding);
  encoder.on('data', (data: Buffer) => setDeadline(res, data.byteLength));
  encoder.on('error', () => res.destroy());
  res.once('close', () => encoder.destroy());
  encoder.pipe(res);
  return encoder;
}

/** Writes chunk after chunk, each when its reader has taken the one before. */
async function writeChunks(sink: Writable, res: ServerResponse, chunks: Iterable<string>): Promise<void> {
  let turnStart = performance.now();
  for (const chunk of chunks) {
    if (res.destroyed) return;
    setDeadline(res, chunk.length);
    if (!sink.write(chunk)) await nextDrain(sink);
    // A reader on the same machine drains within the turn, so waiting for it gives way to nobody.
    if (performance.now() - turnStart > TURN_MS) {
      await nextTurn();
      turnStart = performance.now();
    }
  }
}

/** Resolves when the reader has taken what was written, or is gone. Leaves no listener behind. */
function nextDrain(sink: Writable): Promise<void> {
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

function* startWith(ready: readonly string[], rest: Iterable<string>): Generator<string> {
  yield* ready;
  yield* rest;
}

/** Joins small pieces into chunks that are worth a write. */
function* gatherChunks(pieces: Iterable<string>): Generator<string, undefined> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length >= CHUNK_CHARACTERS) {
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
  return undefined;
}
