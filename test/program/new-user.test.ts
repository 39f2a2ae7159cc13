import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nameOf } from '../../cli/console/options.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { DEALS } from '../fault/program.ts';
import { AS_ORDINARY_USER } from '../ordinary-user.ts';
import { listCommands } from '../support/list-commands.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { endOf, requireSuccess, type DealsRun } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

/** A line of shell that is the command as it is installed. */
const COMMAND = `'${process.execPath}' '${DEALS}'`;

/** The beginning of a colour of a terminal. */
const ESCAPE = '\u001B';

const COMMANDS = await listCommands();

/** A folder with sources, a store and a key file. */
let full = '';
let empty = '';

beforeAll(async () => {
  full = mkdtempSync(join(tmpdir(), 'deals-new-full-'));
  process.chdir(full);
  writeSmallSource(join(full, 'site'));
  requireSuccess(await callDeals(['build', '--config', 'site/catalogue.json', '--store', 'dist/catalogue']));
  requireSuccess(await callDeals(['keys', 'create', '--keys', 'keys.json', '--name', 'website']));
});

beforeEach(() => {
  empty = mkdtempSync(join(tmpdir(), 'deals-new-'));
  process.chdir(empty);
});

afterEach(() => {
  process.chdir(full);
  rmSync(empty, { recursive: true });
});

afterAll(() => {
  process.chdir(tmpdir());
  rmSync(full, { recursive: true });
});

const NO_STORE =
  /^deals: dist\/catalogue: expected a store, found nothing; run deals build first, or name another with --store\n$/;
const NO_CONFIG =
  /^deals: catalogue\.json: expected a configuration, found none; deals init writes one, or name another with --config/;

/** What a new user types who has just unpacked it, and what says what to do next. `dev` simply begins. */
const FIRST_STEPS: readonly (readonly [command: string, exitCode: number, said: RegExp])[] = [
  ['', 2, /deals: expected a command; see deals --help\n$/],
  ['init', 0, /Put there:\n[^]*Then:\n {2}deals check site\n/],
  ['build', 2, NO_CONFIG],
  ['build --quiet', 2, NO_CONFIG],
  ['serve', 2, /^deals: required option '-k, --keys <file>' not specified; see deals serve --help\n$/],
  ['serve --keys keys.json', 2, NO_STORE],
  [
    'serve --keys keys.json --store .',
    2,
    /keys\.json: expected a key file, found none; deals keys create --keys keys\.json/,
  ],
  ['keys', 2, /Commands:\n {2}create [^]*deals: expected a command; see deals keys --help\n$/],
  ['keys create', 2, /^deals: required option '-k, --keys <file>' not specified; see deals keys create --help\n$/],
  [
    'keys create --keys k.json',
    2,
    /^deals: required option '-n, --name <who>' not specified; see deals keys create --help\n$/,
  ],
  ['keys list --keys k.json', 2, /deals keys create --keys k\.json --name website makes one\n$/],
  ['keys list', 2, /see deals keys list --help\n$/],
  ['keys revoke website --keys k.json', 2, /deals keys create --keys k\.json --name website makes one\n$/],
  ['keys revoke', 2, /see deals keys revoke --help\n$/],
  ['keys revoke --keys k.json', 2, /^deals: missing required argument 'key'; see deals keys revoke --help\n$/],
  ['query', 2, /^deals: missing required argument 'target'; see deals query --help\n$/],
  ['query /deals/v1/products/', 2, NO_STORE],
  ['explain', 2, /^deals: missing required argument 'record'; see deals explain --help\n$/],
  ['explain 101', 2, NO_STORE],
  ['changes', 2, NO_STORE],
  ['check', 2, /^deals: expected the name of a source, or both --adapter and --file; see deals check --help\n$/],
  ['check house', 2, NO_CONFIG],
  ['verify', 2, NO_STORE],
  ['rollback', 2, NO_STORE],
  ['export --format csv', 2, NO_STORE],
  [
    'keys create-signing',
    2,
    /^deals: required option '--signing-key <file>' not specified; see deals keys create-signing --help\n$/,
  ],
  ['status', 2, NO_STORE],
  ['push', 2, /^deals: missing required argument 'url'; see deals push --help\n$/],
  ['pull', 2, /^deals: missing required argument 'url'; see deals pull --help\n$/],
];

