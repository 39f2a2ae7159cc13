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

/** Why a store is left as it is. */
export type BusyReason =
  /** Another build or rollback holds it; `holder` where that is known. */
  | { readonly kind: 'held'; readonly holder?: LockHolder }
  /** Another has switched it since this build read what it compares with. */
  | { readonly kind: 'overtaken'; readonly current: string | undefined };

/** The store is another's: nothing was published. */
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
 * Takes the store for this build or rollback alone, or takes it over from one that was killed.
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
