import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Without O_NONBLOCK, opening a FIFO without a writer waits for ever. Windows has neither. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file for reading. A folder, a pipe or a device is refused at once.
 * @throws {Error} of the system, with `code`
 */
export function openRegularFile(path: string): number {
  const descriptor = openSync(path, READ_ONLY);
  try {
    const fault = findFileError(path, fstatSync(descriptor));
    if (fault === undefined) return descriptor;
    throw fault;
  } catch (error) {
    closeSync(descriptor);
    throw nameFile(path, error);
  }
}

/** `readFileSync` for regular files only. */
export function readRegularFile(path: string): string {
  const descriptor = openRegularFile(path);
  try {
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    throw nameFile(path, error);
  } finally {
    closeSync(descriptor);
  }
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

/** Adds the path to an error on an open file. */
function nameFile(path: string, error: unknown): unknown {
  if (error instanceof Error && !error.message.includes(path)) error.message += ` '${path}'`;
  return error;
}

/** An error of the system for anything but a regular file. */
export function findFileError(path: string, stats: Stats): Error | undefined {
  if (stats.isFile()) return undefined;
  const [code, got] = stats.isDirectory() ? ['EISDIR', 'a folder'] : ['EINVAL', 'a pipe or a device'];
  return Object.assign(new Error(`${code}: expected a file, got ${got}, open '${path}'`), {
    code,
    syscall: 'open',
    path,
  });
}
