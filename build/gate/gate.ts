import type { SourceReport } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import type { BuildConfig } from '../config.ts';
import type { ServedSnapshot } from './served-snapshot.ts';

/** What the gates look at. */
export interface GateInput {
  readonly served: ServedSnapshot;
  readonly productCount: number;
  readonly dealCount: number;
  readonly sources: readonly SourceReport[];
  readonly requiredSources: ReadonlySet<string>;
  readonly limits: BuildConfig['gates'];
}

export interface GateFinding {
  /** The source that it is about, for a gate that looks at each. */
  readonly source?: string;
  /** `silent`: too little is known to speak. */
  readonly state: 'passed' | 'refused' | 'silent';
  readonly detail: string;
}

/** A question that a build must answer well before it is published. */
interface Gate {
  readonly isPerSource: boolean;
  readonly check: (input: GateInput) => readonly GateFinding[];
}

/** Every gate, by the name under which `--accept` knows it. A further gate is a further row. */
export const GATES = {
  'required-source': { isPerSource: true, check: checkRequiredSources },
  'no-products': {
    isPerSource: false,
    check: ({ productCount }): readonly GateFinding[] => [
      { state: productCount === 0 ? 'refused' : 'passed', detail: `the catalogue has ${productCount} products` },
    ],
  },
  'lost-products': {
    isPerSource: false,
    check: (input) => [
      checkLost(input, 'products', input.productCount, input.limits.maxLostProducts, input.limits.minRows),
    ],
  },
  'lost-deals': {
    isPerSource: false,
    check: (input) => [checkLost(input, 'deals', input.dealCount, input.limits.maxLostDeals, input.limits.minRows)],
  },
  quarantined: { isPerSource: true, check: checkQuarantined },
} as const satisfies Record<string, Gate>;

export type GateName = keyof typeof GATES;

export const GATE_NAMES = Object.keys(GATES) as readonly GateName[];

export function isGateName(text: string): text is GateName {
  return (GATE_NAMES as readonly string[]).includes(text);
}

/** Without a required source the build makes no sense. */
function checkRequiredSources({ sources, requiredSources }: GateInput): GateFinding[] {
  return sources
    .filter(({ name }) => requiredSources.has(name))
    .map(({ name, state }) => ({
      source: name,
      state: state === 'fresh' ? 'passed' : 'refused',
      detail: `the source is required and is ${state}`,
    }));
}

/** How many records were served and are gone. None at all, where there were some, is never in order. */
function checkLost(
  { served }: GateInput,
  name: keyof Manifest['counts'] & ('products' | 'deals'),
  count: number,
  maxLost: number,
  minRows: number,
): GateFinding {
  if (served.kind === 'none') return { state: 'silent', detail: served.reason };
  if (served.kind === 'unreadable') {
    return { state: 'refused', detail: `the current snapshot cannot be compared with: ${served.reason}` };
  }
  const before = served.manifest.counts[name];
  const detail = describeShare(Math.max(0, before - count), before, `${name} lost`, maxLost);
  if (count === 0 && before > 0) return { state: 'refused', detail };
  if (before === 0 || before < minRows)
    return { state: 'silent', detail: `${before} ${name} before; ${minRows} needed` };
  return { state: (before - count) / before > maxLost ? 'refused' : 'passed', detail };
}

/** How many records of a source, of those in scope, were faulty. */
function checkQuarantined({ served, sources, limits }: GateInput): GateFinding[] {
  return sources
    .filter(({ state }) => state === 'fresh')
    .map((source) => {
      const inScope = countInScope(source);
      const before =
        served.kind === 'known' ? served.manifest.sources.find(({ name }) => name === source.name) : undefined;
      const rowCount = Math.max(inScope, before === undefined ? 0 : countInScope(before));
      if (inScope === 0 || rowCount < limits.minRows) {
        return {
          source: source.name,
          state: 'silent',
          detail: `${rowCount} records in scope; ${limits.minRows} needed`,
        };
      }
      const isRefused = source.quarantined / inScope > limits.maxQuarantined;
      return {
        source: source.name,
        state: isRefused ? 'refused' : 'passed',
        detail: describeShare(source.quarantined, inScope, 'records quarantined', limits.maxQuarantined),
      };
    });
}

function countInScope({ read, outOfScope }: SourceReport): number {
  return read - outOfScope;
}

function describeShare(part: number, whole: number, what: string, limit: number): string {
  const share = whole === 0 ? 0 : part / whole;
  return `${part} of ${whole} ${what} (${formatPercent(share)}), at most ${formatPercent(limit)}`;
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
