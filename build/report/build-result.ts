import type { GateResult, Report, SourceReport } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { canAcceptFeed, parseGate } from '../gate/held-feeds.ts';
import { quoteForShell } from '../source/quote.ts';

/** What a build came to. */
export interface BuildResult {
  /** `refused`: a gate is closed, and nothing was published. */
  readonly outcome: 'published' | 'unchanged' | 'refused';
  /** Nothing was written: the outcome is what would have been. */
  readonly isDryRun: boolean;
  /** The snapshot that was published, or that is unchanged; absent when the build was refused. */
  readonly snapshot?: string;
  /** The snapshot that is served now. */
  readonly current?: string;
  /** The snapshot that the build was compared with, and when that was built. */
  readonly comparedWith?: { readonly snapshot: string; readonly createdAt: string };
  /** The time of the build, by which ages are told. */
  readonly builtAt: string;
  readonly store: string;
  /** What the command line gave of where to read and to publish. */
  readonly given?: GivenOptions;
  readonly report: Report;
  /** What someone must look at, although the build is not refused: a sentence for each source that is not fresh. */
  readonly attention: readonly string[];
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

/** What gates say of these sources. */
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
 * The command that publishes what these gates refuse. Undefined when none does, and where that cannot be right: without
 * a source that must be read, with nothing left, or with sources that are not read and nothing to stand in for them.
 */
export function writeAcceptCommand(given: GivenOptions, { gates, sources }: GatedSources): string | undefined {
  const refused = gates.filter(({ state }) => state === 'refused');
  const feeds = sources.filter(({ kind }) => kind === 'feed');
  if (feeds.length > 0 && feeds.every(({ kept, duplicate }) => kept + duplicate === 0)) return undefined;
  const isEveryFresh = sources.every(({ state }) => state === 'fresh');
  const isRight = refused.every(({ gate, measured }) => {
    if (gate === 'no-products' || gate.startsWith('required-source:')) return false;
    if (gate === 'unreadable-snapshot') return isEveryFresh;
    return !((gate === 'lost-deals' || gate === 'lost-products') && measured === 1);
  });
  return isRight ? writeCommandAccepting(given, refused) : undefined;
}

/** The command that accepts each held feed; none for a feed that would lose all its deals. */
export function writeAcceptFeedCommands(
  given: GivenOptions,
  { gates, sources }: GatedSources,
): ReadonlyMap<string, string> {
  const commands = new Map<string, string>();
  for (const { name } of sources) {
    const held = gates.filter(({ gate, state }) => state === 'held' && parseGate(gate).source === name);
    const command = canAcceptFeed(held) ? writeCommandAccepting(given, held) : undefined;
    if (command !== undefined) commands.set(name, command);
  }
  return commands;
}

function writeCommandAccepting(given: GivenOptions, gates: readonly GateResult[]): string | undefined {
  if (gates.length === 0) return undefined;
  return writeBuildCommand({ ...given, accept: [...(given.accept ?? []), ...gates.map(({ gate }) => gate)] });
}
