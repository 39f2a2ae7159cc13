import type { Published } from '../../data/schema/published-schema.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow } from '../../data/snapshot/column.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { retailerOf, SEARCHED_FILES, type DealHit, type SearchedFile } from '../../data/store/snapshot-search.ts';
import { snapshotPath } from '../../data/store/layout.ts';
import { readLines, verifyHash } from '../../data/store/lines.ts';

/** The lines of a file, from its beginning each time it is called. */
export type RecordLines = (file: SearchedFile) => Iterable<Buffer>;

/**
 * The records of a published snapshot.
 * @throws {SnapshotError} when a file is not what was published
 */
export function openRecordLines(store: string, manifest: Manifest): RecordLines {
  for (const file of SEARCHED_FILES) {
    verifyHash(snapshotPath(store, manifest.id, file), manifest.files[file].sha256);
  }
  return (file) => readLines(snapshotPath(store, manifest.id, file));
}

/** The values of a file, one a line. */
export function* readValues<File extends SearchedFile>(lines: RecordLines, file: File): Generator<Published<File>> {
  // Lines were checked against their schema when they were published, and their hash is unchanged.
  for (const line of lines(file)) yield JSON.parse(line.toString('utf8')) as Published<File>;
}

/** The location of a served deal in its source. */
export type DealLocation = Pick<DealHit, 'key' | 'origin'> & { readonly retailer: string };

/** The deals of some rows. */
export function readDealLocations(
  lines: RecordLines,
  index: CatalogueIndex,
  rows: ReadonlySet<DealRow>,
): ReadonlyMap<DealRow, DealLocation> {
  const found = new Map<DealRow, DealLocation>();
  if (rows.size === 0) return found;
  let position = 0;
  for (const { source, file, line, key } of readValues(lines, 'provenance.ndjson')) {
    for (let i = 0; i < key.length; i++) {
      const row = rowAt<'deal'>(position++);
      if (!rows.has(row)) continue;
      // The arrays of a line were checked to have equal lengths before it was published.
      const origin = { source: source[i] as string, file: file[i] as string, line: line[i] as number };
      found.set(row, { key: key[i] as string, origin, retailer: retailerOf(index, row) });
    }
  }
  return found;
}
