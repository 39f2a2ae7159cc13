import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXIT } from '../../cli/console/command.ts';
import { requireSuccess, runDeals } from '../harness.ts';

const README = ['cli/README.md', 'data/spec/commands.md']
  .map((page) => readFileSync(join(import.meta.dirname, '../..', page), 'utf8'))
  .join('\n');

describe('cli/README.md and data/spec/commands.md', () => {
  it('lists every exit code, and no other', () => {
    const codes = [...README.matchAll(/^\| ([0-9]+) \| /gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });

  it('shows what its examples print of the sample', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deals-readme-sample-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(join(import.meta.dirname, '../../data/sample'), folder, { recursive: true });
    // Pictures have no part in what is shown, and take longer than all the rest.
    const config = JSON.parse(readFileSync(join(folder, 'catalogue.json'), 'utf8')) as object;
    writeFileSync(join(folder, 'catalogue.json'), JSON.stringify({ ...config, images: { render: false } }));
    const store = ['--store', join(folder, 'store')];
    requireSuccess(await runDeals(['build', '--config', join(folder, 'catalogue.json'), ...store]));
    const examples = [...README.matchAll(/^\$ deals (.+)\n([^]*?)```/gm)];
    expect(examples.length).toBeGreaterThan(0);
    for (const [, command = '', shown] of examples) {
      const { stdout } = requireSuccess(await runDeals([...command.split(' '), ...store]));
      expect(stdout).toBe(shown);
    }
  });
});
