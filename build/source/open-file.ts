import { createHash, type Hash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createBrotliDecompress, createGunzip } from 'node:zlib';
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { createSourceError, SourceError, sourceMalformed } from './errors.ts';
import type { SourceFile } from './find-files.ts';
import { quote } from './quote.ts';

export interface OpenedFile {
  readonly source: string;
  /** Relative to the configuration, with forward slashes. */
  readonly path: string;
  /** The unpacked bytes, to be iterated once. Throws a SourceError when they cannot be read to the end. */
  readonly chunks: AsyncIterable<Buffer>;
}

/** A file on the disk, packed or not. */
export interface FileDigest {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Whether the unpacked text ends with a line end. */
  readonly endsWithLineEnd?: boolean | undefined;
}

export interface HashedFile extends OpenedFile {
  /** How much of the file has been read, packed as it is. */
  readBytes(): number;
  /** Size and hash of the file; undefined until `chunks` has ended. */
  digest(): FileDigest | undefined;
  /** Whether the text ends with a line end, once `chunks` has ended. */
  endsWithLineEnd(): boolean;
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;

const READ_BYTES = 1 << 18;

/** Any file may unpack to this size. */
const HARMLESS_BYTES = 16_000_000;

/**
 * The limit of unpacked to packed size. A feed of one row 20,000 times over packs 145 to 1 with gzip and 1,900 to 1 with
 * brotli. A decompression bomb packs 1,030 to 1 with deflate, its maximum, and without limit with brotli.
 */
const MAX_RATIO = { gzip: 200, zip: 200, brotli: 2_500 } as const;

type Packing = keyof typeof MAX_RATIO | 'none';

/**
 * Opens a file that may be packed as gzip, zip (with one file in it) or brotli. Gzip and zip are detected by their first
 * bytes, since servers send `.csv.gz` files that are already unpacked; brotli is detected by `.br`.
 *
 * The iteration throws a SourceError: `source-unreadable` when the file cannot be opened or unpacked,
 * `source-malformed` when it ends too early or changes while it is read, `source-too-large` when it unpacks to more than
 * `maxBytes` or is a decompression bomb.
 */
export function openFile(file: SourceFile, maxBytes: number): HashedFile {
  const raw = new HashingReader();
  const end = new LastLine();
  return {
    source: file.source,
    path: file.path,
    chunks: readUnpacked(file, raw, end, maxBytes),
    readBytes: () => raw.bytes,
    digest: () => (raw.sha256 === undefined ? undefined : { path: file.path, bytes: raw.bytes, sha256: raw.sha256 }),
    endsWithLineEnd: () => !end.hasText,
  };
}

/** Whether there is text after the last line feed of the unpacked bytes: blanks and control characters do not count. */
class LastLine {
  hasText = false;

  take(chunk: Buffer): void {
    const start = chunk.lastIndexOf(LINE_FEED) + 1;
    if (start > 0) this.hasText = false;
    this.hasText ||= chunk.subarray(start).some((byte) => byte > SPACE);
  }
}

/** Counts and hashes the bytes of the packed file; the hash is set at the end. */
class HashingReader {
  bytes = 0;
  sha256: string | undefined;
  readonly #hash: Hash = createHash('sha256');

  async *read(handle: FileHandle): AsyncGenerator<Buffer> {
    for await (const chunk of handle.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES })) {
      this.bytes += (chunk as Buffer).length;
      this.#hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
    this.sha256 = this.#hash.digest('hex');
  }
}

async function* readUnpacked(
  file: SourceFile,
  raw: HashingReader,
  end: LastLine,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let handle: FileHandle | undefined;
  try {
    // Opening a FIFO without a writer would block for ever.
    handle = await open(file.absolutePath, constants.O_RDONLY | constants.O_NONBLOCK);
    const before = await handle.stat();
    if (!before.isFile()) {
      throw unreadable(file, 'expected a file, got a folder, a pipe or a device; put the file there');
    }
    const { size } = before;
    const packing = await detectPacking(handle, file.path);
    if (packing === 'none' && size > maxBytes) throw tooLarge(file, `at most ${maxBytes} bytes`);
    let unpackedBytes = 0;
    for await (const chunk of unpack(file, handle, raw, packing)) {
      unpackedBytes += chunk.length;
      if (unpackedBytes > maxBytes) throw tooLarge(file, `at most ${maxBytes} bytes`);
      if (packing === 'none') {
        if (unpackedBytes > size) throw fileChanged(file);
      } else if (unpackedBytes > HARMLESS_BYTES && unpackedBytes > size * MAX_RATIO[packing]) {
        throw tooLarge(file, `at most ${MAX_RATIO[packing]} times its ${size} bytes`);
      }
      end.take(chunk);
      yield chunk;
    }
    if (hasChanged(before, await handle.stat())) throw fileChanged(file);
  } catch (cause) {
    throw cause instanceof SourceError ? cause : toReadError(file, cause);
  } finally {
    await handle?.close();
  }
}

