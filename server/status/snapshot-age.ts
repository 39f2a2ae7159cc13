import type { LastBuild } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';

export interface SnapshotAge {
  /** Since it was made. */
  readonly ageSeconds: number;
  /** When a build last found that the sources still say what it says. */
  readonly confirmedAt?: string;
  /** Whether neither a build that made it nor one that confirmed it is young enough. */
  readonly stale: boolean;
}

/**
 * How old a snapshot is. A night in which nothing changed publishes nothing and confirms what there is, so a snapshot is
 * stale only when no build has confirmed it either.
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
  const soundMs = confirmedAt === undefined ? createdMs : Math.max(createdMs, Date.parse(confirmedAt));
  return {
    ageSeconds: secondsBetween(createdMs, now),
    ...(confirmedAt === undefined ? {} : { confirmedAt }),
    stale: secondsBetween(soundMs, now) > staleAfterHours * 3_600,
  };
}

function secondsBetween(fromMs: number, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - fromMs) / 1_000));
}
