import { join } from 'node:path';
import {
  describeHolder,
  readLock,
  tryLock,
  type FileLock,
  type LockHolder,
  type LockState,
} from '../../data/store/file-lock.ts';
import { createFolderDurably } from './durable-file.ts';

const LOCK_NAME = 'build.lock';

/** Why a store was not changed. */
export type BusyReason =
  /** Another build or rollback holds it; `holder` where that is known. */
  | { readonly kind: 'held'; readonly holder?: LockHolder }
  /** Another build or rollback has switched it since this build read the current snapshot. */
  | { readonly kind: 'overtaken'; readonly current: string | undefined };

/** Another process uses the store: nothing was published. */
export class StoreBusyError extends Error {
  override readonly name = 'StoreBusyError';
  readonly store: string;
  readonly reason: BusyReason;

  constructor(store: string, reason: BusyReason) {
    super(`${store}: ${describeReason(reason)}`);
    this.store = store;
    this.reason = reason;
  }
}

function describeReason(reason: BusyReason): string {
  switch (reason.kind) {
    case 'held': {
      const holder = `another build or rollback${reason.holder === undefined ? '' : ` (${describeHolder(reason.holder)})`}`;
      return `${holder} is running; nothing was done. Try again when it has ended.`;
    }
    case 'overtaken':
      return `another build or rollback made ${reason.current ?? 'no snapshot'} current while this build ran; nothing was published. Build again.`;
  }
}

/**
 * Locks the store for this build or rollback, also after a build that was killed.
 * @throws {StoreBusyError} when another holds it
 */
export function acquireStoreLock(store: string): FileLock {
  createFolderDurably(store);
  const attempt = tryLock(join(store, LOCK_NAME));
  if (attempt.kind === 'taken') return attempt.lock;
  throw new StoreBusyError(store, attempt);
}

/** The state of the lock of a store, without taking it. */
export function readStoreLock(store: string): LockState {
  return readLock(join(store, LOCK_NAME));
}
