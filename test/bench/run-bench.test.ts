import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DEALS, ROOT } from './bench-data.ts';
import { formatTable, withTable } from './report-lines.ts';
import { CASES } from './case-list.ts';

describe('npm run bench', () => {
  // Compiled by `npm test` before the tests run; compiling here would change it under the feet of others.
  it.skipIf(!existsSync(DEALS))(
    'prepares its data, checks an answer and prints a line for it',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'deals-bench-'));
      const args = ['--scale', 'small', '--only', 'write-deals', '--compiled', '--data', folder];
      try {
        const bench = join(import.meta.dirname, 'run-bench.ts');
        const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', bench, ...args], {
          cwd: ROOT,
        });
        expect(stdout).toContain('| write-deals | page of a product with 50 deals');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    120_000,
  );

  it('knows every case there is', async () => {
    const files = await readdir(join(import.meta.dirname, 'case'));
    expect(CASES.map(({ name }) => `${name}.ts`).sort()).toEqual(files.sort());
  });
});

describe('the table of the bench', () => {
  const line = { what: 'a | b', target: '< 2', reached: 1.234, lowest: 1, highest: 20.56, unit: 'ms', isMet: true };

  it('has a row for each line, and one for a case that failed', () => {
    const table = formatTable([
      { name: 'first', lines: [line, { ...line, isMet: false, note: 'why' }] },
      { name: 'second', lines: [], fault: 'ended with 1' },
    ]);
    expect(table).toContain('| first | a \\| b | < 2 ms | **1.23** ms | 1.00 to 20.6 | yes |  |');
    expect(table).toContain('| **no** | why |');
    expect(table).toContain('| second | failed | | | | no | ended with 1 |');
  });

  it('judges nothing that is only shown', () => {
    const table = formatTable([{ name: 'first', lines: [{ ...line, what: 'a', target: 'shown', unit: 'x' }] }]);
    expect(table).toContain('| first | a | shown | **1.23** x | 1.00 to 20.6 |  |  |');
  });

  it('has the efforts of the encoders in a table of their own', () => {
    const effort = (name: string, bodyBytes: number) => ({
      ...line,
      target: 'shown',
      effort: { name, bodyBytes, encodedBytes: bodyBytes / 2 },
    });
    const lines = [line, effort('br 1', 2_000), effort('br 5', 2_000), effort('br 1', 40_000)];
    expect(
      formatTable([{ name: 'first', lines }])
        .split('\n')
        .slice(-4),
    ).toEqual([
      '| of | br 1 | br 5 |',
      '| --- | --- | --- |',
      '| 2,000 bytes | 1,000 in 1.23 | 1,000 in 1.23 |',
      '| 40,000 bytes | 20,000 in 1.23 |  |',
    ]);
  });

  it('goes between its markers and leaves the rest', () => {
    expect(withTable('a\n<!-- bench -->\nold\n<!-- end of bench -->\nb', 'new')).toBe(
      'a\n<!-- bench -->\n\nnew\n\n<!-- end of bench -->\nb',
    );
    expect(() => withTable('a', 'new')).toThrow('expected <!-- bench -->');
  });
});
