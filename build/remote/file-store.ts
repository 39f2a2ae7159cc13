import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newPath, NEW_PREFIX } from '../../data/store/layout.ts';
import { isErrorCode } from '../../data/store/regular-file.ts';
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
      const handle = await open(path);
      const { ino, size, mtimeNs } = await handle.stat({ bigint: true });
      const found = [ino, size, mtimeNs].join('-');
      if (found === etag) {
        await handle.close();
        return { kind: 'unchanged' };
      }
      return { kind: 'found', etag: found, body: handle.createReadStream() };
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
    const entries = await readdir(join(this.#folder, prefix), { recursive: true }).catch((error: unknown) => {
      if (isErrorCode(error, 'ENOENT')) return [];
      throw toRemoteError(this.#folder, error);
    });
    for (const name of entries) {
      const key = `${prefix}${name}`;
      // A killed push may have left it.
      if (name.includes(NEW_PREFIX)) continue;
      const stats = await stat(join(this.#folder, key)).catch(() => undefined);
      if (stats?.isFile() === true) yield { key, modifiedMs: stats.mtimeMs };
    }
  }
}

function ignoreExisting(error: unknown): void {
  if (!isErrorCode(error, 'EEXIST')) throw error;
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

function toRemoteError(path: string, error: unknown): RemoteError {
  const isDenied = isErrorCode(error, 'EACCES') || isErrorCode(error, 'EPERM') || isErrorCode(error, 'EROFS');
  return new RemoteError(isDenied ? 'denied' : 'unreachable', `${path}: ${(error as Error).message}`, { cause: error });
}
