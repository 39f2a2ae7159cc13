/** A plain decimal amount with at most two places. Linear by construction. */
const AMOUNT = /^-?[0-9]{1,9}(?:\.[0-9]{1,2})?$/;

/**
 * Pence of a plain decimal such as `29.99`, `30` or `-5.5`; undefined for anything else (a currency sign, a thousands
 * separator, a third decimal, more than nine digits before the point). Exact: no floating point is involved.
 */
export function parsePence(text: string): number | undefined {
  if (!AMOUNT.test(text)) return undefined;
  const isNegative = text.startsWith('-');
  const [pounds = '', fraction = ''] = (isNegative ? text.slice(1) : text).split('.');
  const pence = Number(pounds) * 100 + Number(fraction.padEnd(2, '0'));
  return isNegative && pence !== 0 ? -pence : pence;
}

/** Pence as the wire shows money in deals: two decimals (`2999` is `29.99`, spec §2.5). */
export function formatPence(pence: number): string {
  const absolute = Math.abs(pence);
  const fraction = absolute % 100;
  return `${pence < 0 ? '-' : ''}${(absolute - fraction) / 100}.${fraction < 10 ? '0' : ''}${fraction}`;
}
