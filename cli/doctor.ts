import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeBuildCommand, type GivenOptions } from '../build/report/build-result.ts';
import { quoteForShell } from '../data/snapshot/snapshot-error.ts';
import { findCurrent, listSnapshots } from '../data/store/snapshots.ts';
import { findPackageRoot } from '../data/store/regular-file.ts';
import { Option } from 'commander';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import {
  configOption,
  DEFAULT_STORE,
  defineCommand,
  jsonOption,
  keysOption,
  parseText,
  storeOption,
} from './console/options.ts';
import { formatJson, formatLines } from './console/output.ts';
import { remoteOptions, signingKeyOption, trustOption } from './console/remote-options.ts';
import { hostOption, portOption, settingOption } from './console/server-options.ts';
import {
  checkBuild,
  checkConfig,
  checkKeys,
  checkSnapshot,
  checkSources,
  checkStore,
  UNPUBLISHED,
  type ConfigCheck,
  type SourcesCheck,
} from './doctor/data.ts';
import {
  checkClock,
  checkDisk,
  checkMachine,
  checkNode,
  checkPort,
  readDiskFacts,
  readMachineFacts,
  SERVED,
} from './doctor/machine.ts';
import {
  checkPulled,
  examineRemote,
  findMissingBytes,
  readPulled,
  type PulledCheck,
  type RemoteDoctorOptions,
  type RemoteFacts,
} from './doctor/remote.ts';
import { describeCount, fault, needsWork, skipped, type CheckResult } from './doctor/result.ts';

interface DoctorOptions extends RemoteDoctorOptions {
  readonly config?: string;
  readonly store?: string;
  readonly keys?: string;
  readonly host: string;
  readonly port: number;
  readonly staleAfter: number;
  readonly json?: true;
}

/** Checks whether this machine can build and serve. */
export const createDoctorCommand = defineCommand<DoctorOptions>({
  name: 'doctor',
  description:
    'look at this machine, the sources, the store, the object store, the keys and the port, and say what to mend; a fault ends with exit code 1',
  options: [
    configOption(),
    storeOption(),
    keysOption(),
    hostOption(),
    portOption(),
    settingOption('staleAfterHours'),
    new Option('--remote <url>', 'the object store that this machine pushes to or pulls from')
      .env('DEALS_REMOTE')
      .argParser(parseText),
    trustOption('the public keys of the builders of --remote'),
    signingKeyOption('on a builder: its private key; then --remote is also written to, as a push would'),
    ...remoteOptions(),
    jsonOption(),
  ],
  examples: [
    'deals doctor --config data/sample/catalogue.json --keys dist/keys.json',
    'deals doctor --store dist/catalogue --json',
  ],
  run: examine,
});

/** What several checks need. */
interface Facts {
  readonly options: DoctorOptions;
  readonly given: GivenOptions;
  readonly now: Date;
  readonly configuration: ConfigCheck;
  readonly sources: SourcesCheck | undefined;
  /** Absent when the configuration, which would name it, has a fault. */
  readonly store: string | undefined;
  readonly access: CheckResult;
  /** The store, where this user can read it. */
  readonly readable: string | undefined;
  readonly pulled: PulledCheck;
  readonly remote: RemoteFacts;
}

interface Check {
  readonly help: string;
  readonly run: (facts: Facts) => CheckResults | Promise<CheckResults>;
}

type CheckResults = CheckResult | readonly CheckResult[];

