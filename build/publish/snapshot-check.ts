import { statSync } from 'node:fs';
import { join } from 'node:path';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import { CatalogueReader } from '../../data/snapshot/catalogue-reader.ts';
import {
  SERVED_FILES,
  SNAPSHOT_FILES,
  type Manifest,
  type PictureLine,
  type ServedFile,
  type SnapshotFile,
} from '../../data/snapshot/format.ts';
import {
  malformed,
  parseLine,
  SnapshotError,
  unreadable,
  type SnapshotErrorDetails,
} from '../../data/snapshot/snapshot-error.ts';
import { hashFile, readLines } from '../../data/store/lines.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { findSchemaFault } from './schema-check.ts';

/** What was found in the files of a snapshot. */
interface CheckedSnapshot {
  readonly faults: readonly SnapshotErrorDetails[];
  /** Undefined when the snapshot cannot be loaded. */
  readonly counts: Manifest['counts'] | undefined;
  readonly pictures: readonly PictureLine[];
}

/**
 * Checks the files of a snapshot on the disk: their bytes, each line against its published schema, and the served files by
 * the reader that will serve them. Publishing and verifying both use it.
 */
export function checkSnapshot(folder: string, files: Manifest['files']): CheckedSnapshot {
  const faults: SnapshotErrorDetails[] = [];
  const pictures: PictureLine[] = [];
  let quarantined = 0;
  const byteLength = statSync(join(folder, 'deals.ndjson'), { throwIfNoEntry: false })?.size ?? 0;
  // None after its first fault: what follows from it says nothing.
  let reader: CatalogueReader | undefined = new CatalogueReader({
    pictureBaseUrl: '',
    expected: { dealCount: byteLength, byteLength },
  });
  for (const file of SNAPSHOT_FILES) {
    try {
      checkFile(file);
    } catch (error) {
      addError(unreadable(file, error));
    }
  }
  return { faults, counts: countRecords(), pictures };

  function checkFile(file: SnapshotFile): void {
    const path = join(folder, file);
    const expected = files[file];
    const found = hashFile(path);
    if (found.sha256 !== expected.sha256) {
      faults.push({ code: 'wrong-hash', file, expected: expected.sha256, got: found.sha256 });
    } else if (found.bytes !== expected.bytes) {
      // Then the manifest is wrong, which a server relies on.
      faults.push(malformed(file, undefined, `${expected.bytes} bytes`, String(found.bytes)).details);
    }
    let line = 0;
    for (const text of file.endsWith('.json') ? [readRegularFile(path)] : readLines(path)) {
      checkLine(file, text, ++line);
    }
  }

  function checkLine(file: SnapshotFile, text: string | Buffer, line: number): void {
    try {
      const value = parseLine(file, text, line);
      const fault = findSchemaFault(file, value);
      if (fault !== undefined) throw malformed(file, line, 'the published schema', fault);
      // The schemas are those of these types.
      if (file === 'pictures.ndjson') pictures.push(value as PictureLine);
      if (file === 'quarantine.ndjson' && NOTICES[(value as Notice).code].outcome === 'quarantined') quarantined++;
      if (isServed(file)) reader?.take(file, value, line);
    } catch (error) {
      addError(error);
    }
  }

  function addError(error: unknown): void {
    if (!(error instanceof SnapshotError)) throw error;
    faults.push(error.details);
    reader = undefined;
  }

  function countRecords(): CheckedSnapshot['counts'] {
    try {
      const index = reader?.finish();
      return (
        index && {
          products: index.products.length,
          deals: index.deals.rowCount,
          gifts: index.gifts.length,
          giftCategories: index.giftCategories.length,
          networks: index.networks.length,
          retailers: index.retailers.length,
          manufacturers: index.manufacturers.length,
          pictures: index.pictures.size,
          quarantined,
        }
      );
    } catch (error) {
      addError(error);
      return undefined;
    }
  }
}

function isServed(file: SnapshotFile): file is ServedFile {
  return (SERVED_FILES as readonly SnapshotFile[]).includes(file);
}
