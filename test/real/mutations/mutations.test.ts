import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { byTier } from '../../fault/tier.ts';
import { MUTATIONS } from './mutation.ts';
import { describeOutcome, nameOf, runMutations } from './run.ts';

const PROGRAM = new URL('../../../dist/js/cli/main.js', import.meta.url).pathname;
const SEED = Number(process.env['MUTATIONS_SEED'] ?? 1);

/** One of each class, for `npm test`. */
const SPREAD = new Set([
  'sample/house: condition renamed grade',
  'sample/house: money /100 (a tenth)',
  'sample/house: products permuted (a big retailer)',
  'sample/house: a JSON error in place of the file',
  'sample/house: cut at 99.9 % inside a row',
  'sample/house: prices 8 % up',
  'sample/awin: names shifted by a row, ids kept',
  'sample/house: CMS: the networks file missing',
]);

const third = SEED % 3;
const chosen = byTier({
  first: MUTATIONS.filter((mutation) => SPREAD.has(nameOf(mutation))),
  second: MUTATIONS.filter((_, at) => at % 3 === third),
  long: MUTATIONS,
});

describe('a damaged feed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has names that differ, over 300 of them', () => {
    expect(new Set(MUTATIONS.map(nameOf)).size).toBe(MUTATIONS.length);
    expect(MUTATIONS.length).toBeGreaterThan(300);
  });

  it(
    `publishes no wrong value and costs no other feed: ${chosen.length} mutations, seed ${SEED}`,
    { timeout: 1_800_000 },
    async () => {
      const failed: string[] = [];
      const sound: boolean[] = [];
      await runMutations({
        program: PROGRAM,
        isSpawned: false,
        mutations: chosen,
        seed: SEED,
        jobs: byTier({ first: 1, second: 2, long: 2 }),
        folder,
        report: (outcome) => {
          if (outcome.mutation.wanted === 'accept') sound.push(!outcome.isHeld);
          if (outcome.failures.length > 0) failed.push(describeOutcome(outcome));
        },
      });
      expect(failed).toEqual([]);
      // Of sound nights at most one in ten is held in a part.
      expect(sound.filter((isFresh) => !isFresh).length).toBeLessThanOrEqual(Math.ceil(sound.length / 10));
    },
  );
});
