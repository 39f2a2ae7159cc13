import { describe, expect, it } from 'vitest';
import { DISASTERS, HELD_OUT_DISASTERS, PART_DISASTERS } from './disaster.ts';
import { printFigures, SEEDS } from './simulation-seed.ts';
import { simulateDisasters, type DisasterOutcome } from './simulation.ts';

/** Parts of smaller feeds may have too few deals to say anything, and a sale may undo a change of its own size. */
const FOR_PARTS = { minDeals: 300, hasSales: false };

function printSurest(seed: number, outcomes: readonly DisasterOutcome[]): void {
  const names = [...new Set(outcomes.map(({ disaster }) => disaster))];
  printFigures(
    `seed ${seed}, disasters: how far beyond its limit the surest gate was at least`,
    new Map(
      names.map((name) => [
        name,
        Math.min(...outcomes.filter(({ disaster }) => disaster === name).map(({ surest }) => surest)),
      ]),
    ),
  );
}

function listMissed(outcomes: readonly DisasterOutcome[]): readonly DisasterOutcome[] {
  return outcomes.filter(
    ({ refused, source }) => refused.length === 0 || refused.some((gate) => !gate.endsWith(`:${source}`)),
  );
}

describe('disasters, each to one feed of an ordinary night', () => {
  it.each(SEEDS)('200 of seed %d are all refused, and every refusal names that feed', { timeout: 240_000 }, (seed) => {
    const outcomes = simulateDisasters(seed, 200, DISASTERS);
    printSurest(seed, outcomes);
    expect(listMissed(outcomes)).toEqual([]);
    expect(new Set(outcomes.map(({ disaster }) => disaster))).toEqual(new Set(Object.keys(DISASTERS)));
    expect(new Set(outcomes.map(({ source }) => source)).size).toBeGreaterThan(4);
  });

  it.each(SEEDS)('200 to one retailer or network of seed %d alike', { timeout: 240_000 }, (seed) => {
    const outcomes = simulateDisasters(seed, 200, PART_DISASTERS, FOR_PARTS);
    printSurest(seed, outcomes);
    expect(listMissed(outcomes)).toEqual([]);
  });

  it.each(SEEDS)(
    '60 to a tenth of the rows of seed %d put no known deal at a wrong price',
    { timeout: 240_000 },
    (seed) => {
      const outcomes = simulateDisasters(seed, 60, HELD_OUT_DISASTERS, FOR_PARTS);
      printFigures(
        `seed ${seed}, wrong prices of new deals that were served`,
        new Map([['deals', outcomes.reduce((sum, { wrongNewCount }) => sum + wrongNewCount, 0)]]),
      );
      expect(outcomes.filter(({ wrongCount }) => wrongCount > 0)).toEqual([]);
    },
  );
});
