import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, posix, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fastGlob from 'fast-glob';
import { readConfig, type BuildConfig } from '../build/config/config.ts';
import { describeBuild } from '../build/report/describe-build.ts';
import { runBuild } from '../build/run.ts';
import { DAY_MS } from '../data/record/time.ts';
import { findPackageRoot } from '../data/package-root.ts';
import { addKey, readKeyFile, removeKeys } from '../server/keys/key-file.ts';
import { checkPeriod, createKeyRing } from '../server/keys/server-keys.ts';
import type { LogEntry } from '../server/log.ts';
import { startServer, type RunningServer } from '../server/start.ts';
import { collectGarbageEarly } from './build.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { explainError } from './console/errors.ts';
import {
  CONFIG,
  DEFAULT_HOST,
  DEFAULT_PORT,
  findConfig,
  option,
  parsePort,
  settingOption,
  type StoreOptions,
} from './console/options.ts';
import { describeAddresses, untilSignal } from './serve.ts';

interface DevOptions extends StoreOptions {
  readonly port: number;
  readonly corsOrigin: readonly string[];
}

const SAMPLE_CONFIG = join(findPackageRoot(), 'data/sample/catalogue.json');

/** Not the default store: a catalogue of the reader, built in the same folder, would be compared with the sample. */
const SAMPLE_STORE = 'dist/demo';

const KEYS_FILE = 'dist/demo-keys.json';

/** The key itself, so that pages and scripts that have it work after the next start, too. */
const KEY_TEXT_FILE = 'dist/demo-key.txt';

const KEY_DAYS = 30;

/** Builds and serves again when a source changes. It does not read `DEALS_STORE`, which may be the store of a real site. */
export const createDevCommand = defineCommand<DevOptions>({
  name: 'dev',
  alias: 'demo',
  description:
    'build, serve on this machine, and build again after each change; without a configuration it serves the sample',
  options: [
    CONFIG,
    option(
      '-s, --store <folder>',
      `where snapshots are published (default: the store of the configuration; of the sample ${SAMPLE_STORE})`,
    ),
    option('-p, --port <number>', 'the port to listen on; 0 for any that is free', parsePort).default(DEFAULT_PORT),
    settingOption('corsOrigins'),
  ],
  examples: [
    'deals dev --config data/sample/catalogue.json',
    'deals dev --config data/sample/catalogue.json --store dist/dev --port 9000',
  ],
  run: dev,
});

async function dev(context: Context, options: DevOptions): Promise<ExitCode> {
  collectGarbageEarly();
  const stop = new AbortController();
  const stopped = untilSignal().then(() => stop.abort());
  const named = findConfig(options);
  const store = options.store ?? (named === undefined ? SAMPLE_STORE : undefined);
  let config = await readConfig(named ?? SAMPLE_CONFIG, { store });
  const keyText = (await findKey(context.now())) ?? (await createKey(context.now()));
  let server: RunningServer | undefined;
  const globs = new Set<string>();
  const look = () => pollFiles(config, [...groupsOf(config), [...globs]]);
  for (;;) {
    const before = await look();
    const found = await build(context, config.file, store);
    for (const glob of found) globs.add(glob);
    // A change during the build counts, as far as the file was followed before it.
    const seen = new Map([...(await pollFiles(config, [found])), ...before]);
    if (server === undefined) server = await start(context, config, options, keyText);
    else await server.refresh();
    const now = await waitForChange(look, seen, stop.signal);
    if (now === undefined) break;
    context.output.message(`\n${describeFiles(findChanged(seen, now), config)}`);
    // The build reports a new configuration that has a fault.
    config = await readConfig(config.file, { store: config.store }).catch(() => config);
  }
  await server.close();
  await stopped;
  return EXIT.ok;
}

/** The key of an earlier start, while it is valid. */
async function findKey(now: Date): Promise<string | undefined> {
  try {
    const keyText = await readFile(KEY_TEXT_FILE, 'utf8');
    const { kind } = createKeyRing(await readKeyFile(KEYS_FILE)).check(keyText, now);
    return kind === 'valid' ? keyText : undefined;
  } catch {
    return undefined;
  }
}

async function createKey(now: Date): Promise<string> {
  const until = new Date(now.getTime() + KEY_DAYS * DAY_MS);
  const { keyText } = await addKey(KEYS_FILE, { name: 'demo', until, operator: true }, now);
  await removeKeys(KEYS_FILE, (entry) => checkPeriod(entry, now).kind === 'expired');
  await rm(KEY_TEXT_FILE, { force: true });
  await writeFile(KEY_TEXT_FILE, keyText, { flag: 'wx', mode: 0o600 });
  return keyText;
}

function describeServer(url: string, keyText: string): readonly string[] {
  const target = '/deals/v1/products/?filter[condition]=eq{new}&expand=products(cheapestDeal)&limit=2';
  const curl = `curl -g -H 'x-api-key: ${keyText}' '${url}${target}'`;
  return ['', ...describeAddresses({ url }, keyText), `  key        ${keyText}`, '', curl, ''];
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

async function start(
  context: Context,
  { store }: BuildConfig,
  { port, corsOrigin }: DevOptions,
  keyText: string,
): Promise<RunningServer> {
  const server = await startServer({
    store,
    keysFile: KEYS_FILE,
    host: DEFAULT_HOST,
    port,
    // Pages of this machine may call it.
    settings: { corsOrigins: ['localhost', ...corsOrigin], accessLog: false },
    log: (entry) => reportServerError(context, entry),
  });
  context.output.lines(describeServer(server.url, keyText));
  context.output.message('waiting for changes; Ctrl-C ends');
  return server;
}

/** Builds, reports the outcome or the error, and returns the globs of what the build has read. */
async function build(context: Context, file: string, store: string | undefined): Promise<readonly string[]> {
  const { output } = context;
  output.progress('building');
  try {
    const result = await runBuild({
      configPath: file,
      store,
      now: context.now(),
      dryRun: false,
      accept: [],
      // A line that rewrites itself; in a pipe it would be a line for each step.
      onProgress: (message) => output.isStderrTerminal && output.progress(message),
    });
    const text = describeBuild(result, true).join('\n');
    if (result.outcome === 'refused') output.error(text);
    else output.message(text);
    const files = result.report.sources.flatMap((source) => source.files.map(({ path }) => path));
    return globsOf(files);
  } catch (error) {
    output.error(explainError(error).message ?? String(error));
    return [];
  }
}

function describeFiles([first = '', ...others]: readonly string[], { folder }: BuildConfig): string {
  return `${relative(folder, first)}${others.length > 0 ? ` and ${others.length} more files` : ''}: changed`;
}

const POLL_MS = 250;

/** The files that a build reads, by path, with a text that differs for each state of a file. */
export type FileStates = ReadonlyMap<string, string>;

const PICTURES = '**/*.{png,jpg,jpeg,webp,gif,tif,tiff,avif}';

/**
 * The globs of what a build has read beside the files that its configuration names: files of the same ending beside each
 * file, since a new part of an export is beside another, and pictures below it. Paths are relative to the configuration.
 */
export function globsOf(files: readonly string[]): readonly string[] {
  return files.flatMap((path) =>
    [`*${posix.extname(path)}`, PICTURES].map((glob) => posix.join(fastGlob.escapePath(posix.dirname(path)), glob)),
  );
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
    found.flat().map(({ path, stats }) => [join(folder, path), `${stats?.ino} ${stats?.size} ${stats?.mtimeMs}`]),
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
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}