/** The checks of `deals doctor`, in the order of its output. */
export const CHECKS = {
  node: {
    help: 'the version of Node: new enough for the program, and still given security releases',
    run: ({ now }) => checkNode(process.versions.node, readEngine(), now),
  },
  machine: {
    help: 'what the system gives a server: descriptors, and memory for those who read slowly',
    run: async () => checkMachine(await readMachineFacts()),
  },
  configuration: {
    help: 'whether the configuration can be used',
    run: ({ configuration }) => configuration.result,
  },
  sources: {
    help: 'whether the files of each source are there and can be read, and how old a feed is',
    run: ({ sources }) => sources?.results ?? [],
  },
  store: {
    help: 'who may read the store and write to it',
    run: ({ access }) => access,
  },
  snapshot: {
    help: 'whether the current snapshot is whole (files and their sizes; `deals verify` reads them), and its age',
    run: ({ readable, options, now }) =>
      readable === undefined ? [] : checkSnapshot(readable, options.staleAfter, now, findPullCommand(options)),
  },
  build: {
    help: 'what the last build came to, why a source is held and until when its deals are served, who holds the lock, what a killed build has left',
    run: ({ readable, now, given }) => (readable === undefined ? [] : checkBuild(readable, now, given)),
  },
  disk: {
    help: 'room for the snapshots that a store keeps, and for the one that is published in the remote store',
    run: async ({ readable, remote }) => {
      if (readable === undefined) return [];
      const missingBytes = remote.check === undefined ? 0 : findMissingBytes(remote.check, readable);
      return checkDisk({ ...(await readDiskFacts(readable)), missingBytes });
    },
  },
  clock: {
    help: 'whether the clock agrees with the times of snapshots, sources, the newest remote record and the last pull',
    run: ({ now, readable, sources, remote, pulled }) =>
      checkClock({
        nowMs: now.getTime(),
        recordMs: timeOf(remote.check?.newest?.publishedAt),
        contactMs: timeOf(pulled.state?.lastContactAt),
        ...(sources === undefined ? {} : { sourceMs: sources.newestMs }),
        ...(readable === undefined ? {} : findSnapshotTime(readable)),
      }),
  },
  'remote-keys': {
    help: 'whether the keys of --trust and --signing-key can be used, and who can change or read them',
    run: ({ remote }) => remote.keys,
  },
  remote: {
    help: 'whether the remote store answers and is one of deals push, and whether a trusted key has signed its newest record',
    run: ({ remote, pulled }) => remote.check?.results ?? skipRemote(pulled),
  },
  'remote-write': {
    help: 'with a signing key: whether a push may write, list and delete, and whether the store keeps create-only writes; it leaves nothing behind',
    run: ({ remote }) => remote.writes,
  },
  pull: {
    help: 'of a store that is pulled: whether the newest record has come, the last contact, the last failure and what to do (`pull.json`)',
    run: ({ pulled, remote, now }) => checkPulled(pulled, remote.check?.newest, now),
  },
  keys: {
    help: 'who may read the key file, which keys can be used, which end soon, whether one is an operator',
    run: ({ options, now }) => checkKeys(options.keys, now),
  },
  port: {
    help: 'whether the port is free, or served by us from the current snapshot of this store',
    run: ({ options, store }) => checkPort(options.host, options.port, store),
  },
} as const satisfies Readonly<Record<string, Check>>;

export interface NamedResult extends CheckResult {
  readonly check: keyof typeof CHECKS;
}

async function examine(context: Context, options: DoctorOptions): Promise<ExitCode> {
  const { output } = context;
  const facts = await gatherFacts(options, context);
  const findings: NamedResult[] = [];
  for (const [check, { run }] of Object.entries(CHECKS) as [NamedResult['check'], Check][]) {
    findings.push(...[await run(facts)].flat().map((result) => ({ check, ...result })));
  }
  const next = findNextStep(findings, options);
  const sound = findings.every(({ state }) => state !== 'fault');
  output.result(options.json === true ? formatJson({ sound, next, findings }) : describeResults(findings, next));
  return sound ? EXIT.ok : EXIT.failed;
}

async function gatherFacts(options: DoctorOptions, context: Context): Promise<Facts> {
  const now = context.now();
  const given = { config: options.config, store: options.store };
  const configuration = await checkConfig(options.config, options.store);
  const { config, result } = configuration;
  const store = options.store ?? config?.store ?? (result.state === 'fault' ? undefined : DEFAULT_STORE);
  const access = await checkAccess(store, given, options);
  const readable = access.state === 'ok' || access.state === 'warning' ? store : undefined;
  const pulled = readable === undefined ? { results: [] } : readPulled(readable);
  return {
    options,
    given,
    now,
    configuration,
    sources: config === undefined ? undefined : await checkSources(config, now),
    store,
    access,
    readable,
    pulled,
    remote: await examineRemote(options, context, pulled),
  };
}

