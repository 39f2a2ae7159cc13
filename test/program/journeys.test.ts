import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isMissing, tool } from '../fault/needs.ts';
import { DEALS } from '../fault/program.ts';
import { runDeals, RunningDeals, type RunOptions } from '../fault/run-deals.ts';
import { requireSuccess, until, type DealsRun } from '../harness.ts';
import { AS_ORDINARY_USER } from '../ordinary-user.ts';
import { endOf } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

/** A line of shell that is the command as it is installed. */
const COMMAND = `'${process.execPath}' '${DEALS}'`;
const PATH = process.env['PATH'] ?? '';
const SERVE = ['serve', '--keys', 'keys.json', '--port', '0'];

const root = mkdtempSync(join(tmpdir(), 'deals-journeys-'));
/** A folder with sources, a store and a key file, which no test changes. */
const full = join(root, 'full');
let keyOfFull = '';
/** A new folder for each test. */
let folder = '';

beforeAll(async () => {
  const build = ['build', '--config', 'site/catalogue.json', '--store', 'dist/catalogue'];
  for (const dealCount of [2, 3]) {
    writeSmallSource(join(full, 'site'), dealCount);
    requireSuccess(await run(build, { cwd: full }));
  }
  const create = ['keys', 'create', '--keys', 'keys.json', '--name', 'website'];
  keyOfFull = requireSuccess(await run(create, { cwd: full })).stdout.trim();
});

beforeEach(() => {
  folder = mkdtempSync(join(root, 'new-'));
});

afterAll(() => rmSync(root, { recursive: true }));

const run = (args: readonly string[], options: RunOptions = {}) => runDeals(args, { cwd: folder, ...options });

/** Starts a server, and waits for the address that it prints. */
async function startServer(args: readonly string[], options: RunOptions = {}) {
  const program = new RunningDeals(args, { cwd: folder, ...options });
  onTestFinished(() => program.kill('SIGKILL'));
  const untilReady = async () => program.hasEnded || /http:.*\n/.test(program.stdout);
  await until(untilReady, 30_000);
  const [url = ''] = /http:\/\/[0-9.]+:[0-9]+/.exec(program.stdout) ?? [];
  return { program, url };
}

async function ask(url: string, key: string, target = '/deals/v1/products/'): Promise<Response> {
  return fetch(url + target, { headers: { 'x-api-key': key } });
}

function expectNoTrace({ stdout, stderr }: DealsRun): void {
  expect(stdout + stderr).not.toMatch(/^\s+at .*:[0-9]+:[0-9]+/m);
}

describe('the first hour', () => {
  it('goes from init over check and build to a server that answers as deals query does', async () => {
    for (const args of [['init'], ['check', 'site'], ['build']]) requireSuccess(await run(args));
    writeFileSync(join(folder, '.env'), 'DEALS_KEYS=keys.json\n');
    const key = requireSuccess(await run(['keys', 'create', '--name', 'website'])).stdout.trim();
    const { url, program } = await startServer(['serve', '--port', '0']);
    const target = '/deals/v1/products/?expand=products(cheapestDeal)';
    const answer = await (await ask(url, key, target)).text();
    expect(answer).toContain('Example One');
    const query = requireSuccess(await run(['query', target, '--public-url', url]));
    expect(query.stdout).toBe(answer);
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ exitCode: 0, stdout: `${url}\n` });
    expect(requireSuccess(await run(['status'])).stdout).toMatch(/^state +fine\n/);
  });

  it('the environment comes before .env, and a date is of UTC, regardless of the zone', async () => {
    writeFileSync(join(folder, '.env'), 'DEALS_KEYS=keys.json\n');
    const env = { TZ: 'Pacific/Auckland' };
    requireSuccess(await run(['keys', 'create', '--name', 'a', '--until', '2999-01-01'], { env }));
    expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toContain('"2999-01-01T00:00:00.000Z"');
    const other = await run(['keys', 'list'], { env: { DEALS_KEYS: 'other.json' } });
    expect(other.stderr).toContain('other.json');
  });
});

