import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TIER } from '../tier.ts';
import { copyProgram, isUnderLoad, listSabotages, trySabotage } from './sabotage.ts';

let folder = '';
/** Copies of the program that no sabotage is being done to. */
const idle: string[] = [];

describe.skipIf(TIER === 'first').concurrent('every promise has a check that can fail', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'deals-sabotage-'));
    idle.push(...['one', 'other'].map((name) => join(folder, name)));
    await Promise.all(idle.map((copy) => copyProgram(copy)));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(listSabotages().filter((sabotage) => !isUnderLoad(sabotage)))(
    '$name: $breaks',
    async (sabotage) => {
      // As many run at once as there are copies: maxConcurrency in vitest.config.ts.
      const copy = idle.pop();
      if (copy === undefined) throw new Error('more sabotages at once than copies of the program');
      const outcome = await trySabotage(copy, sabotage).finally(() => idle.push(copy));
      // The whole outcome, so that what was said is read when nothing failed.
      expect(outcome).toMatchObject({ isCaught: true });
    },
    300_000,
  );
});

describe('the sabotages', () => {
  it('each say what they break and which test notices', () => {
    expect(listSabotages().length).toBeGreaterThan(0);
  });
});
