import { link, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createDurably, syncFolder } from '../../data/store/durable-file.ts';
import { newPath } from '../../data/store/layout.ts';
import { isErrorCode, openRegularHandle, writeAll } from '../../data/store/regular-file.ts';
import { RemoteError, type ListedObject, type ObjectStore } from './object-store.ts';

/** A remote store in a folder, such as a shared disk. `link(2)` is the write that never replaces. */
export class FileStore implements ObjectStore {
  readonly url: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.url = `file://${folder}`;
    this.#folder = folder;
  }

  async get(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const path = join(this.#folder, key);
    try {
      return (await openRegularHandle(path)).createReadStream() as AsyncIterable<Uint8Array>;
    } catch (error) {
      if (isErrorCode(error, 'ENOENT')) return undefined;
      throw toRemoteError(path, error);
    }
  }

  async put(key: string, body: Buffer, condition?: 'new'): Promise<'stored' | 'exists'> {
    const path = join(this.#folder, key);
    const temporary = newPath(dirname(path));
    try {
      // Only the last folder of the URL is created: a disk that is not mounted must not be replaced by a folder.
      await mkdir(this.#folder).catch(ignoreExisting);
      await mkdir(dirname(path), { recursive: true });
      createDurably(temporary, (descriptor) => writeAll(descriptor, body));
      await (condition === 'new' ? link(temporary, path) : rename(temporary, path));
      syncFolder(dirname(path));
      return 'stored';
    } catch (error) {
      if (condition === 'new' && isErrorCode(error, 'EEXIST')) return 'exists';
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
    // The folder of a snapshot goes with its last file.
    await rmdir(dirname(path)).catch(() => {});
  }

  async list(prefix: string): Promise<readonly ListedObject[]> {
    const path = join(this.#folder, prefix);
    const listed: ListedObject[] = [];
    try {
      for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
        // Links are not followed: what they lead to is not ours to delete.
        if (!entry.isFile()) continue;
        const file = join(entry.parentPath, entry.name);
        const { size, mtimeMs } = await lstat(file);
        listed.push({ key: file.slice(this.#folder.length + 1), bytes: size, modifiedMs: mtimeMs });
      }
      return listed;
    } catch (error) {
      if (isErrorCode(error, 'ENOENT')) return listed;
      throw toRemoteError(path, error);
    }
  }
}

function ignoreExisting(error: unknown): void {
  if (!isErrorCode(error, 'EEXIST')) throw error;
}

const DENIED = ['EACCES', 'EPERM', 'EROFS'];
/** A folder, a pipe or a link in the place of a file. */
const NO_FILE = ['EISDIR', 'EINVAL', 'ELOOP', 'ENOTDIR'];

function toRemoteError(path: string, error: unknown): RemoteError {
  const isOneOf = (codes: readonly string[]) => codes.some((code) => isErrorCode(error, code));
  const kind = isOneOf(DENIED) ? 'denied' : isOneOf(NO_FILE) ? 'unexpected' : 'unreachable';
  return new RemoteError(kind, `${path}: ${(error as Error).message}`, { cause: error });
}
