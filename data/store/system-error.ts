import type { Stats } from 'node:fs';
import { constants } from 'node:os';
import { SnapshotError } from '../snapshot/snapshot-error.ts';

/** Adds the path to the error of a call on an open file, which does not know it. */
export function withPathInErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw addPath(path, error);
  }
}

export function addPath(path: string, error: unknown): unknown {
  if (isSystemError(error) && !('path' in error)) error.message += ` '${path}'`;
  return error;
}

/** An error of the system for anything but a regular file. */
export function findFileError(path: string, stats: Stats): Error | undefined {
  if (stats.isFile()) return undefined;
  const [code, got] = stats.isDirectory() ? ['EISDIR', 'a folder'] : ['EINVAL', 'a pipe or a device'];
  const message = `${code}: expected a file, got ${got}, open '${path}'`;
  return Object.assign(new Error(message), { code, syscall: 'open', path });
}

/** An error of the system, with the fields that Node sets. */
export interface SystemError extends Error {
  readonly code?: string;
  readonly syscall: string;
  readonly path?: string;
  readonly port?: number;
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error;
}

/** Whether it is an error of the system with this code. */
export function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Whether the machine is at fault (a full disk, a damaged file, no right to it), and not the program. */
export function isMachineError(error: unknown): error is Error {
  return error instanceof SnapshotError || isSystemError(error);
}

/** Node has no name for EDQUOT. */
export const QUOTA_CODE = `Unknown system error -${constants.errno.EDQUOT}`;

/** The message of an error of the system, with the name and the text that Node lacks. */
export function nameQuota(message: string): string {
  return message.replace(QUOTA_CODE, 'EDQUOT').replace(QUOTA_CODE, 'disk quota exceeded');
}

/** The machine stopped a build (a full disk, a damaged one, no right to write): why, and what state that left. */
export class StoppedBuildError extends Error {
  override readonly name = 'StoppedBuildError';

  constructor(cause: Error, state: string) {
    super(`${nameQuota(cause.message)}; ${state}`, { cause });
  }
}
