import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { RequestContext } from './request.ts';
import type { ApiResponse, FileResponse } from './response.ts';
import { READ_MS } from './limits.ts';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type BrotliOptions,
  type ZlibOptions,
} from 'node:zlib';
import Negotiator from 'negotiator';

/** A body up to this length is sent at once, with its length: a slow client may hold this much. */
const WHOLE_LENGTH = 64 * 1024;
/** The same for a body that is encoded, to about a twentieth. */
const WHOLE_ENCODED_LENGTH = 256 * 1024;
/** The smallest chunk of a long body. */
const CHUNK_LENGTH = 64 * 1024;

/** A response as it is sent. */
export interface Sendable {
  readonly status: number;
  /** Names and values in turn, which Node writes faster than an object. */
  readonly headers: readonly string[];
  readonly tag: string | undefined;
  readonly snapshotId: string | undefined;
  /** Whole, made while it is sent, or a file. */
  readonly body: Buffer | LongBody | FileResponse['file'];
}

interface LongBody {
  readonly chunks: AsyncIterable<Buffer>;
  readonly encoding: Encoding;
}

/**
 * Makes the body of a response as far as it is sent at once. Nothing is sent before it is known whether the body is long, so
 * that an error can still be a 500.
 */
export async function makeBody(response: ApiResponse | FileResponse): Promise<Sendable> {
  if ('file' in response) return { ...describeHead(response), body: response.file };
  const wanted = response.encoding ?? 'identity';
  const longEncoding = canEncode('long') ? wanted : 'identity';
  const rest = response.body[Symbol.iterator]();
  const begun = await collect(rest, longEncoding === 'identity' ? WHOLE_LENGTH : WHOLE_ENCODED_LENGTH);
  const { bytes } = begun;
  if (!begun.isWhole) {
    const body = { chunks: makeChunks(bytes, rest), encoding: longEncoding };
    return { ...describeHead(response, longEncoding), body };
  }
  // The tag of a short body names the encoding nevertheless: it is compared before the length of the body is known.
  if (bytes.length < MIN_ENCODED_BYTES) return { ...describeHead(response), body: bytes };
  const encoding = canEncode('whole') ? wanted : 'identity';
  return { ...describeHead(response, encoding), body: await encodeBody(bytes, encoding) };
}

/** Making a response may take this long before others have their turn. */
const SLICE_MS = 5;

