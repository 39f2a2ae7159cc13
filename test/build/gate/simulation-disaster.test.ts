import { describe, expect, it } from 'vitest';
import { DISASTER_NAMES } from './disaster.ts';
import { simulateDisasters } from './simulation.ts';
import { printFigures, SEEDS } from './simulation-seed.ts';

const COUNT = 500;

describe(`${COUNT} disasters, each to one feed of an ordinary night`, () => {
  it.each(SEEDS)('of seed %d are all refused, and every refusal names that feed', { timeout: 240_000 }, (seed) => {
    const outcomes = simulateDisasters(seed, COUNT);
    printFigures(
      `seed ${seed}, disasters: how far beyond its limit the surest gate was at least`,
      new Map(
        DISASTER_NAMES.map((name) => [
          name,
          Math.min(...outcomes.filter(({ disaster }) => disaster === name).map(({ surest }) => surest)),
        ]),
      ),
    );
    expect(outcomes).toHaveLength(COUNT);
    expect(outcomes.filter(({ refused }) => refused.length === 0)).toEqual([]);
    expect(outcomes.filter(({ refused, source }) => refused.some((gate) => !gate.endsWith(`:${source}`)))).toEqual([]);
    expect(new Set(outcomes.map(({ disaster }) => disaster))).toEqual(new Set(DISASTER_NAMES));
    expect(new Set(outcomes.map(({ source }) => source)).size).toBeGreaterThan(4);
  });
});
