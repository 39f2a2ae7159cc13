import { DAY_MS } from '../../data/record/time.ts';

/** A figure of a part, and how large it may be. */
export interface Measure {
  readonly measured: number;
  readonly limit: number;
  readonly detail: string;
}

/** Exactly at the limit is within it; a rounding error of a division does not count. */
const ROUNDING = 1e-9;

/** The measure furthest beyond its limit or nearest to it, the first of equals. */
export function findWorst<Each extends Measure>(measures: readonly Each[]): Each | undefined {
  const ratioOf = ({ measured, limit }: Measure): number =>
    limit === 0 ? (measured > 0 ? Infinity : 0) : measured / limit;
  return measures.reduce<Each | undefined>(
    (worst, other) => (worst === undefined || ratioOf(other) > ratioOf(worst) ? other : worst),
    undefined,
  );
}

/** The worst of some measures, if it is beyond its limit. */
export function findExceeded(measures: readonly Measure[]): Measure | undefined {
  const worst = findWorst(measures);
  return worst !== undefined && worst.measured > worst.limit + ROUNDING ? worst : undefined;
}

/** `30 of 60 deals are gone (50 %, at most 10 %)`. */
export function measureShare(count: number, whole: number, limit: number, what: string): Measure {
  const measured = whole === 0 ? 0 : count / whole;
  const detail = `${writeCount(count)} of ${writeCount(whole)} ${what} (${formatPercent(measured)}, at most ${formatPercent(limit)})`;
  return { measured, limit, detail };
}

export function formatPercent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/** `1,022` */
export function writeCount(count: number): string {
  return count.toLocaleString('en-GB');
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
 * A limit on the share of `rowCount` records that may go within `days`, raised where chance could exceed it: below 250
 * records for a limit of 10 % and one day. With twenty records, seven may go.
 */
export function widenForChurn(limit: number, rowCount: number, days: number): number {
  const churn = COUNT_DEVIATIONS * Math.sqrt((2 * DAILY_CHURN * days) / rowCount);
  return Math.max(limit, Math.min(MAX_TOLERANCE, churn));
}

/** A limit on the share of `rowCount` records that may change in a day, raised in the same way, and for more days. */
export function widenTolerance(limit: number, rowCount: number, days = 1): number {
  const daily = Math.max(limit, Math.min(MAX_TOLERANCE, limit * days));
  const ordinary = daily / 2;
  return Math.max(daily, ordinary + SHARE_DEVIATIONS * Math.sqrt((ordinary * (1 - ordinary)) / rowCount));
}

/**
 * The share of `rowCount` records that is a majority and not chance: 0.72 of twenty, 0.56 of 256. For a part: 0.95 of
 * twenty, 0.62 of 256, because a feed has many parts, and one of them would exceed a lower limit by chance.
 */
export function significantMajority(rowCount: number, isPart: boolean): number {
  const deviations = isPart ? PART_DEVIATIONS : MAJORITY_DEVIATIONS;
  return Math.min(1, 0.5 + deviations * Math.sqrt(0.25 / rowCount));
}

/** The days since a time, at least one. */
export function countDays(sinceMs: number, now: Date): number {
  return Math.max(1, Math.round((now.getTime() - sinceMs) / DAY_MS));
}

/** The value in the middle of ascending numbers; 0 of none. */
export function medianOf(ascending: ArrayLike<number>): number {
  return ascending[Math.floor((ascending.length - 1) / 2)] ?? 0;
}

/** The change of an amount as a share of the lower one, so it is the same up and down; Infinity from or to 0. */
export function measureMove(before: number, now: number): number {
  const [low, high] = before < now ? [before, now] : [now, before];
  if (low === high) return 0;
  return low === 0 ? Infinity : high / low - 1;
}
