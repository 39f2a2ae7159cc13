import type { FileHandle } from 'node:fs/promises';
import { SnapshotError, unreadable } from '../../data/snapshot/snapshot-error.ts';
import { openRegularHandle } from '../../data/store/regular-file.ts';
import type { TimeSlice } from '../http/scheduler.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * The bytes of a file of known length. A chunk is valid until the next but one is requested: while one is parsed, the next
 * is read. Stops at the first byte beyond the known length.
 * @throws {SnapshotError} when it cannot be read, or has another length
 */
export async function* readChunks(file: string, expectedBytes: number): AsyncGenerator<Buffer> {
  let handle: FileHandle;
  try {
    handle = await openRegularHandle(file);
  } catch (error) {
    throw unreadable(file, error);
  }
  let reading = readInto(handle, Buffer.allocUnsafeSlow(CHUNK_BYTES));
  try {
    let spare: Buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let total = 0;
    for (;;) {
      const { bytesRead, buffer } = await reading;
      if (bytesRead === 0) break;
      total += bytesRead;
      if (total > expectedBytes) throw wrongLength(file, expectedBytes, 'more');
      reading = readInto(handle, spare);
      spare = buffer;
      yield buffer.subarray(0, bytesRead);
    }
    if (total < expectedBytes) throw wrongLength(file, expectedBytes, String(total));
  } catch (error) {
    throw error instanceof SnapshotError ? error : unreadable(file, error);
  } finally {
    // The handle is closed after the read has ended or failed.
    await reading.catch(() => undefined);
    await handle.close();
  }
}

function readInto(handle: FileHandle, buffer: Buffer): Promise<{ bytesRead: number; buffer: Buffer }> {
  const reading = handle.read(buffer, 0, buffer.length);
  // It may fail before it is awaited, which is no unhandled rejection: the later `await` still throws.
  reading.catch(() => undefined);
  return reading;
}

function wrongLength(file: string, expectedBytes: number, got: string): SnapshotError {
  return new SnapshotError({ code: 'malformed-file', file, expected: `${expectedBytes} bytes`, got });
}

/**
 * Collects the start of a line that continues in the next chunk. Uses one buffer: while V8 is marking, as it does when a
 * snapshot is loaded, each allocation may cost 10 ms.
 */
export class LineBuffer {
  #bytes = Buffer.allocUnsafeSlow(512 * 1024);
  #byteLength = 0;

  get isEmpty(): boolean {
    return this.#byteLength === 0;
  }

  add(part: Buffer): void {
    const byteLength = this.#byteLength + part.length;
    if (byteLength > this.#bytes.length) {
      const wider = Buffer.allocUnsafeSlow(byteLength * 2);
      this.#bytes.copy(wider, 0, 0, this.#byteLength);
      this.#bytes = wider;
    }
    part.copy(this.#bytes, this.#byteLength);
    this.#byteLength = byteLength;
  }

  /** The whole line, valid until the next one is added. */
  finish(end: Buffer): Buffer {
    if (this.isEmpty) return end;
    this.add(end);
    const line = this.#bytes.subarray(0, this.#byteLength);
    this.#byteLength = 0;
    return line;
  }
}

const LINE_BREAK = 0x0a;

/**
 * Hands over the lines that end in a chunk, each with the offset after it, and keeps the start of the next line. Yields
 * to the event loop between lines. Stops when `take` returns false, and returns whether it did not.
 */
export async function takeLines(
  chunk: Buffer,
  begun: LineBuffer,
  slice: TimeSlice,
  take: (line: Buffer, end: number) => boolean,
): Promise<boolean> {
  let start = 0;
  for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, start)) {
    const line = begun.finish(chunk.subarray(start, end));
    start = end + 1;
    if (!take(line, start)) return false;
    if (slice.isUsedUp) await slice.yieldToEventLoop();
  }
  begun.add(chunk.subarray(start));
  return true;
}
