import { stat } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fastGlob from 'fast-glob';
import type { BuildConfig } from '../build/config/config.ts';

/** How often files are polled, if polling takes at most a tenth of this. */
const POLL_MS = 250;

/** How long changed files must stay the same before a build: a program that writes a file pauses for less. */
const DEBOUNCE_MS = 100;

/** The files that a build reads, by path, with a text that differs for each state of a file. */
export type FileStates = ReadonlyMap<string, string>;

/** What is looked at. Paths are relative to the folder of the configuration. */
export interface WatchedFiles {
  readonly config: BuildConfig;
  /** The originals that records name. */
  readonly pictures: readonly string[];
  /** What the last build read: of an export in a folder more than its glob names. */
  readonly files: readonly string[];
}

/** Files that an editor makes while it saves another. */
const EDITOR_FILES = /(?:~|\.sw[a-z]|(?:^|\/)(?:#[^/]*#|4913|~\$[^/]*|___jb_[^/]*))$/;

/**
 * Reads the state of the configuration, of the files that the globs of its sources match, of the pictures that records
 * name, and of the other parts of an export. Polling works on every disk and share, with editors that replace files, and
 * for folders that are made later; `fs.watch` does not.
 */
export async function pollFiles({ config, pictures, files }: WatchedFiles): Promise<FileStates> {
  const { file, folder, store, cms, feeds } = config;
  const ignore = [`${fastGlob.convertPathToPattern(relative(folder, store))}/**`, '**/node_modules/**'];
  const find = (patterns: readonly string[]): Promise<readonly Entry[]> =>
    fastGlob.glob([...patterns], {
      cwd: folder,
      ignore,
      stats: true,
      suppressErrors: true,
      followSymbolicLinks: !patterns.some((pattern) => pattern.includes('**')),
    });
  const named = (await Promise.all([...cms, ...feeds].map((source) => find(source.files)))).flat();
  const matched = new Set(named.map(({ path }) => path));
  // A new part of an export is in the folder of another part, with the same ending.
  const partPatterns = files
    .filter((path) => !matched.has(path))
    .map((path) => posix.join(fastGlob.escapePath(posix.dirname(path)), `*${posix.extname(path)}`));
  const parts = partPatterns.length === 0 ? [] : await find([...new Set(partPatterns)]);
  const states = new Map([[file, await describeState(file)]]);
  for (const entry of [...named, ...parts]) {
    if (!EDITOR_FILES.test(entry.path)) states.set(join(folder, entry.path), stateOf(entry));
  }
  for (const path of pictures) states.set(join(folder, path), await describeState(join(folder, path)));
  return states;
}

interface Entry {
  readonly path: string;
  readonly stats?: { readonly mtimeMs: number; readonly size: number; readonly ino: number };
}

function stateOf({ stats }: Entry): string {
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

async function describeState(file: string): Promise<string> {
  try {
    return stateOf({ path: file, stats: await stat(file) });
  } catch {
    return '';
  }
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
  let lookMs = 0;
  let hasChanged = false;
  while (await pause(hasChanged ? Math.max(DEBOUNCE_MS, lookMs) : Math.max(POLL_MS, lookMs * 10), signal)) {
    const startedMs = performance.now();
    const now = await look();
    lookMs = performance.now() - startedMs;
    const isQuiet = findChanged(last, now).length === 0;
    last = now;
    hasChanged = findChanged(before, now).length > 0;
    if (isQuiet && hasChanged) return now;
  }
  return undefined;
}

/** False when `signal` has ended the pause. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
