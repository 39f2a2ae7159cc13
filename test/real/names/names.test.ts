import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeMeasured, measureNames } from './measure.ts';

const DEALS = fileURLToPath(new URL('../../../dist/js/cli/main.js', import.meta.url));

describe('names as shops write them (INPUTS "Matching")', () => {
  it('a fixed seed of 3,000 names has no wrong match, and 98 % of what must be found is found', () => {
    expect(existsSync(DEALS), `expected ${DEALS}; run npm run compile`).toBe(true);
    const { text, holds } = describeMeasured(measureNames(11, 3000, DEALS));
    expect(holds, text).toBe(true);
  });

  it.runIf(process.env['FAULT_TIER'] !== undefined)(
    'a fresh seed of 25,000 names has no wrong match either',
    () => {
      const seed = Number(process.env['NAMES_SEED'] ?? Date.now() % 1_000_000);
      process.stdout.write(`names: NAMES_SEED=${seed}\n`);
      const { text, holds } = describeMeasured(measureNames(seed, 25_000, DEALS));
      expect(holds, `NAMES_SEED=${seed} ${text}`).toBe(true);
    },
    300_000,
  );
});
