import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from './processes.ts';

it('npm run bench prepares its data, measures and prints a line for each figure', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deals-bench-'));
  try {
    const bench = join(import.meta.dirname, 'run-bench.ts');
    const args = ['--import', 'tsx', bench, '--small', '--only', 'filters', '--data', folder];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    expect(stdout.split('\n').filter((line) => line.startsWith('| ')).length).toBe(2 + 3);
    expect(stdout).toMatch(/\| search by name \| <= 4 \| \*\*[\d.]+\*\* ms \|/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
