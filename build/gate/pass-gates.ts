import type { GateResult } from '../../data/report/report.ts';
import type { Acceptance } from './acceptance.ts';
import { GATE_NAMES, GATES, type GateFinding, type GateInput, type GateName } from './gate.ts';

/** Puts a build before every gate. What the operator accepts is no longer refused, and stays on record as accepted. */
export function passGates(input: GateInput, acceptances: readonly Acceptance[]): readonly GateResult[] {
  return GATE_NAMES.flatMap((gate) =>
    GATES[gate].check(input).map((finding) => ({
      gate: finding.source === undefined ? gate : `${gate}:${finding.source}`,
      state: finding.state === 'refused' && isAccepted(gate, finding, acceptances) ? 'accepted' : finding.state,
      detail: finding.detail,
    })),
  );
}

function isAccepted(gate: GateName, finding: GateFinding, acceptances: readonly Acceptance[]): boolean {
  return acceptances.some(
    (acceptance) =>
      acceptance.gate === gate && (acceptance.source === undefined || acceptance.source === finding.source),
  );
}
