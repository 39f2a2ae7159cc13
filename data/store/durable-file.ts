import { constants } from 'node:os';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SnapshotError } from '../snapshot/snapshot-error.ts';
import { manifestPath, newPath, oldPath } from './layout.ts';
import { isErrorCode, isSystemError, withPathInErrors, writeAll } from './regular-file.ts';

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
  throw new PublishingError(`${path}: was read back and is not what was written`);
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
 * Takes a folder out of sight in one step and returns where it is now, to be deleted. An overlay file system renames no
 * folder of its lower layer (EXDEV): there the manifest goes first, without which no reader takes the rest for a snapshot.
 */
function moveAside(folder: string, name: string): string {
  const [path, away] = [join(folder, name), oldPath(folder, name)];
  try {
    renameSync(path, away);
    return away;
  } catch (error) {
    if (!isErrorCode(error, 'EXDEV')) throw error;
    rmSync(manifestPath(folder, name), { force: true });
    return path;
  }
}

/** Deletes a folder so that no reader finds half of it. */
export function removeFolder(folder: string, name: string): void {
  rmSync(moveAside(folder, name), { recursive: true, force: true });
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

/** The disk did not keep what was written, or what was written is not what was meant: nothing is published. */
export class PublishingError extends Error {
  override readonly name = 'PublishingError';
}

/** Whether the machine is at fault (a full disk, a damaged file, no right to it), and not the program. */
export function isMachineError(error: unknown): error is Error {
  return error instanceof PublishingError || error instanceof SnapshotError || isSystemError(error);
}

/** The machine stopped a build (a full disk, a damaged one, no right to write): why, and what state that left. */
export class StoppedBuildError extends Error {
  override readonly name = 'StoppedBuildError';

  constructor(cause: Error, state: string) {
    super(`${describeQuota(cause)}; ${state}`, { cause });
  }
}

const QUOTA_MESSAGE = 'EDQUOT: disk quota exceeded';

/** Node has no name for EDQUOT. */
function describeQuota(cause: Error): string {
  const errno = -constants.errno.EDQUOT;
  const unknown = `Unknown system error ${errno}`;
  const isQuota = 'errno' in cause && cause.errno === errno;
  return cause.message
    .replaceAll(`${unknown}: ${unknown}`, QUOTA_MESSAGE)
    .replace(/^UNKNOWN: unknown error/, (found) => (isQuota ? QUOTA_MESSAGE : found));
}
