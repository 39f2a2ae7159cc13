import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireStoreLock } from '../../data/store/lock.ts';
import type { LastBuild } from '../../data/report/report.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { DEALS_IN_SHELL, endOf, runDeals, type DealsRun } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

const CONFIG = 'data/sample/catalogue.json';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'deals-cli-build-'));
  process.chdir(cwd);
  writeSmallSource(join(cwd, 'data/sample'), 10);
});

afterEach(() => rmSync(cwd, { recursive: true }));

function build(...args: readonly string[]): Promise<DealsRun> {
  return callDeals(['build', ...args]);
}

function currentId(): string {
  const current: { snapshot: string } = JSON.parse(readFileSync(join(cwd, 'dist/catalogue/current.json'), 'utf8'));
  return current.snapshot;
}

describe('deals build', () => {
  it('publishes: the report on stdout, progress as plain lines on stderr', async () => {
    const { exitCode, stdout, stderr } = await runDeals(['build', '--config', CONFIG], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('house (deals): 10 read, 10 kept, 0 duplicate, 0 out of scope, 0 quarantined\n');
    expect(stdout).toMatch(new RegExp(`\nPublished ${currentId()}: 1 products, 10 deals, .+\\.\n$`));
    expect(stderr).toContain('reading house\n');
    expect(stderr + stdout).not.toContain('\u001B');
  });

  it('takes its time from --now, and publishes nothing new when nothing has changed', async () => {
    await build('--config', CONFIG, '--now', '2026-11-20');
    const id = currentId();
    expect(id).toMatch(/^20261120T0000Z-/);
    const again = await build('--config', CONFIG, '--now', '2026-11-21T02:30:00Z');
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain(`Nothing has changed: ${id} is still current`);
    expect(currentId()).toBe(id);
  });

  it('when quiet writes nothing unless something is wrong', async () => {
    expect(await build('--config', CONFIG, '--quiet')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(currentId()).not.toBe('');
  });

  it('as JSON writes the whole result and nothing else on stdout', async () => {
    const { exitCode, stdout } = await build('--config', CONFIG, '--json', '--quiet');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'published',
      snapshot: currentId(),
      counts: { products: 1, deals: 10 },
      report: { sources: [{ name: 'site' }, { name: 'house', read: 10, kept: 10 }] },
    });
  });

  it('on a dry run writes nothing', async () => {
    const { exitCode, stdout } = await build('--config', CONFIG, '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Would publish');
    expect(existsSync(join(cwd, 'dist'))).toBe(false);
  });

  it('puts the store where it is told: flag, environment, configuration', async () => {
    await build('--config', CONFIG, '--store', 'from-flag');
    await callDeals(['build'], { DEALS_STORE: 'from-environment', DEALS_CONFIG: CONFIG });
    await build('--config', CONFIG);
    expect(readdirSync(cwd).sort()).toEqual(['data', 'dist', 'from-environment', 'from-flag']);
  });
});

/** Another currency refuses the whole build. */
function changeCurrency(folder: string): void {
  const file = join(folder, 'catalogue.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...config, currency: { code: 'EUR', label: '€' } }));
}

describe('a build that is refused', () => {
  it('ends with exit code 3, says why on stderr, and publishes when the gate is accepted', async () => {
    await build('--config', CONFIG, '--now', '2026-11-20');
    const id = currentId();
    changeCurrency(join(cwd, 'data/sample'));
    const refused = await runDeals(['build', '--config', CONFIG, '--now', '2026-11-21'], { cwd });
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
    const first =
      'deals: Refused: currency, prices are in EUR, and were in GBP\\. Nothing was published \\(.* s\\)\\. ' +
      `The current snapshot is still ${id}, built at 2026-11-20T00:00:00\\.000Z\\.\n`;
    expect(refused.stderr).toMatch(new RegExp(first));
    expect(refused.stderr).toContain('gate currency refused: ');
    expect(currentId()).toBe(id);

    const quiet = await build('--config', CONFIG, '--now', '2026-11-21', '--quiet', '--json');
    expect(quiet.exitCode).toBe(3);
    expect(quiet.stderr).toMatch(new RegExp(`^${first}$`));
    expect(JSON.parse(quiet.stdout)).toMatchObject({ outcome: 'refused', current: id, attention: [] });

    const accepted = await build('--config', CONFIG, '--now', '2026-11-21', '--accept', 'currency');
    expect(accepted.exitCode).toBe(0);
    expect(currentId()).not.toBe(id);
  });

  it('ends with the line that publishes it as it was asked for, from any folder, as last-build.json has it', async () => {
    mkdirSync(join(cwd, 'night shop'));
    cpSync(join(cwd, 'data/sample'), join(cwd, 'night shop'), { recursive: true });
    const options = ['--config', 'night shop/catalogue.json', '--store', 'other'];
    await build(...options, '--now', '2026-11-20');
    changeCurrency(join(cwd, 'night shop'));
    const refused = await build(...options, '--now', '2026-11-21');
    const command = `deals build --config 'night shop/catalogue.json' --store other --now 2026-11-21T00:00:00.000Z --accept currency`;
    expect(refused.stderr).toContain(`to publish all the same: ${command}\n`);
    const { acceptCommand } = JSON.parse(readFileSync(join(cwd, 'other/last-build.json'), 'utf8')) as LastBuild;
    const { exitCode } = await endOf(
      spawn('/bin/sh', ['-c', (acceptCommand ?? '').replace(/^deals/, DEALS_IN_SHELL)], { cwd: tmpdir() }),
    );
    expect(exitCode).toBe(0);
    expect(existsSync(join(cwd, 'dist'))).toBe(false);
    expect(await build(...options, '--now', '2026-11-22')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Nothing has changed/m),
    });
  });

  it('ends with exit code 75 while another build is running', async () => {
    const store = join(cwd, 'dist/catalogue');
    const lock = acquireStoreLock(store);
    const { exitCode, stdout, stderr } = await runDeals(['build', '--config', CONFIG, '--quiet'], { cwd });
    lock.release();
    expect({ exitCode, stdout }).toEqual({ exitCode: 75, stdout: '' });
    expect(stderr).toMatch(
      /^deals: .+: another build or rollback \(process id [0-9]+\) is running; nothing was done\./,
    );
  });
});

