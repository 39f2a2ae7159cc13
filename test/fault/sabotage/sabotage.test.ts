import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TIER } from '../tier.ts';
import { copyProgram, listSabotages, trySabotage } from './sabotage.ts';

const folder = join(mkdtempSync(join(tmpdir(), 'deals-sabotage-')), 'program');

describe.skipIf(TIER === 'first')('every promise has a check that can fail', () => {
  beforeAll(() => copyProgram(folder));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(listSabotages())(
    '$name: $breaks',
    (sabotage) => {
      const outcome = trySabotage(folder, sabotage);
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