const NEEDING_A_SNAPSHOT = ['query /x', 'explain 101', 'changes', 'verify', 'rollback'];

describe('before the first build', () => {
  it.each([...NEEDING_A_SNAPSHOT, 'status', 'serve --keys k.json'])(
    'deals %s names the build with the options that were given',
    async (command) => {
      const run = await callDeals([...command.split(' '), '--store', 'my store']);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toBe(
        `deals: my store: expected a store, found nothing; run deals build --store 'my store' first, or name another with --store\n`,
      );
    },
  );

  it.each(NEEDING_A_SNAPSHOT)('deals %s does so where a store has no snapshot', async (command) => {
    writeSmallSource(join(empty, 'sub'));
    mkdirSync('dist/catalogue', { recursive: true });
    const config = readFileSync('sub/catalogue.json', 'utf8').replace('../../dist', '../dist');
    writeFileSync('sub/catalogue.json', config);
    const run = await callDeals([...command.split(' '), '--config', 'sub/catalogue.json']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(
      /catalogue: expected a published snapshot, found none; run deals build --config sub\/catalogue\.json first\n$/,
    );
  });
});

describe('in an empty folder', () => {
  it.each(FIRST_STEPS)('deals %s ends with exit code %i and says what to do next', async (command, exitCode, said) => {
    const run = await callDeals(command.split(' ').filter((word) => word !== ''));
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout + run.stderr).toMatch(said);
    expectNoTrace(run);
    expect(readdirSync(empty)).toEqual(command === 'init' ? ['catalogue.json', 'cms', 'feeds', 'schema'] : []);
  });

  it('every command has been tried', () => {
    const tried = new Set(FIRST_STEPS.map(([command]) => `deals ${command}`));
    const untried = COMMANDS.map((command) => nameOf(command)).filter(
      (name) => ![...tried].some((line) => line.trim().startsWith(name)),
    );
    expect(untried).toEqual(['deals dev']);
  });
});

describe('where the user may not write', () => {
  it.each([
    'init',
    'keys create --keys keys.json --name website',
    'build --config site/catalogue.json --store dist/new',
    'rollback --store dist/catalogue --to',
  ])('deals %s says what to do', async (command) => {
    writeSmallSource(join(empty, 'site'));
    cpSync(join(full, 'dist'), join(empty, 'dist'), { recursive: true });
    const [id = ''] = readdirSync('dist/catalogue').filter((name) => /^[0-9]{8}T/.test(name));
    const words = [...command.split(' '), ...(command.endsWith('--to') ? [id] : [])];
    for (const folder of ['dist/catalogue', 'dist', '.']) chmodSync(folder, 0o555);
    const [program, ...before] = [...AS_ORDINARY_USER, process.execPath];
    const run = await endOf(spawn(program, [...before, DEALS, ...words], { cwd: empty }));
    for (const folder of ['.', 'dist', 'dist/catalogue']) chmodSync(folder, 0o755);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /EACCES: permission denied, .*; give this user the right to it and to the folder \S+, or run the command as the user who has it\n$/,
    );
    expectNoTrace(run);
  });
});

/** Every flag with two letters changed about, which makes another word of it. */
const MISSPELT = COMMANDS.flatMap((command) =>
  command.options.flatMap(({ long }) => {
    const [, before = '', one = '', other = ''] = /^(--.+)(.)(.)$/.exec(long ?? '') ?? [];
    return one === other ? [] : [[`${nameOf(command)} ${before}${other}${one}`, long ?? ''] as const];
  }),
);

describe('a misspelt flag', () => {
  it.each(MISSPELT)('%s gets the right one: %s', async (line, flag) => {
    const { exitCode, stderr } = await callDeals(line.split(' ').slice(1));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^deals: unknown option '--[a-z-]+'; did you mean .*\?; see deals .*--help\n$/);
    expect(stderr).toMatch(new RegExp(`[ ]${flag}[,?]`));
  });
});

