import { constants } from 'node:os';

/** The machine stopped a build (a full disk, a damaged one, no right to write): why, and what state that left. */
export class StoppedBuildError extends Error {
  override readonly name = 'StoppedBuildError';

  constructor(cause: Error, state: string) {
    super(`${nameQuota(cause.message)}; ${state}`, { cause });
  }
}

/** Node does not know the name of what a disk says on which one may not write as much as is free. */
function nameQuota(message: string): string {
  const unknown = `Unknown system error -${constants.errno.EDQUOT}`;
  return message.replaceAll(`${unknown}: ${unknown}`, 'EDQUOT: disk quota exceeded');
}
