import type { GateFinding, GateInput } from './gate-input.ts';

/**
 * Deals whose prices jumped are held out one by one and refuse no build. Where the operator takes them at once, that is
 * what would have been refused, so the manifest has it as accepted.
 */
export function checkPriceJumps({ served, sources, comparison }: GateInput): readonly GateFinding[] {
  if (served.kind !== 'known') return [{ state: 'silent', detail: served.reason }];
  return sources
    .filter(({ kind, state }) => kind === 'feed' && state === 'fresh')
    .map(({ name: source }) => {
      const { heldOut, accepted } = comparison.jumps.get(source) ?? { heldOut: 0, accepted: 0 };
      return accepted > 0
        ? { source, state: 'refused', detail: `${accepted} deals whose price jumped are taken at once` }
        : { source, state: 'passed', detail: `${heldOut} deals whose price jumped are held out for one build` };
    });
}
