import { describe, expect, it } from 'vitest';
import { READMES, readReadme, TABLE_NAMES, tablesOf, withTables } from './readme-tables.ts';

describe('the tables of the READMEs', () => {
  it.each(READMES)('%s shows what the code has (npm run docs writes it)', (name) => {
    const text = readReadme(name);
    expect(text).toBe(withTables(text));
  });

  it('are all shown somewhere', () => {
    const shown = READMES.flatMap((name) => tablesOf(readReadme(name)));
    expect([...shown].sort()).toEqual([...TABLE_NAMES].sort());
  });
});
