import { stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fastGlob from 'fast-glob';
import type { BuildConfig } from '../build/config.ts';

/** How often the files are looked at, when that takes no longer than a tenth of it. */
const LOOK_MS = 250;

/** How long they must stay as they are once they have changed: whoever writes a file does not pause so long in it. */
const QUIET_MS = 100;

/** The files of which a build is made, by path: what tells one state of each from another. */
export type FileStates = ReadonlyMap<string, string>;

/**
 * Looks at the configuration and at everything that its sources name. Files are looked at again and again rather than
 * watched: that works on every disk and share, with editors that put another file in the place of the old one, and for
 * folders that are made later.
 */
export async function lookAtFiles({ file, folder, store, cms, feeds }: BuildConfig): Promise<FileStates> {
  const states = new Map([[file, await describeState(file)]]);
  const ignore = [`${fastGlob.convertPathToPattern(relative(folder, store))}/**`, '**/node_modules/**'];
  const find = (patterns: readonly string[], deep = Infinity): Promise<readonly Entry[]> =>
    fastGlob.glob([...patterns], {
      cwd: folder,
      ignore,
      deep,
      stats: true,
      suppressErrors: true,
      followSymbolicLinks: !patterns.some((pattern) => pattern.includes('**')),
    });
  const named = await Promise.all([...cms, ...feeds].map(({ files }) => find(files)));
  for (const entry of named.flat()) states.set(join(folder, entry.path), stateOf(entry));
  // Pictures and the other files of an export lie beside the one that is named, and below.
  const besides = new Set(named.slice(0, cms.length).flatMap((entries) => entries.map(({ path }) => dirname(path))));
  const patterns = [...besides].map((beside) =>
    beside === '.' ? '**' : `${fastGlob.convertPathToPattern(beside)}/**`,
  );
  if (patterns.length > 0) {
    for (const entry of await find(patterns, MAX_DEPTH)) states.set(join(folder, entry.path), stateOf(entry));
  }
  return states;
}

/** A folder of pictures is not deeper than this. */
const MAX_DEPTH = 8;

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
