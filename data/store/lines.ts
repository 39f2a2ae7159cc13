import { createHash, type Hash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { setImmediate as nextTick } from 'node:timers/promises';
import { snapshotReportSchema, type SnapshotReport } from '../report/report.ts';
import type { Dictionaries, Manifest, PictureLine, SnapshotFile } from '../snapshot/format.ts';
import { checkShape, malformed, parseLine, SnapshotError, unreadable } from '../snapshot/snapshot-error.ts';
import { createDurably } from './durable-file.ts';
import { snapshotPath } from './layout.ts';
import type { WrittenFile } from './manifest.ts';
import { openRegularFile, openRegularHandle, withPathInErrors, writeAll } from './regular-file.ts';

const CHUNK_BYTES = 1 << 20;

/** Writes one line after the other; what it returns is what was meant to be written, to be compared with the disk. */
export function writeLines(path: string, lines: Iterable<string>): WrittenFile {
  let written: WrittenFile | undefined;
  createDurably(path, (descriptor) => {
    written = encodeLines(lines, (bytes) => writeAll(descriptor, bytes));
  });
  return written as WrittenFile;
}

/** What `writeLines` would write. */
export function hashLines(lines: Iterable<string>): WrittenFile {
  return encodeLines(lines, () => {});
}

function encodeLines(lines: Iterable<string>, take: (bytes: Buffer) => void): WrittenFile {
  const hash = createHash('sha256');
  let bytes = 0;
  let waiting = '';
  const flush = () => {
    const chunk = Buffer.from(waiting);
    waiting = '';
    hash.update(chunk);
    bytes += chunk.length;
    take(chunk);
  };
  for (const line of lines) {
    waiting += `${line}\n`;
    if (waiting.length >= CHUNK_BYTES) flush();
  }
  if (waiting !== '') flush();
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * What is hashed is forgotten at once, and nothing waits in between, so all files are read into one memory: a build
 * looks at thousands of small pictures, and 2 MB for each had V8 collecting all the while.
 */
const HASH_BUFFER = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/** Reads a file to its end, to be compared with what was meant to be written. */
export function hashFile(path: string): WrittenFile {
  const descriptor = openRegularFile(path);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for (const chunk of readChunks(path, descriptor, hash, () => HASH_BUFFER)) bytes += chunk.length;
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    withPathInErrors(path, () => closeSync(descriptor));
  }
}

/** The hash of a file; undefined when it cannot be read. */
export function findHash(path: string): string | undefined {
  try {
    return hashFile(path).sha256;
  } catch {
    return undefined;
  }
}

/** Yields the lines of a file, including a last one without a line break, and returns size and hash of the file. */
export function* readLines(path: string): Generator<Buffer, WrittenFile> {
  const descriptor = openRegularFile(path);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    let rest: Buffer = Buffer.alloc(0);
    // Each chunk has its own memory: lines are views into it.
    for (const chunk of readChunks(path, descriptor, hash, () => Buffer.allocUnsafeSlow(CHUNK_BYTES))) {
      bytes += chunk.length;
      rest = yield* splitLines(rest, chunk);
    }
    if (rest.length > 0) yield rest;
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    withPathInErrors(path, () => closeSync(descriptor));
  }
}

function* readChunks(path: string, descriptor: number, hash: Hash, nextMemory: () => Buffer): Generator<Buffer> {
  for (;;) {
    const chunk = nextMemory();
    const length = withPathInErrors(path, () => readSync(descriptor, chunk));
    if (length === 0) return;
    const bytes = chunk.subarray(0, length);
    hash.update(bytes);
    yield bytes;
  }
}

/** Yields the lines that end in `chunk`; returns what follows the last of them. */
function* splitLines(rest: Buffer, chunk: Buffer): Generator<Buffer, Buffer> {
  let start = 0;
  let end = chunk.indexOf(0x0a);
  if (end === -1) return Buffer.concat([rest, chunk]);
  yield Buffer.concat([rest, chunk.subarray(0, end)]);
  for (;;) {
    start = end + 1;
    end = chunk.indexOf(0x0a, start);
    if (end === -1) return chunk.subarray(start);
    yield chunk.subarray(start, end);
  }
}

/** The files of a snapshot that a comparison reads. */
const COMPARED_FILES = [
  'dictionaries.json',
  'products.ndjson',
  'deals.ndjson',
  'provenance.ndjson',
] as const satisfies readonly SnapshotFile[];

type ComparedFile = (typeof COMPARED_FILES)[number];

/** The lines of a file of a snapshot, from its beginning each time it is called. */
export type SnapshotLines<File extends SnapshotFile = ComparedFile> = (file: File) => Iterable<string | Buffer>;

/** The lines of a published snapshot: of the files that a comparison reads, and of `others`. @throws as `openFileLines` */
export function openSnapshotLines<Other extends SnapshotFile = never>(
  store: string,
  manifest: Manifest,
  others: readonly Other[] = [],
): SnapshotLines<ComparedFile | Other> {
  return openFileLines(store, manifest, [...COMPARED_FILES, ...others]);
}

