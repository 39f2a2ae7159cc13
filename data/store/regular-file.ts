import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, writeSync, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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

/** The same as `openRegularFile`, for a server. */
export async function openRegularHandle(path: string): Promise<FileHandle> {
  const handle = await open(path, READ_ONLY);
  const fault = findFileError(path, await handle.stat());
  if (fault === undefined) return handle;
  await handle.close();
  throw fault;
}

export async function readRegularText(path: string): Promise<string> {
  const handle = await openRegularHandle(path);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** A small file that is replaced now and then, for a server: read without blocking, and parsed once for each content. */
export class ChangingFile<Value> {
  readonly #path: string;
  readonly #parse: (text: string) => Value;
  #version = '';
  #value: Value | undefined;

  constructor(path: string, parse: (text: string) => Value) {
    this.#path = path;
    this.#parse = parse;
  }

  /** Undefined without the file. @throws {Error} of the system, or of `parse` */
  async read(): Promise<Value | undefined> {
    try {
      const { ino, size, mtimeNs } = await stat(this.#path, { bigint: true });
      const version = [ino, size, mtimeNs].join(' ');
      if (version === this.#version) return this.#value;
      const value = this.#parse(await readRegularText(this.#path));
      this.#value = value;
      this.#version = version;
      return value;
    } catch (error) {
      this.#version = '';
      if (isErrorCode(error, 'ENOENT')) return undefined;
      throw error;
    }
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

/** Adds the path to the error of a call on an open file, which does not know it. */
export function withPathInErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw addPath(path, error);
  }
}

function addPath(path: string, error: unknown): unknown {
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

/** The folder with `package.json` and the sample, above this file; also when compiled. */
export function findPackageRoot(folder: string = import.meta.dirname): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('no package.json above the program');
  return findPackageRoot(parent);
}
