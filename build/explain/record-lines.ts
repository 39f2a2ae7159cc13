import { join } from 'node:path';
import { SEARCHED_FILES, type SearchedFile } from '../../data/report/snapshot-search.ts';
import type { Published } from '../../data/schema/published-schema.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { checkHash } from '../changes/snapshot-lines.ts';
import { snapshotFolder } from '../publish/store-layout.ts';
import { readLines } from '../publish/written-file.ts';

/** The lines of a file, from its beginning each time it is called. */
export type RecordLines = (file: SearchedFile) => Iterable<Buffer>;

/**
 * The records of a published snapshot.
 * @throws {SnapshotError} when a file is not what was published
 */
export function openRecordLines(store: string, manifest: Manifest): RecordLines {
  const folder = snapshotFolder(store, manifest.id);
  for (const file of SEARCHED_FILES) checkHash(join(folder, file), manifest.files[file].sha256);
  return (file) => readLines(join(folder, file));
}

/** The values of a file, one a line. */
export function* readValues<File extends SearchedFile>(lines: RecordLines, file: File): Generator<Published<File>> {
  // Lines were held to their schema when they were published, and their hash is what it was then.
  for (const line of lines(file)) yield JSON.parse(line.toString('utf8')) as Published<File>;
}
