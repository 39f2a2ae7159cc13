import { relative, resolve, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { compareCodeUnits } from '../../data/record/id.ts';
import type { Notice } from '../../data/report/notice.ts';
import { SourceError } from './errors.ts';
import { quote } from './quote.ts';

export interface SourceFile {
  readonly source: string;
  /** Relative to the configuration, with forward slashes. */
  readonly path: string;
  readonly absolutePath: string;
}

/**
 * The files that match the globs of a source, each once, sorted by path. Notes a source without files.
 *
 * @throws {SourceError} `source-unreadable` when a folder in which a glob looks for files cannot be read
 */
export async function findSourceFiles(
  folder: string,
  { name, files }: { readonly name: string; readonly files: readonly string[] },
  note: (notice: Notice) => void = () => {},
): Promise<readonly SourceFile[]> {
  /** Relative to the configuration, with forward slashes. */
  const pathOf = (path: string): string => relative(folder, resolve(folder, path)).split(sep).join('/');
  const paths = new Set<string>();
  const ignore = files.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  for (const glob of files.filter((each) => !each.startsWith('!'))) {
    // With `**`, two links to a folder above them would be followed for ever.
    const followSymbolicLinks = !glob.includes('**');
    try {
      const options = { cwd: folder, ignore, followSymbolicLinks };
      for (const match of await fastGlob(glob, options)) paths.add(pathOf(match));
    } catch (cause) {
      const { code, path, message } = cause as NodeJS.ErrnoException;
      const found = code === undefined || path === undefined ? message : `${code} for ${quote(path)}`;
      const sentence = `expected in \`files\` a glob whose folders can be read, got ${quote(glob)}: ${found}; let the build read it, or leave it out with a glob that begins with !`;
      throw new SourceError('source-unreadable', { source: name }, undefined, sentence, cause);
    }
  }
  if (paths.size === 0)
    note({ code: 'source-missing', source: name, expected: `a file that matches ${files.join(' or ')}` });
  return [...paths]
    .toSorted(compareCodeUnits)
    .map((path) => ({ source: name, path, absolutePath: resolve(folder, path) }));
}
