import { SAMPLE_SIZE } from '../../data/report/summary.ts';

/** What two samples of one source say of the records that were there before. */
export interface SampleComparison {
  /** How many of the sampled records from before the sample of now would show, if they are still there. */
  readonly comparableCount: number;
  /** Positions, in the sample from before and in that of now, of the records that are in both. */
  readonly pairs: readonly { readonly before: number; readonly now: number }[];
}

/**
 * Finds the records of two samples again. A full sample shows only hashes up to its highest, so where a source has grown
 * the records above that are not missing, only not shown.
 */
export function compareSamples(before: readonly number[], now: readonly number[]): SampleComparison {
  const highest = now.length < SAMPLE_SIZE ? Infinity : (now.at(-1) ?? Infinity);
  const positions = new Map(now.map((hash, position) => [hash, position]));
  const comparable = before.filter((hash) => hash <= highest);
  return {
    comparableCount: comparable.length,
    // Both are in order of hash, so the comparable ones are the first.
    pairs: comparable.flatMap((hash, position) => {
      const found = positions.get(hash);
      return found === undefined ? [] : [{ before: position, now: found }];
    }),
  };
}
