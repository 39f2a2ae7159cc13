import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Option } from 'commander';
import { readConfig, type BuildConfig } from '../build/config/config.ts';
import type { GivenOptions } from '../build/report/build-result.ts';
import { describeBuildBriefly } from '../build/report/describe-build.ts';
import { runBuild } from '../build/run.ts';
import { ConfigError } from '../build/source/errors.ts';
import { DAY_MS } from '../data/record/amount.ts';
import { StoreBusyError } from '../data/store/lock.ts';
import { findPackageRoot } from '../data/store/regular-file.ts';
import { addKey, readKeyFile, removeKeys } from '../server/keys/key-file.ts';
import { checkPeriod, createApiKeyStore } from '../server/keys/key-store.ts';
import type { LogEntry } from '../server/log.ts';
import { collectGarbageEarly } from './build.ts';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import { explainError } from './console/errors.ts';
import { configOption, DEFAULT_CONFIG, defineCommand, parseText } from './console/options.ts';
import { DEFAULT_HOST, localPortOption, settingOption } from './console/server-options.ts';
import { describeAddresses, localSettings, startOnFreePort, untilSignal } from './serve.ts';
import { findChanged, pause, pollFiles, waitForChange, type FileStates, type WatchedFiles } from './watch-sources.ts';

interface DevOptions {
  readonly config?: string;
  readonly store?: string;
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

/** How many of the files that have changed are named. */
const SHOWN_FILES = 3;

/** How long to wait for another build. */
const BUSY_MS = 500;

/** Builds and serves again when a source changes. It does not read `DEALS_STORE`, which may be the store of a real site. */
export const createDevCommand = defineCommand<DevOptions>({
  name: 'dev',
  aliases: ['demo'],
  description:
    'build, serve on this machine with a key of its own, and build again whenever a source or the configuration changes; without a configuration it serves the sample',
  options: [
    configOption(),
    new Option(
      '-s, --store <folder>',
      `where snapshots are published (default: the store of the configuration; of the sample ${SAMPLE_STORE})`,
    ).argParser(parseText),
    localPortOption(),
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
  const named = options.config ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined);
  const given =
    named === undefined
      ? { config: SAMPLE_CONFIG, store: options.store ?? SAMPLE_STORE }
      : { config: options.config, store: options.store };
  const config = await readConfig(named ?? SAMPLE_CONFIG, { store: given.store });
  const keyText = (await findKey(context.now())) ?? (await createKey(context.now()));
  const sources = new FollowedSources(context, config, given, stop.signal);
  await sources.build();
  const server = await startOnFreePort({
    store: config.store,
    keysFile: KEYS_FILE,
    host: DEFAULT_HOST,
    port: options.port,
    settings: { ...localSettings(options.corsOrigin), accessLog: false },
    log: (entry) => reportServerError(context, entry),
  });
  context.output.result(describeServer(server.url, keyText));
  context.output.message('waiting for changes; Ctrl-C ends');
  while (await sources.untilChanged()) {
    await sources.build();
    await server.refresh();
  }
  await server.close();
  await stopped;
  return EXIT.ok;
}

/** The key of an earlier start, while it is valid. */
async function findKey(now: Date): Promise<string | undefined> {
  try {
    const keyText = await readFile(KEY_TEXT_FILE, 'utf8');
    const { kind } = createApiKeyStore(await readKeyFile(KEYS_FILE)).check(keyText, now);
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

function describeServer(url: string, keyText: string): string {
  const target = '/deals/v1/products/?filter[condition]=eq{new}&expand=products(cheapestDeal)&limit=2';
  const addresses = [...describeAddresses({ url, keyText }), `  key        ${keyText}`].join('\n');
  return `\n${addresses}\n\ncurl -g -H 'x-api-key: ${keyText}' '${url}${target}'\n\n`;
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

/** The sources of a configuration, their builds and their changes. The store does not change with the configuration. */
class FollowedSources {
  readonly #context: Context;
  /** What the command line says, for the line that accepts a refusal. */
  readonly #given: GivenOptions;
  readonly #signal: AbortSignal;
  #watched: WatchedFiles;
  #seen: FileStates = new Map();

  constructor(context: Context, config: BuildConfig, given: GivenOptions, signal: AbortSignal) {
    this.#context = context;
    this.#given = given;
    this.#signal = signal;
    this.#watched = { config, pictures: [], files: [] };
  }

  /** Builds, reports the outcome, and then also follows the files that the build found. Changes during the build count. */
  async build(): Promise<void> {
    const before = this.#seen.size === 0 ? await pollFiles(this.#watched) : this.#seen;
    const { config, pictures } = this.#watched;
    const named = new Set(pictures.map((path) => join(config.folder, path)));
    this.#watched = { ...this.#watched, ...(await this.#run()) };
    const next = await pollFiles(this.#watched);
    this.#seen = new Map([...next, ...[...before].filter(([path]) => next.has(path) || !named.has(path))]);
  }

  /** Waits for a change, and takes up the configuration. False when a signal came. */
  async untilChanged(): Promise<boolean> {
    const now = await waitForChange(() => pollFiles(this.#watched), this.#seen, this.#signal);
    if (now === undefined) return false;
    this.#context.output.message(`\n${describeFiles(findChanged(this.#seen, now), this.#watched.config)}`);
    this.#watched = { ...this.#watched, config: await readIfSound(this.#watched.config) };
    // The configuration may name other files now; what changes of the others from here on is seen the next time.
    this.#seen = new Map([...(await pollFiles(this.#watched))].map(([path, state]) => [path, now.get(path) ?? state]));
    return true;
  }

  /** Builds, reports the outcome or the error, and returns the files that the build found. */
  async #run(): Promise<Partial<Pick<WatchedFiles, 'pictures' | 'files'>>> {
    const { output } = this.#context;
    output.progress('building');
    let found: Partial<Pick<WatchedFiles, 'pictures' | 'files'>> = {};
    try {
      const { file, store } = this.#watched.config;
      const result = await runBuild({
        configPath: file,
        store,
        now: this.#context.now(),
        dryRun: false,
        accept: [],
        given: this.#given,
        // A line that rewrites itself; in a pipe it would be a line for each step.
        onProgress: (message) => output.isStderrTerminal && output.progress(message),
        onPictures: (pictures) => (found = { pictures }),
      });
      found = { ...found, files: result.report.sources.flatMap(({ files }) => files.map(({ path }) => path)) };
      const text = describeBuildBriefly(result).join('\n');
      if (result.outcome === 'refused') output.error(text);
      else output.message(text);
    } catch (error) {
      output.error(explainError(error).message ?? String(error));
      if (error instanceof StoreBusyError && (await pause(BUSY_MS, this.#signal))) return this.#run();
    }
    return found;
  }
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

function describeFiles(paths: readonly string[], { folder }: BuildConfig): string {
  const names = paths.slice(0, SHOWN_FILES).map((path) => relative(folder, path));
  const others = paths.length - names.length;
  return `${names.join(', ')}${others > 0 ? ` and ${others} more files` : ''}: changed`;
}
