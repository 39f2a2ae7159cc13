import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { readConfig, type BuildConfig } from '../build/config/config.ts';
import { ConfigError } from '../build/source/errors.ts';
import { writeBuildCommand, type GivenOptions } from '../build/report/build-result.ts';
import { HOUR_MS } from '../data/record/amount.ts';
import { findCurrent, listSnapshots } from '../data/store/snapshots.ts';
import { findPackageRoot } from '../data/store/regular-file.ts';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import {
  checkClock,
  checkDisk,
  checkMachine,
  checkNode,
  checkPort,
  readDiskFacts,
  readMachineFacts,
  SERVED,
} from './doctor/check-machine.ts';
import { checkBuild, checkKeys, checkSnapshot, checkSources, checkStore } from './doctor/check-data.ts';
import { fault, ok, skipped, type CheckResult } from './doctor/check-result.ts';
import {
  configOption,
  DEFAULT_CONFIG,
  DEFAULT_STORE,
  describeExamples,
  jsonOption,
  keysOption,
  storeOption,
} from './console/options.ts';
import { formatJson, formatLines } from './console/output.ts';
import { hostOption, portOption, staleAfterOption } from './serve.ts';
import { quoteForShell } from '../data/snapshot/snapshot-error.ts';

interface DoctorOptions {
  readonly config?: string;
  readonly store?: string;
  readonly keys?: string;
  readonly host: string;
  readonly port: number;
  readonly staleAfter: number;
  readonly json?: true;
}

/** `deals doctor`: checks whether this machine can build and serve. */
export function createDoctorCommand(context: Context): Command {
  return new Command('doctor')
    .description(
      'look at this machine, the sources, the store, the keys and the port, and say what to mend; a fault ends with exit code 1',
    )
    .addOption(configOption())
    .addOption(storeOption())
    .addOption(keysOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(staleAfterOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      describeExamples(
        'deals doctor --config data/sample/catalogue.json --keys dist/keys.json',
        'deals doctor --store dist/catalogue --json',
      ),
    )
    .action(async (options: DoctorOptions) => context.end(await examine(context, options)));
}

async function examine(context: Context, options: DoctorOptions): Promise<ExitCode> {
  const { output } = context;
  const findings = await runChecks(options, context.now());
  const faults = findings.filter(({ state }) => state === 'fault').length;
  const next = findNextStep(findings, options);
  const sound = faults === 0;
  output.result(options.json === true ? formatJson({ sound, next, findings }) : describeResults(findings, next));
  return sound ? EXIT.ok : EXIT.failed;
}

async function runChecks(options: DoctorOptions, now: Date): Promise<readonly CheckResult[]> {
  const { config, finding: configuration } = await readConfigIfSound(options);
  const sources = config === undefined ? undefined : await checkSources(config, now);
  const store = options.store ?? config?.store ?? (configuration.state === 'fault' ? undefined : DEFAULT_STORE);
  return [
    checkNode(process.versions.node, readEngine(), now),
    ...checkMachine(await readMachineFacts()),
    configuration,
    ...(sources?.findings ?? []),
    ...(await checkStoreAll(store, options.staleAfter / HOUR_MS, now, sources?.newestMs, {
      config: options.config,
      store: options.store,
    })),
    ...(await checkKeys(options.keys, now)),
    await checkPort(options.host, options.port, store),
  ];
}

interface ConfigCheck {
  readonly config?: BuildConfig;
  readonly finding: CheckResult;
}

async function readConfigIfSound({ config, store }: DoctorOptions): Promise<ConfigCheck> {
  if (config === undefined && !existsSync(DEFAULT_CONFIG)) {
    const remedy = 'nothing where it is only served; else name it with --config, or let deals init write one';
    return { finding: skipped('configuration', `there is no ${DEFAULT_CONFIG} here`, remedy) };
  }
  const file = config ?? DEFAULT_CONFIG;
  try {
    const sound = await readConfig(file, { store });
    const names = [...sound.cms, ...sound.feeds].map(({ name }) => name).join(', ');
    const found = `${file}: reads ${names}`;
    return { config: sound, finding: ok('configuration', found) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { finding: fault('configuration', error.faults.join('; '), 'mend it; build/README.md tells every setting') };
  }
}

async function checkStoreAll(
  store: string | undefined,
  staleAfterHours: number,
  now: Date,
  sourceMs: number | undefined,
  given: GivenOptions,
): Promise<readonly CheckResult[]> {
  const clock = (snapshotMs?: number): CheckResult => checkClock({ nowMs: now.getTime(), snapshotMs, sourceMs });
  if (store === undefined) {
    return [
      skipped('store', 'the configuration does not say where it is', 'mend the configuration, or name it with --store'),
      clock(),
    ];
  }
  if (!existsSync(store)) {
    return [
      fault(
        'store',
        `${store}: expected a store, found nothing`,
        `run ${writeBuildCommand(given)} first, or name another with --store`,
      ),
      clock(),
    ];
  }
  const access = await checkStore(store);
  if (access.state === 'fault') return [access, clock()];
  const current = findCurrent(store);
  const createdAt = listSnapshots(store).find(({ id }) => id === current)?.manifest?.createdAt;
  return [
    access,
    ...(await checkSnapshot(store, staleAfterHours, now)),
    ...(await checkBuild(store, now, given)),
    checkDisk(await readDiskFacts(store)),
    clock(createdAt === undefined ? undefined : Date.parse(createdAt)),
  ];
}

function readEngine(): string {
  const text = readFileSync(join(findPackageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly engines: { readonly node: string } }).engines.node;
}

/** The next of these steps: a configuration, a build, keys, the server. */
function findNextStep(findings: readonly CheckResult[], { keys, ...given }: DoctorOptions): string {
  const isAt = (check: CheckResult['check'], state: CheckResult['state']): boolean =>
    findings.some((each) => each.check === check && each.state === state);
  if (isAt('configuration', 'skipped') && isAt('store', 'fault')) return 'deals init, which writes a configuration';
  const first = findings.find(({ state }) => state === 'fault');
  if (first?.remedy !== undefined) return `${first.check}: ${first.remedy}`;
  if (findings.some(({ check, found }) => check === 'port' && found.includes(SERVED))) {
    const late = findings.find(isOfServing);
    return late?.remedy === undefined ? 'nothing: it is served' : `${late.check}: ${late.remedy}`;
  }
  if (keys === undefined)
    return 'deals keys create --keys keys.json --name website, then deals doctor --keys keys.json';
  const build = writeBuildCommand({ config: given.config, store: given.store });
  return `${build.replace('deals build', 'deals serve')} --keys ${quoteForShell(keys)}`;
}

/** A warning about serving that has a remedy. */
function isOfServing({ check, state, remedy }: CheckResult): boolean {
  const isServing = check === 'snapshot' || check === 'build' || check === 'port';
  return isServing && state === 'warning' && remedy?.startsWith('nothing') === false;
}

function describeResults(findings: readonly CheckResult[], next: string): string {
  const lines = findings.flatMap(({ check, state, found, remedy }) => [
    `${state.padEnd(7)}  ${check.padEnd(13)}  ${found}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(26)}what to do: ${remedy}`]),
  ]);
  const count = (state: CheckResult['state']): number => findings.filter((each) => each.state === state).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  const sum = `${faults} ${faults === 1 ? 'fault' : 'faults'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  return formatLines([...lines, '', sum, `next: ${next}`]);
}
