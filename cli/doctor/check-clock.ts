import { describeSpan, fault, ok, warning, type Finding } from './finding.ts';

/** Machines disagree by this much without harm. */
const TOLERATED_MS = 5 * 60_000;

export interface ClockFacts {
  readonly nowMs: number;
  /** When the newest snapshot was made; undefined without one. */
  readonly snapshotMs: number | undefined;
  /** The newest time of a source file; undefined without one. */
  readonly sourceMs: number | undefined;
}

/** What was made cannot be of a time to come: then the clock is behind, and what is valid today is wrong. */
export function checkClock({ nowMs, snapshotMs = -Infinity, sourceMs = -Infinity }: ClockFacts): Finding {
  const remedy = 'set the clock: timedatectl set-ntp true';
  const behindSnapshot = snapshotMs - nowMs;
  if (behindSnapshot > TOLERATED_MS) {
    return fault('clock', `the newest snapshot was made ${describeSpan(behindSnapshot)} from now`, remedy);
  }
  const behindSource = sourceMs - nowMs;
  if (behindSource > TOLERATED_MS) {
    const found = `a source file has a time ${describeSpan(behindSource)} from now`;
    return warning('clock', found, `${remedy}; or mend the clock of the machine that wrote the file`);
  }
  return ok('clock', `${new Date(nowMs).toISOString()}, after everything that was made`);
}
