import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = import.meta.dirname;
/** The text of every test of this folder but this one. */
const tests = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts') && name !== 'decisions.test.ts')
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');

/** What stands in the brackets at the end of test names: `(D4, D5)`. */
const cited = new Set(
  [...tests.matchAll(/\((D[0-9]+(?:, D[0-9]+)*)\)',/g)].flatMap(([, list = '']) => list.split(', ')),
);

describe('every decision of the contract has a test that cites it', () => {
  it.each(Array.from({ length: 24 }, (_, number) => `D${number + 1}`))('%s', (decision) => {
    expect(cited).toContain(decision);
  });
});
