import { closeSync, constants, fchownSync, fstatSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { createFolderDurably } from './durable-file.ts';
import { storePath } from './layout.ts';
import { findFileError, withPathInErrors } from './system-error.ts';

export interface FileLock {
  /** Never throws: the kernel releases the lock of a process that has ended. */
  release(): void;
}

const require = createRequire(import.meta.url);

/** Only the owner may open it, since a reader could lock it. */
const MODE = 0o600;

/**
 * Takes a kernel lock on the file at `path`, and creates it where there is none; undefined while another has it (an open file description lock of fcntl,
 * LockFileEx on Windows). The kernel releases the lock when the holder ends, and uses no process ids: two containers that
 * share a volume exclude each other. The file is never deleted; it names its holder, and is empty after a release.
 */
export function tryLock(path: string): FileLock | undefined {
  // Through a symbolic link, another file would be overwritten.
  const asItIs = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | asItIs, MODE);
  let isTaken = false;
  try {
    const stats = withPathInErrors(path, () => fstatSync(descriptor));
    const fault = findFileError(path, stats);
    if (fault !== undefined) throw fault;
    if (!loadKernelLocks().tryLock(descriptor)) return undefined;
    writeHolder(path, descriptor);
    isTaken = true;
    return createLock(descriptor);
  } finally {
    if (!isTaken) closeSync(descriptor);
  }
}

/** Loaded only here: a server does not lock, and runs without the library. It has no types; this is what its README says. */
function loadKernelLocks() {
  return require('fs-native-extensions') as {
    readonly tryLock: (descriptor: number) => boolean;
    readonly unlock: (descriptor: number) => void;
  };
}

function writeHolder(path: string, descriptor: number): void {
  // A file of root must not lock out the owner of the folder.
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dirname(path));
    if (uid !== 0) fchownSync(descriptor, uid, gid);
  }
  // On a full disk this is the first write of a build.
  withPathInErrors(path, () => {
    ftruncateSync(descriptor);
    writeSync(descriptor, `${process.pid} ${hostname()}\n`, 0);
  });
}

function createLock(descriptor: number): FileLock {
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      attempt(() => ftruncateSync(descriptor));
      // By itself, since a close that fails may leave the file open.
      attempt(() => loadKernelLocks().unlock(descriptor));
      attempt(() => closeSync(descriptor));
    },
  };
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The next holder overwrites what is left, and the kernel releases the lock when the process ends.
  }
}

/** Another process uses the store: nothing was published. */
export class StoreBusyError extends Error {
  override readonly name = 'StoreBusyError';
}

/**
 * Locks the store for this build or rollback, also after one that was killed.
 * @param path another lock of it
 * @throws {StoreBusyError} when another process has the lock
 */
export function acquireStoreLock(store: string, path = storePath(store, 'build.lock')): FileLock {
  createFolderDurably(store);
  const lock = tryLock(path);
  if (lock !== undefined) return lock;
  throw new StoreBusyError(
    `${store}: another build or rollback, whose process ${path} names, is running; nothing was done. Try again when it has ended.`,
  );
}
