/** The share of deals that an ordinary night takes away, and that it brings. */
const NIGHTLY_CHURN = 0.05;

/** How many standard deviations chance may take of a count: five come once in some thousand years of days. */
const COUNT_DEVIATIONS = 5;

/** Half of a file is never chance, however few records there are and however long ago they were read. */
const MAX_RAISED = 0.45;

/** The same of a share of few records, half of the limit being ordinary. */
const SHARE_DEVIATIONS = 4;

/** The same of a majority, and of the majority of one of many parts. */
const MAJORITY_DEVIATIONS = 2;
const PART_DEVIATIONS = 4;

/**
 * A limit on the share of `rowCount` records that may come or go within `days`, raised where they are so few that
 * chance could pass it: below 250 records for a limit of 10% and one night. Of twenty records seven may go.
 */
export function raiseForChurn(limit: number, rowCount: number, days: number): number {
  const churn = COUNT_DEVIATIONS * Math.sqrt((2 * NIGHTLY_CHURN * days) / rowCount);
  return Math.max(limit, Math.min(MAX_RAISED, churn));
}

/** A limit on the share of `rowCount` records that may be changed, raised alike: below 100 records for one of 25%. */
export function raiseForChance(limit: number, rowCount: number): number {
  const ordinary = limit / 2;
  return Math.max(limit, ordinary + SHARE_DEVIATIONS * Math.sqrt((ordinary * (1 - ordinary)) / rowCount));
}

/** A limit on what may change in one night, for several of them. */
export function raiseForNights(limit: number, days: number): number {
  return Math.max(limit, Math.min(MAX_RAISED, limit * days));
}

/** The share of so few records that chance may take within `days`: 0.71 of five, 0.35 of twenty, never all of them. */
export function raiseForFew(rowCount: number, days: number): number {
  return Math.min(0.9, COUNT_DEVIATIONS * Math.sqrt((2 * NIGHTLY_CHURN * days) / rowCount));
}

/**
 * The share of `rowCount` records that is more than half of them, and not by chance: 0.72 of twenty, 0.56 of 256. Of a
 * part, 0.95 of twenty, 0.62 of 256: a source has many parts, and one of them would be chance sooner or later.
 */
export function majorityOf(rowCount: number, isPart: boolean): number {
  const deviations = isPart ? PART_DEVIATIONS : MAJORITY_DEVIATIONS;
  return Math.min(1, 0.5 + deviations * Math.sqrt(0.25 / rowCount));
}
