import { join } from 'node:path';
import type { Published } from '../../data/schema/published-schema.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { checkHash } from '../changes/snapshot-lines.ts';
import { snapshotFolder } from '../publish/store-layout.ts';
import { readLines } from '../publish/written-file.ts';

/** The files that tell where what is served came from, and what became of the rest. */
const TRACED_FILES = ['product-origins.ndjson', 'provenance.ndjson', 'quarantine.ndjson', 'notices.ndjson'] as const;

type TracedFile = (typeof TRACED_FILES)[number];

/** The values of a file, one a line, from its beginning each time it is called. */
export type RecordLines = <File extends TracedFile>(file: File) => Iterable<Published<File>>;

/**
 * The records of a published snapshot.
 * @throws {SnapshotError} when a file is not what was published
 */
export function openRecordLines(store: string, manifest: Manifest): RecordLines {
  const folder = snapshotFolder(store, manifest.id);
  for (const file of TRACED_FILES) checkHash(join(folder, file), manifest.files[file].sha256);
  return (file) => readValues(join(folder, file));
}

function* readValues<Value>(path: string): Generator<Value> {
  // Lines were held to their schema when they were published, and their hash is what it was then.
  for (const line of readLines(path)) yield JSON.parse(line.toString('utf8')) as Value;
}
