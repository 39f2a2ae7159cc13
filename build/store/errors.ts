import { constants } from 'node:os';
import { describeHolder, type LockHolder } from '../../data/store/file-lock.ts';

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

/** The disk did not keep what was written, or what was written is not what was meant: nothing is published. */
export class PublishingError extends Error {
  override readonly name = 'PublishingError';
}

/** The machine stopped a build (a full disk, a damaged one, no right to write): why, and what state that left. */
export class StoppedBuildError extends Error {
  override readonly name = 'StoppedBuildError';

  constructor(cause: Error, state: string) {
    super(`${describeQuota(cause)}; ${state}`, { cause });
  }
}

const QUOTA_MESSAGE = 'EDQUOT: disk quota exceeded';

/** Node does not know the name of what a disk says on which one may not write as much as is free. */
function describeQuota(cause: Error): string {
  const errno = -constants.errno.EDQUOT;
  const unknown = `Unknown system error ${errno}`;
  const isQuota = 'errno' in cause && cause.errno === errno;
  return cause.message
    .replaceAll(`${unknown}: ${unknown}`, QUOTA_MESSAGE)
    .replace(/^UNKNOWN: unknown error/, (found) => (isQuota ? QUOTA_MESSAGE : found));
}