describe('deals serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('logs every answered request, and ends with 0 at %s', async (signal) => {
    const { url, program } = await startServer(SERVE, { cwd: full });
    for (let i = 0; i < 10; i++) {
      await Promise.all(Array.from({ length: 30 }, async () => (await ask(url, keyOfFull)).text()));
    }
    program.kill(signal);
    const { exitCode, stderr } = await program.ended;
    expect(exitCode).toBe(0);
    const entries = stderr.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>); // prettier-ignore
    const requests = entries.filter(({ event }) => event === 'request');
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(300);
    for (const entry of requests) {
      expect(entry).toMatchObject({ level: 'info', method: 'GET', path: '/deals/v1/products/', status: 200, key: 'website' }); // prettier-ignore
    }
    expect(entries.at(-1)).toMatchObject({ level: 'info', event: 'stopping', signal });
    expect(stderr).not.toContain(keyOfFull.slice(6));
  });
});

describe('deals dev', () => {
  it('builds and serves, builds again when a source changes, and has the same key at the next start', async () => {
    const site = join(folder, 'site');
    const feed = join(site, 'feeds/house/deals.csv');
    writeSmallSource(site, 8);
    const args = ['dev', '--config', 'site/catalogue.json', '--store', 'store', '--port', '0'];
    const env = { DEALS_STORE: 'of a real site', DEALS_CORS_ORIGIN: 'https://shop.example' };
    const { url, program } = await startServer(args, { env });
    const announcement = program.stdout;
    const [, key = '', target = ''] = /^curl -g -H 'x-api-key: (\S+)' '(\S+)'$/m.exec(announcement) ?? [];
    for (const page of ['explore', 'docs', 'status']) expect(announcement).toContain(`${url}/${page}/#key=${key}\n`);
    expect((await ask('', key, target)).status).toBe(200);
    expect((await ask(url, key, '/status/store.json')).status).toBe(200);
    for (const origin of ['http://localhost:5173', 'https://shop.example']) {
      const { headers } = await fetch(`${url}/health/live`, { headers: { Origin: origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    }
    const untilSo = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000, interval: 50 });
    const untilSaid = (text: string) => untilSo(() => expect(program.stderr).toContain(text));
    const untilDeals = (count: number) =>
      untilSo(async () => {
        const response = await ask(url, key, '/deals/v1/products/?expand=products(deals)');
        expect(((await response.json()) as { readonly deals: readonly unknown[] }).deals).toHaveLength(count);
      });

    await untilDeals(8);
    writeSmallSource(site, 9);
    await untilDeals(9);
    expect(program.stderr).toMatch(/: changed\n/);
    const [header = '', row = ''] = readFileSync(feed, 'utf8').split('\n');
    const writeMore = (file: string, key: string, cost: string): void =>
      writeFileSync(join(site, file), `${header}\n${row.replace('D-0', key).replace('20.5', cost)}\n`);
    writeMore('feeds/house/more.csv', 'M-1', '9.9');
    await untilDeals(10);
    rmSync(join(site, 'feeds/house/more.csv'));
    writeSmallSource(site, 1);
    await untilSaid('Held: house, lost, 9 of 10 deals are gone ');
    rmSync(join(site, 'cms/site.json'));
    await untilSaid('deals: Refused: Missing: site has no file');
    writeSmallSource(site, 9);
    await untilDeals(9);
    const config = readFileSync(join(site, 'catalogue.json'), 'utf8');
    writeFileSync(join(site, 'catalogue.json'), config.replace('"feeds"', '"feds"'));
    await untilSaid('feds: unknown key; did you mean "feeds"?');
    await untilDeals(9);
    // The same feed by another glob, which a new file is then found by.
    writeFileSync(join(site, 'catalogue.json'), config.replace('feeds/house/*.csv', 'feeds/**/*.csv'));
    await untilSaid('Nothing has changed');
    mkdirSync(join(site, 'feeds/second'));
    writeMore('feeds/second/more.csv', 'S-1', '8.9');
    await untilDeals(10);
    program.kill('SIGINT');
    expect((await program.ended).exitCode).toBe(0);

    expect(readdirSync(folder).sort()).toEqual(['dist', 'site', 'store']);
    expect(statSync(join(folder, 'dist/demo-key.txt')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'dist/demo-keys.json'), 'utf8')).not.toContain(key.slice(6));
    const keyOfStart = async (): Promise<string> => {
      const again = await startServer(args);
      again.program.kill('SIGTERM');
      return /#key=(\S+)$/m.exec((await again.program.ended).stdout)?.[1] ?? '';
    };
    expect(await keyOfStart()).toBe(key);
    rmSync(join(folder, 'dist/demo-keys.json'));
    expect(await keyOfStart()).not.toBe(key);
  }, 120_000);

  it('without an export of the CMS says what is missing, and that nothing is served yet', async () => {
    requireSuccess(await run(['init']));
    rmSync(join(folder, 'cms'), { recursive: true });
    const { program } = await startServer(['dev', '--port', '0']);
    program.kill('SIGTERM');
    const ended = await program.ended;
    expect(ended.exitCode).toBe(0);
    expect(ended.stderr).toContain('Refused: Missing: site has no file: expected a file that matches ');
    expect(ended.stderr).toContain('\nnothing is served until a build has published something\n');
    expectNoTrace(ended);
  });
});

