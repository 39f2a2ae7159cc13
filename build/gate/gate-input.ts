import type { SnapshotReport, SourceReport } from '../../data/report/report.ts';
import type { CatalogueSummary } from '../../data/report/summary.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import type { DealComparison } from '../catalogue/compare-deals.ts';
import type { GateSettings } from './gate-setting.ts';

/** What the gates look at. */
export interface GateInput {
  readonly served: GateBaseline;
  readonly summary: CatalogueSummary;
  /** Its records beside those of the snapshot being served. */
  readonly comparison: DealComparison;
  /** The time of the build. */
  readonly now: Date;
  readonly sources: readonly SourceReport[];
  readonly requiredSources: ReadonlySet<string>;
  /** Feeds that are held and have no deals that may be served in their place: to miss them is in order. */
  readonly withdrawnSources: ReadonlySet<string>;
  /** Why deals of the snapshot being served, which would stand in for those of a feed, cannot be read. */
  readonly unreadableDeals?: string | undefined;
  readonly settings: GateSettings;
}

/** What a build is compared with: as much of the snapshot being served as the gates need. */
export type GateBaseline =
  | {
      readonly kind: 'known';
      readonly manifest: Pick<Manifest, 'createdAt' | 'sources'>;
      readonly report: Pick<SnapshotReport, 'summary'>;
    }
  /** There is nothing to compare with, and that is in order. */
  | { readonly kind: 'none'; readonly reason: string }
  /** There should be something. */
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface GateFinding {
  /** The source that it is about; absent where it is about the whole catalogue. */
  readonly source?: string;
  /** `silent`: too little is known to speak. */
  readonly state: 'passed' | 'refused' | 'silent';
  readonly detail: string;
  /** What was measured, and above which it is refused. */
  readonly measured?: number;
  readonly limit?: number;
}

/** A figure of a build and how large it may be. */
export interface Measure {
  readonly measured: number;
  readonly limit: number;
  readonly detail: string;
}

/** What a gate found out about a source, or why it could not. */
export type Measuring = Measure | { readonly silent: string };

/** At the limit is within it, whatever the last bit of a division says. */
const ROUNDING = 1e-9;

export function judge(measuring: Measuring, source?: string): GateFinding {
  const about = source === undefined ? {} : { source };
  if ('silent' in measuring) return { ...about, state: 'silent', detail: measuring.silent };
  const { measured, limit, detail } = measuring;
  return { ...about, state: isBeyond(measuring) ? 'refused' : 'passed', detail, measured, limit };
}

export function isBeyond({ measured, limit }: Measure): boolean {
  return measured > limit + ROUNDING;
}

/** `101 of 1000 (10.1 %, at most 10 %)`; of what, the name of the gate says, or `what` where a gate measures several. */
export function measureShare(part: number, whole: number, limit: number, what?: string): Measure {
  const measured = whole === 0 ? 0 : part / whole;
  const counted = what === undefined ? `${part} of ${whole}` : `${part} of ${whole} ${what}`;
  const detail = `${counted} (${formatPercent(measured)}, at most ${formatPercent(limit)})`;
  return { measured, limit, detail };
}

export function formatPercent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/** How near a measure is to its limit: above 1 it is beyond. */
export function nearnessOf({ measured, limit }: Measure): number {
  if (limit === 0) return measured > 0 ? Infinity : 0;
  return measured / limit;
}

/** The one furthest beyond its limit or nearest to it, of equals the first; what is silent counts only among its like. */
export function worstOf(measurings: readonly Measuring[]): Measuring {
  return measurings.reduce((worst, other) => {
    if ('silent' in other) return worst;
    if ('silent' in worst) return other;
    return nearnessOf(other) > nearnessOf(worst) ? other : worst;
  });
}
