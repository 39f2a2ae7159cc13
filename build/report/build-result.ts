import type { GateResult, Report, SourceReport } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { parseGate } from '../gate/gates.ts';
import { createLocationFormatter } from '../../data/report/source-location.ts';
import { listQuarantined } from './attention.ts';
import { quoteForShell } from '../../data/snapshot/snapshot-error.ts';

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

/** Sources, and the results of gates about them. */
export interface GatedSources {
  readonly gates: readonly GateResult[];
  readonly sources: readonly SourceReport[];
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
export function writeAcceptCommand(given: GivenOptions, { gates, sources }: GatedSources): string | undefined {
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
    const isWhole =
      source.held?.some(({ retailer, network }) => retailer === undefined && network === undefined) === true;
    const isAllLost = isWhole && held.some(({ gate, measured }) => parseGate(gate).name === 'lost' && measured === 1);
    const samples = report.notices.flatMap((summary) => summary.samples);
    const isRead = source.state === 'fresh';
    if (!isRead || isAllLost || listQuarantined(source, samples, formatLocation).length > 0) continue;
    const command = writeCommandAccepting(given, held);
    if (command !== undefined) commands.set(source.name, command);
  }
  return commands;
}

function writeCommandAccepting(given: GivenOptions, gates: readonly GateResult[]): string | undefined {
  if (gates.length === 0) return undefined;
  return writeBuildCommand({ ...given, accept: [...(given.accept ?? []), ...gates.map(({ gate }) => gate)] });
}