/** Pieces of a body until they are longer than `maxLength`. */
async function collect(
  chunks: Iterator<string>,
  maxLength: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  let sliceEnd = performance.now() + SLICE_MS;
  const pieces: string[] = [];
  let length = 0;
  let isWhole = false;
  while (length <= maxLength) {
    const next = chunks.next();
    if (next.done === true) {
      isWhole = true;
      break;
    }
    pieces.push(next.value);
    length += next.value.length;
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
  return { bytes: Buffer.from(pieces.join(''), 'latin1'), isWhole };
}

/** @param encoding of the body as sent; absent for a body too short to encode, and for a file */
function describeHead(
  { status, headers: { ETag, ...others }, snapshotId }: Pick<ApiResponse, 'status' | 'headers' | 'snapshotId'>,
  encoding?: Encoding,
): Omit<Sendable, 'body'> {
  const tag = encoding === 'identity' && ETag !== undefined ? toIdentityTag(ETag) : ETag;
  const headers: string[] = [];
  for (const name in others) headers.push(name, others[name] as string);
  if (tag !== undefined) headers.push('ETag', tag);
  if (encoding !== undefined && encoding !== 'identity') headers.push('Content-Encoding', encoding);
  return { status, headers, tag, snapshotId };
}

/** Headers of a 200 that a 304 does not have (RFC 9110 §15.4.5). */
const BODY_HEADERS: ReadonlySet<string> = new Set([
  'Content-Type',
  'Content-Length',
  'Content-Encoding',
  'X-Total-Count',
  'Link',
]);

/**
 * Writes a response: 304 to a client that has its body, and no body to HEAD (D2). Only this writes headers; sirv adds
 * those of a file.
 * @param common the headers of every response
 */
export async function send(
  { req, ifNoneMatch }: RequestContext,
  res: ServerResponse,
  { status, headers, tag, body }: Sendable,
  common: string[],
): Promise<void> {
  const isUnchanged = status === 200 && tag !== undefined && matchesTag(ifNoneMatch, tag);
  for (let i = 0; i < headers.length; i += 2) {
    const [name, value] = [headers[i] as string, headers[i + 1] as string];
    if (!isUnchanged || !BODY_HEADERS.has(name)) common.push(name, value);
  }
  if (isUnchanged) {
    res.writeHead(304, common).end();
  } else if (typeof body === 'function') {
    for (let i = 0; i < common.length; i += 2) res.setHeader(common[i] as string, common[i + 1] as string);
    await sendFile(body, req, res);
  } else if (Buffer.isBuffer(body)) {
    // 304 and 204 have no length of their own (RFC 9110 §8.6).
    if (status !== 304 && status !== 204) common.push('Content-Length', String(body.byteLength));
    res.writeHead(status, common).end(req.method === 'HEAD' ? undefined : body);
  } else {
    res.writeHead(status, common);
    if (req.method === 'HEAD') res.end();
    else await sendLong(res, body);
  }
}

/** Sends a file by sirv. Rejects when the file cannot be read: an error without a listener would end the process. */
function sendFile(serve: FileResponse['file'], req: IncomingMessage, res: ServerResponse): Promise<void> {
  // Some ranges end the process.
  delete req.headers.range;
  return new Promise((resolve, reject) => {
    res.once('close', resolve);
    res.once('pipe', (file: Readable) => {
      file.once('error', reject);
      res.once('close', () => file.destroy());
      let left = Number(res.getHeader('content-length'));
      file.on('data', (chunk: Buffer) => {
        left -= chunk.byteLength;
        if (left > 0) return;
        // After the last byte the client may send its next request, so the response ends now, not at the end of the file.
        file.unpipe(res);
        res.end();
      });
    });
    serve(req, res);
  });
}

/** Sends a body in chunks, each when the client has read the previous one, for which it has `READ_MS`. */
async function sendLong(res: ServerResponse, { chunks, encoding }: LongBody): Promise<void> {
  const deadline = setTimeout(() => res.socket?.resetAndDestroy(), READ_MS);
  const source = async function* () {
    for await (const chunk of chunks) {
      deadline.refresh();
      yield chunk;
    }
  };
  try {
    await (encoding === 'identity' ? pipeline(source, res) : pipeline(source, openEncoder(encoding), res));
  } catch (error) {
    // A client that goes away ends the pipeline; that is no error.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ERR_STREAM_DESTROYED') throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/** The chunks of a body, as they are needed. */
async function* makeChunks(begun: Buffer, rest: Iterator<string>): AsyncGenerator<Buffer> {
  yield begun;
  for (;;) {
    await nextTurn();
    const { bytes, isWhole } = await collect(rest, CHUNK_LENGTH - 1);
    if (bytes.length > 0) yield bytes;
    if (isWhole) return;
  }
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * The turn of a response that takes long to make: all share one chain, and one has its turn in each tick of the event
 * loop. So a short response waits for one chunk, however many long ones are sent.
 */
function nextTurn(): Promise<unknown> {
  turn = turn.then(() => nextTick());
  return turn;
}

/** The encodings of bodies, the preferred first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** The type of `encoding` in negotiator 1; the published types are those of version 0.6. */
type ChooseEncoding = (
  available: readonly string[],
  options: { readonly preferred: readonly string[] },
) => string | undefined;

/** The encoding that the client prefers; `q=0` is honoured, and without a header the body is plain (D18). */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity';
  const negotiator: { encoding: ChooseEncoding } = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const chosen = negotiator.encoding(ENCODINGS, { preferred: ENCODINGS });
  return ENCODINGS.find((each) => each === chosen) ?? 'identity';
}

/** Smaller bodies are sent as they are: compressing them saves no packet. */
const MIN_ENCODED_BYTES = 1_024;

/**
 * Compression levels. A whole body is short and cached for others, so it is made small; a long one is made for one
 * reader, who would wait longer for the compression than for the bytes it saves. Bytes and milliseconds:
 *
 *     bytes        gzip 1          gzip 6          br 1            br 3            br 5            br 11
 *     24,576     2,967  0.05     2,258  0.10     3,046  0.05     1,852  0.07     1,574  0.15     1,448  85
 *     80,000     5,606  0.14     4,162  0.47     4,647  0.10     3,909  0.25     3,213  0.68     2,806  250
 *     1,000,000 59,183  1.6     41,171  8.7     49,559  0.80    36,373  2.2     28,199  12      24,549  2,461
 *     20,000,000  1.17 MB 112    0.80 MB 316     0.98 MB 48      0.69 MB 149     0.54 MB 345        -
 *
 * A waiting encoder holds 240 KB with br 1, 630 KB with br 3, 1.4 MB with br 5, and 280 KB with gzip of any level.
 */
const EFFORT = {
  whole: { br: brotli(5), gzip: { level: 6 } },
  long: { br: brotli(1), gzip: { level: 1 } },
} as const satisfies Record<string, { readonly br: BrotliOptions; readonly gzip: ZlibOptions }>;

/** A window of 256 KB: a larger one saves a tenth of 20 MB and nothing of 1 MB. */
function brotli(quality: number): BrotliOptions {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 18 } };
}

const brotliAll = promisify(brotliCompress);
const gzipAll = promisify(gzip);

/**
 * Bodies that are encoded at one time; others are sent plain. A stream takes 240 to 290 KB while its reader makes it wait, so
 * a thousand slow readers cannot have one each. A hundred whole bodies are a tenth of a second of work for the thread pool.
 */
const MAX_AT_WORK = { whole: 100, long: 16 } as const;
const atWork = { whole: 0, long: 0 };

/** Whether a body would be encoded now. */
function canEncode(kind: keyof typeof atWork): boolean {
  return atWork[kind] < MAX_AT_WORK[kind];
}

/** Encodes a whole body, in the thread pool. */
async function encodeBody(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return body;
  atWork.whole++;
  try {
    return await (encoding === 'br' ? brotliAll(body, EFFORT.whole.br) : gzipAll(body, EFFORT.whole.gzip));
  } finally {
    atWork.whole--;
  }
}

/** A stream that encodes a long body. */
export function openEncoder(encoding: Exclude<Encoding, 'identity'>): Transform {
  atWork.long++;
  const encoder = encoding === 'br' ? createBrotliCompress(EFFORT.long.br) : createGzip(EFFORT.long.gzip);
  return encoder.once('close', () => atWork.long--);
}

/** The tag of a body as sent: each encoding has its own (RFC 9110 §8.8.3.3). */
export function createTag(digest: string, encoding: Encoding): string {
  return `"${digest}${encoding === 'identity' ? '' : `-${encoding}`}"`;
}

/** The tag of the plain body, from the tag of an encoded one. */
function toIdentityTag(tag: string): string {
  return tag.replace(/-[a-z]+"$/, '"');
}

/** Whether an `If-None-Match` names the tag: `*`, or a list of tags compared weakly (RFC 9110 §13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