describe('a build that the disk takes nothing of', () => {
  it('says which file that was, also when it is the first', () => {
    const store = join(cwd, 'dist/taken');
    mkdirSync(store, { recursive: true });
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', `ulimit -f 0; ${DEALS_IN_SHELL} build --config ${CONFIG} --store ${store}`],
      { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: cwd } },
    );
    expect(status, stderr).toBe(1);
    expect(stderr).toContain(`deals: EFBIG: file too large, write '${store}/build.lock'; nothing is published\n`);
  });
});

describe('a build that someone must look at ends with exit code 4 (INPUTS "A source is held, not the build")', () => {
  const at = (now: string): readonly string[] => ['--config', CONFIG, '--now', now];

  it('when a gate holds a feed: quiet says that and nothing else, and it can be taken as it is', async () => {
    await build(...at('2026-11-20'));
    writeSmallSource(join(cwd, 'data/sample'), 4);
    const line =
      'Held: lost-deals of house, 6 of 10 (60 %, at most 45 %); its 10 deals of 2026-11-20 00:00 are served until 2026-11-22 00:00\n';
    const held = await runDeals(['build', ...at('2026-11-21'), '--quiet'], { cwd });
    expect(held).toEqual({ exitCode: 4, stdout: '', stderr: line });

    const told = await build(...at('2026-11-21'));
    expect(told.exitCode).toBe(4);
    expect(told.stdout.startsWith(line)).toBe(true);
    const take = `to take house as it is now: deals build --config ${CONFIG} --now 2026-11-21T00:00:00.000Z --accept lost-deals:house\n`;
    expect(told.stdout).toContain(take);

    const json = await build(...at('2026-11-21'), '--json');
    expect(json.exitCode).toBe(4);
    expect(json.stderr).toContain(line);
    expect(JSON.parse(json.stdout)).toMatchObject({
      outcome: 'unchanged',
      attention: [line.trimEnd()],
      report: { sources: [{}, { name: 'house', heldBecause: 'lost-deals, 6 of 10 (60 %, at most 45 %)' }] },
    });
    for (const command of [['verify'], ['changes'], ['explain', 'D-9'], ['snapshots']]) {
      expect(await callDeals([...command, '--store', 'dist/catalogue'])).toMatchObject({ exitCode: 0 });
    }
    const accepted = await build(...at('2026-11-21'), '--accept', 'lost-deals:house', '--quiet');
    expect(accepted).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('when a feed has no file, until its deals are withdrawn, and after that', async () => {
    await build(...at('2026-11-20'));
    rmSync(join(cwd, 'data/sample/feeds/house/deals.csv'));
    const cause = 'house has no file (expected a file that matches feeds/house/*.csv); its ';
    for (const [now, line] of [
      ['2026-11-20T01:00:00Z', `Held: ${cause}10 deals of 2026-11-20 00:00 are served until 2026-11-22 00:00\n`],
      ['2026-11-20T02:00:00Z', `Held: ${cause}10 deals of 2026-11-20 00:00 are served until 2026-11-22 00:00\n`],
      ['2026-11-22T02:00:00Z', `Withdrawn: ${cause}deals of 2026-11-20 00:00 could be served until 2026-11-22 00:00\n`],
      ['2026-11-23T02:00:00Z', `Withdrawn: ${cause}deals of 2026-11-20 00:00 could be served until 2026-11-22 00:00\n`],
      ['2026-11-24T02:00:00Z', `Withdrawn: ${cause}deals of 2026-11-20 00:00 could be served until 2026-11-22 00:00\n`],
    ] as const) {
      expect(await build(...at(now), '--quiet')).toEqual({ exitCode: 4, stdout: '', stderr: line });
    }
  });

  it('when a feed never had a file, and when nothing has changed since', async () => {
    rmSync(join(cwd, 'data/sample/feeds/house/deals.csv'));
    const stderr =
      'Missing: house has no file (expected a file that matches feeds/house/*.csv); nothing of it is served\n';
    expect(await build(...at('2026-11-20'), '--quiet', '--dry-run')).toEqual({ exitCode: 4, stdout: '', stderr });
    expect(await build(...at('2026-11-20'), '--quiet')).toEqual({ exitCode: 4, stdout: '', stderr });
    expect(await build(...at('2026-11-21'), '--quiet')).toEqual({ exitCode: 4, stdout: '', stderr });
    expect((await build(...at('2026-11-21'))).stdout).toContain('Nothing has changed: ');
  });
});

describe('a configuration that is wrong ends with exit code 2', () => {
  it.each([
    [
      'one that is not there',
      ['--config', 'nowhere.json'],
      /^deals: nowhere\.json: expected a configuration, found none; deals init --config nowhere\.json writes one, or name another with --config\n$/,
    ],
    [
      'a gate that does not exist',
      ['--config', CONFIG, '--accept', 'lost-deal'],
      /^deals: --accept: expected <gate> or <gate>:<source> with a gate of .+, got "lost-deal"\n$/,
    ],
    ['an empty gate', ['--config', CONFIG, '--accept', ''], /Expected some text; see deals build --help\n$/],
  ])('%s', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await build(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(existsSync(join(cwd, 'dist'))).toBe(false);
  });
});
