import { join } from 'node:path';
import type { Manifest, SnapshotFile } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { snapshotFolder } from '../publish/store-layout.ts';
import { hashFile, readLines } from '../publish/written-file.ts';

/** The files of a snapshot from which changes are told. */
const COMPARED_FILES = [
  'dictionaries.json',
  'products.ndjson',
  'deals.ndjson',
  'provenance.ndjson',
] as const satisfies readonly SnapshotFile[];

type ComparedFile = (typeof COMPARED_FILES)[number];

/** The lines of a file of a snapshot, from its beginning each time it is called. */
export type SnapshotLines<File extends SnapshotFile = ComparedFile> = (file: File) => Iterable<string | Buffer>;

/**
 * The lines of a published snapshot, of those files from which changes are told and of `others`.
 * @throws {SnapshotError} when a file is not what was published
 */
export function openSnapshotLines<Other extends SnapshotFile = never>(
  store: string,
  manifest: Manifest,
  others: readonly Other[] = [],
): SnapshotLines<ComparedFile | Other> {
  const folder = snapshotFolder(store, manifest.id);
  for (const file of [...COMPARED_FILES, ...others]) checkHash(join(folder, file), manifest.files[file].sha256);
  return (file) => readLines(join(folder, file));
}

/** @throws {SnapshotError} when the file is not there, or is not what was published */
export function checkHash(path: string, expected: string): void {
  let got: string;
  try {
    got = hashFile(path).sha256;
  } catch (error) {
    throw new SnapshotError({ code: 'unreadable-file', file: path, cause: (error as Error).message });
  }
  if (got !== expected) throw new SnapshotError({ code: 'wrong-hash', file: path, expected, got });
}
