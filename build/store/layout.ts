import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SNAPSHOT_ID } from '../../data/snapshot/format.ts';

/** What is being made. Readers look for snapshot ids only; the next build removes what a killed one left behind. */
export const NEW_PREFIX = '.new-';

/** What is being deleted: renamed first, so that no reader finds half of it under its own name. */
export const OLD_PREFIX = '.old-';

export function currentPath(store: string): string {
  return join(store, 'current.json');
}

export function lastBuildPath(store: string): string {
  return join(store, 'last-build.json');
}

export function snapshotFolder(store: string, id: string): string {
  return join(store, id);
}

export function manifestPath(store: string, id: string): string {
  return join(store, id, 'manifest.json');
}

/** The rendered pictures, shared by all snapshots of the store. */
export function imagesFolder(store: string): string {
  return join(store, 'images');
}

/** The build cache. Deleting it only makes the next build slower. */
export function cacheFolder(store: string): string {
  return join(store, 'cache');
}

/** What binds the files of the cache to the builds of this store; only its owner may read it. */
export function cacheKeyPath(store: string): string {
  return join(store, 'cache.key');
}

/** A path in `folder` that no other process uses. */
export function newPath(folder: string): string {
  return join(folder, `${NEW_PREFIX}${randomBytes(8).toString('hex')}`);
}

export function oldPath(folder: string, name: string): string {
  return join(folder, `${OLD_PREFIX}${name}-${randomBytes(4).toString('hex')}`);
}

/** The names in a folder; none when there is no such folder. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export function isSnapshotId(name: string): boolean {
  return SNAPSHOT_ID.test(name);
}
