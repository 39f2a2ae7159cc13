import { existsSync, linkSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { replaceDurably } from '../../data/store/durable-file.ts';
import { isErrorCode, readRegularBytes } from '../../data/store/regular-file.ts';
import type { ObjectStore } from './object-store.ts';

/** A remote store in a folder, such as a shared disk. `link(2)` is the write that never replaces. */
export function openFolderStore(folder: string): ObjectStore {
  return {
    url: `file://${folder}`,
    get: async (key) => {
      const path = join(folder, key);
      return statSync(path, { throwIfNoEntry: false }) && readRegularBytes(path);
    },
    put: async (key, body, condition) => {
      const path = join(folder, key);
      // Only the last folder of the URL is created: a disk that is not mounted must not be replaced by a folder.
      if (!existsSync(folder)) mkdirSync(folder);
      mkdirSync(dirname(path), { recursive: true });
      try {
        replaceDurably(path, body, condition === 'new' ? { move: linkSync } : {});
        return true;
      } catch (error) {
        if (condition === 'new' && isErrorCode(error, 'EEXIST')) return false;
        throw error;
      }
    },
    delete: async (key) => {
      const path = join(folder, key);
      rmSync(path, { force: true });
      // The folder of a snapshot goes with its last file.
      if (readdirSync(dirname(path)).length === 0) rmdirSync(dirname(path));
    },
    list: async () => {
      const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
      // Links are not followed: what they lead to is not ours to delete.
      const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      return paths.flatMap((path) => {
        // Another push may have renamed it by now.
        const stats = statSync(path, { throwIfNoEntry: false });
        return stats ? { key: relative(folder, path), bytes: stats.size, modifiedMs: stats.mtimeMs } : [];
      });
    },
  };
}
