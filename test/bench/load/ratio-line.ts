import type { BenchLine } from '../case-result.ts';
import { compareRounds, medianLoad, type Rounds } from './measure-in-turns.ts';

export interface RatioLine<Name extends string> {
  readonly what: string;
  /** The least ratio that is wanted; without one the line shows where a limit is. */
  readonly atLeast?: number;
  readonly one: Name;
  readonly other: Name;
  readonly note?: string;
}

/** A line for how many times the answers a second of another; never met while a request failed. */
export function ratioLine<Name extends string>(rounds: Rounds<Name>, options: RatioLine<Name>): BenchLine {
  const { what, atLeast, one, other, note } = options;
  const { median, lowest, highest, failures } = compareRounds(rounds, one, other);
  const figures = [one, other]
    .map((name) => describeRate(medianLoad(rounds, name).requestsPerSecond))
    .join(' against ');
  const failed = failures === 0 ? [] : [`${failures} requests failed`];
  return {
    what,
    target: atLeast === undefined ? 'shown' : `>= ${atLeast}`,
    reached: median,
    lowest,
    highest,
    unit: 'x',
    isMet: failures === 0 && (atLeast === undefined || median >= atLeast),
    note: [`${figures} a second`, ...(note === undefined ? [] : [note]), ...failed].join('; '),
  };
}

function describeRate(requestsPerSecond: number): string {
  return requestsPerSecond >= 100 ? String(Math.round(requestsPerSecond)) : requestsPerSecond.toPrecision(2);
}
