import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf } from '../../cli/console/options.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { listCommands } from '../support/list-commands.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { requireSuccess } from '../unit/cli/run-deals.ts';

const COMMANDS = await listCommands();

/** What is typed, the last word before the cursor, and what a shell offers for it. */
const TYPED: readonly (readonly [typed: readonly string[], offered: readonly string[]])[] = [
  [['bu'], ['build']],
  [
    ['keys', 'create'],
    ['create', 'create-signing'],
  ],
  [['keys', 'create', '--op'], ['--operator']],
  [['build', '--config', 'build', '--dr'], ['--dry-run']],
  [
    ['serve', '--access-log', 'o'],
    ['on', 'off'],
  ],
  [['completion', 'z'], ['zsh']],
  [['nonsense', 'bu'], ['build']],
];

let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deals-completion-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    writeFileSync(join(folder, shell), requireSuccess(await callDeals(['completion', shell])).stdout);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The lines that a shell writes after it has read its script. */
function run(shell: 'bash' | 'zsh' | 'fish', line: string, ...words: readonly string[]): readonly string[] {
  const quiet = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }[shell];
  const { status, stdout, stderr } = spawnSync(shell, [...quiet, '-c', line, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: folder },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter((text) => text !== '');
}

describe.skipIf(isMissing('completion in bash', tool('bash')))('in bash', () => {
  const offer = (...words: readonly string[]): readonly string[] =>
    run(
      'bash',
      'source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _deals; printf "%s\\n" "${COMPREPLY[@]}"',
      'bash',
      'deals',
      ...words,
    );

  it.each(TYPED)('deals %j is completed to %j', (typed, offered) => {
    expect(offer(...typed)).toEqual(offered);
  });

  it.each(COMMANDS.map((command) => [nameOf(command), command] as const))('%s has all its flags', (name, command) => {
    const flags = command.options.flatMap(({ long }) => long ?? []);
    expect(offer(...name.split(' ').slice(1), '--').toSorted()).toEqual(['--help', ...flags].toSorted());
  });

  it('a choice is completed after an equals sign, and a file is left to the shell', () => {
    expect(offer('serve', '--access-log', '=', 'of')).toEqual(['off']);
    expect(offer('build', '--config', '')).toEqual([]);
  });
});

describe.skipIf(isMissing('completion in zsh', tool('zsh')))('in zsh', () => {
  const stubs = 'compdef() {}; _files() {}; compadd() { shift; print -l -- $@ }; _describe() { print -l -- $offered }';

  it.each(TYPED)('deals %j is completed to %j', (typed, offered) => {
    const script = `${stubs}; source ./zsh; words=("$@"); CURRENT=$#; _deals`;
    const last = typed.at(-1) ?? '';
    const lines = run('zsh', script, 'zsh', 'deals', ...typed).map((line) => line.split(':')[0] ?? '');
    expect(lines.filter((line) => line.startsWith(last))).toEqual(offered);
  });
});

describe.skipIf(isMissing('completion in fish', tool('fish')))('in fish', () => {
  it.each(TYPED)('deals %j is completed to %j', (typed, offered) => {
    const lines = run('fish', `source ./fish; complete -C 'deals ${typed.join(' ')}'`);
    expect(lines.map((line) => line.split('\t')[0] ?? '').toSorted()).toEqual(offered.toSorted());
  });
});
