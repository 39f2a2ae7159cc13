import type { SnapshotReport, SourceReport } from '../../data/report/report.ts';
import type { CatalogueSummary } from '../../data/report/summary.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import type { DealComparison } from '../join/compare-deals.ts';

/** The input of all gates. */
export interface GateInput {
  readonly served: GateBaseline;
  readonly summary: CatalogueSummary;
  /** Its records, and those of the snapshot being served. */
  readonly comparison: DealComparison;
  /** The time of the build. */
  readonly now: Date;
  readonly sources: readonly SourceReport[];
  readonly requiredSources: ReadonlySet<string>;
  /** Held feeds without deals that may be served instead: losing them is expected. */
  readonly expiredSources: ReadonlySet<string>;
  /** Why the earlier deals of a held feed cannot be read. */
  readonly unreadableDeals?: string | undefined;
  readonly settings: GateSettings;
}

/** The input of a gate that compares a build with the snapshot being served. */
export interface ComparedInput extends GateInput {
  readonly served: Extract<GateBaseline, { kind: 'known' }>;
}

export type Check<Input extends GateInput = GateInput> = (input: Input) => readonly GateCheck[];

/** A check that is skipped when there is no snapshot to compare with. */
export function comparing(check: Check<ComparedInput>): Check {
  return (input) => {
    const { served } = input;
    return served.kind === 'known' ? check({ ...input, served }) : [{ state: 'silent', detail: served.reason }];
  };
}

/** The part of the snapshot being served that gates need. */
export type GateBaseline =
  | {
      readonly kind: 'known';
      readonly manifest: Pick<Manifest, 'createdAt' | 'sources'>;
      readonly report: Pick<SnapshotReport, 'summary'>;
    }
  /** There is no snapshot to compare with, as expected. */
  | { readonly kind: 'none'; readonly reason: string }
  /** The snapshot exists and cannot be read. */
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface GateCheck {
  /** The source; absent for the whole catalogue. */
  readonly source?: string;
  /** `silent`: the gate was skipped, because there is too little to compare. */
  readonly state: 'passed' | 'refused' | 'silent';
  readonly detail: string;
  /** The measured value, and the limit above which it is refused. */
  readonly measured?: number;
  readonly limit?: number;
}

/** A figure of a build and how large it may be. */
export interface Measure {
  readonly measured: number;
  readonly limit: number;
  readonly detail: string;
}

/** The measure of a source, or why the gate was skipped. */
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

/**
 * `101 of 1000 (10.1 %, at most 10 %)`. The name of the gate says what was counted, or `what` does where a gate
 * measures several things.
 */
export function measureShare(part: number, whole: number, limit: number, what?: string): Measure {
  const measured = whole === 0 ? 0 : part / whole;
  const counted = what === undefined ? `${part} of ${whole}` : `${part} of ${whole} ${what}`;
  const detail = `${counted} (${formatPercent(measured)}, at most ${formatPercent(limit)})`;
  return { measured, limit, detail };
}

export function formatPercent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/** A measure as a multiple of its limit: above 1 it is refused. */
export function limitRatioOf({ measured, limit }: Measure): number {
  if (limit === 0) return measured > 0 ? Infinity : 0;
  return measured / limit;
}

/**
 * The measure furthest beyond its limit or nearest to it, the first of equals. A skipped one counts only when all were
 * skipped.
 */
export function findWorst(measurings: readonly Measurement[]): Measurement {
  return measurings.reduce((worst, other) => {
    if ('silent' in other) return worst;
    if ('silent' in worst) return other;
    return limitRatioOf(other) > limitRatioOf(worst) ? other : worst;
  });
}

/** The share of deals that go on an ordinary day, and the share that come. */
const DAILY_CHURN = 0.05;

/** The number of standard deviations that count as chance: five come once in some thousand years of days. */
const COUNT_DEVIATIONS = 5;

/** Half of a file is never chance, at any number of records and days. */
const MAX_TOLERANCE = 0.45;

/** The same for a share of few records, where half of the limit is ordinary. */
const SHARE_DEVIATIONS = 4;

/** The same for a majority, and for the majority of one of many parts. */
const MAJORITY_DEVIATIONS = 2;
const PART_DEVIATIONS = 4;

/**
 * A limit on the share of `rowCount` records that may come or go within `days`, raised where chance could exceed it:
 * below 250 records for a limit of 10% and one day. With twenty records, seven may go.
 */
export function widenForChurn(limit: number, rowCount: number, days: number): number {
  const churn = COUNT_DEVIATIONS * Math.sqrt((2 * DAILY_CHURN * days) / rowCount);
  return Math.max(limit, Math.min(MAX_TOLERANCE, churn));
}

/**
 * A limit on the share of `rowCount` records that may change, raised in the same way: below 100 records for a limit of
 * 25%.
 */
export function widenTolerance(limit: number, rowCount: number): number {
  const ordinary = limit / 2;
  return Math.max(limit, ordinary + SHARE_DEVIATIONS * Math.sqrt((ordinary * (1 - ordinary)) / rowCount));
}

/** A limit on what may change in one day, for several days. */
export function widenForDays(limit: number, days: number): number {
  return Math.max(limit, Math.min(MAX_TOLERANCE, limit * days));
}

/** The share of few records that may go by chance within `days`: 0.71 of five, 0.35 of twenty, never all of them. */
export function toleranceForFew(rowCount: number, days: number): number {
  return Math.min(0.9, COUNT_DEVIATIONS * Math.sqrt((2 * DAILY_CHURN * days) / rowCount));
}

/**
 * The share of `rowCount` records that is a majority and not chance: 0.72 of twenty, 0.56 of 256. For a part: 0.95 of
 * twenty, 0.62 of 256, because a source has many parts, and one of them would exceed a lower limit by chance.
 */
export function significantMajority(rowCount: number, isPart: boolean): number {
  const deviations = isPart ? PART_DEVIATIONS : MAJORITY_DEVIATIONS;
  return Math.min(1, 0.5 + deviations * Math.sqrt(0.25 / rowCount));
}
