import { link, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createDurably, syncFolder } from '../../data/store/durable-file.ts';
import { newPath } from '../../data/store/layout.ts';
import { isErrorCode, openRegularHandle, writeAll } from '../../data/store/regular-file.ts';
import type { ListedObject, ObjectStore } from './object-store.ts';

/** A remote store in a folder, such as a shared disk. `link(2)` is the write that never replaces. */
export class FileStore implements ObjectStore {
  readonly url: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.url = `file://${folder}`;
    this.#folder = folder;
  }

  async get(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const handle = await openRegularHandle(join(this.#folder, key)).catch(ignore('ENOENT'));
    return handle?.createReadStream() as AsyncIterable<Uint8Array> | undefined;
  }

  async put(key: string, body: Buffer, condition?: 'new'): Promise<boolean> {
    const path = join(this.#folder, key);
    const temporary = newPath(dirname(path));
    // Only the last folder of the URL is created: a disk that is not mounted must not be replaced by a folder.
    await mkdir(this.#folder).catch(ignore('EEXIST'));
    await mkdir(dirname(path), { recursive: true });
    try {
      createDurably(temporary, (descriptor) => writeAll(descriptor, body));
      await (condition === 'new' ? link(temporary, path) : rename(temporary, path));
      syncFolder(dirname(path));
      return true;
    } catch (error) {
      if (condition === 'new' && isErrorCode(error, 'EEXIST')) return false;
      throw error;
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  async delete(key: string): Promise<void> {
    const path = join(this.#folder, key);
    await rm(path, { force: true });
    // The folder of a snapshot goes with its last file.
    await rmdir(dirname(path)).catch(() => {});
  }

  async list(): Promise<readonly ListedObject[]> {
    const options = { recursive: true, withFileTypes: true } as const;
    const entries = (await readdir(this.#folder, options).catch(ignore('ENOENT'))) ?? [];
    const listed: ListedObject[] = [];
    // Links are not followed: what they lead to is not ours to delete.
    for (const entry of entries.filter((one) => one.isFile())) {
      const file = join(entry.parentPath, entry.name);
      // Another push may have renamed it by now.
      const stats = await lstat(file).catch(ignore('ENOENT'));
      if (stats === undefined) continue;
      listed.push({ key: file.slice(this.#folder.length + 1), bytes: stats.size, modifiedMs: stats.mtimeMs });
    }
    return listed;
  }
}

function ignore(code: string): (error: unknown) => undefined {
  return (error) => {
    if (!isErrorCode(error, code)) throw error;
  };
}
