import { describe, expect, it } from 'vitest';
import type { LoadResult } from './load-result.ts';
import { compareRounds, measureInTurns, medianLoad } from './measure-in-turns.ts';
import { ratioLine } from './ratio-line.ts';

const result = (requestsPerSecond: number, failures = 0): LoadResult => ({
  requestsPerSecond,
  p50Ms: 1000 / requestsPerSecond,
  p99Ms: 2000 / requestsPerSecond,
  failures,
});

describe('measuring in turns', () => {
  it('measures everyone in every round, the order turned round each time, and drops the round that warms up', async () => {
    const asked: string[] = [];
    const subject = (name: string) => async () => {
      asked.push(name);
      return result(asked.length);
    };
    const rounds = await measureInTurns({ a: subject('a'), b: subject('b') }, 2);
    expect(asked).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
    expect(rounds.map(({ a, b }) => [a.requestsPerSecond, b.requestsPerSecond])).toEqual([
      [4, 3],
      [5, 6],
    ]);
  });
});

describe('comparing rounds', () => {
  const rounds = [
    { a: result(100), b: result(200) },
    { a: result(300, 2), b: result(100) },
    { a: result(80), b: result(100, 5) },
  ];

  it('tells the median of the ratios of the rounds with its spread, not the ratio of the medians', () => {
    expect(compareRounds(rounds, 'a', 'b')).toEqual({ median: 0.8, lowest: 0.5, highest: 3, failures: 7 });
  });

  it('takes the mean of the two in the middle of an even number of rounds', () => {
    expect(compareRounds(rounds.slice(0, 2), 'a', 'b').median).toBe(1.75);
  });

  it('tells the median of each figure of one', () => {
    expect(medianLoad(rounds, 'a')).toEqual({ requestsPerSecond: 100, p50Ms: 10, p99Ms: 20 });
  });

  it('is refused without rounds, and with a round in which the other answered nothing', () => {
    const silent = { a: result(100), b: { ...result(1), requestsPerSecond: 0 } };
    expect(() => compareRounds([...rounds, silent], 'a', 'b')).toThrow('b: expected an answer in every round');
    expect(() => compareRounds([] as typeof rounds, 'a', 'b')).toThrow(RangeError);
  });

  it('meets no target while a request failed', () => {
    const options = { what: 'a against b', atLeast: 0.5, one: 'a', other: 'b' } as const;
    expect(ratioLine(rounds, options)).toMatchObject({ reached: 0.8, target: '>= 0.5', isMet: false });
    expect(ratioLine(rounds, options).note).toBe('100 against 100 a second; 7 requests failed');
    expect(ratioLine(rounds.slice(0, 1), options)).toMatchObject({ reached: 0.5, isMet: true });
  });
});
