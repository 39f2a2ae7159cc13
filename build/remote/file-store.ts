import type { Stats } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newPath } from '../../data/store/layout.ts';
import { isErrorCode, openRegularHandle } from '../../data/store/regular-file.ts';
import { RemoteError, type GetResult, type ListedObject, type ObjectStore, type PutOptions } from './object-store.ts';

/** A remote store in a folder, such as a shared disk. `link(2)` is the create-only write. */
export class FileStore implements ObjectStore {
  readonly url: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.url = `file://${folder}`;
    this.#folder = folder;
  }

  async get(key: string, etag?: string): Promise<GetResult> {
    const path = join(this.#folder, key);
    try {
      const handle = await openRegularHandle(path);
      const { ino, size, mtimeNs } = await handle.stat({ bigint: true });
      const found = [ino, size, mtimeNs].join('-');
      if (found === etag) {
        await handle.close();
        return { kind: 'unchanged' };
      }
      return { kind: 'found', etag: found, body: readFrom(path, handle) };
    } catch (error) {
      if (isErrorCode(error, 'ENOENT')) return { kind: 'absent' };
      throw toRemoteError(path, error);
    }
  }

  async put(key: string, body: Buffer, { createOnly }: PutOptions): Promise<'stored' | 'exists'> {
    const path = join(this.#folder, key);
    const temporary = newPath(dirname(path));
    try {
      // Only the last folder of the path is created: a disk that is not mounted must not be replaced by a folder.
      await mkdir(this.#folder).catch(ignoreExisting);
      await mkdir(dirname(path), { recursive: true });
      await writeSynced(temporary, body);
      if (createOnly !== true) await rename(temporary, path);
      else await link(temporary, path);
      await syncEntry(dirname(path));
      return 'stored';
    } catch (error) {
      if (createOnly === true && isErrorCode(error, 'EEXIST')) return 'exists';
      throw toRemoteError(path, error);
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  async delete(key: string): Promise<void> {
    const path = join(this.#folder, key);
    await rm(path, { force: true }).catch((error: unknown) => {
      throw toRemoteError(path, error);
    });
  }

  async *list(prefix: string): AsyncIterable<ListedObject> {
    const name = prefix.slice(0, -1);
    const path = join(this.#folder, name);
    const stats = await findStats(path);
    if (stats?.isDirectory() === true) yield* this.#listFolder(name);
    else if (stats !== undefined) throw new RemoteError('unexpected', `${path}: expected a folder, got something else`);
  }

  /** Links are not followed: what they lead to is not ours to delete. */
  async *#listFolder(name: string): AsyncGenerator<ListedObject> {
    const path = join(this.#folder, name);
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      throw toRemoteError(path, error);
    });
    for (const entry of entries) {
      const key = `${name}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#listFolder(key);
      const stats = entry.isFile() ? await findStats(join(this.#folder, key)) : undefined;
      if (stats !== undefined) yield { key, modifiedMs: stats.mtimeMs };
    }
  }
}

/** Undefined when there is no such file. */
async function findStats(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return undefined;
    throw toRemoteError(path, error);
  }
}

function ignoreExisting(error: unknown): void {
  if (!isErrorCode(error, 'EEXIST')) throw error;
}

async function* readFrom(path: string, handle: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of handle.createReadStream()) yield chunk as Uint8Array;
  } catch (error) {
    throw toRemoteError(path, error);
  }
}

async function writeSynced(path: string, body: Buffer): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncEntry(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const DENIED = ['EACCES', 'EPERM', 'EROFS'];

/** A folder, a pipe or a link in the place of a file. */
const NO_FILE = ['EISDIR', 'EINVAL', 'ELOOP', 'ENOTDIR'];

function toRemoteError(path: string, error: unknown): RemoteError {
  const isOneOf = (codes: readonly string[]) => codes.some((code) => isErrorCode(error, code));
  const kind = isOneOf(DENIED) ? 'denied' : isOneOf(NO_FILE) ? 'unexpected' : 'unreachable';
  return new RemoteError(kind, `${path}: ${(error as Error).message}`, { cause: error });
}
