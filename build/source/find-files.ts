import { readdir, type Dirent } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import fastGlob, { type FileSystemAdapter } from 'fast-glob';
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
 * The files that match the globs of a source, each once, sorted by path. Notes a source without files, and each folder below
 * the search folder of a glob that cannot be read.
 *
 * @throws {SourceError} `source-unreadable` when the search folder of a glob cannot be read
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
    const readFolder = skipUnreadableFolders(resolve(folder, searchFolderOf(glob)), (path, found) =>
      note({ code: 'unreadable-folder', source: name, file: pathOf(path), found }),
    );
    try {
      const options = { cwd: folder, ignore, followSymbolicLinks, onlyFiles: true, fs: { readdir: readFolder } };
      for (const match of await fastGlob(glob, options)) paths.add(pathOf(match));
    } catch (cause) {
      const { code, path, message } = cause as NodeJS.ErrnoException;
      const found = code === undefined || path === undefined ? message : `${code} for ${quote(path)}`;
      const sentence = `expected in \`files\` a glob whose folders can be read, got ${quote(glob)}: ${found}`;
      throw new SourceError('source-unreadable', { source: name }, undefined, sentence, cause);
    }
  }
  if (paths.size === 0)
    note({ code: 'source-missing', source: name, expected: `a file that matches ${files.join(' or ')}` });
  return [...paths]
    .toSorted(compareCodeUnits)
    .map((path) => ({ source: name, path, absolutePath: resolve(folder, path) }));
}

/** An unreadable folder next to the files, such as `lost+found`, is skipped. */
function skipUnreadableFolders(
  top: string,
  onUnreadable: (path: string, code: string) => void,
): FileSystemAdapter['readdir'] {
  const read = (folder: string, options: { withFileTypes: true }, callback: OnEntries): void =>
    readdir(folder, options, (error, entries) => {
      if (error === null || error.code === 'ENOENT' || resolve(folder) === top) return callback(error, entries);
      onUnreadable(folder, error.code ?? error.message);
      callback(null, []);
    });
  // fast-glob always asks for entries with types.
  return read as unknown as FileSystemAdapter['readdir'];
}

type OnEntries = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/** The search folder of a glob: its path up to the first part with a wildcard, without the file name. */
function searchFolderOf(glob: string): string {
  const parts = glob.split('/');
  const firstDynamic = parts.findIndex((part) => part !== '' && fastGlob.isDynamicPattern(part));
  return parts.slice(0, firstDynamic === -1 ? -1 : firstDynamic).join('/') || (glob.startsWith('/') ? '/' : '.');
}
