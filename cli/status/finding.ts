import { DAY_MS, HOUR_MS } from '../../data/record/amount.ts';

/** What an operator must look at, and what to do about it. */
export interface Finding {
  /** `fault`: it cannot be built or served as it is. */
  readonly state: 'warning' | 'fault';
  readonly found: string;
  readonly remedy: string;
}

export function warning(found: string, remedy: string): Finding {
  return { state: 'warning', found, remedy };
}

export function fault(found: string, remedy: string): Finding {
  return { state: 'fault', found, remedy };
}

/** `3 minutes`, `4.2 hours`, `5.0 days`. */
export function describeSpan(ms: number): string {
  if (ms < HOUR_MS) return `${Math.round(ms / 60_000)} minutes`;
  return ms < 48 * HOUR_MS ? `${(ms / HOUR_MS).toFixed(1)} hours` : `${(ms / DAY_MS).toFixed(1)} days`;
}
