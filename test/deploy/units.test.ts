import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../cli/console/command.ts';
import { MAX_CONNECTIONS } from '../../server/http/limits.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { findUnknownWords, VARIABLES } from './deals-words.ts';
import { DEPLOY_FOLDER, readDeployed } from './deploy-folder.ts';

/** A setting of a unit file: `ExecStart` of `Service` and what follows the equals sign. */
interface UnitSetting {
  readonly section: string;
  readonly name: string;
  readonly value: string;
}

function parseUnit(text: string): readonly UnitSetting[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    if (/^\s*([#;]|$)/.test(line)) return [];
    const [, begun] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (begun !== undefined) {
      section = begun;
      return [];
    }
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no setting: ${line}`);
    return [{ section, name, value }];
  });
}

/** Every value that a unit gives to a setting. */
function valuesOf(settings: readonly UnitSetting[], name: string): readonly string[] {
  return settings.filter((setting) => setting.name === name).map(({ value }) => value);
}

/** The one value of a setting. */
function valueOf(settings: readonly UnitSetting[], name: string): string {
  const [value, ...others] = valuesOf(settings, name);
  if (value === undefined || others.length > 0) throw new Error(`${name} is given ${others.length + 1} times, or not`);
  return value;
}

const UNITS = readdirSync(DEPLOY_FOLDER).filter((name) => /\.(?:service|timer)$/.test(name));
const SERVICES = UNITS.filter((name) => name.endsWith('.service'));
/** Those that run the command. */
const DEALS_SERVICES = ['deals-build', 'deals-pull', 'deals-push', 'deals-serve'].map((name) => `${name}.service`);
/** `systemd-analyze security` from 0 to 100: ours are below. */
const MOST_EXPOSED = 20;

const unit = (name: string) => parseUnit(readDeployed(name));

/** The words of the line that a service runs. */
function commandOf(name: string): readonly string[] {
  return valueOf(unit(name), 'ExecStart').split(' ');
}

/** The words after the program: `serve --store /var/lib/deals`. */
function dealsWordsOf(name: string): readonly string[] {
  const words = commandOf(name);
  expect(words.slice(0, 2)).toEqual(['node', '/opt/deals/dist/js/cli/main.js']);
  return words.slice(2);
}

describe('the units', () => {
  it.each(DEALS_SERVICES)('%s uses flags that there are', (name) => {
    expect(findUnknownWords(dealsWordsOf(name))).toEqual([]);
  });

  it('run only what is there, and may be run', () => {
    const programs = SERVICES.map((name) => commandOf(name)[0] ?? '').filter((program) => program !== 'node');
    expect(programs.length).toBeGreaterThan(0);
    for (const program of programs) {
      const path = join(DEPLOY_FOLDER, '../..', program.replace(/^\/opt\/deals\//, ''));
      expect(statSync(path).mode & 0o111, program).toBe(0o111);
    }
  });

  it('name units that there are', () => {
    const named = UNITS.flatMap((name) =>
      ['Wants', 'After', 'OnFailure', 'OnSuccess'].flatMap((key) => valuesOf(unit(name), key)),
    )
      .flatMap((value) => value.split(' '))
      .filter((name) => name.startsWith('deals-'))
      .map((name) => name.replace('%n', ''));
    expect(named).toContain('deals-alert@.service');
    expect(named.filter((name) => !UNITS.includes(name))).toEqual([]);
  });

  it('tell of every failure but that of the telling', () => {
    const silent = SERVICES.filter((name) => !valuesOf(unit(name), 'OnFailure').includes('deals-alert@%n.service'));
    expect(silent).toEqual(['deals-alert@.service']);
  });

  it('tell of a build or a push that published and left something that someone must look at', () => {
    const heard = SERVICES.filter((name) => valuesOf(unit(name), 'OnSuccess').includes('deals-alert@%n.service'));
    expect(heard).toEqual(['deals-build.service', 'deals-push.service']);
  });

  it('run as users that are made', () => {
    const made = [...readDeployed('deals.sysusers.conf').matchAll(/^u (\S+)/gm)].map(([, name]) => name ?? '');
    expect(new Set(SERVICES.map((name) => valueOf(unit(name), 'User')))).toEqual(new Set(made));
  });

  it('let a build try again when the store is held, and not when it is refused', () => {
    const build = unit('deals-build.service');
    expect(valueOf(build, 'Restart')).toBe('on-failure');
    const final = valueOf(build, 'RestartPreventExitStatus').split(' ');
    const { ok: _ok, attention, busy, ...others } = EXIT;
    expect(valueOf(build, 'SuccessExitStatus')).toBe(String(attention));
    expect(final).not.toContain(String(busy));
    expect(final.filter((word) => /^\d/.test(word))).toEqual(Object.values(others).map(String));
    const minutes = Number(/^(\d+)min$/.exec(valueOf(build, 'RestartSec'))?.[1]);
    // All starts lie within the hour in which they are counted: it does end.
    expect(minutes * Number(valueOf(build, 'StartLimitBurst'))).toBeLessThan(60);
  });

  it('let a push try again when the object store is away, and not when it is refused; a lost race is no failure', () => {
    const push = unit('deals-push.service');
    expect(valueOf(push, 'Restart')).toBe('on-failure');
    expect(valueOf(push, 'SuccessExitStatus')).toBe(`${EXIT.attention} ${EXIT.busy}`);
    expect(valueOf(push, 'RestartPreventExitStatus')).toBe(`${EXIT.usage} ${EXIT.refused}`);
    const minutes = Number(/^(\d+)min$/.exec(valueOf(push, 'RestartSec'))?.[1]);
    const hours = Number(/^(\d+)h$/.exec(valueOf(push, 'StartLimitIntervalSec'))?.[1]);
    // It does end, with an alarm.
    expect(minutes * Number(valueOf(push, 'StartLimitBurst'))).toBeLessThan(hours * 60);
  });

  it('give the object store and its secrets to the push and the pull alone', () => {
    const given = SERVICES.filter((name) => valuesOf(unit(name), 'EnvironmentFile').join().includes('remote.env'));
    expect(given).toEqual(['deals-pull.service', 'deals-push.service']);
    const signing = SERVICES.filter(
      (name) => !valuesOf(unit(name), 'InaccessiblePaths').join().includes('/etc/deals/push'),
    );
    expect(signing).toEqual(['deals-push.service']);
  });

  it('give the server more time to stop than it takes, and more descriptors than connections', () => {
    const serve = unit('deals-serve.service');
    expect(Number(valueOf(serve, 'TimeoutStopSec'))).toBeGreaterThan(10);
    expect(Number(valueOf(serve, 'LimitNOFILE'))).toBeGreaterThan(MAX_CONNECTIONS);
  });

  it('let only their own folder be written, and the store by its owner', () => {
    const writable = (name: string) =>
      ['StateDirectory', 'ReadWritePaths', 'CacheDirectory', 'LogsDirectory'].flatMap((key) =>
        valuesOf(unit(name), key),
      );
    expect(SERVICES.map((name) => [name, valueOf(unit(name), 'ProtectSystem'), ...writable(name)])).toEqual([
      ['deals-alert@.service', 'strict'],
      ['deals-build.service', 'strict', 'deals'],
      ['deals-fetch.service', 'strict', '/srv/deals'],
      ['deals-pull.service', 'strict', 'deals'],
      ['deals-push.service', 'strict', 'deals'],
      ['deals-serve.service', 'strict'],
    ]);
    const owners = SERVICES.filter((name) => writable(name).includes('deals')).map((name) =>
      valueOf(unit(name), 'User'),
    );
    expect(new Set(owners)).toEqual(new Set(['deals-build']));
  });

  it('set variables that a command reads', () => {
    const setBy = (name: string): readonly string[] =>
      Array.from(readDeployed(name).matchAll(/^#?((?:DEALS|AWS)_[A-Z0-9_]+)=/gm), ([, variable]) => variable ?? '');
    expect(setBy('deals.env').filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect(setBy('deals.env').length).toBeGreaterThan(2);
    // Credentials are no options. The URL is an argument of push and pull.
    const store = readDeployed('../../build/remote/open-store.ts');
    const others = setBy('remote.env').filter(
      (name) => name !== 'DEALS_REMOTE' && !VARIABLES.has(name) && !store.includes(`environment['${name}']`),
    );
    expect(others).toEqual([]);
    for (const name of ['deals-pull.service', 'deals-push.service'])
      expect(dealsWordsOf(name)).toContain('${DEALS_REMOTE}');
  });
});

describe.skipIf(isMissing('units', tool('systemd-analyze')))('the units, as systemd reads them', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'deals-units-'));
    for (const name of UNITS) {
      // The programs of the unit are looked for, and stand elsewhere here.
      const moved = readDeployed(name)
        .replaceAll('/opt/deals/server/deploy/', `${DEPLOY_FOLDER}/`)
        .replace('ExecStart=node ', `ExecStart=${process.execPath} `);
      writeFileSync(join(folder, name), moved);
    }
    cpSync(join(folder, 'deals-alert@.service'), join(folder, 'deals-alert@x.service'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(UNITS.map((name) => name.replace('@.', '@x.')))('%s is sound', (name) => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, name)], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    });
    // It also speaks of other units of the machine.
    expect(stderr.split('\n').filter((line) => line.includes('deals-'))).toEqual([]);
    expect(status).toBe(0);
  });

  it.each(SERVICES.map((name) => name.replace('@.', '@x.')))('%s is well confined', (name) => {
    const args = ['security', '--offline=true', '--no-pager', `--threshold=${MOST_EXPOSED}`, join(folder, name)];
    const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect({ status, said: stdout.trimEnd().split('\n').at(-1) }).toMatchObject({ status: 0 });
  });

  it('the nightly time is one', () => {
    const time = valueOf(unit('deals-build.timer'), 'OnCalendar');
    expect(spawnSync('systemd-analyze', ['calendar', time]).status).toBe(0);
    expect(valueOf(unit('deals-build.timer'), 'Persistent')).toBe('true');
  });
});
