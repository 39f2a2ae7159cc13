import { basename, join, posix, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fastGlob from 'fast-glob';
import type { BuildConfig } from '../build/config/config.ts';

const POLL_MS = 250;

/** The files that a build reads, by path, with a text that differs for each state of a file. */
export type FileStates = ReadonlyMap<string, string>;

/** Files that an editor makes while it saves another. */
const EDITOR_FILES = /(?:~|\.sw[a-z]|(?:^|\/)(?:#[^/]*#|4913|~\$[^/]*|___jb_[^/]*))$/;

/**
 * The globs of what a build has read beside the files that its configuration names: pictures, and files of the same
 * ending beside each file, since a new part of an export is beside another. Paths are relative to the configuration.
 */
export function globsOf(pictures: readonly string[], files: readonly string[]): readonly string[] {
  const parts = files.map((path) => posix.join(fastGlob.escapePath(posix.dirname(path)), `*${posix.extname(path)}`));
  return [...pictures.map((path) => fastGlob.escapePath(path)), ...parts];
}

/** The globs that a configuration names: of itself, and a group for each source, which may exclude files of its own. */
export function groupsOf({ file, cms, feeds }: BuildConfig): readonly (readonly string[])[] {
  return [[fastGlob.escapePath(basename(file))], ...[...cms, ...feeds].map(({ files }) => files)];
}

/**
 * Reads the state of the files that match a group of globs. Polling works on every disk and share, with editors that
 * replace files, and for folders that are made later; `fs.watch` does not.
 */
export async function pollFiles(
  { folder, store }: Pick<BuildConfig, 'folder' | 'store'>,
  groups: readonly (readonly string[])[],
): Promise<FileStates> {
  const ignore = [`${fastGlob.convertPathToPattern(relative(folder, store))}/**`, '**/node_modules/**'];
  const found = await Promise.all(
    groups.map((patterns) =>
      fastGlob.glob([...patterns], {
        cwd: folder,
        ignore,
        stats: true,
        suppressErrors: true,
        followSymbolicLinks: !patterns.some((pattern) => pattern.includes('**')),
      }),
    ),
  );
  return new Map(
    found
      .flat()
      .filter(({ path }) => !EDITOR_FILES.test(path))
      .map(({ path, stats }) => [join(folder, path), `${stats?.ino} ${stats?.size} ${stats?.mtimeMs}`]),
  );
}

/** The paths that are in another state, in order. */
export function findChanged(before: FileStates, after: FileStates): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

/**
 * Waits until the files differ from `before` and stay the same for a moment. So no file is read while it is written, and
 * an editor that saves ten files costs one build. Returns undefined when `signal` aborts.
 */
export async function waitForChange(
  look: () => Promise<FileStates>,
  before: FileStates,
  signal: AbortSignal,
): Promise<FileStates | undefined> {
  let last = before;
  while (await pause(POLL_MS, signal)) {
    const now = await look();
    if (findChanged(last, now).length === 0 && findChanged(before, now).length > 0) return now;
    last = now;
  }
  return undefined;
}

/** False when `signal` has ended the pause. */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}
