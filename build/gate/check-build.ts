import type { SourceReport } from '../../data/report/report.ts';
import type { GateFinding, GateInput } from './gate-input.ts';

/** Without a required source, or with half of the CMS, the build makes no sense. */
export function checkRequiredSources(input: GateInput): readonly GateFinding[] {
  return input.sources
    .filter((source) => input.requiredSources.has(source.name) || isMissedCms(input, source))
    .map(({ name, state, heldBecause }) => ({
      source: name,
      state: state === 'fresh' ? 'passed' : 'refused',
      detail: `the source ${state === 'fresh' ? 'was read' : (heldBecause ?? UNREAD[state])}`,
    }));
}

const UNREAD = { 'carried-forward': 'is held', absent: 'has no file', failed: 'could not be read' } as const;

/** A CMS source that has no file, and had none before, is only noticed. */
function isMissedCms({ served }: GateInput, { name, kind, state }: SourceReport): boolean {
  if (kind !== 'cms' || state === 'fresh') return false;
  const before = served.kind === 'known' ? served.manifest.sources.find((source) => source.name === name) : undefined;
  return state === 'failed' || (before?.kept ?? 0) > 0;
}

/** A snapshot that is there and cannot be read is no reason to compare with nothing. */
export function checkServedSnapshot({ served, unreadableDeals }: GateInput): readonly GateFinding[] {
  switch (served.kind) {
    case 'known':
      return unreadableDeals === undefined
        ? [{ state: 'passed', detail: 'the snapshot being served can be compared with' }]
        : [{ state: 'refused', detail: unreadableDeals }];
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