/**
 * The lines of some files of a published snapshot. A file that changes while it is read throws at its end.
 * @throws {SnapshotError} when a file is not what was published
 */
export function openFileLines<File extends SnapshotFile>(
  store: string,
  { id, files }: Manifest,
  names: readonly File[],
): (file: File) => Iterable<Buffer> {
  for (const name of names) verifyHash(snapshotPath(store, id, name), files[name].sha256);
  return (name) => readPublishedLines(snapshotPath(store, id, name), files[name].sha256);
}

function* readPublishedLines(path: string, expected: string): Generator<Buffer, undefined> {
  const { sha256: got } = yield* readLines(path);
  if (got !== expected) throw new SnapshotError({ code: 'wrong-hash', file: path, expected, got });
}

/** The pictures that a snapshot shows. @throws {SnapshotError} when the list is not what was published */
export function readPictures(store: string, manifest: Manifest): readonly PictureLine[] {
  const file = 'pictures.ndjson';
  return [...parseLines<PictureLine>(openFileLines(store, manifest, [file])(file), file)];
}

/** What a build reported with a snapshot. @throws {SnapshotError} when it is not what was published */
export function readReport(store: string, manifest: Manifest): SnapshotReport {
  const file = 'report.json';
  const value = parseLine(file, [...openFileLines(store, manifest, [file])(file)].join('\n'), 1);
  return checkShape(snapshotReportSchema, value, file, undefined);
}

/** The lines were checked against their schemas, or are about to be. */
export function readDictionaries(lines: SnapshotLines): Dictionaries {
  return parseLine('dictionaries.json', [...lines('dictionaries.json')].join('\n'), 1) as Dictionaries;
}

/** @throws {SnapshotError} `malformed-file` for a line that is not JSON */
export function* parseLines<Line>(lines: Iterable<string | Buffer>, file: SnapshotFile): Generator<Line, undefined> {
  let number = 0;
  for (const line of lines) yield parseLine(file, line, ++number) as Line;
}

/** @throws {SnapshotError} when the file is not there, or is not what was published */
export function verifyHash(path: string, expected: string): void {
  let got: string;
  try {
    got = hashFile(path).sha256;
  } catch (error) {
    throw unreadable(path, error);
  }
  if (got !== expected) throw new SnapshotError({ code: 'wrong-hash', file: path, expected, got });
}

// For a server: the lines come while requests run.

/** At first: a longer line makes it larger. */
const FIRST_BUFFER_BYTES = 512 * 1024;
/** How long the lines may be worked on before requests run. */
const SLICE_MS = 5;
const LINE_BREAK = 0x0a;

/**
 * The lines of a file of a snapshot, each valid until the next one is requested. Lets requests run in between. It ends
 * with an error unless the file has the size and the hash of the manifest; it reads no more than that size.
 * @throws {SnapshotError}
 */
export async function* readSnapshotLines(
  store: string,
  { id, files }: Manifest,
  name: keyof Manifest['files'],
): AsyncGenerator<Buffer> {
  const file = snapshotPath(store, id, name);
  const { bytes: expectedBytes, sha256 } = files[name];
  const hash = createHash('sha256');
  const handle = await openRegularHandle(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    // One buffer: while V8 is marking, as it does when a snapshot is loaded, each allocation may cost 10 ms.
    let buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
    /** The bytes at the start of the buffer that begin a line. */
    let begun = 0;
    let total = 0;
    let sliceEnd = performance.now() + SLICE_MS;
    for (;;) {
      if (begun === buffer.length) buffer = Buffer.concat([buffer], begun * 2);
      const { bytesRead } = await handle.read(buffer, begun, buffer.length - begun);
      if (bytesRead === 0) break;
      total += bytesRead;
      if (total > expectedBytes) throw wrongLength(file, expectedBytes, 'more');
      const filled = buffer.subarray(0, begun + bytesRead);
      hash.update(filled.subarray(begun));
      let start = 0;
      for (let end = filled.indexOf(LINE_BREAK, begun); end !== -1; end = filled.indexOf(LINE_BREAK, start)) {
        yield filled.subarray(start, end);
        start = end + 1;
        if (performance.now() < sliceEnd) continue;
        await nextTick();
        sliceEnd = performance.now() + SLICE_MS;
      }
      filled.copyWithin(0, start);
      begun = filled.length - start;
    }
    if (begun > 0) yield buffer.subarray(0, begun);
    if (total < expectedBytes) throw wrongLength(file, expectedBytes, String(total));
    const got = hash.digest('hex');
    if (got !== sha256) throw new SnapshotError({ code: 'wrong-hash', file, expected: sha256, got });
  } catch (error) {
    throw error instanceof SnapshotError ? error : unreadable(file, error);
  } finally {
    await handle.close();
  }
}

function wrongLength(file: string, expectedBytes: number, got: string): SnapshotError {
  return malformed(file, undefined, `${expectedBytes} bytes`, got);
}
