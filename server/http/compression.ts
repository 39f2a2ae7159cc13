import type { IncomingMessage } from 'node:http';
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

/** Few programs ask a service, each with one text of its own. */
const MAX_TEXTS = 100;
const MAX_TEXT_LENGTH = 200;

/** What each text of `Accept-Encoding` comes to, so that the same text is negotiated once. Bounded: clients choose it. */
export class EncodingNegotiator {
  readonly #encodings = new Map<string, Encoding>();

  /** The encoding for a text that was negotiated before, or for none. */
  findKnown(acceptEncoding: string | undefined): Encoding | undefined {
    return acceptEncoding === undefined ? 'identity' : this.#encodings.get(acceptEncoding);
  }

  negotiate(req: IncomingMessage): Encoding {
    const text = req.headers['accept-encoding'];
    const known = this.findKnown(text);
    if (known !== undefined || text === undefined) return known ?? 'identity';
    const encoding = negotiateEncoding(req);
    if (text.length <= MAX_TEXT_LENGTH) {
      // Whoever fills it with texts of no use makes the others negotiate again, and no more.
      if (this.#encodings.size >= MAX_TEXTS) this.#encodings.clear();
      this.#encodings.set(text, encoding);
    }
    return encoding;
  }
}

/** How a body may be encoded, the preferred first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Smaller bodies are sent as they are: compressing them saves no packet. */
export const MIN_ENCODED_BYTES = 1_024;

/**
 * Long bodies that are encoded at one time; any more are sent as they are. An encoder takes 240 to 290 KB for as long
 * as its reader makes it wait, so a thousand slow readers may not have one each: sixteen are 4 KB for each of them. A
 * smaller window or less memory for gzip saves a quarter of that at most, and costs as much again of what is sent.
 */
const MAX_ENCODERS = 16;

/** Whole bodies that may wait for the thread pool at one time, each of 256 KB at most: a tenth of a second's work. */
const MAX_WAITING_BODIES = 100;

/**
 * How hard to try, by how the body is sent. A whole body is short and kept for others, so it is made small; a long one
 * is made for one reader, who would wait for every further byte saved longer than for the byte. Bytes and milliseconds
 * (test/bench/case/compression.ts):
 *
 *     bytes        gzip 1          gzip 6          br 1            br 3            br 5            br 11
 *     2,048        685  0.02       659  0.02       702  0.02       666  0.03       614  0.04       551  2.4
 *     24,576     2,967  0.05     2,258  0.10     3,046  0.05     1,852  0.07     1,574  0.15     1,448  85
 *     80,000     5,606  0.14     4,162  0.47     4,647  0.10     3,909  0.25     3,213  0.68     2,806  250
 *     262,144   16,042  0.33    11,515  1.1     12,928  0.16    10,568  0.54     8,385  1.3      7,249  752
 *     1,000,000 59,183  1.6     41,171  8.7     49,559  0.80    36,373  2.2     28,199  12      24,549  2,461
 *     20,000,000  1.17 MB 112    0.80 MB 316     0.98 MB 48      0.69 MB 149     0.54 MB 345        -
 *
 * While it waits, an encoder of br 3 holds 630 KB, of br 5 1.4 MB; of br 1 240 KB, and of gzip, whatever its level, 280.
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

/** What `encoding` of negotiator 1 takes; its types are those of version 0.6. */
type ChooseEncoding = (
  available: readonly string[],
  options: { readonly preferred: readonly string[] },
) => string | undefined;

/** What the client takes and prefers; `q=0` is honoured, and without a header a body goes as it is (D18). */
export function negotiateEncoding(req: IncomingMessage): Encoding {
  if (req.headers['accept-encoding'] === undefined) return 'identity';
  const negotiator: { encoding: ChooseEncoding } = new Negotiator(req);
  const chosen = negotiator.encoding(ENCODINGS, { preferred: ENCODINGS });
  return ENCODINGS.find((encoding) => encoding === chosen) ?? 'identity';
}

let waitingCount = 0;

/** Encodes a whole body, in the thread pool. */
export async function encodeBody(body: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  waitingCount++;
  try {
    return await (encoding === 'br' ? brotliAll(body, EFFORT.whole.br) : gzipAll(body, EFFORT.whole.gzip));
  } finally {
    waitingCount--;
  }
}

/** Whether more bodies wait to be encoded than the thread pool can do soon, whatever the event loop has to do. */
export function isCompressionBacklogged(): boolean {
  return waitingCount >= MAX_WAITING_BODIES;
}

let encoderCount = 0;

/** Whether a long body that is met now will be encoded. */
export function isEncoderFree(): boolean {
  return encoderCount < MAX_ENCODERS;
}

/** A stream that encodes a long body written to it; undefined when there are as many as there may be. */
export function openEncoder(encoding: Exclude<Encoding, 'identity'>): Transform | undefined {
  if (!isEncoderFree()) return undefined;
  encoderCount++;
  const encoder = encoding === 'br' ? createBrotliCompress(EFFORT.long.br) : createGzip(EFFORT.long.gzip);
  return encoder.once('close', () => encoderCount--);
}
