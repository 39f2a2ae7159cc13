import { fstatSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fastGlob from 'fast-glob';
import { readConfig, type BuildConfig } from '../build/config/config.ts';
import type { GivenOptions } from '../build/report/build-result.ts';
import { describeBuildBriefly } from '../build/report/describe-build.ts';
import { runBuild } from '../build/run.ts';
import { ConfigError } from '../build/source/errors.ts';
import { StoreBusyError } from '../data/store/lock.ts';
import { SNAPSHOT_ID } from '../data/snapshot/format.ts';
import { addKey } from '../server/keys/key-file.ts';
import type { LogEntry } from '../server/log.ts';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import { explainError } from './console/errors.ts';
import { configOption, defineCommand, requireConfig, storeOption } from './console/options.ts';
import { describeAddresses, localSettings, startOnFreePort, untilSignal } from './serve.ts';
import { DEFAULT_HOST, localPortOption, settingOption } from './console/server-options.ts';

interface DevOptions {
  readonly config?: string;
  readonly store?: string;
  readonly port: number;
  readonly corsOrigin: readonly string[];
}

/** How many of the files that have changed are named. */
const SHOWN_FILES = 3;

/** How long to wait for another build. */
const BUSY_MS = 500;

/** Builds and serves again when a source changes. */
export const createDevCommand = defineCommand<DevOptions>({
  name: 'dev',
  description:
    'build, serve on this machine with a key of its own, and build again whenever a source or the configuration changes',
  options: [configOption(), storeOption(), localPortOption(), settingOption('corsOrigins')],
  examples: [
    'deals dev --config data/sample/catalogue.json',
    'deals dev --config data/sample/catalogue.json --store dist/dev --port 9000',
  ],
  run: dev,
});

async function dev(context: Context, options: DevOptions): Promise<ExitCode> {
  const config = await readConfig(requireConfig(options.config), { store: options.store });
  const stop = new AbortController();
  const stopped = untilSignal().then(() => stop.abort());
  const keysFolder = await mkdtemp(join(tmpdir(), 'deals-dev-'));
  try {
    const keysFile = join(keysFolder, 'keys.json');
    const { keyText } = await addKey(keysFile, { name: 'dev', operator: true }, context.now());
    const given = { config: options.config, store: options.store };
    const { port, corsOrigin } = options;
    await followSources(context, config, { given, keysFile, keyText, port, corsOrigin, signal: stop.signal });
    await stopped;
  } finally {
    await rm(keysFolder, { recursive: true });
  }
  return EXIT.ok;
}

interface Session {
  /** What the command line says, for the line that accepts a refusal. */
  readonly given: GivenOptions;
  readonly keysFile: string;
  readonly keyText: string;
  readonly port: number;
  readonly corsOrigin: readonly string[];
  readonly signal: AbortSignal;
}

/** Builds and serves until `signal` aborts. The store does not change with the configuration. */
async function followSources(
  context: Context,
  startConfig: BuildConfig,
  { given, keysFile, keyText, port, corsOrigin, signal }: Session,
): Promise<void> {
  const { output } = context;
  const { store } = startConfig;
  let watched: WatchedFiles = { config: startConfig, pictures: [], files: [], outputs: findOutputInodes() };
  let seen: FileStates = await pollFiles(watched);
  /** Builds, and then also follows the files that the build found. Changes during the build count. */
  const follow = async (): Promise<void> => {
    const named = new Set(watched.pictures.map((path) => join(watched.config.folder, path)));
    watched = { ...watched, ...(await rebuild(context, watched.config, given, signal)) };
    const next = await pollFiles(watched);
    seen = new Map([...next, ...[...seen].filter(([path]) => next.has(path) || !named.has(path))]);
  };
  await follow();
  const server = await startOnFreePort({
    store,
    keysFile,
    host: DEFAULT_HOST,
    port,
    settings: { ...localSettings(corsOrigin), accessLog: false },
    log: (entry) => reportServerError(context, entry),
  });
  output.result(`\n${[...describeAddresses({ url: server.url, keyText }), `  key        ${keyText}`].join('\n')}\n\n`);
  output.message('waiting for changes; Ctrl-C ends');
  for (;;) {
    const now = await waitForChange(() => pollFiles(watched), seen, signal);
    if (now === undefined) break;
    output.message(`\n${describeFiles(findChanged(seen, now), watched.config)}`);
    watched = { ...watched, config: await readIfSound(watched.config) };
    // The configuration may name other files now; what changes of the others from here on is seen the next time.
    seen = new Map([...(await pollFiles(watched))].map(([path, state]) => [path, now.get(path) ?? state]));
    await follow();
    await server.refresh();
  }
  await server.close();
}

/** The new configuration, or the earlier one when the new one has a fault; the build reports that fault. */
async function readIfSound(config: BuildConfig): Promise<BuildConfig> {
  try {
    return await readConfig(config.file, { store: config.store });
  } catch (error) {
    if (error instanceof ConfigError) return config;
    throw error;
  }
}

/** The inodes of stdout and stderr, where they are files. */
function findOutputInodes(): ReadonlySet<number> {
  return new Set([1, 2].map((fd) => fstatSync(fd)).flatMap((stats) => (stats.isFile() ? [stats.ino] : [])));
}

/** Builds, reports the outcome or the error, and returns the files that the build found. */
async function rebuild(
  context: Context,
  config: BuildConfig,
  given: GivenOptions,
  signal: AbortSignal,
): Promise<Partial<Pick<WatchedFiles, 'pictures' | 'files'>>> {
  const { output } = context;
  output.progress('building');
  let found: Partial<Pick<WatchedFiles, 'pictures' | 'files'>> = {};
  try {
    const { file, store } = config;
    const result = await runBuild({
      configPath: file,
      store,
      now: context.now(),
      dryRun: false,
      accept: [],
      given,
      onPictures: (pictures) => (found = { pictures }),
    });
    found = { ...found, files: result.report.sources.flatMap(({ files }) => files.map(({ path }) => path)) };
    const text = describeBuildBriefly(result).join('\n');
    if (result.outcome === 'refused') output.error(text);
    else output.message(text);
  } catch (error) {
    output.error(explainError(error).message ?? String(error));
    if (error instanceof StoreBusyError && (await pause(BUSY_MS, signal))) {
      return rebuild(context, config, given, signal);
    }
  }
  return found;
}

function reportServerError({ output }: Context, { event, cause, ...facts }: LogEntry): void {
  if (cause === undefined) return;
  // Nothing is published yet, and the build has just said why.
  if (facts['reason'] === 'no-snapshot') {
    output.message('nothing is served until a build has published something');
    return;
  }
  output.error(`${event}: ${String(facts['path'] ?? '')} ${String(cause)}`);
}

function describeFiles(paths: readonly string[], { folder }: BuildConfig): string {
  const names = paths.slice(0, SHOWN_FILES).map((path) => relative(folder, path));
  const others = paths.length - names.length;
  return `${names.join(', ')}${others > 0 ? ` and ${others} more files` : ''}: changed`;
}

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
  /** The inodes of the files that this process writes to. A change of them would be its own. */
  readonly outputs: ReadonlySet<number>;
}

/** Files that an editor makes while it saves another. */
const EDITOR_FILES = /(?:~|\.sw[a-z]|(?:^|\/)(?:#[^/]*#|4913|~\$[^/]*|___jb_[^/]*))$/;

/**
 * Reads the state of the configuration, of the files that the globs of its sources match, of the pictures that records
 * name, and of the other parts of an export. Polling works on every disk and share, with editors that replace files, and
 * for folders that are made later; `fs.watch` does not.
 */
export async function pollFiles({ config, pictures, files, outputs }: WatchedFiles): Promise<FileStates> {
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
    const isOurs = entry.stats !== undefined && outputs.has(entry.stats.ino);
    if (!isOurs && !EDITOR_FILES.test(entry.path) && !isOfSnapshot(entry.path)) {
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
