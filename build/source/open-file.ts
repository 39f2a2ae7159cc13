import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createBrotliDecompress, createGunzip } from 'node:zlib';
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { SourceError, sourceMalformed } from './errors.ts';
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

/** The same for the same files, whatever their names. */
export function digestFiles(files: readonly Pick<FileDigest, 'sha256'>[]): string {
  const hashes = files.map(({ sha256 }) => sha256).sort();
  return createHash('sha256').update(hashes.join(' ')).digest('hex').slice(0, 16);
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;

const READ_BYTES = 1 << 18;

type Packing = 'none' | 'gzip' | 'zip' | 'brotli';

/**
 * A file that may be packed as gzip, zip (with one file in it) or brotli. Gzip and zip are detected by their first bytes,
 * since servers send `.csv.gz` files that are already unpacked; brotli is detected by `.br`.
 *
 * The iteration of `chunks` throws a SourceError: `source-unreadable` when the file cannot be opened or unpacked,
 * `source-malformed` when it ends too early or changes while it is read, `source-too-large` when it unpacks to more than
 * `maxBytes`, as a decompression bomb does.
 */
export class HashedFile implements OpenedFile {
  readonly source: string;
  readonly path: string;
  readonly chunks: AsyncIterable<Buffer>;
  /** Undefined until `chunks` has ended. */
  digest: FileDigest | undefined;
  /** Whether no text follows the last line end so far; blanks and control characters do not count. */
  endsWithLineEnd = true;

  constructor(file: SourceFile, maxBytes: number) {
    this.source = file.source;
    this.path = file.path;
    this.chunks = this.#readUnpacked(file, maxBytes);
  }

  async *#readUnpacked(file: SourceFile, maxBytes: number): AsyncGenerator<Buffer> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(file.absolutePath);
      const before = await handle.stat();
      const packing = await detectPacking(handle, file.path);
      let bytes = 0;
      for await (const chunk of this.#unpack(file, handle, packing)) {
        bytes += chunk.length;
        if (bytes > maxBytes) {
          const sentence = `expected at most ${maxBytes} bytes when unpacked, got more; check the file, or raise \`maxMegabytes\` of ${file.source}`;
          throw new SourceError('source-too-large', file, undefined, sentence);
        }
        const lastLine = chunk.subarray(chunk.lastIndexOf(LINE_FEED) + 1);
        if (lastLine.length < chunk.length) this.endsWithLineEnd = true;
        if (lastLine.some((byte) => byte > SPACE)) this.endsWithLineEnd = false;
        yield chunk;
      }
      const after = await handle.stat();
      if (before.size !== after.size || before.mtimeMs !== after.mtimeMs) {
        // A mix of the old and the new file may look valid.
        const expected = 'a file that stays as it is while it is read';
        const found = 'one that is being written; write it under another name and rename it';
        throw sourceMalformed(file, undefined, `expected ${expected}, got ${found}`);
      }
    } catch (cause) {
      throw cause instanceof SourceError ? cause : toReadError(file, cause);
    } finally {
      await handle?.close();
    }
  }

  async *#unpack(file: SourceFile, handle: FileHandle, packing: Packing): AsyncGenerator<Buffer> {
    switch (packing) {
      case 'none':
        yield* this.#readPacked(handle);
        return;
      case 'zip':
        // A zip is read from its end, so hashing it needs a separate pass.
        for await (const chunk of this.#readPacked(handle)) void chunk;
        yield* readZipEntry(file, handle.fd);
        return;
      case 'gzip':
      case 'brotli': {
        const options = { chunkSize: READ_BYTES };
        const inflate = packing === 'gzip' ? createGunzip(options) : createBrotliDecompress(options);
        // An error of either side destroys `inflate` with it, and so reaches the loop below.
        pipeline(this.#readPacked(handle), inflate).catch(() => {});
        for await (const chunk of inflate) yield chunk as Buffer;
      }
    }
  }

  /** The bytes as they are on the disk, which are hashed. */
  async *#readPacked(handle: FileHandle): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of handle.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES })) {
      bytes += (chunk as Buffer).length;
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
    this.digest = { path: this.path, bytes, sha256: hash.digest('hex') };
  }
}

async function detectPacking(handle: FileHandle, path: string): Promise<Packing> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  const start = buffer.toString('latin1', 0, bytesRead);
  if (start.startsWith('\x1f\x8b')) return 'gzip';
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return 'zip';
  return path.toLowerCase().endsWith('.br') ? 'brotli' : 'none';
}

function unreadable(file: SourceFile, sentence: string, cause?: unknown): SourceError {
  return new SourceError('source-unreadable', file, undefined, sentence, cause);
}

function toReadError(file: SourceFile, cause: unknown): SourceError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === 'Z_BUF_ERROR'
    ? sourceMalformed(file, undefined, 'expected the rest of the packed file, got its end; fetch it again', cause)
    : unreadable(file, `cannot be read: ${message.replace(/, \w+ '.*$/s, '')}`, cause);
}

/** The list of an archive is held in memory. */
const MAX_ENTRIES = 1_000;

/** Entries that archivers add: folders, macOS resource forks, hidden files. */
const NOT_DATA = /\/$|^__MACOSX\/|(?:^|\/)\.[^/]*$/;

/**
 * The bytes of the only file in a zip.
 *
 * @throws {SourceError} `source-malformed` when the archive ends too early or does not have exactly one file,
 * `source-unreadable` when the checksum is wrong, or it is encrypted.
 */
async function* readZipEntry(file: SourceFile, fd: number): AsyncGenerator<Buffer> {
  let zip: ZipFile;
  const entries: Entry[] = [];
  try {
    zip = await fromFdPromise(fd, { autoClose: false });
    if (zip.entryCount <= MAX_ENTRIES) for await (const each of zip.eachEntry()) entries.push(each);
  } catch (cause) {
    const sentence = `expected the list of files at the end of the archive: ${(cause as Error).message}`;
    throw sourceMalformed(file, undefined, sentence, cause);
  }
  const data = entries.filter((each) => !NOT_DATA.test(each.fileName));
  const [entry] = data;
  if (entry === undefined || data.length > 1) {
    const names = data.map((each) => each.fileName).join(', ');
    const found = zip.entryCount > MAX_ENTRIES ? `more than ${MAX_ENTRIES}` : `${data.length} ${quote(names)}`;
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
