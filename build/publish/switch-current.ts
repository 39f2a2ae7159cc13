import { utimesSync } from 'node:fs';
import { replaceDurably } from './durable-file.ts';
import { currentPath, newPath, snapshotFolder } from './store-layout.ts';
import { findCurrent } from './stored-snapshot.ts';

/**
 * Makes `id` the snapshot that is served: the commit point of a build. The folder of the one before takes the time of
 * the switch, which is how retention knows that it was current until then.
 */
export function switchCurrent(store: string, id: string): void {
  const before = findCurrent(store);
  if (before !== undefined) touch(snapshotFolder(store, before));
  replaceDurably(currentPath(store), `${JSON.stringify({ snapshot: id })}\n`, newPath(store));
}

function touch(folder: string): void {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch (error) {
    // A current snapshot that somebody removed needs no time: there is nothing to keep.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
