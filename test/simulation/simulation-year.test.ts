import { describe, expect, it } from 'vitest';
import { printFigures, SEEDS } from './simulation-seed.ts';
import { simulateYear } from './simulation.ts';

describe('365 ordinary nights', () => {
  it.each(SEEDS)('of seed %d are all published', { timeout: 120_000 }, (seed) => {
    const { refusals, carriedCount, withdrawnCount, heldOutCount, nearest } = simulateYear(seed);
    printFigures(`seed ${seed}, deals held out for a night`, new Map([['deals', heldOutCount]]));
    printFigures(`seed ${seed}, ordinary nights: how near each gate came to its limit (1 is refused)`, nearest);
    expect(refusals).toEqual([]);
    // The year has seen what it claims to.
    expect(carriedCount).toBeGreaterThan(20);
    expect(withdrawnCount).toBeGreaterThan(2);
    expect(heldOutCount).toBeGreaterThan(5);
    expect(nearest.get('lost-deals')).toBeGreaterThan(0.3);
  });
});
