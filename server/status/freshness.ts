import type { LastBuild } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { LastBuildReader, type LastBuildFacts } from './last-build.ts';

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

/** How often the store is asked by those who ask for the health of a snapshot that looks stale. */
const READ_EVERY_MS = 10_000;

/**
 * Remembers what the last build confirmed. The store is asked only when a snapshot would be called stale otherwise, and
 * seldom then: whoever watches the service is answered from memory.
 */
export class LastConfirmation {
  readonly #reader: LastBuildReader;
  #lastBuild: LastBuildFacts | undefined;
  #readAtMs = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(store: string) {
    this.#reader = new LastBuildReader(store);
  }

  async find(manifest: Manifest, now: Date, staleAfterHours: number): Promise<LastBuildFacts | undefined> {
    if (!describeAge(manifest, this.#lastBuild, now, staleAfterHours).stale) return this.#lastBuild;
    // A clock that was put back is no reason to wait.
    if (Math.abs(now.getTime() - this.#readAtMs) >= READ_EVERY_MS) {
      this.#readAtMs = now.getTime();
      this.#reading = this.#read();
    }
    await this.#reading;
    return this.#lastBuild;
  }

  async #read(): Promise<void> {
    this.#lastBuild = await this.#reader.readFacts();
    this.#reading = undefined;
  }
}
