import { TOLERATED_AHEAD_MS } from '../../server/status/snapshot-age.ts';
import { describeSpan, fault, ok, warning, type Finding } from './finding.ts';

export interface ClockFacts {
  readonly nowMs: number;
  /** When the current snapshot was made; undefined without one. */
  readonly snapshotMs: number | undefined;
  /** The newest time of a source file; undefined without one. */
  readonly sourceMs: number | undefined;
}

/** What was made cannot be of a time to come: then this clock is behind, or that of the build was ahead. */
export function checkClock({ nowMs, snapshotMs = -Infinity, sourceMs = -Infinity }: ClockFacts): Finding {
  const remedy = 'set the clock: timedatectl set-ntp true';
  const behindSnapshot = snapshotMs - nowMs;
  if (behindSnapshot > TOLERATED_AHEAD_MS) {
    return fault(
      'clock',
      `the current snapshot was made ${describeSpan(behindSnapshot)} from now`,
      `${remedy}; where it is right, the clock of the build was ahead: run deals build again`,
    );
  }
  const behindSource = sourceMs - nowMs;
  if (behindSource > TOLERATED_AHEAD_MS) {
    const found = `a source file has a time ${describeSpan(behindSource)} from now`;
    return warning('clock', found, `${remedy}; or mend the clock of the machine that wrote the file`);
  }
  return ok('clock', `${new Date(nowMs).toISOString()}, after everything that was made`);
}
