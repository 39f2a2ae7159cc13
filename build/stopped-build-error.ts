import { constants } from 'node:os';

/** The machine stopped a build (a full disk, a damaged one, no right to write): why, and what state that left. */
export class StoppedBuildError extends Error {
  override readonly name = 'StoppedBuildError';

  constructor(cause: Error, state: string) {
    super(`${nameQuota(cause)}; ${state}`, { cause });
  }
}

const NAMED = 'EDQUOT: disk quota exceeded';

/** Node does not know the name of what a disk says on which one may not write as much as is free. */
function nameQuota(cause: Error): string {
  const errno = -constants.errno.EDQUOT;
  const unknown = `Unknown system error ${errno}`;
  const isQuota = 'errno' in cause && cause.errno === errno;
  return cause.message
    .replaceAll(`${unknown}: ${unknown}`, NAMED)
    .replace(/^UNKNOWN: unknown error/, (found) => (isQuota ? NAMED : found));
}
