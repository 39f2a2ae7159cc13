import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { snapshotPath, newPath, oldPath } from './layout.ts';
import { writeAll } from './regular-file.ts';
import { malformed } from '../snapshot/snapshot-error.ts';
import { isErrorCode, withPathInErrors } from './system-error.ts';

/** Makes the entries of a folder (new files, renames) survive a power cut. */
export function syncFolder(folder: string): void {
  withDescriptor(folder, 'r', (descriptor) => fsyncSync(descriptor));
}

/** Creates a folder and those it lies in, as far as they are not there, so that they survive a power cut. */
export function createFolderDurably(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = resolve(folder); made.length >= resolve(first).length; made = dirname(made)) {
    syncFolder(dirname(made));
  }
}

/** Of a new file. A text is read back, because no later step does. */
type Content = string | Uint8Array | ((descriptor: number) => void);

/** Creates `path`, which must not exist. Its content is on the disk when this returns. */
export function createDurably(path: string, content: Content): void {
  withDescriptor(path, 'wx', (descriptor) => {
    if (typeof content === 'function') content(descriptor);
    else writeAll(descriptor, typeof content === 'string' ? Buffer.from(content) : content);
    fsyncSync(descriptor);
  });
  if (typeof content !== 'string' || withPathInErrors(path, () => readFileSync(path, 'utf8')) === content) return;
  throw malformed(path, undefined, 'what was written', 'something else when it was read back');
}

/**
 * Writes a file beside `path`, or in `by`, and moves it there: a reader finds the old one or the new, also after a power cut.
 * @param move `linkSync` throws EEXIST where there is a file already
 */
export function replaceDurably(path: string, content: Content, { move = renameSync, by = dirname(path) } = {}): void {
  const temporary = newPath(by);
  try {
    createDurably(temporary, content);
    move(temporary, path);
  } finally {
    removeBestEffort(temporary);
  }
  syncFolder(dirname(path));
}

/**
 * Deletes a folder so that no reader finds half of it: it is renamed first. An overlay file system renames no folder of its
 * lower layer (EXDEV): there the manifest goes first, without which no reader takes the rest for a snapshot.
 */
export function removeFolder(folder: string, name: string): void {
  let path = join(folder, name);
  const away = oldPath(folder, name);
  try {
    renameSync(path, away);
    path = away;
  } catch (error) {
    if (!isErrorCode(error, 'EXDEV')) throw error;
    rmSync(snapshotPath(folder, name, 'manifest.json'), { force: true });
  }
  rmSync(path, { recursive: true, force: true });
}

/** Gives a complete folder its name, in the place of a damaged one, or of one that a killed run left. */
export function moveIntoPlace(parent: string, folder: string, name: string): void {
  const place = join(parent, name);
  if (existsSync(place)) removeFolder(parent, name);
  renameSync(folder, place);
  syncFolder(parent);
}

/** Deletes what is not needed, if it is there. What cannot be deleted now is removed by the next build. */
export function removeBestEffort(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // What went wrong before this, if anything did, is what matters.
  }
}

function withDescriptor(path: string, flags: 'r' | 'wx', work: (descriptor: number) => void): void {
  const descriptor = openSync(path, flags);
  withPathInErrors(path, () => {
    try {
      work(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}
