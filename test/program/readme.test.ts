import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXIT } from '../../cli/console/command.ts';
import { nameOf } from '../../cli/console/options.ts';
import { listCommands } from '../support/list-commands.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { requireSuccess } from '../unit/cli/run-deals.ts';

const README = ['cli/README.md', 'data/spec/commands.md']
  .map((page) => readFileSync(join(import.meta.dirname, '../..', page), 'utf8'))
  .join('\n');

const COMMANDS = await listCommands();
const OPTIONS = COMMANDS.flatMap(({ options }) => options);

// That the tables of commands and options are those of the program is tested with all tables, in test/docs.
describe('cli/README.md and data/spec/commands.md', () => {
  it('names no command that there is none of', () => {
    const known = COMMANDS.map((command) => nameOf(command));
    const named = [...README.matchAll(/`(deals [a-z]+(?: (?:create|list|revoke))?)\b/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('names no option that no command has', () => {
    const known = new Set(OPTIONS.map(({ long }) => long));
    const named = [...README.matchAll(/`(--[a-z-]+)/g)].map(([, flag]) => flag ?? '');
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((flag) => !known.has(flag))).toEqual([]);
  });

  it('names no environment variable that no option has', () => {
    const known = new Set(OPTIONS.map(({ envVar }) => envVar));
    const named = [...README.matchAll(/DEALS_[A-Z_]+/g)].map(([name]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

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
    requireSuccess(await callDeals(['build', '--config', join(folder, 'catalogue.json'), ...store]));
    const examples = [...README.matchAll(/^\$ deals (.+)\n([^]*?)```/gm)];
    expect(examples.length).toBeGreaterThan(0);
    for (const [, command = '', shown] of examples) {
      const { stdout } = requireSuccess(await callDeals([...command.split(' '), ...store]));
      expect(stdout).toBe(shown);
    }
  });
});
