import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf } from '../../cli/console/options.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { DEALS } from '../fault/program.ts';
import { listCommands } from '../support/list-commands.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { runDeals, startDeals } from '../unit/cli/run-deals.ts';

let cwd = '';

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'deals-cli-'));
  process.chdir(cwd);
});

afterAll(() => rmSync(cwd, { recursive: true }));

const COMMANDS = await listCommands();
const NAMES = COMMANDS.map((command) => [nameOf(command), nameOf(command).split(' ').slice(1), command] as const);

describe('every command', () => {
  it.each(NAMES)(
    '%s shows its help on stdout: all flags, and two examples at its end',
    async (name, words, command) => {
      const { exitCode, stdout, stderr } = await callDeals([...words, '--help']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^Usage: ${name}[ |]`));
      for (const { long } of command.options) expect(stdout).toContain(` ${long ?? ''}`);
      expect(stdout).toMatch(/\nExamples:\n {2}\$ deals .+\n {2}\$ deals .+\n$/);
    },
  );

  it.each(NAMES)('%s ends with exit code 2 at a flag that it does not know', async (_, words) => {
    const { exitCode, stdout, stderr } = await callDeals([...words, '--hepl']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^deals: .+; see deals .*--help\n$/);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('has no flag without a sentence', () => {
    const options = COMMANDS.flatMap((command) => command.options.map((option) => [nameOf(command), option] as const));
    expect(options.filter(([, option]) => option.description === '').map(([name]) => name)).toEqual([]);
    expect(options.length).toBeGreaterThan(30);
  });
});

describe('help', () => {
  it.each([['build'], ['keys'], ['keys', 'create'], []])('before %s is its --help', async (...words) => {
    const help = await callDeals(['help', ...words]);
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(help).toEqual(await callDeals([...words, '--help']));
  });

  it('before a command that there is none of says which was meant', async () => {
    expect(await callDeals(['help', 'bild'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: "deals: unknown command 'bild'; did you mean build?; see deals --help\n",
    });
  });

  it('of rollback says when there is nothing to go back to', async () => {
    expect((await callDeals(['rollback', '--help'])).stdout).toContain('It needs two snapshots');
  });
});

describe('the command line', () => {
  it.each([
    [['bild'], /^deals: unknown command 'bild'; did you mean build\?; see deals --help\n$/],
    [['serv'], /^deals: unknown command 'serv'; did you mean serve\?; see deals --help\n$/],
    [['keys', 'add'], /^deals: unknown command 'add'; see deals keys --help\n$/],
    [
      ['query', 'a', 'b'],
      /^deals: too many arguments for 'query'\. Expected 1 argument but got 2; see deals query --help\n$/,
    ],
    [['verify', '--store'], /^deals: option '-s, --store <folder>' argument missing; see deals verify --help\n$/],
    [
      ['verify', '--store', ''],
      /^deals: option '-s, --store <folder>' argument '' is invalid\. Expected some text; see deals verify --help\n$/,
    ],
    [
      ['serve', '--port', '80x'],
      /^deals: option '-p, --port <number>' argument '80x' is invalid\. Expected a whole number from 0 to 65535; see deals serve --help\n$/,
    ],
    [['serve', '--max-age', '15'], /argument '15' is invalid\. Expected a duration such as 90s, 15m or 26h/],
    [['serve', '--public-url', 'ftp://x'], /Expected an http or https URL without a query/],
    [['build', '--now', 'today'], /argument 'today' is invalid\. Expected a date such as 2026-12-01/],
  ])('%j ends with exit code 2 and one sentence', async (args, message) => {
    const { exitCode, stdout, stderr } = await callDeals(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('takes a wrong value from the environment as wrong too', async () => {
    const { exitCode, stderr } = await callDeals(['serve', '--keys', 'k'], { DEALS_PORT: 'http' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("value 'http' from env 'DEALS_PORT' is invalid. Expected a whole number from 0 to 65535");
  });

  it('in a process of its own ends with that exit code too', async () => {
    expect(await runDeals(['bild'], { cwd })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: "deals: unknown command 'bild'; did you mean build?; see deals --help\n",
    });
  });

  it('shows its version', async () => {
    const { stdout, exitCode } = await runDeals(['--version'], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+\n$/);
  });

  it.skipIf(isMissing('a result that is cut short', tool('prlimit')))(
    'ends with exit code 1 when a file takes only a part of its result',
    () => {
      const line = `prlimit --fsize=100 '${process.execPath}' '${DEALS}' --help > help`;
      const { status, stderr } = spawnSync('sh', ['-c', line], { cwd, encoding: 'utf8' });
      expect(statSync(join(cwd, 'help')).size).toBe(100);
      rmSync(join(cwd, 'help'));
      expect(status).toBe(1);
      expect(stderr).toMatch(/^deals: stdout cannot be written: EFBIG: /);
    },
  );

  it('ends quietly with exit code 0 when its reader has gone', async () => {
    const child = startDeals(['serve', '--help'], { cwd });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += String(text)));
    const exitCode = await new Promise((resolve) => {
      child.on('close', resolve);
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});
