import { crc32 } from 'node:zlib';
import { fromFd, type Entry, type ZipFile } from 'yauzl';
import type { SourceFile } from './find-source-files.ts';
import { quote } from './quote.ts';
import { SourceError } from './source-error.ts';

/** What archivers add beside the files: folders, the Mac's resource forks, hidden files. */
const NOT_DATA = /\/$|^__MACOSX\/|(?:^|\/)\.[^/]*$/;

/** A feed is one file, and what archivers add is not much more. */
const MAX_ENTRIES = 1_000;

/**
 * The bytes of the only file in a zip.
 *
 * @throws {SourceError} `source-malformed` when the archive ends in the middle or does not hold exactly one file,
 * `source-unreadable` when its bytes are not those that were packed, or it is encrypted.
 */
export async function* readZipEntry(file: SourceFile, fd: number): AsyncGenerator<Buffer> {
  const zip = await openZip(file, fd);
  const entries = (await listEntries(file, zip)).filter((entry) => !NOT_DATA.test(entry.fileName));
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) {
    const names = entries.map((each) => each.fileName).join(', ');
    throw malformed(
      file,
      `expected one file in the archive, got ${entries.length} ${quote(names)}; pack one file only`,
    );
  }
  let checksum = 0;
  for await (const chunk of await openEntry(zip, entry)) {
    checksum = crc32(chunk as Buffer, checksum);
    yield chunk as Buffer;
  }
  if (checksum !== entry.crc32) {
    throw new SourceError({
      code: 'source-unreadable',
      source: file.source,
      file: file.path,
      message: `${file.path}: expected the checksum ${entry.crc32.toString(16)}, got ${checksum.toString(16)}; fetch the file again`,
    });
  }
}

function openZip(file: SourceFile, fd: number): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromFd(fd, { lazyEntries: true, autoClose: false }, (cause, zip) => {
      if (cause === null) resolve(zip);
      else reject(malformed(file, `expected the list of files at the end of the archive: ${cause.message}`, cause));
    });
  });
}

function listEntries(file: SourceFile, zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) {
        reject(malformed(file, `expected one file in the archive, got more than ${MAX_ENTRIES}; pack one file only`));
      } else {
        zip.readEntry();
      }
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', (cause: Error) => {
      reject(malformed(file, `expected a list of files in the archive: ${cause.message}`, cause));
    });
    zip.readEntry();
  });
}

function openEntry(zip: ZipFile, entry: Entry): Promise<AsyncIterable<unknown>> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (cause, stream) => {
      if (cause === null) resolve(stream);
      else reject(cause);
    });
  });
}

function malformed(file: SourceFile, message: string, cause?: Error): SourceError {
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    message: `${file.path}: ${message}`,
    cause,
  });
}