async function detectPacking(handle: FileHandle, path: string): Promise<Packing> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  const start = buffer.toString('latin1', 0, bytesRead);
  if (start.startsWith('\x1f\x8b')) return 'gzip';
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return 'zip';
  return path.toLowerCase().endsWith('.br') ? 'brotli' : 'none';
}

async function* unpack(
  file: SourceFile,
  handle: FileHandle,
  raw: HashingReader,
  packing: Packing,
): AsyncGenerator<Buffer> {
  switch (packing) {
    case 'none':
      yield* raw.read(handle);
      return;
    case 'zip':
      // A zip is read from its end, so hashing it needs a separate pass.
      for await (const chunk of raw.read(handle)) void chunk;
      yield* readZipEntry(file, handle.fd);
      return;
    case 'gzip':
    case 'brotli': {
      const inflate =
        packing === 'gzip'
          ? createGunzip({ chunkSize: READ_BYTES })
          : createBrotliDecompress({ chunkSize: READ_BYTES });
      // An error of either side destroys `inflate` with it, and so reaches the loop below.
      pipeline(raw.read(handle), inflate).catch(() => {});
      for await (const chunk of inflate) yield chunk as Buffer;
    }
  }
}

function hasChanged(before: Stats, after: Stats): boolean {
  return before.size !== after.size || before.mtimeMs !== after.mtimeMs;
}

/** A mix of the old and the new file may look valid. */
function fileChanged(file: SourceFile): SourceError {
  const expected = 'a file that stays as it is while it is read';
  const found = 'one that is being written; write it under another name and rename it';
  return sourceMalformed(file, undefined, `expected ${expected}, got ${found}`);
}

function tooLarge(file: SourceFile, expected: string): SourceError {
  const sentence = `expected ${expected} when unpacked, got more; check the file, or raise \`maxMegabytes\` of ${file.source}`;
  return createSourceError('source-too-large', file, undefined, sentence);
}

function unreadable(file: SourceFile, sentence: string, cause?: unknown): SourceError {
  return createSourceError('source-unreadable', file, undefined, sentence, cause);
}

function toReadError(file: SourceFile, cause: unknown): SourceError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === 'Z_BUF_ERROR'
    ? sourceMalformed(file, undefined, 'expected the rest of the packed file, got its end; fetch it again', cause)
    : unreadable(file, `cannot be read: ${message.replace(/, \w+ '.*$/s, '')}`, cause);
}

/** Entries that archivers add: folders, macOS resource forks, hidden files. */
const NOT_DATA = /\/$|^__MACOSX\/|(?:^|\/)\.[^/]*$/;

const MAX_ENTRIES = 1_000;

/**
 * The bytes of the only file in a zip.
 *
 * @throws {SourceError} `source-malformed` when the archive ends too early or does not have exactly one file,
 * `source-unreadable` when the checksum is wrong, or it is encrypted.
 */
async function* readZipEntry(file: SourceFile, fd: number): AsyncGenerator<Buffer> {
  const zip = await openZip(file, fd);
  const entries = (await listEntries(file, zip)).filter((entry) => !NOT_DATA.test(entry.fileName));
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) {
    const names = entries.map((each) => each.fileName).join(', ');
    const found = `${entries.length} ${quote(names)}`;
    throw sourceMalformed(file, undefined, `expected one file in the archive, got ${found}; pack one file only`);
  }
  let checksum = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    checksum = crc32(chunk as Buffer, checksum);
    yield chunk as Buffer;
  }
  if (checksum !== entry.crc32) {
    const [expected, found] = [entry.crc32.toString(16), checksum.toString(16)];
    throw unreadable(file, `expected the checksum ${expected}, got ${found}; fetch the file again`);
  }
}

async function openZip(file: SourceFile, fd: number): Promise<ZipFile> {
  try {
    return await fromFdPromise(fd, { autoClose: false });
  } catch (cause) {
    const sentence = `expected the list of files at the end of the archive: ${(cause as Error).message}`;
    throw sourceMalformed(file, undefined, sentence, cause);
  }
}

async function listEntries(file: SourceFile, zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.push(entry) > MAX_ENTRIES) break;
    }
  } catch (cause) {
    const sentence = `expected a list of files in the archive: ${(cause as Error).message}`;
    throw sourceMalformed(file, undefined, sentence, cause);
  }
  if (entries.length <= MAX_ENTRIES) return entries;
  const sentence = `expected one file in the archive, got more than ${MAX_ENTRIES}; pack one file only`;
  throw sourceMalformed(file, undefined, sentence);
}
