import type { Published } from '../../data/schema/published-schema.ts';
import type { Manifest, RECORD_FILES } from '../../data/snapshot/format.ts';
import { parseLine } from '../../data/snapshot/snapshot-error.ts';
import { snapshotPath } from '../../data/store/layout.ts';
import { TimeSlice } from '../http/scheduler.ts';
import { LineBuffer, readChunks, takeLines } from '../snapshot/read-chunks.ts';

type RecordFile = (typeof RECORD_FILES)[number];

/**
 * Hands over the value of every line of a file. One chunk is in memory at a time, and other requests run in between.
 * @throws {SnapshotError} when the file cannot be read, or is not what the manifest says
 */
export async function readLines<File extends RecordFile>(
  store: string,
  { id, files }: Manifest,
  file: File,
  signal: AbortSignal | undefined,
  take: (value: Published<File>, line: number) => void,
): Promise<void> {
  const begun = new LineBuffer();
  const slice = new TimeSlice();
  let line = 0;
  for await (const chunk of readChunks(snapshotPath(store, id, file), files[file].bytes)) {
    signal?.throwIfAborted();
    await takeLines(chunk, begun, slice, (bytes) => {
      // The build has checked every line against its schema.
      take(parseLine(file, bytes, ++line) as Published<File>, line);
      return true;
    });
  }
}
