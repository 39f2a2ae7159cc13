import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Answer } from './answer.ts';

/** Bodies up to this size are sent at once, with their length; longer ones in chunks of this size. */
const CHUNK_CHARACTERS = 64 * 1024;
/** A reader has this long for any chunk, and beyond it must take at least so many bytes a second. */
const GRACE_MS = 10_000;
const MIN_BYTES_PER_SECOND = 10_000;
/** How long writing may hold the thread before other requests get their turn. */
const TURN_MS = 5;

/**
 * Sends an answer. HEAD gets the same status and headers and no body (D2). A long body is produced only as fast as it
 * is read, gives way to other requests, and is cut off when its reader is too slow.
 */
export async function sendAnswer(req: IncomingMessage, res: ServerResponse, answer: Answer): Promise<void> {
  const chunks = gatherChunks(answer.body);
  const first = chunks.next();
  const second = first.done === true ? first : chunks.next();
  for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value);
  res.statusCode = answer.status;
  if (second.done === true) {
    const body = Buffer.from(first.done === true ? '' : first.value);
    // 304 and 204 have no length of their own (RFC 9110 §8.6).
    if (answer.status !== 304 && answer.status !== 204) res.setHeader('Content-Length', body.byteLength);
    setDeadline(res, body.byteLength);
    res.end(req.method === 'HEAD' ? undefined : body);
    return;
  }
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  await streamChunks(res, [first.value ?? '', second.value], chunks);
}

async function streamChunks(res: ServerResponse, ready: readonly string[], rest: Iterator<string>): Promise<void> {
  let turnStart = performance.now();
  const write = async (text: string): Promise<void> => {
    setDeadline(res, text.length);
    if (!res.write(text) && !res.destroyed) {
      await Promise.race([once(res, 'drain'), once(res, 'close')]);
    } else if (performance.now() - turnStart > TURN_MS) {
      await nextTurn();
    }
    turnStart = performance.now();
  };
  for (const text of ready) await write(text);
  for (let chunk = rest.next(); chunk.done !== true && !res.destroyed; chunk = rest.next()) await write(chunk.value);
  if (!res.destroyed) res.end();
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

const deadlines = new WeakMap<ServerResponse, NodeJS.Timeout>();

/** Ends the connection of a reader who has not taken `bytes` in the time they may take. Each call renews it. */
function setDeadline(res: ServerResponse, bytes: number): void {
  const before = deadlines.get(res);
  if (before === undefined) res.once('close', () => clearTimeout(deadlines.get(res)));
  clearTimeout(before);
  const milliseconds = GRACE_MS + (bytes / MIN_BYTES_PER_SECOND) * 1_000;
  deadlines.set(res, setTimeout(() => res.destroy(), milliseconds).unref());
}
