import { readdir, type Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import fastGlob, { type FileSystemAdapter, type Options } from 'fast-glob';
import { compareCodeUnits } from '../../data/record/id.ts';
import type { Notice } from '../../data/report/notice.ts';
import { createSourceError, SourceError } from './errors.ts';
import { quote } from './quote.ts';

export interface SourceFile {
  readonly source: string;
  /** Relative to the configuration, with forward slashes. */
  readonly path: string;
  readonly absolutePath: string;
}

type Note = (notice: Notice) => void;

/**
 * The files that match the globs of a source, each once, sorted by path. Notes a source without files, and each folder below
 * the search folder of a glob that cannot be read.
 *
 * @throws {SourceError} `source-unreadable` when a symbolic link points out of the search folder of its glob, or the
 * folder cannot be searched.
 */
export async function findSourceFiles(
  folder: string,
  source: { readonly name: string; readonly files: readonly string[] },
  note: Note = () => {},
): Promise<readonly SourceFile[]> {
  const files = new Map<string, SourceFile>();
  const { globs, ignored } = splitGlobs(source.files);
  for (const glob of globs) {
    // With `**`, two links to a folder above them would be followed for ever.
    const followSymbolicLinks = !glob.includes('**');
    const options = { cwd: folder, ignore: ignored, followSymbolicLinks };
    for (const match of await runGlob(source.name, glob, options, note)) {
      const absolutePath = resolve(folder, match);
      const path = relative(folder, absolutePath).split(sep).join('/');
      if (files.has(path)) continue;
      const file = { source: source.name, path, absolutePath };
      await rejectEscape(file, resolve(folder, searchFolderOf(glob)));
      files.set(path, file);
    }
  }
  if (files.size === 0) note(await missingNotice(folder, source));
  return [...files.values()].toSorted((a, b) => compareCodeUnits(a.path, b.path));
}

const MAX_NAMED = 3;

/**
 * The notice of a source without files. It names the files in its folders that match none of its globs, such as `DEALS.CSV`
 * with `*.csv`. The folder of the configuration is skipped, since it has other files.
 */
async function missingNotice(folder: string, source: Parameters<typeof findSourceFiles>[1]): Promise<Notice> {
  const { globs, ignored } = splitGlobs(source.files);
  const searched = new Set(globs.map(searchFolderOf));
  searched.delete('.');
  const patterns = [...searched].map((path) => `${fastGlob.escapePath(path)}/*`);
  const others = await fastGlob(patterns, { cwd: folder, ignore: ignored, suppressErrors: true });
  const named = others.toSorted(compareCodeUnits).slice(0, MAX_NAMED).join(', ');
  const expected = `a file that matches ${source.files.join(' or ')}`;
  return { code: 'source-missing', source: source.name, expected, ...(named !== '' && { found: named }) };
}

/** The globs of a source, and those that start with `!`. */
function splitGlobs(files: readonly string[]): { readonly globs: string[]; readonly ignored: string[] } {
  const ignored = files.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  return { globs: files.filter((glob) => !glob.startsWith('!')), ignored };
}

/** @throws {SourceError} `source-unreadable` when the search folder cannot be read, or the glob cannot be parsed. */
export async function runGlob(
  source: string,
  glob: string,
  options: Options & { readonly cwd: string },
  note: Note = () => {},
): Promise<readonly string[]> {
  const { cwd } = options;
  const fs = {
    readdir: skipUnreadableFolders(resolve(cwd, searchFolderOf(glob)), (path, code) => {
      const file = relative(cwd, path).split(sep).join('/');
      note({ code: 'unreadable-folder', source, file, found: code });
    }),
  };
  try {
    return await fastGlob(glob, { ...options, onlyFiles: true, fs });
  } catch (cause) {
    const { code, path, message } = cause as NodeJS.ErrnoException;
    const found = code === undefined || path === undefined ? message : `${code} for ${quote(path)}`;
    const sentence = `expected in \`files\` a glob whose folders can be read, got ${quote(glob)}: ${found}`;
    throw new SourceError({ code: 'source-unreadable', source }, `${source}: ${sentence}`, cause);
  }
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

/** The braces of a glob may expand to this many paths: each is a search. */
const MAX_ALTERNATIVES = 10_000;

const RANGE = /\{(-?[0-9]+|[a-z])\.\.(-?[0-9]+|[a-z])/gi;
const LETTER_COUNT = 26;

/** What is wrong with a glob, as an expectation; undefined when it is valid. */
export function findGlobError(glob: string): string | undefined {
  if (glob.includes('\0')) return 'a path without NUL';
  const count = (sign: string): number => glob.split(sign).length - 1;
  // An upper bound: as if every brace contained every comma.
  let alternatives = (count(',') + 1) ** count('{');
  for (const [, first, last] of glob.matchAll(RANGE)) {
    const span = Math.abs(Number(last) - Number(first));
    alternatives *= Number.isNaN(span) ? LETTER_COUNT : span + 1;
  }
  return alternatives <= MAX_ALTERNATIVES ? undefined : 'fewer alternatives in braces';
}

/** The search folder of a glob: its path up to the first part with a wildcard, without the file name. */
function searchFolderOf(glob: string): string {
  const parts = glob.split('/');
  const firstDynamic = parts.findIndex((part) => part !== '' && fastGlob.isDynamicPattern(part));
  return parts.slice(0, firstDynamic === -1 ? -1 : firstDynamic).join('/') || (glob.startsWith('/') ? '/' : '.');
}

async function rejectEscape(file: SourceFile, searchFolder: string): Promise<void> {
  const [target, root] = await Promise.all([findRealPath(file.absolutePath), findRealPath(searchFolder)]);
  if (target === undefined || root === undefined || isInside(target, root)) return;
  const found = `got a link to ${quote(target)}; copy the file there, or name its folder in \`files\``;
  throw createSourceError('source-unreadable', file, undefined, `expected a file in ${quote(root)}, ${found}`);
}

/** Undefined for a broken link: opening the file reports it. */
async function findRealPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : join(folder, sep));
}
