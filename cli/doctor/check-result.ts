import { DAY_MS, HOUR_MS } from '../../data/record/amount.ts';

/** The checks of `deals doctor`, in the order of its output. */
export const CHECKS = {
  node: 'the version of Node: new enough for the program, and still given security releases',
  machine: 'what the system gives a server: descriptors, and memory for those who read slowly',
  configuration: 'whether the configuration can be used',
  sources: 'whether the files of each source are there and can be read, and how old a feed is',
  store: 'who may read the store and write to it',
  snapshot: 'whether the current snapshot is whole (files and their sizes; `deals verify` reads them), and its age',
  build:
    'what the last build came to, why a source is held and until when its deals are served, who holds the lock, what a killed build has left',
  disk: 'room for the snapshots that a store keeps',
  clock: 'whether the clock agrees with the times of snapshots and sources',
  keys: 'who may read the key file, which keys can be used, which end soon, whether one is an operator',
  port: 'whether the port is free, or served by us from the current snapshot of this store',
} as const;

export type CheckName = keyof typeof CHECKS;

/** `skipped`: an option that says where to look is missing. */
type CheckState = 'ok' | 'warning' | 'fault' | 'skipped';

export interface CheckResult {
  readonly check: CheckName;
  readonly state: CheckState;
  readonly found: string;
  readonly remedy?: string;
}

export function ok(check: CheckName, found: string): CheckResult {
  return { check, state: 'ok', found };
}

export function warning(check: CheckName, found: string, remedy: string): CheckResult {
  return { check, state: 'warning', found, remedy };
}

export function fault(check: CheckName, found: string, remedy: string): CheckResult {
  return { check, state: 'fault', found, remedy };
}

export function skipped(check: CheckName, found: string, remedy: string): CheckResult {
  return { check, state: 'skipped', found, remedy };
}

/** `3 minutes`, `4.2 hours`, `5.0 days`. */
export function describeSpan(ms: number): string {
  if (ms < HOUR_MS) return `${Math.round(ms / 60_000)} minutes`;
  return ms < 48 * HOUR_MS ? `${(ms / HOUR_MS).toFixed(1)} hours` : `${(ms / DAY_MS).toFixed(1)} days`;
}

export function describeBytes(bytes: number): string {
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
