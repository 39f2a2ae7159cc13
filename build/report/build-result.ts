import { mkdirSync } from 'node:fs';
import type { GateResult, LastBuild, Report } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { createLocationFormatter } from '../../data/report/source-location.ts';
import { quoteForShell } from '../../data/quote-for-shell.ts';
import { replaceDurably } from '../../data/store/durable-file.ts';
import { storePath } from '../../data/store/layout.ts';
import { findConfirmedAt, findCurrent } from '../../data/store/snapshots.ts';
import { parseGate } from '../gate/gates.ts';
import { isWhole } from '../gate/compare-feed.ts';
import { listQuarantined } from './attention.ts';

/** The result of a build. */
export interface BuildResult {
  /** `refused`: a gate refused, and nothing was published. */
  readonly outcome: 'published' | 'unchanged' | 'refused';
  /** Nothing was written: the outcome is the one that a build would have. */
  readonly isDryRun: boolean;
  /** The snapshot that was published, or that is unchanged; absent when the build was refused. */
  readonly snapshot?: string;
  /** The snapshot that is served now. */
  readonly current?: string | undefined;
  /** The snapshot that the build was compared with, and when that was built. */
  readonly comparedWith?: { readonly snapshot: string; readonly createdAt: string };
  /** The time of the build, for ages in reports. */
  readonly builtAt: string;
  readonly store: string;
  /** The options of the command line. */
  readonly given?: GivenOptions;
  readonly report: Report;
  /** Sentences for the operator, causes first; of a build that is refused, why. */
  readonly attention: readonly string[];
  /** Of a first build: its cheapest deals against the median of their phones. */
  readonly extremes: readonly string[];
  /** Of the catalogue that was built, published or not. */
  readonly counts: { readonly products: number; readonly deals: number };
  readonly files?: Manifest['files'];
  readonly seconds: number;
  /** What went wrong after the snapshot was published: old snapshots that could not be deleted. */
  readonly warnings: readonly string[];
}

/** The options with which a build was started, for commands in its report. */
export interface GivenOptions {
  readonly config?: string | undefined;
  readonly store?: string | undefined;
  readonly now?: Date | undefined;
  readonly accept?: readonly string[] | undefined;
}

/** The command that builds the same catalogue into the same store, for a shell. */
export function writeBuildCommand({ config, store, now, accept = [] }: GivenOptions): string {
  return [
    'deals build',
    ...(config === undefined ? [] : [`--config ${quoteForShell(config)}`]),
    ...(store === undefined ? [] : [`--store ${quoteForShell(store)}`]),
    ...(now === undefined ? [] : [`--now ${now.toISOString()}`]),
    ...accept.map((gate) => `--accept ${quoteForShell(gate)}`),
  ].join(' ');
}

/**
 * The command that accepts these refusals. Undefined without a refusal, and when accepting cannot be right: a source is not
 * read, nothing would be left, or there are no earlier deals of a source that is not read.
 */
export function writeAcceptCommand(
  given: GivenOptions,
  { gates, sources }: Pick<Report, 'gates' | 'sources'>,
): string | undefined {
  const refused = gates.filter(({ state }) => state === 'refused');
  const feeds = sources.filter(({ kind }) => kind === 'feed');
  if (feeds.length > 0 && feeds.every(({ kept, duplicate }) => kept + duplicate === 0)) return undefined;
  const isEveryFresh = sources.every(({ state }) => state === 'fresh');
  const isRight = refused.every(({ gate, measured }) => {
    const { name } = parseGate(gate);
    if (name === 'no-products' || name === 'unread') return false;
    if (name === 'unreadable-snapshot') return isEveryFresh;
    return !(name === 'lost' && measured === 1);
  });
  return isRight ? writeCommandAccepting(given, refused) : undefined;
}

/**
 * The command that accepts the held parts of each feed. None where it would not publish what the file means: most of its
 * records are quarantined, or all of its deals would be lost.
 */
export function writeAcceptFeedCommands(given: GivenOptions, report: Report): ReadonlyMap<string, string> {
  const commands = new Map<string, string>();
  const formatLocation = createLocationFormatter(report.sources);
  for (const source of report.sources) {
    const held = report.gates.filter(({ gate, state }) => state === 'held' && parseGate(gate).source === source.name);
    const isAllLost =
      source.held?.some(isWhole) === true &&
      held.some(({ gate, measured }) => parseGate(gate).name === 'lost' && measured === 1);
    const samples = report.notices.flatMap((summary) => summary.samples);
    if (source.state !== 'fresh' || isAllLost || listQuarantined(source, samples, formatLocation).length > 0) continue;
    const command = writeCommandAccepting(given, held);
    if (command !== undefined) commands.set(source.name, command);
  }
  return commands;
}

function writeCommandAccepting(given: GivenOptions, gates: readonly GateResult[]): string | undefined {
  if (gates.length === 0) return undefined;
  return writeBuildCommand({ ...given, accept: [...(given.accept ?? []), ...gates.map(({ gate }) => gate)] });
}

/**
 * Writes `last-build.json` to the store: the result of the last build, published or not.
 *
 * @param message the outcome as a sentence
 * @param configFile the absolute path of the configuration that was built
 */
export function writeLastBuild(result: BuildResult, message: string, startedAt: Date, configFile: string): void {
  const { outcome, snapshot, current, seconds, store, given, report, attention } = result;
  // A reader may run the command in another folder than the build did.
  const anywhere = { ...given, config: configFile, store: given?.store === undefined ? undefined : store };
  writeFile(result.store, {
    outcome,
    startedAt: startedAt.toISOString(),
    seconds,
    snapshot,
    current,
    message,
    confirmedAt: outcome === 'refused' ? keepConfirmedAt(result.store, current) : startedAt.toISOString(),
    acceptCommand: writeAcceptCommand(anywhere, report),
    attention: outcome === 'refused' || attention.length === 0 ? undefined : [...attention],
    report,
  });
}

/**
 * The same for a build that failed. An error of writing the report is ignored: the cause of the failure matters more.
 */
export function writeFailedBuild(store: string, cause: unknown, startedAt: Date, seconds: number): void {
  try {
    const current = findCurrent(store);
    writeFile(store, {
      outcome: 'failed',
      startedAt: startedAt.toISOString(),
      seconds,
      current,
      message: cause instanceof Error ? cause.message : String(cause),
      confirmedAt: keepConfirmedAt(store, current),
    });
  } catch {
    // A disk that takes no report is most likely what stopped the build.
  }
}

function keepConfirmedAt(store: string, current: string | undefined): string | undefined {
  return current === undefined ? undefined : findConfirmedAt(store, current);
}

function writeFile(store: string, lastBuild: LastBuild): void {
  mkdirSync(store, { recursive: true });
  replaceDurably(storePath(store, 'last-build.json'), `${JSON.stringify(lastBuild, null, 2)}\n`);
}
