import type { LastBuild } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';

export interface SnapshotAge {
  /** Since it was made; negative for one from the future. */
  readonly ageSeconds: number;
  /** When a build last found that the sources still say what it says. */
  readonly confirmedAt?: string;
  /** Whether it is from the future, or neither a build that made it nor one that confirmed it is young enough. */
  readonly stale: boolean;
}

/** The clocks of two machines differ by this much without harm. */
export const TOLERATED_AHEAD_MS = 5 * 60_000;

/**
 * How old a snapshot is. A night in which nothing changed publishes nothing and confirms what there is, so a snapshot is
 * stale only when no build has confirmed it either. A time in the future says that a clock was wrong, and no age.
 */
export function describeAge(
  { id, createdAt }: Pick<Manifest, 'id' | 'createdAt'>,
  lastBuild: Pick<LastBuild, 'current' | 'confirmedAt'> | undefined,
  now: Date,
  staleAfterHours: number,
): SnapshotAge {
  // What it confirmed is what is current in the store, which need not be what is served.
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

/** Negative only beyond what is tolerated. */
function secondsBetween(fromMs: number, to: Date): number {
  const ms = to.getTime() - fromMs;
  return ms < 0 && ms >= -TOLERATED_AHEAD_MS ? 0 : Math.floor(ms / 1_000);
}
