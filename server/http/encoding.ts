import type { Transform } from 'node:stream';
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
export const MIN_ENCODED_BYTES = 1_024;

/**
 * Compression levels. A whole body is short and cached for others, so it is made small; a long one is made for one
 * reader, who would wait longer for the compression than for the bytes it saves. Bytes and milliseconds:
 *
 *     bytes        gzip 1          gzip 6          br 1            br 3            br 5            br 11
 *     2,048        685  0.02       659  0.02       702  0.02       666  0.03       614  0.04       551  2.4
 *     24,576     2,967  0.05     2,258  0.10     3,046  0.05     1,852  0.07     1,574  0.15     1,448  85
 *     80,000     5,606  0.14     4,162  0.47     4,647  0.10     3,909  0.25     3,213  0.68     2,806  250
 *     262,144   16,042  0.33    11,515  1.1     12,928  0.16    10,568  0.54     8,385  1.3      7,249  752
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
export function canEncode(kind: keyof typeof atWork): boolean {
  return atWork[kind] < MAX_AT_WORK[kind];
}

/** Encodes a whole body, in the thread pool. */
export async function encodeBody(body: Buffer, encoding: Encoding): Promise<Buffer> {
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
export function toIdentityTag(tag: string): string {
  return tag.replace(/-[a-z]+"$/, '"');
}

/** Whether an `If-None-Match` names the tag: `*`, or a list of tags compared weakly (RFC 9110 §13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
