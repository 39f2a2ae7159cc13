import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { unreadable } from '../snapshot/snapshot-error.ts';
import { addPath, findFileError, isErrorCode, withPathInErrors } from './system-error.ts';

/** Without O_NONBLOCK, opening a FIFO without a writer waits for ever. Windows has neither. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file for reading. A folder, a pipe or a device is refused at once.
 * @throws {Error} of the system, with `code`
 */
export function openRegularFile(path: string): number {
  const descriptor = openSync(path, READ_ONLY);
  try {
    const fault = findFileError(
      path,
      withPathInErrors(path, () => fstatSync(descriptor)),
    );
    if (fault === undefined) return descriptor;
    throw fault;
  } catch (error) {
    closeSync(descriptor);
    throw addPath(path, error);
  }
}

/** `readFileSync` for regular files only. */
export function readRegularBytes(path: string): Buffer {
  const descriptor = openRegularFile(path);
  try {
    return withPathInErrors(path, () => readFileSync(descriptor));
  } finally {
    withPathInErrors(path, () => closeSync(descriptor));
  }
}

export function readRegularFile(path: string): string {
  return readRegularBytes(path).toString();
}

/** Undefined without the file. @throws {SnapshotError} when it cannot be read */
export function readIfPresent(path: string): string | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return undefined;
    throw unreadable(path, error);
  }
}

/**
 * Writes all of `bytes`. A write may be short and says so only in its result, so it is repeated until nothing is left.
 * These calls are synchronous: what a crash can interrupt is then one fixed series of system calls, which a test can
 * cut at each.
 */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  let offset = 0;
  while (offset < bytes.length) {
    const written = writeSync(descriptor, bytes, offset);
    if (written === 0) {
      const message = `wrote ${offset} of ${bytes.length} bytes: the disk takes no more`;
      throw Object.assign(new Error(message), { code: 'EIO', syscall: 'write' });
    }
    offset += written;
  }
}
