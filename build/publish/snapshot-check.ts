import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { CatalogueReader } from '../../data/snapshot/catalogue-reader.ts';
import {
  SERVED_FILES,
  type Manifest,
  type PictureLine,
  type ServedFile,
  type SnapshotFile,
} from '../../data/snapshot/format.ts';
import {
  malformedLine,
  parseLine,
  SnapshotError,
  unreadable,
  type SnapshotErrorDetails,
} from '../../data/snapshot/snapshot-error.ts';
import { readLines } from '../../data/store/lines.ts';
import type { WrittenFile } from '../../data/store/manifest.ts';
import { RecordRules, type Contradiction } from './record-rules.ts';
import { checkAgainstSchema } from './schema-check.ts';

/**
 * Checks the files of a snapshot on the disk: their bytes, each line against its published schema, the served files by the
 * reader that will serve them, the others by their rules. Publishing and verifying both use it. Files are given in the
 * order of `SNAPSHOT_FILES`.
 */
export class SnapshotCheck {
  readonly faults: SnapshotErrorDetails[] = [];
  readonly #folder: string;
  readonly #rules = new RecordRules();
  /** Undefined after its first fault: what follows from it says nothing. */
  #reader: CatalogueReader | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    const byteLength = statSync(join(folder, 'deals.ndjson'), { throwIfNoEntry: false })?.size ?? 0;
    this.#reader = new CatalogueReader({ pictureBaseUrl: '', expected: { dealCount: byteLength, byteLength } });
  }

  get pictures(): readonly PictureLine[] {
    return this.#rules.pictures;
  }

  read(file: SnapshotFile, expected: WrittenFile): void {
    const position = this.faults.length;
    let found: WrittenFile;
    try {
      found = this.#readLines(file);
    } catch (error) {
      this.#addError(unreadable(file, error));
      return;
    }
    this.#addFaults(file, undefined, this.#rules.finish(file));
    // The hash comes first: faults of lines follow from a wrong one.
    if (found.sha256 !== expected.sha256) {
      this.faults.splice(position, 0, { code: 'wrong-hash', file, expected: expected.sha256, got: found.sha256 });
    } else if (found.bytes !== expected.bytes) {
      // Then the manifest is wrong, which a server relies on.
      this.#addFaults(file, undefined, [{ expected: `${expected.bytes} bytes`, got: found.bytes }]);
    }
  }

  /** The counts of a manifest, after the last file; undefined when the snapshot cannot be loaded. */
  finish(): Manifest['counts'] | undefined {
    let index: CatalogueIndex | undefined;
    try {
      index = this.#reader?.finish();
    } catch (error) {
      this.#addError(error);
    }
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
        quarantined: this.#rules.quarantinedCount,
      }
    );
  }

  #readLines(file: SnapshotFile): WrittenFile {
    const lines = readLines(join(this.#folder, file));
    const isWhole = file.endsWith('.json') && !isServed(file);
    const texts: string[] = [];
    for (let line = 1; ; line++) {
      const { done, value } = lines.next();
      if (done === true) {
        if (isWhole) this.#checkLine(file, texts.join('\n'), 1);
        return value;
      }
      if (isWhole) texts.push(value.toString());
      else this.#checkLine(file, value, line);
    }
  }

  #checkLine(file: SnapshotFile, bytes: string | Buffer, line: number): void {
    try {
      const value = parseLine(file, bytes, line);
      const check = checkAgainstSchema(file, value);
      if (check.kind === 'faulty') throw malformedLine(file, line, 'the published schema', check.fault);
      this.#addFaults(file, line, this.#rules.take(file, check.value));
      if (isServed(file)) this.#reader?.take(file, value, line);
    } catch (error) {
      this.#addError(error);
    }
  }

  #addFaults(file: SnapshotFile, line: number | undefined, contradictions: Iterable<Contradiction>): void {
    for (const { expected, got } of contradictions) {
      this.faults.push(malformedLine(file, line, expected, JSON.stringify(got)).details);
    }
  }

  #addError(error: unknown): void {
    if (!(error instanceof SnapshotError)) throw error;
    this.faults.push(error.details);
    this.#reader = undefined;
  }
}

function isServed(file: SnapshotFile): file is ServedFile {
  return (SERVED_FILES as readonly SnapshotFile[]).includes(file);
}
