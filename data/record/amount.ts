import { z } from 'zod';

export const countSchema = z.number().int().min(0);
/** Whole pence. */
export const penceSchema = z.number().int().min(0);

/** A stated total may differ by this much from upfront + monthly x months: feeds round two amounts. */
export const TOTAL_TOLERANCE_PENCE = 2;

/** A plain decimal amount with at most two places. Linear by construction. */
const AMOUNT = /^-?[0-9]{1,9}(?:\.[0-9]{1,2})?$/;

/**
 * Pence of a plain decimal such as `29.99`, `30` or `-5.5`; undefined for anything else (a currency sign, a thousands
 * separator, a third decimal, more than nine digits before the point). Exact: of so few digits the nearest whole number
 * is the right one.
 */
export function parsePence(text: string): number | undefined {
  // Plus 0, so that no amount is -0.
  return AMOUNT.test(text) ? Math.round(Number(text) * 100) + 0 : undefined;
}

/** Pence as the wire shows money in deals: two decimals (`2999` is `29.99`, spec §2.5). */
export function formatPence(pence: number): string {
  const absolute = Math.abs(pence);
  const fraction = absolute % 100;
  return `${pence < 0 ? '-' : ''}${(absolute - fraction) / 100}.${fraction < 10 ? '0' : ''}${fraction}`;
}

/** The number that means unlimited in every allowance on the wire (spec §2.5, §8). */
export const UNLIMITED_MARKER = 999_999;

export const MEGABYTES_PER_GIGABYTE = 1_000;

/** A monthly allowance: a whole number of megabytes (1 GB is 1,000 MB), minutes or texts, or no limit. */
export const allowanceSchema = z.union([z.number().int().min(0).max(999_999_998), z.literal('unlimited')]);

export type Allowance = z.infer<typeof allowanceSchema>;

/** Megabytes as gigabytes: `4000` is `4`, `500` is `0.5` (D10). */
export function formatGigabytes(megabytes: number): string {
  return String(megabytes / 1000);
}

/** Monthly data: gigabytes, below one gigabyte megabytes; `0GB` for none (D10, D11). `cheapestDeal` keeps the unit apart. */
export function friendlyData(megabytes: Allowance): { readonly amount: string; readonly unit: string } {
  if (megabytes === 'unlimited') return { amount: 'Unlimited', unit: '' };
  if (megabytes === 0 || megabytes >= 1000) return { amount: formatGigabytes(megabytes), unit: 'GB' };
  return { amount: String(megabytes), unit: 'MB' };
}

/** `friendlyDataAllowance` of a deal: `4GB`, `500MB`, `Unlimited data`. */
export function friendlyDataText(megabytes: Allowance): string {
  const { amount, unit } = friendlyData(megabytes);
  return megabytes === 'unlimited' ? 'Unlimited data' : `${amount}${unit}`;
}

/** `500 minutes`, `1 minute`, `Unlimited minutes`; the unit is given in its plural. */
export function friendlyCount(count: Allowance, plural: 'minutes' | 'texts' | 'months'): string {
  if (count === 'unlimited') return `Unlimited ${plural}`;
  return `${count} ${count === 1 ? plural.slice(0, -1) : plural}`;
}

/** `dataAllowance` of a deal, in gigabytes. */
export function dataAllowanceText(megabytes: Allowance): string {
  return megabytes === 'unlimited' ? String(UNLIMITED_MARKER) : formatGigabytes(megabytes);
}

/** `callAllowance` and `textAllowance` of a deal. */
export function countAllowanceText(count: Allowance): string {
  return String(count === 'unlimited' ? UNLIMITED_MARKER : count);
}
