import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../cli/console/command.ts';
import { MAX_CONNECTIONS } from '../../server/http/limits.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { PROGRAM_ROOT } from '../fault/program.ts';
import { withServer } from '../harness.ts';
import { DEPLOY_FOLDER, findUnknownWords, readDeployed, VARIABLES } from './deployed.ts';

const FILES = readdirSync(DEPLOY_FOLDER);
const UNITS = FILES.filter((name) => /\.(?:service|timer)$/.test(name));
const SERVICES = UNITS.filter((name) => name.endsWith('.service'));
/** `systemd-analyze security` from 0 to 100: ours are below. */
const MOST_EXPOSED = 15;

/** Every value that a unit, with what all services have, gives to a setting. */
function valuesOf(unit: string, name: string): readonly string[] {
  const text = `${readDeployed(unit)}\n${readDeployed('confine.conf')}`;
  return Array.from(text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);
}

/** The one value of a setting. */
function valueOf(unit: string, name: string): string {
  const values = valuesOf(unit, name);
  expect(values).toHaveLength(1);
  return values[0] ?? '';
}

describe('the units', () => {
  it('run commands and flags that there are', () => {
    const lines = SERVICES.map((name) => valueOf(name, 'ExecStart')).filter((line) => line.startsWith('node '));
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toMatch(/^node \/opt\/deals\/dist\/js\/cli\/main\.js /);
      expect(findUnknownWords(line.split(' ').slice(2))).toEqual([]);
    }
  });

  it('tell of every failure but that of the telling, and of what published and left something to do', () => {
    const telling = (key: string) => SERVICES.filter((name) => valuesOf(name, key).includes('deals-alert@%n.service'));
    expect(SERVICES.filter((name) => !telling('OnFailure').includes(name))).toEqual(['deals-alert@.service']);
    expect(telling('OnSuccess')).toEqual(['deals-build.service', 'deals-push.service']);
  });

  it.each([
    ['deals-build.service', [EXIT.attention], [EXIT.failed, EXIT.usage, EXIT.refused]],
    ['deals-push.service', [EXIT.attention, EXIT.busy], [EXIT.usage, EXIT.refused]],
  ])('%s is tried again where that may help, and the trying ends', (name, good, final) => {
    expect(valueOf(name, 'Restart')).toBe('on-failure');
    expect(valueOf(name, 'SuccessExitStatus')).toBe(good.join(' '));
    expect(valueOf(name, 'RestartPreventExitStatus').split(' SIG')[0]).toBe(final.join(' '));
    const minutes = parseInt(valueOf(name, 'RestartSec')) * Number(valueOf(name, 'StartLimitBurst'));
    expect(minutes).toBeLessThan(parseInt(valueOf(name, 'StartLimitIntervalSec')) * 60);
  });

  it('may write their own folder and see their own secrets, and nothing else', () => {
    const rights = SERVICES.map((name) => [
      name.replace('.service', ''),
      valuesOf(name, 'ReadWritePaths').join(' '),
      valuesOf(name, 'BindReadOnlyPaths').join(' '),
      valuesOf(name, 'InaccessiblePaths').join(' '),
    ]);
    expect(rights).toEqual([
      ['deals-alert@', '', '/etc/deals/alert', '/srv/deals /var/lib/deals'],
      ['deals-build', '/var/lib/deals', '', ''],
      ['deals-fetch', '/srv/deals', '/etc/deals/fetch', '/var/lib/deals'],
      ['deals-pull', '/var/lib/deals', '/etc/deals/remote', '/srv/deals'],
      ['deals-push', '/var/lib/deals', '/etc/deals/remote', '/srv/deals'],
      ['deals-serve', '', '/etc/deals/keys', '/srv/deals'],
    ]);
    expect(readDeployed('confine.conf')).toMatch(/^ProtectSystem=strict\nTemporaryFileSystem=\/etc\/deals:ro$/m);
    expect(valueOf('deals-build.service', 'PrivateNetwork')).toBe('yes');
    const given = SERVICES.filter((name) => valuesOf(name, 'EnvironmentFile').join().includes('remote.env'));
    expect(given).toEqual(['deals-pull.service', 'deals-push.service']);
  });

  it('give the server more time to stop than it takes, and more descriptors than connections', () => {
    expect(Number(valueOf('deals-serve.service', 'TimeoutStopSec'))).toBeGreaterThan(10);
    expect(Number(valueOf('deals-serve.service', 'LimitNOFILE'))).toBeGreaterThan(MAX_CONNECTIONS);
  });

  it('set variables that a command, or install.sh, reads', () => {
    // Also those that are commented out.
    const unread = (file: string, ...readers: readonly string[]) => {
      const set = readDeployed(file).matchAll(/^#?(?:export )?((?:DEALS|AWS)_[A-Z0-9_]+)=/gm);
      const text = readers.map(readDeployed).join('');
      return Array.from(set, ([, name = '']) => name).filter((name) => !VARIABLES.has(name) && !text.includes(name));
    };
    expect(unread('deals.env', 'install.sh', 'alert.sh')).toEqual([]);
    expect(unread('deals.sh')).toEqual([]);
    // Credentials are no options. The URL is an argument of push and pull.
    expect(unread('remote.env', '../../build/remote/open-store.ts')).toEqual(['DEALS_REMOTE']);
    for (const name of ['deals-pull.service', 'deals-push.service'])
      expect(valueOf(name, 'ExecStart')).toContain('${DEALS_REMOTE}');
    const ofUnits = valueOf('deals-serve.service', 'Environment').match(/DEALS_\w+=\S+/g) ?? [];
    expect(ofUnits.filter((setting) => !readDeployed('deals.sh').includes(setting))).toEqual([]);
  });
});

