import { stat } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fastGlob from 'fast-glob';
import type { BuildConfig } from '../build/config.ts';
import { SNAPSHOT_ID } from '../data/snapshot/format.ts';

/** How often the files are looked at, when that takes no longer than a tenth of it. */
const LOOK_MS = 250;

/** How long they must stay as they are once they have changed: whoever writes a file does not pause so long in it. */
const QUIET_MS = 100;

/** The files of which a build is made, by path: what tells one state of each from another. */
export type FileStates = ReadonlyMap<string, string>;

/** What is looked at. Paths are relative to the folder of the configuration. */
export interface Watched {
  readonly config: BuildConfig;
  /** The originals that records name. */
  readonly pictures: readonly string[];
  /** What the last build read: of an export in a folder more than its glob names. */
  readonly files: readonly string[];
  /** The inodes of the files that this process writes to. A change of them would be its own. */
  readonly outputs: ReadonlySet<number>;
}

/** Files that an editor makes while it saves another. */
const OF_EDITORS = /(?:~|\.sw[a-z]|(?:^|\/)(?:#[^/]*#|4913|~\$[^/]*|___jb_[^/]*))$/;

/**
 * Looks at the configuration, at what the globs of its sources match, and at the files that were found through those:
 * pictures that records name, the other parts of an export. Nothing else that lies beside them is looked at. Files are
 * looked at again and again rather than watched: that works on every disk and share, with editors that put another file
 * in the place of the old one, and for folders that are made later.
 */
export async function lookAtFiles({ config, pictures, files, outputs }: Watched): Promise<FileStates> {
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
  // A part that is new lies beside one that was read, under the same ending.
  const besides = files
    .filter((path) => !matched.has(path))
    .map((path) => posix.join(fastGlob.escapePath(posix.dirname(path)), `*${posix.extname(path)}`));
  const parts = besides.length === 0 ? [] : await find([...new Set(besides)]);
  const states = new Map([[file, await describeState(file)]]);
  for (const entry of [...named, ...parts]) {
    const isOurs = entry.stats !== undefined && outputs.has(entry.stats.ino);
    if (!isOurs && !OF_EDITORS.test(entry.path) && !isOfSnapshot(entry.path)) {
      states.set(join(folder, entry.path), stateOf(entry));
    }
  }
  for (const path of pictures) states.set(join(folder, path), await describeState(join(folder, path)));
  return states;
}

/** Whether a path leads into a snapshot, of any store. */
function isOfSnapshot(path: string): boolean {
  return path.split('/').some((name) => SNAPSHOT_ID.test(name));
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
 * Waits until the files are in another state than `before` and stay in it for a moment, so that a file is not read while
 * it is written, and an editor that saves ten files costs one build. Undefined when `signal` ends the waiting.
 */
export async function untilChanged(
  look: () => Promise<FileStates>,
  before: FileStates,
  signal: AbortSignal,
): Promise<FileStates | undefined> {
  let last = before;
  let lookMs = 0;
  let hasChanged = false;
  while (await pause(hasChanged ? Math.max(QUIET_MS, lookMs) : Math.max(LOOK_MS, lookMs * 10), signal)) {
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
