import { DAY_MS, HOUR_MS } from '../../data/record/amount.ts';

/** What a check found, and what to do about it. */
export interface CheckResult {
  /** `skipped`: an option that says where to look is missing. */
  readonly state: 'ok' | 'warning' | 'fault' | 'skipped';
  readonly found: string;
  readonly remedy?: string;
}

export function ok(found: string): CheckResult {
  return { state: 'ok', found };
}

export function warning(found: string, remedy: string): CheckResult {
  return { state: 'warning', found, remedy };
}

export function fault(found: string, remedy: string): CheckResult {
  return { state: 'fault', found, remedy };
}

export function skipped(found: string, remedy: string): CheckResult {
  return { state: 'skipped', found, remedy };
}

/** Whether an operator has something to do about it. */
export function needsWork({ state, remedy }: CheckResult): boolean {
  return state === 'fault' || (state === 'warning' && remedy?.startsWith('nothing') === false);
}

/** `3 minutes`, `4.2 hours`, `5.0 days`. */
export function describeSpan(ms: number): string {
  if (ms < HOUR_MS) return `${Math.round(ms / 60_000)} minutes`;
  return ms < 48 * HOUR_MS ? `${(ms / HOUR_MS).toFixed(1)} hours` : `${(ms / DAY_MS).toFixed(1)} days`;
}

export function describeBytes(bytes: number): string {
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** `1 fault`, `2 faults`. */
export function describeCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
