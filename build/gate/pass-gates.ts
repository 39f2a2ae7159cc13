import type { GateResult } from '../../data/report/report.ts';
import { isAccepted, type Acceptance } from './acceptance.ts';
import type { GateInput } from './gate-input.ts';
import { GATE_NAMES, GATES } from './gate.ts';

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
