import { summarise, type Summary } from '../summarise.ts';
import type { LoadResult } from './load-result.ts';

/** Who is measured, by name: one round of load each time it is called. */
export type Subjects<Name extends string> = Readonly<Record<Name, () => Promise<LoadResult>>>;

/** What each bore, round by round. */
export type Rounds<Name extends string> = readonly Readonly<Record<Name, LoadResult>>[];

/**
 * Measures everyone in every round, one after the other, every second round in the opposite order: what the machine
 * does beside changes by the minute, and so meets all alike. A round before the first warms everyone up and is not kept.
 */
export async function measureInTurns<Name extends string>(
  subjects: Subjects<Name>,
  roundCount: number,
): Promise<Rounds<Name>> {
  const names = Object.keys(subjects) as Name[];
  const rounds: Record<Name, LoadResult>[] = [];
  for (let round = 0; round <= roundCount; round++) {
    const results = {} as Record<Name, LoadResult>;
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name] = await subjects[name]();
    rounds.push(results);
  }
  return rounds.slice(1);
}

/** How many times the answers a second of the other: the ratio of each round by itself. */
export interface Comparison extends Summary {
  /** Of both, over all rounds. */
  readonly failures: number;
}

/** One against another. @throws {RangeError} when a round was too short for an answer */
export function compareRounds<Name extends string>(rounds: Rounds<Name>, one: Name, other: Name): Comparison {
  const ratios = rounds.map((round) => round[one].requestsPerSecond / round[other].requestsPerSecond);
  if (!ratios.every(Number.isFinite))
    throw new RangeError(`${other}: expected an answer in every round, got none in one`);
  return {
    ...summarise(ratios),
    failures: rounds.reduce((sum, round) => sum + round[one].failures + round[other].failures, 0),
  };
}

/** The median of each figure over the rounds. */
export function medianLoad<Name extends string>(rounds: Rounds<Name>, name: Name): Omit<LoadResult, 'failures'> {
  const of = (figure: keyof LoadResult) => summarise(rounds.map((round) => round[name][figure])).median;
  return { requestsPerSecond: of('requestsPerSecond'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') };
}
