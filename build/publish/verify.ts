import { statSync } from 'node:fs';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import { createPublishedSchema, PUBLISHED_FILES, type PublishedFile } from '../../data/schema/published-schema.ts';
import { CatalogueReader } from '../../data/snapshot/catalogue-reader.ts';
import {
  SERVED_FILES,
  SNAPSHOT_FILES,
  type Manifest,
  type PictureLine,
  type ServedFile,
  type SnapshotFile,
} from '../../data/snapshot/format.ts';
import { malformed, parseLine, SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { snapshotFolder } from '../../data/store/layout.ts';
import { findFileFault, readLines } from '../../data/store/lines.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { readManifest } from '../../data/store/snapshots.ts';

/**
 * All errors of a published snapshot: hashes, schemas, pictures, and what the server checks.
 * @throws {SnapshotError} when there is no such snapshot
 */
export function verifySnapshot(store: string, id: string): readonly SnapshotError[] {
  let manifest: Manifest;
  try {
    manifest = readManifest(store, id);
  } catch (error) {
    const isDamaged = error instanceof SnapshotError && error.code !== 'unknown-snapshot';
    if (isDamaged) return [error];
    throw error;
  }
  const { faults, counts, pictures } = checkSnapshot(snapshotFolder(store, id), manifest.files);
  return [
    ...findWrongCounts(manifest, counts),
    ...faults,
    ...pictures.flatMap(({ path, ...written }) => findFileFault(join(store, path), written, path) ?? []),
  ];
}

/** Without counts, the snapshot cannot be loaded, and they are not compared. */
function findWrongCounts(manifest: Manifest, counts: Partial<Manifest['counts']> = {}): SnapshotError[] {
  return Object.entries(counts).flatMap(([name, count]) => {
    const got = String(manifest.counts[name as keyof Manifest['counts']]);
    return got === String(count) ? [] : [malformed('manifest.json', undefined, `counts.${name} ${count}`, got)];
  });
}

/** What was found in the files of a snapshot. */
interface CheckedSnapshot {
  readonly faults: readonly SnapshotError[];
  /** Undefined when the snapshot cannot be loaded. */
  readonly counts: Manifest['counts'] | undefined;
  readonly pictures: readonly PictureLine[];
}

/**
 * Checks the files of a snapshot on the disk: their bytes, each line against its published schema, and the served files by
 * the reader that will serve them. Publishing and verifying both use it.
 */
export function checkSnapshot(folder: string, files: Manifest['files']): CheckedSnapshot {
  const faults: SnapshotError[] = [];
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
      faults.push(error);
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
    const fault = findFileFault(path, files[file], file);
    if (fault !== undefined) faults.push(fault);
    if (fault?.code === 'unreadable-file') {
      reader = undefined;
      continue;
    }
    let line = 0;
    for (const text of file.endsWith('.json') ? [readRegularFile(path)] : readLines(path)) {
      line++;
      collectFault(() => checkLine(file, text, line));
    }
  }
  collectFault(() => {
    const index = reader?.finish();
    counts = index && {
      products: index.products.length,
      deals: index.deals.rowCount,
      gifts: index.gifts.length,
      giftCategories: index.giftCategories.length,
      networks: index.networks.length,
      retailers: index.retailers.length,
      manufacturers: index.manufacturers.length,
      pictures: index.pictures.size,
      quarantined,
    };
  });
  return { faults, counts, pictures };
}

function isServed(file: SnapshotFile): file is ServedFile {
  return (SERVED_FILES as readonly SnapshotFile[]).includes(file);
}

let validators: ReadonlyMap<PublishedFile, ValidateFunction> | undefined;

/**
 * Checks a line of `file` (the whole of a `.json`) against its published JSON Schema, and returns what is wrong with it.
 * The schemas are made from the shapes that the build itself works with. Another implementation checks them here, as a
 * reader in another language would.
 */
export function findSchemaFault(file: PublishedFile, value: unknown): string | undefined {
  validators ??= compileSchemas();
  const validate = validators.get(file);
  if (validate?.(value) === true) return undefined;
  const [error] = validate?.errors ?? [];
  if (error === undefined) return 'the published schema is not met';
  const detail = error.keyword === 'additionalProperties' ? ` (${String(error.params.additionalProperty)})` : '';
  return `${error.instancePath === '' ? 'the value' : error.instancePath} ${error.message ?? error.keyword}${detail}`;
}

function compileSchemas(): ReadonlyMap<PublishedFile, ValidateFunction> {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv, ['date-time']);
  return new Map(PUBLISHED_FILES.map((file) => [file, ajv.compile(createPublishedSchema(file))] as const));
}
