import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import type { OpenedFile } from './open-file.ts';
import { SourceError } from './source-error.ts';

/** A file in an archive. */
export interface TarEntry {
  /** As the archive has it, with forward slashes: a text to be compared, never a path to be opened. */
  readonly name: string;
  readonly size: number;
  /** To be iterated before the next entry is asked for, or not at all. */
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * The files in a tar, one after the other; folders and links are nothing.
 *
 * @throws {SourceError} `source-malformed` when the archive is none, or ends in the middle.
 */
export async function* readTar(file: OpenedFile): AsyncGenerator<TarEntry> {
  const archive = extract();
  // A fault of either side destroys `archive` with it, and so reaches the loop below.
  pipeline(Readable.from(file.chunks), archive).catch(() => {});
  try {
    for await (const entry of archive) {
      // An entry that nobody reads fails with its archive, and would end the process for want of a listener.
      entry.on('error', () => {});
      const { name, type, size = 0 } = entry.header;
      if (type === 'file' || type === 'contiguous-file') {
        yield { name: name.replaceAll('\\', '/'), size, bytes: readBytes(file, entry) };
      }
      entry.resume();
    }
  } catch (cause) {
    throw describeFault(file, cause);
  }
}

async function* readBytes(file: OpenedFile, entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* entry;
  } catch (cause) {
    throw describeFault(file, cause);
  }
}

function describeFault(file: OpenedFile, cause: unknown): SourceError {
  if (cause instanceof SourceError) return cause;
  const isShort = (cause as Error).message === 'Unexpected end of data';
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    message: isShort
      ? `${file.path}: expected the rest of the archive, got its end; fetch it again`
      : `${file.path}: expected a tar archive, packed with gzip or not, got something else`,
    cause,
  });
}
