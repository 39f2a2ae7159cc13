import { hash } from 'node:crypto';
import { access, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import {
  canonicalContent,
  canonicalManifest,
  FORMAT_VERSION,
  manifestSchema,
  SERVED_FILES,
  SNAPSHOT_ID,
  type Manifest,
} from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import {
  CURRENT_FILE,
  parseCurrent,
  parsePrevious,
  PREVIOUS_FILE,
  ROLLED_BACK_FILE,
  type Previous,
} from '../../data/store/layout.ts';
import { openRegularHandle } from '../../data/store/regular-file.ts';
import { unreadable } from './read-chunks.ts';

/** A manifest has about 10 KB, a pointer 60 bytes; a longer file is not read. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

/** A snapshot in the store, sound or damaged. */
export interface StoredId {
  readonly id: string;
  /** From its manifest, even a damaged one; 0 when that has none. */
  readonly sequence: number;
  /** An operator rolled back from it: only an operator makes it current again. */
  readonly isRolledBack: boolean;
}

/** The id that `current.json` names. @throws {SnapshotError} when there is none */
export async function readCurrentId(store: string): Promise<string> {
  const file = join(store, CURRENT_FILE);
  const text = await readText(file, new SnapshotError({ code: 'no-snapshot', store }));
  const id = parseCurrent(text);
  if (id !== undefined) return id;
  const [expected, got] = ['{"snapshot": "<id>"} and its check', JSON.stringify(text.slice(0, 80))];
  throw new SnapshotError({ code: 'malformed-file', file, expected, got });
}

/** The switch to the current snapshot in `previous.json`; undefined when that is gone or damaged. */
export async function findPrevious(store: string): Promise<Previous | undefined> {
  const file = join(store, PREVIOUS_FILE);
  const text = await readText(file, new SnapshotError({ code: 'no-snapshot', store })).catch(() => '');
  return parsePrevious(text);
}

/** The snapshots of a store, newest first by sequence. */
export async function listStoredIds(store: string): Promise<readonly StoredId[]> {
  const names = await readdir(store).catch((): string[] => []);
  const stored: StoredId[] = [];
  for (const id of names.filter((name) => SNAPSHOT_ID.test(name))) {
    stored.push({ id, sequence: await findSequence(store, id), isRolledBack: await hasRollbackMark(store, id) });
  }
  return stored.sort((a, b) => b.sequence - a.sequence);
}

/** True also when the mark cannot be checked: then the snapshot cannot be read either. */
export function hasRollbackMark(store: string, id: string): Promise<boolean> {
  return access(join(store, id, ROLLED_BACK_FILE)).then(
    () => true,
    (error: unknown) => !isErrorCode(error, 'ENOENT'),
  );
}

async function findSequence(store: string, id: string): Promise<number> {
  try {
    const value = await readJson(store, id);
    const { sequence } = value as { readonly sequence?: unknown };
    return typeof sequence === 'number' ? sequence : 0;
  } catch {
    return 0;
  }
}

/**
 * The manifest of a snapshot, checked as far as it can be without the files that it lists.
 * @throws {SnapshotError}
 */
export async function readSnapshotManifest(store: string, id: string): Promise<Manifest> {
  const file = join(store, id, 'manifest.json');
  const value = await readJson(store, id);
  checkVersion(file, value);
  const result = manifestSchema.safeParse(value);
  if (!result.success || result.data.id !== id) {
    const issue = result.error?.issues[0];
    throw new SnapshotError({
      code: 'malformed-file',
      file,
      expected: issue?.message ?? `the manifest of ${id}`,
      got: issue === undefined ? JSON.stringify(result.data?.id) : `something else at ${issue.path.join('.')}`,
    });
  }
  // A value that matches the schema is an object.
  checkManifestHash(file, value as object, result.data.manifestHash);
  checkContentHash(file, result.data);
  return result.data;
}

function checkVersion(file: string, value: unknown): void {
  const version =
    typeof value === 'object' && value !== null && 'formatVersion' in value ? value.formatVersion : undefined;
  if (version === FORMAT_VERSION) return;
  const got = JSON.stringify(version) ?? 'none';
  throw new SnapshotError({ code: 'unknown-format', file, expected: FORMAT_VERSION, got });
}

/** The hash of the whole manifest: times, counts and sources too. */
function checkManifestHash(file: string, value: object, expected: string | undefined): void {
  if (expected === undefined) return;
  const got = hash('sha256', canonicalManifest(value), 'hex');
  if (got !== expected) throw new SnapshotError({ code: 'wrong-hash', file, expected, got });
}

/** ETags and cursors use this hash only: a wrong one would let clients keep old content. */
function checkContentHash(file: string, { files, imagesBaseUrl, contentHash }: Manifest): void {
  const expected = hash('sha256', canonicalContent(SERVED_FILES, files, imagesBaseUrl), 'hex');
  if (contentHash === expected) return;
  throw new SnapshotError({
    code: 'malformed-file',
    file,
    expected: `contentHash ${expected}`,
    got: JSON.stringify(contentHash),
  });
}

async function readJson(store: string, id: string): Promise<unknown> {
  const unknown = new SnapshotError({ code: 'unknown-snapshot', store, id });
  if (!SNAPSHOT_ID.test(id)) throw unknown;
  const file = join(store, id, 'manifest.json');
  return parseJson(file, await readText(file, unknown));
}

/** @throws {SnapshotError} `missing` when there is no such file */
async function readText(file: string, missing: SnapshotError): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    handle = await openRegularHandle(file);
    const { size } = await handle.stat();
    if (size > MAX_MANIFEST_BYTES) {
      throw new SnapshotError({ code: 'too-large', file, maxBytes: MAX_MANIFEST_BYTES, got: String(size) });
    }
    return await handle.readFile('utf8');
  } catch (error) {
    if (error instanceof SnapshotError) throw error;
    throw isErrorCode(error, 'ENOENT') ? missing : unreadable(file, error);
  } finally {
    await handle?.close();
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SnapshotError({ code: 'malformed-file', file, expected: 'JSON', got: JSON.stringify(text.slice(0, 80)) });
  }
}

export function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