describe('a misspelt key of the configuration', () => {
  it.each(['build', 'dev', 'check house', 'verify', 'changes', 'rollback', 'query /x', 'explain 101'])(
    'is named by deals %s with the right one',
    async (command) => {
      writeFileSync(
        'catalogue.json',
        '{ "cms": [{ "name": "site", "adapter": "catalogue", "file": ["x"] }], "feds": [] }',
      );
      const run = await callDeals(command.split(' '));
      expect(run.exitCode).toBe(2);
      expect(run.stdout + run.stderr).toContain('catalogue.json: cms[0].file: unknown key; did you mean "files"?');
      expect(run.stdout + run.stderr).toContain('catalogue.json: feds: unknown key; did you mean "feeds"?');
      expectNoTrace(run);
    },
  );
});

/** Commands of which each writes a result in a way of its own: help, lines, a table, bytes, JSON. */
const WRITING = [
  '--help',
  'build --config site/catalogue.json --store dist/catalogue',
  'keys list --keys keys.json',
  "query '/deals/v1/products/'",
  'status --json',
];

describe.skipIf(isMissing('a result that cannot be written', { name: '/dev/full', isThere: existsSync('/dev/full') }))(
  'a result that cannot be written',
  () => {
    it.each(WRITING)('deals %s ends with exit code 1 and one sentence', async (command) => {
      const run = await inShell(`${COMMAND} ${command} >/dev/full`);
      expect(run.exitCode).toBe(1);
      expect(run.stderr.match(/^deals: stdout cannot be written: ENOSPC: /gm)).toHaveLength(1);
      expectNoTrace(run);
    });

    it('is said of nothing when it is messages that are lost', async () => {
      const run = await inShell(`${COMMAND} verify 2>/dev/full`);
      expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/: sound\n$/) });
      expect(await inShell(`${COMMAND} verify --stor x 2>/dev/full`)).toMatchObject({ exitCode: 2 });
    });
  },
);

describe('a reader that goes away', () => {
  it.each(WRITING)('deals %s is no fault', async (command) => {
    const run = await inShell(
      `{ ${COMMAND} ${command} 2>said; echo $? >code; } | head -c 1 >/dev/null; cat code said; rm code said`,
    );
    expect(run.stdout.split('\n')[0]).toBe('0');
    expect(run.stdout).not.toContain('deals: ');
    expectNoTrace(run);
  });
});

describe('under cron, without a terminal, a home or a path', () => {
  const CRON = { PATH: '', SHELL: '/bin/sh', LOGNAME: 'deals' };

  it('a build that is well writes nothing', async () => {
    const args = ['build', '--quiet', '--config', 'site/catalogue.json', '--store', 'dist/catalogue'];
    expect(await runAlone(args, { cwd: full, env: CRON })).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('a build that is not says what to do, without colours', async () => {
    const run = await runAlone(['build', '--quiet'], { cwd: empty, env: CRON });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(NO_CONFIG) });
    expect(run.stderr).not.toContain(ESCAPE);
  });

  it.each(WRITING)('deals %s works', async (command) => {
    const words = command.split(' ').map((word) => word.replaceAll("'", ''));
    const run = await runAlone(words, { cwd: full, env: CRON });
    expect(run.exitCode).toBe(0);
    expect(run.stdout + run.stderr).not.toContain(ESCAPE);
  });
});

