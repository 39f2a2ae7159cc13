import type { GateFinding, GateInput } from './gate-input.ts';

/** Without a required source the build makes no sense. */
export function checkRequiredSources({ sources, requiredSources }: GateInput): readonly GateFinding[] {
  return sources
    .filter(({ name }) => requiredSources.has(name))
    .map(({ name, state }) => ({
      source: name,
      state: state === 'fresh' ? 'passed' : 'refused',
      detail: `the source is required and is ${state}`,
    }));
}

/** A snapshot that is there and cannot be read is no reason to compare with nothing. */
export function checkServedSnapshot({ served }: GateInput): readonly GateFinding[] {
  switch (served.kind) {
    case 'known':
      return [{ state: 'passed', detail: 'the snapshot being served can be compared with' }];
    case 'none':
      return [{ state: 'silent', detail: served.reason }];
    case 'unreadable':
      return [{ state: 'refused', detail: `the current snapshot cannot be compared with: ${served.reason}` }];
  }
}

export function checkProducts({ summary }: GateInput): readonly GateFinding[] {
  const count = summary.cms.reduce((sum, { products }) => sum + products, 0);
  return [{ state: count === 0 ? 'refused' : 'passed', detail: `the catalogue has ${count} products` }];
}

export function checkCurrency({ served, summary }: GateInput): readonly GateFinding[] {
  if (served.kind !== 'known') return [{ state: 'silent', detail: served.reason }];
  const before = served.report.summary.currency;
  const detail = `prices are in ${summary.currency}, and were in ${before}`;
  return [{ state: summary.currency === before ? 'passed' : 'refused', detail }];
}
