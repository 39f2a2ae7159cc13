import { z } from 'zod';

/** The number that means unlimited in every allowance on the wire (spec §2.5, §8). */
export const UNLIMITED_MARKER = 999_999;

/** A monthly allowance: a whole number of megabytes (1 GB is 1,000 MB), minutes or texts, or no limit. */
export const allowanceSchema = z.union([z.number().int().min(0).max(999_999_998), z.literal('unlimited')]);

export type Allowance = z.infer<typeof allowanceSchema>;

/** Megabytes as gigabytes: `4000` is `4`, `500` is `0.5` (D10). */
export function formatGigabytes(megabytes: number): string {
  return String(megabytes / 1000);
}
