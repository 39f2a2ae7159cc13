import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { z } from 'zod';
import { snapshotReportSchema, type SnapshotReport } from '../report/report.ts';
import type { Dictionaries, Manifest, SnapshotFile } from '../snapshot/format.ts';
import {
  checkShape,
  malformed,
  parseLine,
  type SnapshotError,
  unreadable,
  wrongHash,
} from '../snapshot/snapshot-error.ts';
import { createDurably } from './durable-file.ts';
import { snapshotPath } from './layout.ts';
import type { WrittenFile } from './manifest.ts';
import { openRegularFile, writeAll } from './regular-file.ts';
import { withPathInErrors } from './system-error.ts';

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
    for (let bytes = 0; ;) {
      const length = withPathInErrors(path, () => readSync(descriptor, HASH_BUFFER));
      if (length === 0) return { bytes, sha256: hash.digest('hex') };
      hash.update(HASH_BUFFER.subarray(0, length));
      bytes += length;
    }
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

/** At first: a longer line makes it larger. */
const FIRST_BUFFER_BYTES = 512 * 1024;
const LINE_BREAK = 0x0a;

/**
 * Yields the lines of a file, including a last one without a line break, each valid until the next is requested; returns size
 * and hash of the file. One buffer holds them in turn: while V8 is marking, as it does when a server loads a snapshot, each
 * allocation may cost 10 ms.
 */
export function* readLines(path: string): Generator<Buffer, WrittenFile> {
  const descriptor = openRegularFile(path);
  try {
    const hash = createHash('sha256');
    let buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
    let bytes = 0;
    /** The bytes at the start of the buffer that begin a line. */
    let begun = 0;
    for (;;) {
      if (begun === buffer.length) buffer = Buffer.concat([buffer], begun * 2);
      const room = buffer.subarray(begun);
      const length = withPathInErrors(path, () => readSync(descriptor, room));
      if (length === 0) break;
      hash.update(room.subarray(0, length));
      bytes += length;
      const filled = buffer.subarray(0, begun + length);
      let start = 0;
      for (let end = filled.indexOf(LINE_BREAK, begun); end !== -1; end = filled.indexOf(LINE_BREAK, start)) {
        yield filled.subarray(start, end);
        start = end + 1;
      }
      filled.copyWithin(0, start);
      begun = filled.length - start;
    }
    if (begun > 0) yield buffer.subarray(0, begun);
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    withPathInErrors(path, () => closeSync(descriptor));
  }
}

/** The files of a snapshot that a comparison reads. */
export const COMPARED_FILES = [
  'dictionaries.json',
  'products.ndjson',
  'deals.ndjson',
  'provenance.ndjson',
] as const satisfies readonly SnapshotFile[];

type ComparedFile = (typeof COMPARED_FILES)[number];

/** The lines of a file of a snapshot, from its beginning each time it is called. */
export type SnapshotLines<File extends SnapshotFile = ComparedFile> = (file: File) => Iterable<string | Buffer>;

/**
 * The lines of some files of a published snapshot, by default those that a comparison reads. A file that changes while it is
 * read throws at its end.
 * @throws {SnapshotError} when a file is not what was published
 */
export function openSnapshotLines<File extends SnapshotFile = ComparedFile>(
  store: string,
  manifest: Manifest,
  // Without names, the files are those of the default type.
  names: readonly File[] = COMPARED_FILES as readonly SnapshotFile[] as readonly File[],
): (file: File) => Iterable<Buffer> {
  for (const name of names) {
    const fault = findFileFault(snapshotPath(store, manifest.id, name), manifest.files[name]);
    if (fault !== undefined) throw fault;
  }
  return (name) => readPublishedLines(store, manifest, name);
}

function* readPublishedLines(store: string, { id, files }: Manifest, name: SnapshotFile): Generator<Buffer, undefined> {
  const path = snapshotPath(store, id, name);
  let fault: SnapshotError | undefined;
  try {
    fault = compareFile(path, yield* readLines(path), files[name]);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (fault !== undefined) throw fault;
}

/** How long the lines may be worked on before requests run. */
const SLICE_MS = 5;

/**
 * The lines of a file of a snapshot, each valid until the next one is requested, for a server: requests run in between. It
 * ends with an error unless the file has the size and the hash of the manifest.
 * @throws {SnapshotError}
 */
export async function* readSnapshotLines(
  store: string,
  manifest: Manifest,
  name: SnapshotFile,
): AsyncGenerator<Buffer> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const line of readPublishedLines(store, manifest, name)) {
    yield line;
    if (performance.now() < sliceEnd) continue;
    await nextTick();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

/** What is wrong with the bytes of a file. @param shown what the fault calls it */
export function findFileFault(path: string, expected: WrittenFile, shown = path): SnapshotError | undefined {
  try {
    return compareFile(shown, hashFile(path), expected);
  } catch (error) {
    return unreadable(shown, error);
  }
}

function compareFile(file: string, got: WrittenFile, { bytes, sha256 }: WrittenFile): SnapshotError | undefined {
  if (got.sha256 !== sha256) return wrongHash(file, sha256, got.sha256);
  if (got.bytes === bytes) return undefined;
  // Then what lists the file is wrong, which a server relies on.
  return malformed(file, undefined, `${bytes} bytes`, String(got.bytes));
}

/** The records of a published file. @throws {SnapshotError} when it is not what was published */
export function readRecords<Line>(store: string, manifest: Manifest, file: SnapshotFile): Generator<Line, undefined> {
  return parseLines<Line>(openSnapshotLines(store, manifest, [file])(file), file);
}

/** What a build reported with a snapshot. @throws {SnapshotError} when it is not what was published */
export function readReport(store: string, manifest: Manifest): SnapshotReport {
  return readPublishedValue(store, manifest, 'report.json', snapshotReportSchema);
}

/** The value of a published file that is one JSON value. @throws {SnapshotError} when it is not what was published */
export function readPublishedValue<Shape>(
  store: string,
  manifest: Manifest,
  file: SnapshotFile,
  schema: z.ZodType<Shape>,
): Shape {
  return checkShape(schema, parseWhole(file, openSnapshotLines(store, manifest, [file])(file)), file, undefined);
}

/** The lines were checked against their schemas, or are about to be. */
export function readDictionaries(lines: SnapshotLines): Dictionaries {
  return parseWhole('dictionaries.json', lines('dictionaries.json')) as Dictionaries;
}

function parseWhole(file: SnapshotFile, lines: Iterable<string | Buffer>): unknown {
  return parseLine(file, Array.from(lines, String).join('\n'), 1);
}

/** @throws {SnapshotError} `malformed-file` for a line that is not JSON */
export function* parseLines<Line>(lines: Iterable<string | Buffer>, file: SnapshotFile): Generator<Line, undefined> {
  let number = 0;
  for (const line of lines) yield parseLine(file, line, ++number) as Line;
}