describe.skipIf(isMissing('the scripts of the deployment', tool('shellcheck')))('the scripts', () => {
  it.each(FILES.filter((name) => name.endsWith('.sh')))('%s gives shellcheck nothing to say', (name) => {
    const { status, stdout } = spawnSync('shellcheck', [join(DEPLOY_FOLDER, name)], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
});

describe.skipIf(isMissing('units', tool('systemd-analyze')))('the units, as systemd reads them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deals-units-'));

  beforeAll(() => {
    mkdirSync(join(folder, 'deals-.service.d'));
    cpSync(join(DEPLOY_FOLDER, 'confine.conf'), join(folder, 'deals-.service.d/confine.conf'));
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

  const analyze = (...args: readonly string[]) =>
    spawnSync('systemd-analyze', args, { encoding: 'utf8', env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` } });

  it.each(UNITS.map((name) => name.replace('@.', '@x.')))('%s is sound, and well confined', (name) => {
    const verified = analyze('verify', '--man=no', join(folder, name));
    // It also speaks of other units of the machine.
    const said = verified.stderr.split('\n').filter((line) => line.includes('deals-'));
    expect([verified.status, said]).toEqual([0, []]);
    if (name.endsWith('.timer')) return;
    const words = ['--offline=true', '--no-pager', `--threshold=${MOST_EXPOSED}`, join(folder, name)];
    const { status, stdout } = analyze('security', ...words);
    expect([status, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, expect.any(String)]);
  });
});

/** The values of an instruction of the Containerfile. */
const textsOf = (name: string): readonly string[] =>
  Array.from(
    readDeployed('Containerfile')
      .replaceAll(/\\\n/g, ' ')
      .matchAll(new RegExp(`^${name} (.*)$`, 'gm')),
    ([, text = '']) => text,
  );

/** The words of the last instruction of a name, which has the form of a list. */
const wordsOf = (name: string): readonly string[] =>
  JSON.parse(/\[.*\]$/.exec(textsOf(name).at(-1) ?? '')?.[0] ?? '[]') as string[];

describe('the Containerfile', () => {
  it('copies what there is, sets what a command reads, and runs a command that there is', () => {
    const ofHere = textsOf('COPY').filter((text) => !text.startsWith('--from='));
    const copied = ofHere.flatMap((text) => text.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(3);
    expect(copied.filter((path) => !existsSync(join(PROGRAM_ROOT, path)))).toEqual([]);
    const set = Array.from(
      textsOf('ENV')
        .join(' ')
        .matchAll(/DEALS_\w+(?==)/g),
      ([name]) => name,
    );
    expect(set.length).toBeGreaterThan(2);
    expect(set.filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect(findUnknownWords(wordsOf('CMD'))).toEqual([]);
    expect(existsSync(join(PROGRAM_ROOT, wordsOf('ENTRYPOINT')[1] ?? 'none'))).toBe(true);
  });

  it('is healthy when the server is ready, and not when it has no snapshot', async () => {
    const [, ...probe] = wordsOf('HEALTHCHECK');
    const isHealthy = async (port: number): Promise<boolean> => {
      const env = { DEALS_PORT: String(port) };
      const [status] = await once(spawn(process.execPath, probe, { env, stdio: 'ignore' }), 'close');
      return status === 0;
    };
    expect(await isHealthy((await withServer()).port)).toBe(true);
    expect(await isHealthy((await withServer({ catalogue: null })).port)).toBe(false);
  });
});
