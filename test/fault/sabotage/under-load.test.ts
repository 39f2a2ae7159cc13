import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TIER } from '../tier.ts';
import { copyProgram, isUnderLoad, listSabotages, trySabotage } from './sabotage.ts';

let copy = '';

// This file runs alone, as the tests under load do: vitest.config.ts.
describe.skipIf(TIER === 'first')('every promise that is kept under load has a check that can fail', () => {
  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), 'deals-sabotage-load-'));
    await copyProgram(copy);
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it.each(listSabotages().filter(isUnderLoad))(
    '$name: $breaks',
    async (sabotage) => {
      expect(await trySabotage(copy, sabotage)).toMatchObject({ isCaught: true });
    },
    300_000,
  );
});
