import type { GateResult } from '../../data/report/report.ts';
import type { Acceptance } from './acceptance.ts';
import type { GateFinding, GateInput } from './gate-input.ts';
import { GATE_NAMES, GATES, type GateName } from './gate.ts';

/** Puts a build before every gate. What the operator accepts is no longer refused, and stays on record as accepted. */
export function passGates(input: GateInput, acceptances: readonly Acceptance[]): readonly GateResult[] {
  return GATE_NAMES.flatMap((gate) =>
    GATES[gate].check(input).map(({ source, ...finding }) => ({
      gate: source === undefined ? gate : `${gate}:${source}`,
      ...finding,
      state: finding.state === 'refused' && isAccepted(gate, source, acceptances) ? 'accepted' : finding.state,
    })),
  );
}

function isAccepted(gate: GateName, source: GateFinding['source'], acceptances: readonly Acceptance[]): boolean {
  return acceptances.some(
    (acceptance) => acceptance.gate === gate && (acceptance.source === undefined || acceptance.source === source),
  );
}
