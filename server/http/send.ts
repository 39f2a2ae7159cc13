import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { canEncode, encodeBody, MIN_ENCODED_BYTES, openEncoder, type Encoding } from './compression.ts';
import { matchesTag, toIdentityTag } from './headers.ts';
import type { RequestContext } from './request.ts';
import type { ApiResponse, FileResponse } from './response.ts';
import { READ_MS } from './connections.ts';
import { nextTurn } from './scheduler.ts';

/** A body up to this length is sent at once, with its length: a slow client may hold this much. */
const WHOLE_LENGTH = 64 * 1024;
/** The same for a body that is encoded, to about a twentieth. */
const WHOLE_ENCODED_LENGTH = 256 * 1024;
/** The smallest chunk of a long body. Nearly all characters of a catalogue are one byte. */
const CHUNK_LENGTH = 64 * 1024;

/** A response with its whole body, as it is sent and cached. */
export interface WholeResponse {
  readonly status: number;
  /** Names and values in turn, which Node writes faster than an object. */
  readonly headers: readonly string[];
  readonly tag: string | undefined;
  readonly snapshotId: string | undefined;
  readonly body: Buffer | undefined;
}

/** A response whose body is made while it is sent. */
export interface LongResponse extends Omit<WholeResponse, 'body'> {
  readonly chunks: AsyncIterable<Buffer>;
  readonly encoding: Encoding;
}

/**
 * Makes the body of a response as far as it is sent at once. Nothing is sent before it is known whether the body is long, so
 * that an error can still be a 500.
 */
export async function makeBody(response: ApiResponse | FileResponse): Promise<WholeResponse | LongResponse> {
  const { status } = response;
  if ('file' in response) {
    return { status, ...listHeaders(response), chunks: response.file, encoding: 'identity' };
  }
  const wanted = response.encoding ?? 'identity';
  const longEncoding = canEncode('long') ? wanted : 'identity';
  const maxLength = longEncoding === 'identity' ? WHOLE_LENGTH : WHOLE_ENCODED_LENGTH;
  const rest = response.body[Symbol.iterator]();
  const begun = await collect(rest, maxLength);
  if (!begun.isWhole) {
    const chunks = makeChunks(begun.bytes, rest);
    return { status, ...listHeaders(response, longEncoding), chunks, encoding: longEncoding };
  }
  const { bytes } = begun;
  // The tag of a short body names the encoding nevertheless: it is compared before the length of the body is known.
  if (bytes.length < MIN_ENCODED_BYTES) return { status, ...listHeaders(response), body: bytes };
  if (wanted === 'identity' || !canEncode('whole'))
    return { status, ...listHeaders(response, 'identity'), body: bytes };
  return { status, ...listHeaders(response, wanted), body: await encodeBody(bytes, wanted) };
}

/** Making a response may take this long before others have their turn. */
const SLICE_MS = 5;

/** Chunks of a body until they are longer than `maxLength`. */
async function collect(
  chunks: Iterator<string>,
  maxLength: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  let sliceEnd = performance.now() + SLICE_MS;
  let text = '';
  while (text.length <= maxLength) {
    const next = chunks.next();
    if (next.done === true) return { bytes: Buffer.from(text), isWhole: true };
    text += next.value;
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
  return { bytes: Buffer.from(text), isWhole: false };
}

/** @param encoding of the body as sent; absent for a body too short to encode */
function listHeaders(
  { headers }: Pick<ApiResponse, 'headers'>,
  encoding?: Encoding,
): Pick<WholeResponse, 'headers' | 'tag' | 'snapshotId'> {
  const { ETag, 'X-Snapshot': snapshotId } = headers;
  const tag = encoding === 'identity' && ETag !== undefined ? toIdentityTag(ETag) : ETag;
  const list: string[] = [];
  for (const name in headers) list.push(name, name === 'ETag' ? (tag as string) : (headers[name] as string));
  if (encoding !== undefined && encoding !== 'identity') list.push('Content-Encoding', encoding);
  return { headers: list, tag, snapshotId };
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
 * Writes a response: 304 to a client that has its body, and no body to HEAD (D2). It is the only place that writes headers.
 * @param common the headers of every response
 */
export function send(
  { req, ifNoneMatch }: RequestContext,
  res: ServerResponse,
  response: WholeResponse | LongResponse,
  common: string[],
): void | Promise<void> {
  const { status, headers, tag } = response;
  if (status === 200 && tag !== undefined && matchesTag(ifNoneMatch, tag)) {
    for (let i = 0; i < headers.length; i += 2) {
      if (!BODY_HEADERS.has(headers[i] as string)) common.push(headers[i] as string, headers[i + 1] as string);
    }
    res.writeHead(304, common).end();
    return;
  }
  for (const text of headers) common.push(text);
  if ('chunks' in response) {
    res.writeHead(status, common);
    if (req.method !== 'HEAD') return sendLong(res, response);
    res.end();
    return;
  }
  const { body } = response;
  // 304 and 204 have no length of their own (RFC 9110 §8.6).
  if (status !== 304 && status !== 204) common.push('Content-Length', String(body?.byteLength ?? 0));
  res.writeHead(status, common);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** Sends a body in chunks, each when the client has read the previous one, for which it has `READ_MS`. */
async function sendLong(res: ServerResponse, { chunks, encoding }: LongResponse): Promise<void> {
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
    if (!isDisconnect(error)) throw error;
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

const DISCONNECT_CODES: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']);

function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISCONNECT_CODES.has(error.code);
}
