import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from 'commander';
import { DAY_MS } from '../data/record/amount.ts';
import type { SourceReport } from '../data/report/report.ts';
import { addKey, readKeyFile, removeKeys } from '../server/keys/key-file.ts';
import { checkPeriod, createApiKeyStore } from '../server/keys/key-store.ts';
import type { Log } from '../server/log.ts';
import { describeBuildBriefly } from '../build/report/describe-build.ts';
import type { BuildResult } from '../build/report/build-result.ts';
import { runBuild } from '../build/run.ts';
import { collectGarbageEarly } from './build.ts';
import { findPackageRoot } from '../data/store/regular-file.ts';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import { createLog } from './console/log.ts';
import { localSettings, runUntilStopped, startOnFreePort } from './serve.ts';
import { DEFAULT_HOST, localPortOption, settingOption } from './console/server-options.ts';
import { defineCommand, parseText } from './console/options.ts';

/** Not the default store: a catalogue of the reader, built in the same folder, would be compared with the sample. */
const DEMO_STORE = 'dist/demo';
const DEMO_KEYS = 'dist/demo-keys.json';
/** The key itself, so that pages and scripts that have it work after the next start, too. */
const DEMO_KEY = 'dist/demo-key.txt';

const DEMO_KEY_DAYS = 30;

interface DemoOptions {
  readonly store: string;
  readonly config: string;
  readonly port: number;
  readonly corsOrigin: readonly string[];
}

/** Builds and serves the sample. It ignores `DEALS_STORE`, which may be the store of a real site. */
export const createDemoCommand = defineCommand<DemoOptions>({
  name: 'demo',
  description: 'build the sample catalogue, make a key for it, and serve it on this machine',
  options: [
    new Option('-c, --config <file>', 'the configuration of the build')
      .default(join(findPackageRoot(), 'data/sample/catalogue.json'), 'the sample')
      .argParser(parseText),
    new Option('-s, --store <folder>', 'where the snapshot is published').default(DEMO_STORE).argParser(parseText),
    localPortOption(),
    settingOption('corsOrigins'),
  ],
  examples: ['deals demo', 'deals demo --port 9000'],
  run: demo,
});

async function demo(context: Context, { store, config, port, corsOrigin }: DemoOptions): Promise<ExitCode> {
  const { output } = context;
  const built = await buildSample(context, config, store);
  if (built.outcome === 'refused') {
    output.error(describeBuildBriefly(built).join('\n'));
    return EXIT.refused;
  }
  built.attention.forEach((line) => output.warn(line));
  const now = context.now();
  const keyText = (await findDemoKey(now)) ?? (await createDemoKey(now));
  const writeLog = createLog(output);
  // Only requests and faults, so that the address and the curl line stay visible.
  const log: Log = (entry) => {
    if (entry.event === 'request' || entry['cause'] !== undefined) writeLog(entry);
  };
  const server = await startOnFreePort({
    store,
    keysFile: DEMO_KEYS,
    host: DEFAULT_HOST,
    port,
    settings: localSettings(corsOrigin),
    log,
  });
  await runUntilStopped(server, log, () => output.result(describeDemo(built, server.url, keyText)));
  return EXIT.ok;
}

function buildSample(context: Context, configPath: string, store: string): Promise<BuildResult> {
  collectGarbageEarly();
  return runBuild({
    configPath,
    store,
    now: context.now(),
    dryRun: false,
    accept: [],
    given: { config: configPath, store },
    // A line that rewrites itself; in a pipe it would be a line for each step.
    onProgress: (message) => {
      if (context.output.isStderrTerminal) context.output.progress(message);
    },
  });
}

/** The key of an earlier start, while it is valid. */
async function findDemoKey(now: Date): Promise<string | undefined> {
  try {
    const keyText = await readFile(DEMO_KEY, 'utf8');
    const { kind } = createApiKeyStore(await readKeyFile(DEMO_KEYS)).check(keyText, now);
    return kind === 'valid' ? keyText : undefined;
  } catch {
    return undefined;
  }
}

async function createDemoKey(now: Date): Promise<string> {
  const until = new Date(now.getTime() + DEMO_KEY_DAYS * DAY_MS);
  const { keyText } = await addKey(DEMO_KEYS, { name: 'demo', until, operator: true }, now);
  await removeKeys(DEMO_KEYS, (entry) => checkPeriod(entry, now).kind === 'expired');
  await rm(DEMO_KEY, { force: true });
  await writeFile(DEMO_KEY, keyText, { flag: 'wx', mode: 0o600 });
  return keyText;
}

function describeDemo({ counts, report }: BuildResult, url: string, keyText: string): string {
  const sum = (count: (source: SourceReport) => number): string =>
    report.sources.reduce((total, source) => total + count(source), 0).toLocaleString('en-GB');
  const faulty = `${sum(({ quarantined }) => quarantined)} of ${sum(({ read }) => read)} records`;
  const [products, deals] = [counts.products.toLocaleString('en-GB'), counts.deals.toLocaleString('en-GB')];
  const target = '/deals/v1/products/?filter[condition]=eq{new}&expand=products(cheapestDeal)&limit=2';
  return [
    `Built ${products} products and ${deals} deals. They are served until you press Ctrl-C.`,
    `${faulty} have faults and are quarantined: ${url}/status/#key=${keyText}`,
    `To look around: ${url}/explore/#key=${keyText}`,
    `To try requests: ${url}/docs/#key=${keyText}`,
    `curl -g -H 'x-api-key: ${keyText}' '${url}${target}'\n`,
  ].join('\n');
}
