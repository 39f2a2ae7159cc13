import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../cli/exit-code.ts';
import { Output } from '../../cli/output.ts';
import { commandsOf, createProgram, nameOf } from '../../cli/program.ts';

const README = readFileSync(join(import.meta.dirname, '../../cli/README.md'), 'utf8');
const LINES = README.split('\n');

const output = new Output({ write: () => true, on: () => undefined }, { write: () => true, on: () => undefined }, {});
const COMMANDS = commandsOf(await createProgram({ output, now: () => new Date(), end: () => undefined }));
const LEAVES = COMMANDS.filter(({ commands }) => commands.length === 0);
const OPTIONS = LEAVES.flatMap(({ options }) => options);

describe('cli/README.md', () => {
  it.each(LEAVES.map((command) => [nameOf(command), command] as const))(
    'lists %s with its options',
    (name, { options }) => {
      const row = LINES.find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
      const documented = name === 'deals serve' ? README : row;
      expect(row).not.toBe('');
      expect(flagsOf(options).filter((flag) => !documented.includes(`\`${flag}\``))).toEqual([]);
    },
  );

  it('names no option that no command has', () => {
    const known = new Set(flagsOf(OPTIONS));
    const named = [...README.matchAll(/`(--[a-z-]+)`/g)].map(([, flag]) => flag ?? '');
    expect(named.filter((flag) => !known.has(flag))).toEqual([]);
  });

  it('lists every environment variable with its flag, and no other', () => {
    const variables = new Map(OPTIONS.map(({ envVar, long }) => [envVar, long]));
    variables.delete(undefined);
    const rows = [...README.matchAll(/^\| `(DEALS_[A-Z_]+)` \| `(--[a-z-]+)` \|/gm)].map(([, name, flag]) => [
      name,
      flag,
    ]);
    expect(new Map(rows as [string, string][])).toEqual(variables);
  });

  it('lists every exit code, and no other', () => {
    const codes = [...README.matchAll(/^\| ([0-9]+) \| /gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });
});

function flagsOf(options: readonly Option[]): readonly string[] {
  return options.map(({ long }) => long ?? '').filter((flag) => flag !== '');
}
