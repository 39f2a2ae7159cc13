import { createHash } from 'node:crypto';
import { open, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { createOpenSnapshot, type OpenSnapshot } from './open-snapshot.ts';

const CHUNK_BYTES = 256 * 1024;
/** How long loading may hold the thread before requests get their turn. */
const TURN_MS = 5;

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
    const manifest = await readManifest(store, name).catch(() => undefined);
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
  const reader = new CatalogueReader({ pictureBaseUrl });
  for (const name of SERVED_FILES) await readServedFile(store, manifest, name, reader);
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
  return createOpenSnapshot(manifest, index, pictureBaseUrl, options.answerCacheBytes ?? 0);
}

async function readManifest(store: string, id: string): Promise<Manifest> {
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
): Promise<void> {
  const file = join(store, manifest.id, name);
  const hash = createHash('sha256');
  let lineNumber = 0;
  let fault: unknown;
  let turnStart = performance.now();
  for await (const lines of readLines(file, hash, manifest.files[name].bytes)) {
    for (const line of lines) {
      if (fault !== undefined) break;
      lineNumber++;
      try {
        reader.read(name, line, lineNumber);
      } catch (error) {
        // Read on to the hash: that the file was damaged says more than which line no longer makes sense.
        fault = error;
      }
      if (performance.now() - turnStart > TURN_MS) {
        await nextTurn();
        turnStart = performance.now();
      }
    }
  }
  const got = hash.digest('hex');
  const expected = manifest.files[name].sha256;
  if (got !== expected) throw new SnapshotError({ code: 'wrong-hash', file, expected, got });
  if (fault !== undefined) throw fault;
}

/** The lines of a file in batches, hashing what is read. A file that is longer than it should be is not read on. */
async function* readLines(
  file: string,
  hash: ReturnType<typeof createHash>,
  expectedBytes: number,
): AsyncGenerator<readonly string[]> {
  let handle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    throw unreadable(file, error);
  }
  try {
    const pieces: Buffer[] = [];
    let total = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      total += bytesRead;
      if (total > expectedBytes) {
        throw new SnapshotError({ code: 'malformed-file', file, expected: `${expectedBytes} bytes`, got: 'more' });
      }
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      const lastBreak = chunk.lastIndexOf(0x0a);
      if (lastBreak === -1) {
        pieces.push(chunk);
        continue;
      }
      const text = Buffer.concat([...pieces, chunk.subarray(0, lastBreak)]).toString('utf8');
      pieces.length = 0;
      if (lastBreak + 1 < chunk.length) pieces.push(chunk.subarray(lastBreak + 1));
      yield text.split('\n');
    }
    if (total < expectedBytes) {
      throw new SnapshotError({ code: 'malformed-file', file, expected: `${expectedBytes} bytes`, got: String(total) });
    }
    if (pieces.length > 0) yield [Buffer.concat(pieces).toString('utf8')];
  } catch (error) {
    throw error instanceof SnapshotError ? error : unreadable(file, error);
  } finally {
    await handle.close();
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SnapshotError({ code: 'malformed-file', file, expected: 'JSON', got: JSON.stringify(text.slice(0, 80)) });
  }
}

function unreadable(file: string, error: unknown): SnapshotError {
  return new SnapshotError({
    code: 'unreadable-file',
    file,
    cause: error instanceof Error ? error.message : String(error),
  });
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
