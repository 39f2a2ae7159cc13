import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { extract, type Extract } from 'tar-stream';
import type { OpenedFile } from './open-file.ts';
import { SourceError, sourceMalformed } from './errors.ts';

/**
 * The bytes between two files of an archive: headers, long names, padding, and read-ahead. The parser holds a name in
 * memory, at any length that the archive declares.
 */
const MAX_BYTES_BETWEEN = 4_000_000;

export interface TarEntry {
  /** As in the archive, with forward slashes: to be compared, never to be opened as a path. */
  readonly name: string;
  readonly size: number;
  /** To be iterated before the next entry, or not at all. */
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * The files in a tar, without folders and links.
 *
 * @throws {SourceError} `source-malformed` when the file is not a tar, or ends within an entry.
 */
export async function* readTar(file: OpenedFile): AsyncGenerator<TarEntry> {
  const archive = extract();
  // An error of either side destroys `archive` with it, and so reaches the loop below.
  pipeline(Readable.from(limitHeaders(file, archive)), archive).catch(() => {});
  try {
    for await (const entry of archive) {
      // An entry that is not read fails with its archive; without a listener that would end the process.
      entry.on('error', () => {});
      const { name, type, size = 0 } = entry.header;
      if (type === 'file' || type === 'contiguous-file') {
        yield { name: name.replaceAll('\\', '/'), size, bytes: readBytes(file, entry) };
      }
      entry.resume();
    }
  } catch (cause) {
    throw toTarError(file, cause);
  }
}

/** The bytes of the archive, with a limit for those between two files. */
async function* limitHeaders(file: OpenedFile, archive: Extract): AsyncGenerator<Buffer> {
  let readBytes = 0;
  let nextEntryBefore = MAX_BYTES_BETWEEN;
  archive.on('entry', ({ size = 0 }) => (nextEntryBefore = readBytes + size + MAX_BYTES_BETWEEN));
  for await (const chunk of file.chunks) {
    readBytes += chunk.length;
    // The size may be NaN.
    if (!(readBytes <= nextEntryBefore)) {
      const expected = `at most ${MAX_BYTES_BETWEEN} bytes of names and headers between two files`;
      throw sourceMalformed(file, undefined, `expected ${expected}, got more; export again`);
    }
    yield chunk;
  }
}

async function* readBytes(file: OpenedFile, entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* entry;
  } catch (cause) {
    throw toTarError(file, cause);
  }
}

function toTarError(file: OpenedFile, cause: unknown): SourceError {
  if (cause instanceof SourceError) return cause;
  const isShort = (cause as Error).message === 'Unexpected end of data';
  const expected = isShort
    ? 'the rest of the archive, got its end; fetch it again'
    : 'a tar archive, packed with gzip or not, got something else';
  return sourceMalformed(file, undefined, `expected ${expected}`, cause);
}
