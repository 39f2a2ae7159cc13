import type { Published } from '../../data/schema/published-schema.ts';
import type { Manifest, RECORD_FILES } from '../../data/snapshot/format.ts';
import { parseLine } from '../../data/snapshot/snapshot-error.ts';
import { readSnapshotLines } from '../snapshot/read-snapshot-lines.ts';

type RecordFile = (typeof RECORD_FILES)[number];

/**
 * Hands over the value of every line of a file. Other requests run in between.
 * @throws {SnapshotError} when the file cannot be read, or is not what the manifest says
 */
export async function readLines<File extends RecordFile>(
  store: string,
  manifest: Manifest,
  file: File,
  signal: AbortSignal | undefined,
  take: (value: Published<File>, line: number) => void,
): Promise<void> {
  let line = 0;
  for await (const bytes of readSnapshotLines(store, manifest, file)) {
    signal?.throwIfAborted();
    // The build has checked every line against its schema.
    take(parseLine(file, bytes, ++line) as Published<File>, line);
  }
}
