import { setImmediate as nextTick } from 'node:timers/promises';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { CatalogueReader } from '../../data/snapshot/catalogue-reader.ts';
import { SERVED_FILES, type Manifest, type ServedFile } from '../../data/snapshot/format.ts';
import { malformed, parseLine } from '../../data/snapshot/snapshot-error.ts';
import { snapshotPath } from '../../data/store/layout.ts';
import { readSnapshotLines } from '../../data/store/lines.ts';
import { readManifest } from '../../data/store/snapshots.ts';
import { createFragments, type Fragments } from '../json/write-body.ts';

/** A snapshot in memory: its index, and the JSON fragments made from it. Immutable. */
export interface LoadedSnapshot {
  readonly manifest: Manifest;
  readonly index: CatalogueIndex;
  readonly fragments: Fragments;
  /** The start of picture URLs; part of the `ETag`. */
  readonly pictureBaseUrl: string;
}

/**
 * Reads a whole snapshot. Compares every served file with its size and hash in the manifest, and checks every line. Yields
 * between lines, so that a server answers while it loads.
 * @param options `publicUrl` is the start of the URLs of rendered pictures, unless the manifest names another host
 * @throws {SnapshotError} what is wrong, and in which file and line
 */
export async function loadSnapshot(
  store: string,
  id: string,
  options: { readonly publicUrl: string },
): Promise<LoadedSnapshot> {
  const manifest = readManifest(store, id);
  const pictureBaseUrl = (manifest.imagesBaseUrl ?? options.publicUrl).replace(/\/$/, '');
  const expected = { dealCount: manifest.counts.deals, byteLength: manifest.files['deals.ndjson'].bytes };
  const reader = new CatalogueReader({ pictureBaseUrl, expected });
  for (const name of SERVED_FILES) await readServedFile(store, manifest, name, reader);
  await nextTick();
  const index = reader.finish();
  await nextTick();
  const counted = { products: index.products.length, deals: index.deals.rowCount };
  if (counted.products !== manifest.counts.products || counted.deals !== manifest.counts.deals) {
    const expected = `${counted.products} products and ${counted.deals} deals, as in the files`;
    const got = `${manifest.counts.products} and ${manifest.counts.deals}`;
    throw malformed(snapshotPath(store, id, 'manifest.json'), undefined, expected, got);
  }
  return { manifest, index, fragments: createFragments(index), pictureBaseUrl };
}

/**
 * Compares the served files of a snapshot with its manifest, without parsing them.
 * @throws {SnapshotError} what is wrong, and in which file
 */
export async function checkServedFiles(store: string, manifest: Manifest): Promise<void> {
  for (const name of SERVED_FILES) for await (const _ of readSnapshotLines(store, manifest, name));
}

/** @throws {SnapshotError} what is wrong with the file, or with a line */
async function readServedFile(
  store: string,
  manifest: Manifest,
  name: ServedFile,
  reader: CatalogueReader,
): Promise<void> {
  let lineNumber = 0;
  let fault: unknown;
  for await (const line of readSnapshotLines(store, manifest, name)) {
    lineNumber++;
    // After an error the file is read to its end: a wrong hash is a better message than a line that makes no sense.
    if (fault !== undefined) continue;
    try {
      reader.take(name, parseLine(name, line, lineNumber), lineNumber);
    } catch (error) {
      fault = error;
    }
  }
  if (fault !== undefined) throw fault;
}
