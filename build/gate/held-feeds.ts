import type { GateResult, SourceReport } from '../../data/report/report.ts';
import type { FeedSummary } from '../../data/report/summary.ts';
import { GATE_NAMES } from './gates.ts';
import type { GateBaseline } from './measurement.ts';

/** The feeds that gates hold, each with the results of these gates. */
export type HeldFeeds = ReadonlyMap<string, readonly GateResult[]>;

/** What a gate looked at: `lost-deals:shop` is about one source, `lost-deals` about the whole catalogue. */
export function parseGate(gate: string): { readonly name: string; readonly source: string | undefined } {
  const [name = '', source] = gate.split(':');
  return { name, source };
}

/**
 * The feeds to hold (INPUTS "A source is held, not the build"). A refusal of a feed that was read holds that feed. Any
 * other refusal refuses the build: of the catalogue, a CMS source, a source that is no longer configured, or a feed
 * that already has its earlier deals.
 */
export function findFeedsToHold(gates: readonly GateResult[], sources: readonly SourceReport[]): HeldFeeds {
  const fresh = new Set(
    sources.filter(({ kind, state }) => kind === 'feed' && state === 'fresh').map(({ name }) => name),
  );
  const held = new Map<string, readonly GateResult[]>();
  for (const result of gates) {
    const { source } = parseGate(result.gate);
    if (result.state !== 'refused' || source === undefined || !fresh.has(source)) continue;
    held.set(source, [...(held.get(source) ?? []), result]);
  }
  return held;
}

/**
 * The gate results of the build as it is published, and those that hold a feed. A feed that is refused even with its
 * earlier deals refuses the build; then its own gates must be accepted, too.
 */
export function mergeGateResults(gates: readonly GateResult[], held: HeldFeeds): readonly GateResult[] {
  const refused = new Set(gates.filter(({ state }) => state === 'refused').map(({ gate }) => parseGate(gate).source));
  const joined = new Map(gates.map((result) => [result.gate, result]));
  for (const [feed, results] of held) {
    for (const result of results) {
      if (joined.get(result.gate)?.state === 'refused') continue;
      joined.set(result.gate, { ...result, state: refused.has(feed) ? 'refused' : 'held' });
    }
  }
  const orderOf = ({ gate }: GateResult): number => GATE_NAMES.findIndex((name) => name === parseGate(gate).name);
  return [...joined.values()].sort((a, b) => orderOf(a) - orderOf(b));
}

/** `lost-deals, 72 of 142 (50.7 %, at most 10 %)`: why a feed is held. */
export function describeHeldBy(results: readonly GateResult[]): string {
  return results.map(({ gate, detail }) => `${parseGate(gate).name}, ${detail}`).join('; ');
}

/** Whether an operator may accept the feed: not when all of its deals would be lost. */
export function canAcceptFeed(results: readonly GateResult[]): boolean {
  return !results.some(({ gate, measured }) => parseGate(gate).name === 'lost-deals' && measured === 1);
}

/**
 * The figures that feeds had before they failed a gate. The deals of such a feed expire in the end. Without these
 * figures its faulty file would then be compared with nothing, and published.
 */
export function keepHeldSummaries(
  served: GateBaseline,
  sources: readonly SourceReport[],
  held: HeldFeeds,
): readonly FeedSummary[] {
  if (served.kind !== 'known') return [];
  const { feeds, held: remembered = [] } = served.report.summary;
  return sources
    .filter(({ kind, state }) => kind === 'feed' && state !== 'fresh')
    .flatMap(({ name }) => {
      const before = held.has(name) ? feeds.find((feed) => feed.name === name) : undefined;
      return remembered.find((feed) => feed.name === name) ?? before ?? [];
    });
}