describe('colours', () => {
  it.each([
    ['FORCE_COLOR', { FORCE_COLOR: '1' }],
    // From version 22 Node itself warns of the pair.
    ['FORCE_COLOR and NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1', NODE_NO_WARNINGS: '1' }],
    ['NO_COLOR', { NO_COLOR: '1' }],
  ])('are not in a pipe, also with %s, and no other line is', async (_, env) => {
    expect(await runAlone(['bild'], { cwd: empty, env })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: "deals: unknown command 'bild'; did you mean build?; see deals --help\n",
    });
  });

  const needsScript = isMissing('what a terminal shows', tool('script'));

  it.skipIf(needsScript).each([
    ['are on a terminal', {}, true],
    ['are not there with NO_COLOR', { NO_COLOR: '1' }, false],
    ['are not on one that knows none', { TERM: 'dumb' }, false],
  ])('%s', async (_, env, hasColour) => {
    const run = await onTerminal('bild', env);
    expect(run.stdout).toContain('did you mean build?');
    expect(run.stdout.includes(`${ESCAPE}[31m`)).toBe(hasColour);
    expect(run.stdout).not.toContain('Warning');
  });

  it.skipIf(needsScript)('are not what a record can make', async () => {
    const site = { products: [{ id: '7', condition: 'new', name: `A${ESCAPE}[31mB\u202eC`, slug: 'a-b' }] };
    writeFileSync(join(empty, 'site.json'), JSON.stringify(site));
    const config = { cms: [{ name: 'site', adapter: 'catalogue', files: ['site.json'] }], store: 'dist/catalogue' };
    writeFileSync(join(empty, 'catalogue.json'), JSON.stringify(config));
    for (const command of ['build', 'explain 7', 'changes', "query '/deals/v1/products/'", 'check site', 'explain 8']) {
      const { stdout } = await onTerminal(command, {}, empty);
      expect(stdout.length, command).toBeGreaterThan(10);
      expect(stdout, command).not.toContain(`${ESCAPE}[31mB`);
      expect(stdout, command).not.toContain('\u202e');
    }
  });

  it.skipIf(needsScript)('a server tells a person where things are, and a program its address alone', async () => {
    const serve = 'serve --keys keys.json --port 0 --metrics-port 0';
    const child = startOnTerminal(serve, {}, full);
    let shown = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (text) => {
        shown += String(text);
        if (/ metrics +http:\S+\s/.test(shown)) resolve();
      });
    });
    // The line of the log that names the port of the metrics may come first.
    const url = /health +(http:\S+)\/health/.exec(shown)?.[1] ?? '';
    await fetch(`${url}/health/live`);
    // A path may hold the sign that begins a command to a terminal, as one byte.
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end(Buffer.from('GET /\u009b31m HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 'latin1'));
    await once(socket.resume(), 'close');
    const end = endOf(child);
    child.stdin.write('\u0003');
    await end;
    // The terminal may show the ^C before the line.
    expect(shown).toMatch(/^(?:\^C)?\d\d:\d\d:\d\d  200  GET \/health\/live  [\d.]+ ms\r$/m);
    expect(shown).toMatch(/^(?:\^C)?\d\d:\d\d:\d\d  stopping  signal=SIGINT\r$/m);
    expect(shown).not.toContain('{"level"');
    expect(shown).not.toContain('\u009b');
    for (const path of ['/explore/', '/docs/', '/status/', '/problems/', '/health/ready', '/deals/v1/products/']) {
      expect(shown).toContain(`${url}${path}\r\n`);
    }
  });
});

describe('in 60 columns', () => {
  it.each(COMMANDS.map((command) => [nameOf(command)]))('the help of %s has no line that is wider', async (name) => {
    const { stdout } = await callDeals([...name.split(' ').slice(1), '--help'], {}, 60);
    // A command is one line, so that it can be pasted.
    const lines = stdout.split('\n').filter((line) => !line.startsWith('  $ '));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
  });

  it('the width is that of COLUMNS where there is no terminal', async () => {
    const { stdout } = await runAlone(['serve', '--help'], { cwd: empty, env: { COLUMNS: '60' } });
    expect(stdout.split('\n').filter((line) => line.length > 60 && !line.startsWith('  $ '))).toEqual([]);
  });
});

function expectNoTrace({ stdout, stderr }: DealsRun): void {
  expect(stdout + stderr).not.toMatch(/^\s+at .*:[0-9]+:[0-9]+/m);
}

/** Runs the command to its end in an environment that is `env` alone. */
function runAlone(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<DealsRun> {
  const child = spawn(process.execPath, [DEALS, ...args], { cwd, env });
  child.stdin.end();
  return endOf(child);
}

function inShell(line: string): Promise<DealsRun> {
  return endOf(spawn('/bin/sh', ['-c', line], { cwd: full, env: { PATH: process.env['PATH'] ?? '' } }));
}

function onTerminal(command: string, env: Readonly<Record<string, string>>, cwd = full): Promise<DealsRun> {
  return endOf(startOnTerminal(command, env, cwd));
}

/** Runs the command on a terminal of its own, whose screen is stdout. */
function startOnTerminal(command: string, env: Readonly<Record<string, string>>, cwd: string) {
  return spawn('script', ['-qefc', `exec ${COMMAND} ${command}`, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...env },
  });
}
