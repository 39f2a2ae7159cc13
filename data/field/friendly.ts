import { formatGigabytes, UNLIMITED_MARKER, type Allowance } from '../record/allowance.ts';

/** An amount for display, apart from its unit, so that `deals` can join them and `cheapestDeal` keep them apart. */
export interface FriendlyAmount {
  readonly amount: string;
  readonly unit: string;
}

/** Monthly data: gigabytes, below one gigabyte megabytes; `0GB` for none (D10, D11). */
export function friendlyData(megabytes: Allowance): FriendlyAmount {
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
