import type { GateResult } from '../../data/report/report.ts';
import { ConfigError } from '../source/errors.ts';
import { quote } from '../source/quote.ts';
import { GATE_NAMES, GATES, isGateName, type GateName } from './gates.ts';
import type { GateCheck, GateInput } from './measurement.ts';

/** Runs every gate on a build. An accepted refusal gets the state `accepted`, which stays on record. */
export function runGates(input: GateInput, acceptances: readonly Acceptance[]): readonly GateResult[] {
  return GATE_NAMES.flatMap((gate) => {
    const checks = GATES[gate].check(input);
    return [...checks, ...listUnverified(gate, checks, input)].map(({ source, ...check }) => ({
      gate: source === undefined ? gate : `${gate}:${source}`,
      ...check,
      state: check.state === 'refused' && isAccepted(gate, source, acceptances) ? 'accepted' : check.state,
    }));
  });
}

/**
 * Feeds that failed the gate until their deals expired, so that nothing is left to compare with. The error may still be
 * there, so the operator must accept such a feed.
 */
function listUnverified(gate: GateName, checks: readonly GateCheck[], { served, sources }: GateInput): GateCheck[] {
  if (served.kind !== 'known') return [];
  const proven = new Set(checks.filter(({ state }) => state !== 'silent').map(({ source }) => source));
  const unproven = served.manifest.sources.filter(
    ({ name, kept, refusedBy = [] }) => kept === 0 && refusedBy.includes(gate) && !proven.has(name),
  );
  return sources
    .filter(({ name, state }) => state === 'fresh' && unproven.some((feed) => feed.name === name))
    .map(({ name }) => {
      const detail = 'the feed failed it until its deals were withdrawn, and nothing is left to compare it with';
      return { source: name, state: 'refused', detail };
    });
}

/** A refusal that the operator overrides: of one gate, or of one gate for one source. */
export interface Acceptance {
  readonly gate: GateName;
  readonly source?: string;
}

/** Whether the operator accepts a refusal of the gate for a source, or for the catalogue. */
export function isAccepted(gate: GateName, source: string | undefined, acceptances: readonly Acceptance[]): boolean {
  return acceptances.some(
    (acceptance) => acceptance.gate === gate && (acceptance.source === undefined || acceptance.source === source),
  );
}

/**
 * Reads the values of `--accept <gate>[:<source>]`.
 * @throws {ConfigError} naming every word that is no gate or no source
 */
export function parseAcceptances(words: readonly string[], sourceNames: readonly string[]): readonly Acceptance[] {
  const faults: string[] = [];
  const acceptances: Acceptance[] = [];
  for (const word of words) {
    const [gate = '', source, ...rest] = word.split(':');
    if (!isGateName(gate) || rest.length > 0) {
      faults.push(
        `--accept: expected <gate> or <gate>:<source> with a gate of ${GATE_NAMES.join(', ')}, got ${quote(word)}`,
      );
    } else if (source === undefined) {
      acceptances.push({ gate });
    } else if (GATES[gate].scope === 'catalogue') {
      faults.push(`--accept: expected ${gate} without a source, got ${quote(word)}`);
    } else if (sourceNames.includes(source)) {
      acceptances.push({ gate, source });
    } else {
      faults.push(`--accept: expected a source of ${sourceNames.join(', ')}, got ${quote(word)}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return acceptances;
}
