import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/** 25 MB: an original straight from a camera, and no film. */
export const MAX_ORIGINAL_BYTES = 25_000_000;

export type Located =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'missing'; readonly expected: string }
  | { readonly kind: 'too-large'; readonly bytes: number };

/**
 * Finds an original: its path is relative to the file that names it, and it must lie in the folder of the
 * configuration, also behind symbolic links, so that an export cannot publish a file of the machine.
 */
export async function locateOriginal(configFolder: string, namingFile: string, path: string): Promise<Located> {
  const folder = await realpath(configFolder);
  try {
    const real = await realpath(resolve(dirname(join(folder, namingFile)), path));
    if (!real.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) {
      return { kind: 'missing', expected: 'a file in the folder of the configuration' };
    }
    const { size, isFile } = await describeFile(real);
    if (!isFile) return { kind: 'missing', expected: 'a file' };
    return size > MAX_ORIGINAL_BYTES ? { kind: 'too-large', bytes: size } : { kind: 'file', path: real };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', expected: 'the path of a file' };
    return { kind: 'missing', expected: `a file that can be opened (${message.split(',', 1)[0]})` };
  }
}

async function describeFile(path: string): Promise<{ readonly size: number; readonly isFile: boolean }> {
  const found = await stat(path);
  return { size: found.size, isFile: found.isFile() };
}
