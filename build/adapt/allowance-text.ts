import { UNLIMITED_MARKER, type Allowance } from '../../data/record/allowance.ts';

const DECIMAL = /^[0-9]{1,9}(?:\.[0-9]{1,9})?$/;

/**
 * An allowance as text: `unlimited` in any case, the marker 999999 (spec §8), or a plain number times `unit`.
 * Undefined when it is something else, or not a whole number of megabytes, minutes or texts.
 */
export function parseAllowance(text: string, unit = 1): Allowance | undefined {
  if (text.length === 9 && text.toLowerCase() === 'unlimited') return 'unlimited';
  if (!DECIMAL.test(text)) return undefined;
  const number = Number(text);
  if (number === UNLIMITED_MARKER) return 'unlimited';
  const amount = number * unit;
  const whole = Math.round(amount);
  // 0.001 GB has no exact double; a hundred-thousandth is far above what the multiplication errs and far below a
  // fourth decimal.
  return Math.abs(amount - whole) < 1e-5 ? whole : undefined;
}