describe('deals build', () => {
  it.each(['init', 'build --config site/catalogue.json --store dist/new'])(
    'where the user may not write, deals %s says what to do',
    async (line) => {
      cpSync(full, folder, { recursive: true });
      rmSync(join(folder, 'keys.json'));
      rmSync(join(folder, 'keys.json.lock'), { force: true });
      for (const path of ['dist/catalogue', 'dist', '']) chmodSync(join(folder, path), 0o555);
      const [program, ...before] = [...AS_ORDINARY_USER, process.execPath];
      const ended = await endOf(spawn(program, [...before, DEALS, ...line.split(' ')], { cwd: folder }));
      for (const path of ['', 'dist', 'dist/catalogue']) chmodSync(join(folder, path), 0o755);
      expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
      expect(ended.stderr).toMatch(/EACCES: permission denied, .*; give this user the right to it and to the folder \S+, or run the command as the user who has it\n$/); // prettier-ignore
      expectNoTrace(ended);
    },
  );
});

it.skipIf(isMissing('a full disk', { name: '/dev/full', isThere: existsSync('/dev/full') }))(
  'a result that cannot be written ends a command with exit code 1 and one sentence',
  async () => {
    const ended = await inShell(`${COMMAND} query /deals/v1/products/ >/dev/full`);
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr.match(/^deals: stdout cannot be written: ENOSPC: /gm)).toHaveLength(1);
    expectNoTrace(ended);
  },
);

describe.skipIf(isMissing('what a terminal shows', tool('script')))('on a terminal', () => {
  it('a server tells where things are, and short lines of its log', async () => {
    const child = startOnTerminal([...SERVE, '--metrics-port', '0'].join(' '), full);
    let shown = '';
    child.stdout.on('data', (text) => (shown += String(text)));
    await vi.waitFor(() => expect(shown).toMatch(/ metrics +http:\S+\s/), { timeout: 30_000 });
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

function inShell(line: string, cwd = full): Promise<DealsRun> {
  return endOf(spawn('/bin/sh', ['-c', line], { cwd, env: { PATH } }));
}

/** Runs the command on a terminal of its own, whose screen is stdout. */
function startOnTerminal(line: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  const shell = `exec ${COMMAND} ${line}`;
  return spawn('script', ['-qefc', shell, '/dev/null'], { cwd, env: { PATH, TERM: 'xterm', ...env } });
}
