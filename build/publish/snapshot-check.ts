import { statSync } from 'node:fs';
import { join } from 'node:path';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
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
import type { WrittenFile } from '../../data/store/manifest.ts';
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
  let counts: CheckedSnapshot['counts'];
  const byteLength = statSync(join(folder, 'deals.ndjson'), { throwIfNoEntry: false })?.size ?? 0;
  // None after its first fault: what follows from it says nothing.
  let reader: CatalogueReader | undefined = new CatalogueReader({
    pictureBaseUrl: '',
    expected: { dealCount: byteLength, byteLength },
  });
  const collectFault = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error;
      faults.push(error.details);
      reader = undefined;
    }
  };
  const checkLine = (file: SnapshotFile, text: string | Buffer, line: number): void => {
    const value = parseLine(file, text, line);
    const fault = findSchemaFault(file, value);
    if (fault !== undefined) throw malformed(file, line, 'the published schema', fault);
    // The schemas are those of these types.
    if (file === 'pictures.ndjson') pictures.push(value as PictureLine);
    if (file === 'quarantine.ndjson' && NOTICES[(value as Notice).code].outcome === 'quarantined') quarantined++;
    if (isServed(file)) reader?.take(file, value, line);
  };
  for (const file of SNAPSHOT_FILES) {
    const path = join(folder, file);
    try {
      const fault = findFileFault(path, file, files[file]);
      if (fault !== undefined) faults.push(fault);
      let line = 0;
      for (const text of file.endsWith('.json') ? [readRegularFile(path)] : readLines(path)) {
        line++;
        collectFault(() => checkLine(file, text, line));
      }
    } catch (error) {
      collectFault(() => {
        throw unreadable(file, error);
      });
    }
  }
  collectFault(() => {
    const index = reader?.finish();
    counts = index && { ...countRecords(index), quarantined };
  });
  return { faults, counts, pictures };
}

/** What is wrong with the bytes of a file. */
function findFileFault(path: string, file: SnapshotFile, expected: WrittenFile): SnapshotErrorDetails | undefined {
  const found = hashFile(path);
  if (found.sha256 !== expected.sha256) {
    return { code: 'wrong-hash', file, expected: expected.sha256, got: found.sha256 };
  }
  // Then the manifest is wrong, which a server relies on.
  const isSame = found.bytes === expected.bytes;
  return isSame ? undefined : malformed(file, undefined, `${expected.bytes} bytes`, String(found.bytes)).details;
}

function countRecords(index: CatalogueIndex): Omit<Manifest['counts'], 'quarantined'> {
  return {
    products: index.products.length,
    deals: index.deals.rowCount,
    gifts: index.gifts.length,
    giftCategories: index.giftCategories.length,
    networks: index.networks.length,
    retailers: index.retailers.length,
    manufacturers: index.manufacturers.length,
    pictures: index.pictures.size,
  };
}

function isServed(file: SnapshotFile): file is ServedFile {
  return (SERVED_FILES as readonly SnapshotFile[]).includes(file);
}
