import { join } from 'node:path';
import { readLock, tryLock, type FileLock, type LockState } from '../../data/store/file-lock.ts';
import { createFolderDurably } from './durable-file.ts';
import { StoreBusyError } from './errors.ts';

const LOCK_NAME = 'build.lock';

/**
 * Takes the store for this build or rollback alone, or takes it over from one that was killed.
 * @throws {StoreBusyError} when another holds it
 */
export function acquireStoreLock(store: string): FileLock {
  createFolderDurably(store);
  const attempt = tryLock(join(store, LOCK_NAME));
  if (attempt.kind === 'taken') return attempt.lock;
  throw new StoreBusyError(store, attempt);
}

/** What the lock of a store says to a reader who does not want it. */
export function readStoreLock(store: string): LockState {
  return readLock(join(store, LOCK_NAME));
}
