import { describe, expect, it } from 'vitest';
import { DISASTERS, HELD_OUT_DISASTERS, PART_DISASTERS } from './disaster.ts';
import { SEEDS } from './simulation-seed.ts';
import { simulateDisasters } from './simulation.ts';

/** Parts of smaller feeds may have too few deals to say anything. */
const MIN_DEALS_OF_PARTS = 300;

describe('disasters, each to one feed of an ordinary night', () => {
  it.each(SEEDS)('100 of seed %d are all noticed, and hold nothing of another feed', { timeout: 240_000 }, (seed) => {
    const outcomes = simulateDisasters(seed, 100, DISASTERS);
    expect(outcomes.filter(({ isNoticed, others }) => !isNoticed || others.length > 0)).toEqual([]);
    expect(new Set(outcomes.map(({ source }) => source)).size).toBeGreaterThan(4);
  });

  it.each(SEEDS)('100 to one retailer or network of seed %d alike', { timeout: 240_000 }, (seed) => {
    const outcomes = simulateDisasters(seed, 100, PART_DISASTERS, MIN_DEALS_OF_PARTS);
    expect(outcomes.filter(({ isNoticed, others }) => !isNoticed || others.length > 0)).toEqual([]);
  });

  it.each(SEEDS)(
    '30 to a tenth of the rows of seed %d serve no wrong price in silence',
    { timeout: 240_000 },
    (seed) => {
      const outcomes = simulateDisasters(seed, 30, HELD_OUT_DISASTERS, MIN_DEALS_OF_PARTS);
      expect(outcomes.filter(({ wrongCount, isNoticed }) => wrongCount > 0 && !isNoticed)).toEqual([]);
    },
  );
});
