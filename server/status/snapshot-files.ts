import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Manifest, SnapshotFile } from '../../data/snapshot/format.ts';
import { SnapshotError, unreadable } from '../../data/snapshot/snapshot-error.ts';
import { snapshotPath } from '../../data/store/layout.ts';
import { isErrorCode, openRegularHandle } from '../../data/store/regular-file.ts';
import { TimeSlice } from '../http/scheduler.ts';
import { LineBuffer, takeLines } from '../snapshot/read-chunks.ts';

/** A report lists some hundred samples, and changes a hundred of a kind: both are far below this. */
const MAX_WHOLE_BYTES = 32_000_000;

export function listFile(store: string, { id, files }: Manifest, name: SnapshotFile): ListedFile {
  return { store, snapshot: id, path: snapshotPath(store, id, name), bytes: files[name].bytes };
}

/**
 * The value of a JSON file of a snapshot. The build checked its schema, and the hash shows that it has not changed.
 * @throws {SnapshotError} `unknown-snapshot` when the snapshot is no longer in the store, else what is wrong with the file
 */
export async function readValue(store: string, manifest: Manifest, name: SnapshotFile): Promise<unknown> {
  const file = listFile(store, manifest, name);
  if (file.bytes > MAX_WHOLE_BYTES) {
    const got = String(file.bytes);
    throw new SnapshotError({ code: 'too-large', file: file.path, maxBytes: MAX_WHOLE_BYTES, got });
  }
  const bytes = await readListed(file);
  const expected = manifest.files[name].sha256;
  const got = hash('sha256', bytes, 'hex');
  if (got !== expected) throw new SnapshotError({ code: 'wrong-hash', file: file.path, expected, got });
  return JSON.parse(bytes.toString('utf8'));
}

const CHUNK_BYTES = 256 * 1024;
const LINE_BREAK = 0x0a;

/** A file of a snapshot, with its length in the manifest. */
export interface ListedFile {
  readonly store: string;
  readonly snapshot: string;
  readonly path: string;
  readonly bytes: number;
}

export interface ScanOptions {
  /** The start of a line; default the first. */
  readonly from?: number;
  /** About how many bytes to scan; default the whole file. */
  readonly maxBytes?: number;
  /** Aborts the scan when the client is gone. */
  readonly signal: AbortSignal;
}

/**
 * Scans the lines of a file, which may have a gigabyte: one chunk is in memory at a time, and other requests run in
 * between. A line is valid until `take` returns, which says whether to continue.
 * @returns the byte offset of the next line; undefined at the end of the file
 * @throws {SnapshotError} `unknown-snapshot` when the snapshot is no longer in the store, else what is wrong with the file
 */
export async function scanLines(
  file: ListedFile,
  { from = 0, maxBytes = Number.POSITIVE_INFINITY, signal }: ScanOptions,
  take: (line: Buffer, offset: number) => boolean,
): Promise<number | undefined> {
  const handle = await openListed(file);
  try {
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const begun = new LineBuffer();
    const slice = new TimeSlice();
    let lineOffset = from;
    for (let offset = from; ;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, offset);
      if (bytesRead === 0) break;
      const isAsked = await takeLines(chunk.subarray(0, bytesRead), begun, slice, (line, end) => {
        const goesOn = take(line, lineOffset);
        lineOffset = offset + end;
        return goesOn;
      });
      offset += bytesRead;
      // A line that is longer than `maxBytes` is read to its end: the next scan would come no further.
      if (!isAsked || (offset - from >= maxBytes && lineOffset > from)) {
        return lineOffset < file.bytes ? lineOffset : undefined;
      }
    }
    if (!begun.isEmpty) take(begun.finish(Buffer.alloc(0)), lineOffset);
    return undefined;
  } finally {
    await handle.close();
  }
}

/** Whether a line of the file begins at `offset`. @throws {SnapshotError} as `scanLines` */
export async function isLineStart(file: ListedFile, offset: number): Promise<boolean> {
  if (offset === 0) return true;
  if (offset >= file.bytes) return false;
  const handle = await openListed(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, offset - 1);
    return buffer[0] === LINE_BREAK;
  } finally {
    await handle.close();
  }
}

/** The whole of a short file. @throws {SnapshotError} as `scanLines`, also when it is longer than it should be */
async function readListed(file: ListedFile): Promise<Buffer> {
  const handle = await openListed(file);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function openListed({ store, snapshot, path, bytes }: ListedFile): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await openRegularHandle(path);
  } catch (error) {
    if (!isErrorCode(error, 'ENOENT')) throw unreadable(path, error);
    throw new SnapshotError({ code: 'unknown-snapshot', store, id: snapshot });
  }
  const { size } = await handle.stat();
  if (size === bytes) return handle;
  await handle.close();
  throw new SnapshotError({ code: 'malformed-file', file: path, expected: `${bytes} bytes`, got: String(size) });
}
