import { createHash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Manifest } from '../snapshot/format.ts';
import { malformed, SnapshotError, unreadable } from '../snapshot/snapshot-error.ts';
import { snapshotPath } from './layout.ts';
import { openRegularHandle } from './regular-file.ts';

/** At first: a longer line makes it larger. */
const BUFFER_BYTES = 512 * 1024;
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
    let buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
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
