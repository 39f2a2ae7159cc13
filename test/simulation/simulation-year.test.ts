import { describe, expect, it } from 'vitest';
import { SEEDS } from './simulation-seed.ts';
import { simulateYear } from './simulation.ts';

/** Once a month. */
const MAX_FALSE_WORDS = 12;

describe('365 ordinary nights', () => {
  it.each(SEEDS)(
    'of seed %d are all published, nothing is held without a cause, and little is said',
    { timeout: 240_000 },
    (seed) => {
      const { refusals, falseHolds, holdsOfEvents, falseWords, wordsOfEvents } = simulateYear(seed);
      expect(refusals).toEqual([]);
      expect(falseHolds).toEqual([]);
      expect(falseWords.length, falseWords.join('\n')).toBeLessThanOrEqual(MAX_FALSE_WORDS);
      // The year has seen what it claims to.
      expect(wordsOfEvents).toBeGreaterThan(5);
      expect(holdsOfEvents.length).toBeGreaterThan(0);
    },
  );
});
