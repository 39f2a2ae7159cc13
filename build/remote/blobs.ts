import { createHash, hash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import {
  brotliCompressSync,
  brotliDecompress,
  constants,
  createBrotliCompress,
  createBrotliDecompress,
} from 'node:zlib';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import type { WrittenFile } from '../../data/store/manifest.ts';
import { readSmall, RemoteError, withRetries, type ReadableStore } from './object-store.ts';
import { blobPath } from './remote-format.ts';

/** At this quality a million deals take some two seconds and 12 MB; a higher one takes several times as long for a tenth less. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** A manifest, a report or a list of pictures is below this. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;

export function compressBytes(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, BROTLI);
}

/** The content of a file, compressed. @throws {SnapshotError} when it is not what was published */
export async function compressFile(file: string, { bytes, sha256 }: WrittenFile): Promise<Buffer> {
  const check = new ContentCheck(bytes);
  const chunks: Uint8Array[] = [];
  await pipeline(
    createReadStream(file),
    (source: AsyncIterable<Uint8Array>) => check.watch(source),
    createBrotliCompress(BROTLI),
    async (compressed: AsyncIterable<Uint8Array>) => {
      for await (const chunk of compressed) chunks.push(chunk);
    },
  );
  const got = check.digest();
  if (got !== sha256) throw new SnapshotError({ code: 'wrong-hash', file, expected: sha256, got });
  return Buffer.concat(chunks);
}

/**
 * Reads the content of a small blob.
 * @throws {RemoteError} `unexpected` when there is none, or it is damaged
 */
export async function readBlob(remote: ReadableStore, sha256: string): Promise<Buffer> {
  const { url, body } = await openObject(remote, blobPath(sha256));
  const compressed = await readSmall(body, MAX_LIST_BYTES);
  const bytes = await promisify(brotliDecompress)(compressed, { maxOutputLength: MAX_LIST_BYTES }).catch(
    () => undefined,
  );
  if (bytes !== undefined && hash('sha256', bytes, 'hex') === sha256) return bytes;
  throw damaged(url);
}

/**
 * Downloads a blob to `path`, which appears only when it is whole and on the disk.
 * @param count is called with the bytes of each chunk that came
 * @throws {RemoteError} `unexpected` when there is none, or it is damaged
 */
export async function downloadBlob(
  remote: ReadableStore,
  expected: WrittenFile,
  path: string,
  count: (bytes: number) => void,
): Promise<void> {
  await download(remote, blobPath(expected.sha256), expected, path, count, true);
}

/** The same for an object that is stored as it is, such as a picture. */
export async function downloadObject(
  remote: ReadableStore,
  key: string,
  expected: WrittenFile,
  path: string,
  count: (bytes: number) => void,
): Promise<void> {
  await download(remote, key, expected, path, count, false);
}

async function download(
  remote: ReadableStore,
  key: string,
  expected: WrittenFile,
  path: string,
  count: (bytes: number) => void,
  isCompressed: boolean,
): Promise<void> {
  const part = `${path}.part`;
  try {
    await withRetries(async () => {
      const { url, body } = await openObject(remote, key);
      const check = new ContentCheck(expected.bytes);
      const counted = countChunks(body, maxStoredBytes(expected.bytes), count);
      const content = (source: AsyncIterable<Uint8Array>) => check.watch(source);
      const file = createWriteStream(part, { flush: true });
      await (
        isCompressed ? pipeline(counted, createBrotliDecompress(), content, file) : pipeline(counted, content, file)
      ).catch((error: unknown) => {
        throw isContentError(error) ? damaged(url) : error;
      });
      if (check.digest() !== expected.sha256) throw damaged(url);
    });
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}

async function openObject(remote: ReadableStore, key: string) {
  const url = `${remote.url}/${key}`;
  const object = await remote.get(key);
  if (object.kind === 'found') return { url, body: object.body };
  throw needsRepair(url, 'the object is not there');
}

function damaged(url: string): RemoteError {
  return needsRepair(url, 'the object is damaged');
}

function needsRepair(url: string, fault: string): RemoteError {
  return new RemoteError('unexpected', `${url}: ${fault}; deals push --repair on the builder uploads it again`);
}

/** Of the decompression, or of content that is longer than announced. */
function isContentError(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  const { code } = error as { readonly code?: unknown };
  return (
    typeof code === 'string' && (code.startsWith('ERR__ERROR') || code.startsWith('ERR_') || code.startsWith('Z_'))
  );
}

/** Brotli makes nothing longer than this. It may hold any number of blocks without content. */
function maxStoredBytes(bytes: number): number {
  return Math.ceil(bytes * 1.01) + 64 * 1024;
}

async function* countChunks(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new RangeError(`expected at most ${maxBytes} bytes, got more`);
    count(chunk.length);
    yield chunk;
  }
}

/** Hashes content that passes, and refuses more bytes than were announced: a small blob may hold a very long file. */
class ContentCheck {
  readonly #maxBytes: number;
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  async *watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#bytes += chunk.length;
      if (this.#bytes > this.#maxBytes) throw new RangeError(`expected ${this.#maxBytes} bytes, got more`);
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
