import type { SnapshotReport, SourceReport } from '../../data/report/report.ts';
import type { CatalogueSummary } from '../../data/report/summary.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import type { DealComparison } from '../join/compare-deals.ts';

/** What the gates look at. */
export interface GateInput {
  readonly served: GateBaseline;
  readonly summary: CatalogueSummary;
  /** Its records, and those of the snapshot being served. */
  readonly comparison: DealComparison;
  /** The time of the build. */
  readonly now: Date;
  readonly sources: readonly SourceReport[];
  readonly requiredSources: ReadonlySet<string>;
  /** Feeds that are held and have no deals that may be served in their place: to miss them is in order. */
  readonly expiredSources: ReadonlySet<string>;
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

export interface GateCheck {
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
export type Measurement = Measure | { readonly silent: string };

/** Exactly at the limit is within it; a rounding error of a division does not count. */
const ROUNDING = 1e-9;

export function toGateCheck(measuring: Measurement, source?: string): GateCheck {
  const about = source === undefined ? {} : { source };
  if ('silent' in measuring) return { ...about, state: 'silent', detail: measuring.silent };
  const { measured, limit, detail } = measuring;
  return { ...about, state: exceedsLimit(measuring) ? 'refused' : 'passed', detail, measured, limit };
}

export function exceedsLimit({ measured, limit }: Measure): boolean {
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
export function limitRatioOf({ measured, limit }: Measure): number {
  if (limit === 0) return measured > 0 ? Infinity : 0;
  return measured / limit;
}

/** The one furthest beyond its limit or nearest to it, of equals the first; what is silent counts only among its like. */
export function findWorst(measurings: readonly Measurement[]): Measurement {
  return measurings.reduce((worst, other) => {
    if ('silent' in other) return worst;
    if ('silent' in worst) return other;
    return limitRatioOf(other) > limitRatioOf(worst) ? other : worst;
  });
}

/** The share of deals that go on an ordinary day, and the share that come. */
const DAILY_CHURN = 0.05;

/** How many standard deviations chance may take of a count: five come once in some thousand years of days. */
const COUNT_DEVIATIONS = 5;

/** Half of a file is never chance, however few records there are and however long ago they were read. */
const MAX_TOLERANCE = 0.45;

/** The same of a share of few records, half of the limit being ordinary. */
const SHARE_DEVIATIONS = 4;

/** The same of a majority, and of the majority of one of many parts. */
const MAJORITY_DEVIATIONS = 2;
const PART_DEVIATIONS = 4;

/**
 * A limit on the share of `rowCount` records that may come or go within `days`, raised where they are so few that
 * chance could pass it: below 250 records for a limit of 10% and one day. Of twenty records seven may go.
 */
export function widenForChurn(limit: number, rowCount: number, days: number): number {
  const churn = COUNT_DEVIATIONS * Math.sqrt((2 * DAILY_CHURN * days) / rowCount);
  return Math.max(limit, Math.min(MAX_TOLERANCE, churn));
}

/** A limit on the share of `rowCount` records that may be changed, raised alike: below 100 records for one of 25%. */
export function widenTolerance(limit: number, rowCount: number): number {
  const ordinary = limit / 2;
  return Math.max(limit, ordinary + SHARE_DEVIATIONS * Math.sqrt((ordinary * (1 - ordinary)) / rowCount));
}

/** A limit on what may change in one day, for several days. */
export function widenForDays(limit: number, days: number): number {
  return Math.max(limit, Math.min(MAX_TOLERANCE, limit * days));
}

/** The share of so few records that chance may take within `days`: 0.71 of five, 0.35 of twenty, never all of them. */
export function toleranceForFew(rowCount: number, days: number): number {
  return Math.min(0.9, COUNT_DEVIATIONS * Math.sqrt((2 * DAILY_CHURN * days) / rowCount));
}

/**
 * The share of `rowCount` records that is more than half of them, and not by chance: 0.72 of twenty, 0.56 of 256. Of a
 * part, 0.95 of twenty, 0.62 of 256: a source has many parts, and one of them would be chance sooner or later.
 */
export function significantMajority(rowCount: number, isPart: boolean): number {
  const deviations = isPart ? PART_DEVIATIONS : MAJORITY_DEVIATIONS;
  return Math.min(1, 0.5 + deviations * Math.sqrt(0.25 / rowCount));
}