function skipRemote({ state }: PulledCheck): CheckResults {
  if (state === undefined) return [];
  return skipped(`${state.url}: this store is pulled from there`, 'name it with --remote, or in DEALS_REMOTE');
}

/** The command that brings a snapshot to a server; undefined where snapshots are built. */
function findPullCommand({ remote, signingKey, trust = [], store }: DoctorOptions): string | undefined {
  if (remote === undefined || signingKey !== undefined) return undefined;
  const flags = [...trust.flatMap((key) => ['--trust', key]), ...(store === undefined ? [] : ['--store', store])];
  return ['deals pull', ...[remote, ...flags].map(quoteForShell)].join(' ');
}

/** Milliseconds since the epoch; before everything without a time. */
function timeOf(time: string | undefined): number {
  return time === undefined ? -Infinity : Date.parse(time);
}

async function checkAccess(
  store: string | undefined,
  given: GivenOptions,
  options: DoctorOptions,
): Promise<CheckResult> {
  if (store === undefined) {
    const remedy = 'mend the configuration, or name it with --store';
    return skipped('the configuration does not say where it is', remedy);
  }
  if (existsSync(store)) return checkStore(store);
  const remedy = `run ${findPullCommand(options) ?? writeBuildCommand(given)} first, or name another with --store`;
  return fault(`${store}: expected a store, found nothing`, remedy);
}

function findSnapshotTime(store: string): { readonly snapshotMs?: number } {
  const current = findCurrent(store);
  const createdAt = listSnapshots(store).find(({ id }) => id === current)?.manifest?.createdAt;
  return createdAt === undefined ? {} : { snapshotMs: Date.parse(createdAt) };
}

function readEngine(): string {
  const text = readFileSync(join(findPackageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly engines: { readonly node: string } }).engines.node;
}

/**
 * The next of these steps: a configuration; what a fault needs; what the last build needs; a first build; keys; the server;
 * what a running server needs.
 */
function findNextStep(findings: readonly NamedResult[], { keys, remote, ...given }: DoctorOptions): string {
  const isAt = (check: NamedResult['check'], state: CheckResult['state']): boolean =>
    findings.some((each) => each.check === check && each.state === state);
  if (remote === undefined && isAt('configuration', 'skipped') && isAt('store', 'fault'))
    return 'deals init, which writes a configuration';
  const faults = findings.filter(({ state }) => state === 'fault');
  // Without a configuration the builds run elsewhere.
  const build = isAt('configuration', 'skipped')
    ? undefined
    : findings.find((each) => each.check === 'build' && needsWork(each));
  const first = faults.find(({ found }) => !found.endsWith(UNPUBLISHED)) ?? build ?? faults[0];
  if (first?.remedy !== undefined) return `${first.check}: ${first.remedy}`;
  if (findings.some(({ check, found }) => check === 'port' && found.includes(SERVED))) {
    const late = SERVING_CHECKS.flatMap((check) => findings.filter((each) => each.check === check)).find(needsWork);
    return late?.remedy === undefined ? 'nothing: it is served' : `${late.check}: ${late.remedy}`;
  }
  if (keys === undefined)
    return 'deals keys create --keys keys.json --name website, then deals doctor --keys keys.json';
  const command = writeBuildCommand({ config: given.config, store: given.store });
  return `${command.replace('deals build', 'deals serve')} --keys ${quoteForShell(keys)}`;
}

/** The checks whose warnings a running server needs to have mended, the most urgent first. */
const SERVING_CHECKS: readonly NamedResult['check'][] = ['build', 'snapshot', 'port', 'pull', 'sources'];

function describeResults(findings: readonly NamedResult[], next: string): string {
  const lines = findings.flatMap(({ check, state, found, remedy }) => [
    `${state.padEnd(7)}  ${check.padEnd(13)}  ${found}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(26)}what to do: ${remedy}`]),
  ]);
  const count = (state: CheckResult['state']): number => findings.filter((each) => each.state === state).length;
  const sum = `${describeCount(count('fault'), 'fault')}, ${describeCount(count('warning'), 'warning')}`;
  return formatLines([...lines, '', sum, `next: ${next}`]);
}
