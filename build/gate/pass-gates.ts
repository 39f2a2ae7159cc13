import type { GateResult } from '../../data/report/report.ts';
import { isAccepted, type Acceptance } from './acceptance.ts';
import type { GateFinding, GateInput } from './gate-input.ts';
import { GATE_NAMES, GATES, type GateName } from './gate.ts';

/** Puts a build before every gate. What the operator accepts is no longer refused, and stays on record as accepted. */
export function passGates(input: GateInput, acceptances: readonly Acceptance[]): readonly GateResult[] {
  return GATE_NAMES.flatMap((gate) => {
    const findings = GATES[gate].check(input);
    return [...findings, ...listUnproven(gate, findings, input)].map(({ source, ...finding }) => ({
      gate: source === undefined ? gate : `${gate}:${source}`,
      ...finding,
      state: finding.state === 'refused' && isAccepted(gate, source, acceptances) ? 'accepted' : finding.state,
    }));
  });
}

/**
 * Feeds that failed the gate, whose deals were withdrawn, and of which nothing is left that could be compared: what is
 * wrong with such a feed may still be wrong, so that the operator must accept it.
 */
function listUnproven(gate: GateName, findings: readonly GateFinding[], { served, sources }: GateInput): GateFinding[] {
  if (served.kind !== 'known') return [];
  const proven = new Set(findings.filter(({ state }) => state !== 'silent').map(({ source }) => source));
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
