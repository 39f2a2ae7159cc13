import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { byTier } from '../../fault/tier.ts';
import { MUTATIONS, nameOf } from './mutation.ts';
import { describeOutcome, runMutations } from './run.ts';

const SEED = Number(process.env['MUTATIONS_SEED'] ?? 1);

/** One of each class. */
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

const chosen = byTier({
  first: MUTATIONS.filter((mutation) => SPREAD.has(nameOf(mutation))),
  second: MUTATIONS.filter((_, at) => at % 3 === SEED % 3),
  long: MUTATIONS,
});

it(
  `a damaged feed publishes no wrong value and costs no other feed: ${chosen.length} mutations, seed ${SEED}`,
  { timeout: 1_800_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const jobs = byTier({ first: 1, second: 2, long: 2 });
    const outcomes = await runMutations({ mutations: chosen, seed: SEED, jobs, folder, report: () => undefined });
    expect(outcomes.filter(({ failures }) => failures.length > 0).map(describeOutcome)).toEqual([]);
    // Of sound nights at most one in ten is held in a part.
    const sound = outcomes.filter(({ mutation }) => mutation.wanted === 'accept');
    expect(sound.filter(({ isHeld }) => isHeld).length).toBeLessThanOrEqual(Math.ceil(sound.length / 10));
  },
);
