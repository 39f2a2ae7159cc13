import type { LastBuild } from '../report/report.ts';
import type { Manifest } from '../snapshot/format.ts';

export interface SnapshotAge {
  /** Since it was made; negative for one from the future. */
  readonly ageSeconds: number;
  /** When a build last found that the sources still say what it says. */
  readonly confirmedAt?: string;
  /** Whether it is from the future, or too long ago made and last confirmed by a build. */
  readonly stale: boolean;
}

/** The clocks of two machines may differ by this much. */
export const TOLERATED_AHEAD_MS = 5 * 60_000;

/**
 * The age of a snapshot. A build without changes publishes nothing and confirms the current snapshot, so a confirmed
 * snapshot is not stale. A time in the future means that a clock was wrong.
 */
export function describeAge(
  { id, createdAt }: Pick<Manifest, 'id' | 'createdAt'>,
  lastBuild: Pick<LastBuild, 'current' | 'confirmedAt'> | undefined,
  now: Date,
  staleAfterHours: number,
): SnapshotAge {
  // It confirmed the current snapshot of the store, which may not be the served one.
  const confirmedAt = lastBuild?.current === id ? lastBuild.confirmedAt : undefined;
  const createdMs = Date.parse(createdAt);
  const ageSeconds = secondsBetween(createdMs, now);
  const confirmedSeconds = confirmedAt === undefined ? -1 : secondsBetween(Date.parse(confirmedAt), now);
  const soundSeconds = confirmedSeconds < 0 ? ageSeconds : Math.min(ageSeconds, confirmedSeconds);
  return {
    ageSeconds,
    ...(confirmedAt === undefined ? {} : { confirmedAt }),
    stale: ageSeconds < 0 || soundSeconds > staleAfterHours * 3_600,
  };
}

/** Negative only beyond `TOLERATED_AHEAD_MS`. */
function secondsBetween(fromMs: number, to: Date): number {
  const ms = to.getTime() - fromMs;
  return ms < 0 && ms >= -TOLERATED_AHEAD_MS ? 0 : Math.floor(ms / 1_000);
}
