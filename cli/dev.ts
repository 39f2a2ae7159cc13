import { fstatSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { readConfig, type BuildConfig } from '../build/config.ts';
import { ConfigError } from '../build/config-error.ts';
import { StoreBusyError } from '../build/publish/store-busy-error.ts';
import type { GivenOptions } from '../build/report/build-command.ts';
import { describeBuildBriefly } from '../build/report/describe-build.ts';
import { runBuild } from '../build/run.ts';
import type { LogEntry } from '../server/http/log.ts';
import { addKey } from '../server/key/key-file.ts';
import { describeAddresses } from './address.ts';
import { requireConfig } from './build.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { explainError } from './explain-error.ts';
import { localPortOption, localSettings, startOnFreePort } from './local-server.ts';
import { configOption, describeExamples, storeOption } from './option.ts';
import { corsOriginOption, DEFAULT_HOST, untilSignal } from './serve.ts';
import { findChanged, lookAtFiles, pause, untilChanged, type FileStates, type Watched } from './watched-files.ts';

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

/** `deals dev`: a catalogue that follows its sources, for somebody who works on them. */
export function createDevCommand(context: Context): Command {
  return new Command('dev')
    .description(
      'build, serve on this machine with a key of its own, and build again whenever a source or the configuration changes',
    )
    .addOption(configOption())
    .addOption(storeOption())
    .addOption(localPortOption())
    .addOption(corsOriginOption())
    .addHelpText(
      'after',
      describeExamples(
        'deals dev --config data/sample/catalogue.json',
        'deals dev --config data/sample/catalogue.json --store dist/dev --port 9000',
      ),
    )
    .action(async (options: DevOptions) => context.end(await dev(context, options)));
}

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

/** Builds and serves, until `signal` says that it is enough. The store is that of the start. */
async function followSources(
  context: Context,
  startConfig: BuildConfig,
  { given, keysFile, keyText, port, corsOrigin, signal }: Session,
): Promise<void> {
  const { output } = context;
  const { store } = startConfig;
  let watched: Watched = { config: startConfig, pictures: [], files: [], outputs: findOutputs() };
  let seen: FileStates = await lookAtFiles(watched);
  /** Builds, and from then on looks at what that build has found as well; what changed during it counts as changed. */
  const follow = async (): Promise<void> => {
    const named = new Set(watched.pictures.map((path) => join(watched.config.folder, path)));
    watched = { ...watched, ...(await rebuild(context, watched.config, given, signal)) };
    const next = await lookAtFiles(watched);
    seen = new Map([...next, ...[...seen].filter(([path]) => next.has(path) || !named.has(path))]);
  };
  await follow();
  const server = await startOnFreePort({
    store,
    keysFile,
    host: DEFAULT_HOST,
    port,
    settings: { ...localSettings(corsOrigin), accessLog: false },
    log: (entry) => tellFault(context, entry),
  });
  output.result(`\n${[...describeAddresses({ url: server.url, keyText }), `  key        ${keyText}`].join('\n')}\n\n`);
  output.message('waiting for changes; Ctrl-C ends');
  for (;;) {
    const now = await untilChanged(() => lookAtFiles(watched), seen, signal);
    if (now === undefined) break;
    output.message(`\n${describeFiles(findChanged(seen, now), watched.config)}`);
    watched = { ...watched, config: await readIfSound(watched.config) };
    // The configuration may name other files now; what changes of the others from here on is seen the next time.
    seen = new Map([...(await lookAtFiles(watched))].map(([path, state]) => [path, now.get(path) ?? state]));
    await follow();
    await server.refresh();
  }
  await server.close();
}

/** The configuration as it is now; as it was, when it is faulty: then the build says so. */
async function readIfSound(config: BuildConfig): Promise<BuildConfig> {
  try {
    return await readConfig(config.file, { store: config.store });
  } catch (error) {
    if (error instanceof ConfigError) return config;
    throw error;
  }
}

/** The inodes of stdout and stderr, where they are files. */
function findOutputs(): ReadonlySet<number> {
  return new Set([1, 2].map((fd) => fstatSync(fd)).flatMap((stats) => (stats.isFile() ? [stats.ino] : [])));
}

/** Builds, says what came of it, and returns what it found. What goes wrong is said too, and what is served stays. */
async function rebuild(
  context: Context,
  config: BuildConfig,
  given: GivenOptions,
  signal: AbortSignal,
): Promise<Partial<Pick<Watched, 'pictures' | 'files'>>> {
  const { output } = context;
  output.progress('building');
  let found: Partial<Pick<Watched, 'pictures' | 'files'>> = {};
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

/** Of what the server logs only what is wrong. */
function tellFault({ output }: Context, { event, cause, ...facts }: LogEntry): void {
  if (cause === undefined) return;
  // Before the first build that publishes there is nothing to serve, and why that is has just been said.
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
