import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogueReader } from '../../data/snapshot/catalogue-reader.ts';
import {
  currentSchema,
  FORMAT_VERSION,
  manifestSchema,
  SERVED_FILES,
  SNAPSHOT_ID,
  type Manifest,
  type ServedFile,
} from '../../data/snapshot/format.ts';
import { describeContent } from '../../data/snapshot/content-text.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { BegunLine } from './begun-line.ts';
import { createOpenSnapshot, type OpenSnapshot } from './open-snapshot.ts';
import { readChunks, unreadable } from './read-chunks.ts';
import { Turn } from './turn.ts';

const LINE_BREAK = 0x0a;

export interface LoadOptions {
  /** What goes before the paths of rendered pictures, unless the manifest names another host for them. */
  readonly publicUrl: string;
  /** Bytes for hot answers; 0 keeps none. */
  readonly answerCacheBytes?: number;
}

/** The id that `current.json` names. @throws {SnapshotError} when there is none */
export async function readCurrentId(store: string): Promise<string> {
  const file = join(store, 'current.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) throw new SnapshotError({ code: 'no-snapshot', store });
    throw unreadable(file, error);
  }
  const result = currentSchema.safeParse(parseJson(file, text));
  if (result.success) return result.data.snapshot;
  throw new SnapshotError({
    code: 'malformed-file',
    file,
    expected: '{"snapshot": "<id>"}',
    got: JSON.stringify(text.slice(0, 80)),
  });
}

/** The manifests of a store that can be read, newest first by sequence. */
export async function listManifests(store: string): Promise<readonly Manifest[]> {
  const names = await readdir(store).catch((): string[] => []);
  const manifests: Manifest[] = [];
  for (const name of names.filter((candidate) => SNAPSHOT_ID.test(candidate))) {
    const manifest = await readListedManifest(store, name).catch(() => undefined);
    if (manifest !== undefined) manifests.push(manifest);
  }
  return manifests.sort((a, b) => b.sequence - a.sequence);
}

/**
 * Reads a snapshot whole: every served file compared with its size and hash in the manifest, every line checked. Gives
 * way between lines, so that a server goes on answering while it loads.
 * @throws {SnapshotError} what is wrong, and in which file and line
 */
export async function loadSnapshot(store: string, id: string, options: LoadOptions): Promise<OpenSnapshot> {
  const manifest = await readManifest(store, id);
  const pictureBaseUrl = (manifest.imagesBaseUrl ?? options.publicUrl).replace(/\/$/, '');
  const expected = { dealCount: manifest.counts.deals, byteLength: manifest.files['deals.ndjson'].bytes };
  const reader = new CatalogueReader({ pictureBaseUrl, expected });
  const turn = new Turn();
  for (const name of SERVED_FILES) await readServedFile(store, manifest, name, reader, turn);
  await turn.end();
  const index = reader.finish();
  const counted = { products: index.products.length, deals: index.deals.rowCount };
  if (counted.products !== manifest.counts.products || counted.deals !== manifest.counts.deals) {
    throw new SnapshotError({
      code: 'malformed-file',
      file: join(store, id, 'manifest.json'),
      expected: `${counted.products} products and ${counted.deals} deals, as in the files`,
      got: `${manifest.counts.products} and ${manifest.counts.deals}`,
    });
  }
  await turn.end();
  return createOpenSnapshot(manifest, index, pictureBaseUrl, options.answerCacheBytes ?? 0);
}

/**
 * The manifest of a snapshot, checked as far as it can be without the files that it lists.
 * @throws {SnapshotError}
 */
export async function readManifest(store: string, id: string): Promise<Manifest> {
  const manifest = await readListedManifest(store, id);
  checkContentHash(join(store, id, 'manifest.json'), manifest);
  return manifest;
}

/** ETags and cursors go by this hash alone: a wrong one would let clients keep what is no longer so. */
function checkContentHash(file: string, { files, imagesBaseUrl, contentHash }: Manifest): void {
  const text = describeContent(SERVED_FILES, files, imagesBaseUrl);
  const expected = createHash('sha256').update(text).digest('hex');
  if (contentHash === expected) return;
  throw new SnapshotError({
    code: 'malformed-file',
    file,
    expected: `contentHash ${expected}`,
    got: JSON.stringify(contentHash),
  });
}

async function readListedManifest(store: string, id: string): Promise<Manifest> {
  if (!SNAPSHOT_ID.test(id)) throw new SnapshotError({ code: 'unknown-snapshot', store, id });
  const file = join(store, id, 'manifest.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) throw new SnapshotError({ code: 'unknown-snapshot', store, id });
    throw unreadable(file, error);
  }
  const value = parseJson(file, text);
  const version =
    typeof value === 'object' && value !== null && 'formatVersion' in value ? value.formatVersion : undefined;
  if (version !== FORMAT_VERSION) {
    throw new SnapshotError({
      code: 'unknown-format',
      file,
      expected: FORMAT_VERSION,
      got: JSON.stringify(version) ?? 'none',
    });
  }
  const result = manifestSchema.safeParse(value);
  if (result.success && result.data.id === id) return result.data;
  const issue = result.error?.issues[0];
  throw new SnapshotError({
    code: 'malformed-file',
    file,
    expected: issue?.message ?? `the manifest of ${id}`,
    got: issue === undefined ? JSON.stringify(result.data?.id) : `something else at ${issue.path.join('.')}`,
  });
}

async function readServedFile(
  store: string,
  manifest: Manifest,
  name: ServedFile,
  reader: CatalogueReader,
  turn: Turn,
): Promise<void> {
  const file = join(store, manifest.id, name);
  const hash = createHash('sha256');
  let lineNumber = 0;
  let fault: unknown;
  const take = (line: Buffer): void => {
    lineNumber++;
    // After a fault the file is read on to its hash: that it was damaged says more than which line no longer makes sense.
    if (fault !== undefined) return;
    try {
      reader.read(name, line, lineNumber);
    } catch (error) {
      fault = error;
    }
  };
  const begun = new BegunLine();
  for await (const chunk of readChunks(file, manifest.files[name].bytes)) {
    hash.update(chunk);
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, start)) {
      take(begun.finish(chunk.subarray(start, end)));
      start = end + 1;
      if (turn.isOver) await turn.end();
    }
    begun.add(chunk.subarray(start));
  }
  if (!begun.isEmpty) take(begun.finish(Buffer.alloc(0)));
  const got = hash.digest('hex');
  const expected = manifest.files[name].sha256;
  if (got !== expected) throw new SnapshotError({ code: 'wrong-hash', file, expected, got });
  if (fault !== undefined) throw fault;
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SnapshotError({ code: 'malformed-file', file, expected: 'JSON', got: JSON.stringify(text.slice(0, 80)) });
  }
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
