import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../fault/needs.ts';
import { findUnknownWords } from './deals-words.ts';
import { DEPLOY_FOLDER, readDeployed } from './deploy-folder.ts';

const SCRIPTS = readdirSync(DEPLOY_FOLDER).filter((name) => name.endsWith('.sh'));
const PATH = process.env['PATH'] ?? '';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deals-operations-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the lines of cron', () => {
  const lines = readDeployed('deals.cron')
    .split('\n')
    .filter((line) => !/^(#|$|[A-Z_]+=)/.test(line));

  it('have a time, a user that is made, and a command', () => {
    const users = [...readDeployed('deals.sysusers.conf').matchAll(/^u (\S+)/gm)].map(([, name]) => name);
    expect(lines.length).toBe(2);
    for (const line of lines) {
      const [, user] = /^[\d*]+ [\d*]+ \* \* \* {2}(\S+) {2}\S/.exec(line) ?? [];
      expect(users).toContain(user);
      // A per cent sign is the end of a line to cron.
      expect(line).not.toContain('%');
      const command = line.replace(/^(\S+ ){5} *\S+ +/, '');
      expect(spawnSync('bash', ['-n', '-c', command]).status).toBe(0);
    }
  });

  it.each([
    ['echo "deals: refused" >&2; exit 3', 'deals: refused\n'],
    ['exit 0', ''],
    ['kill -KILL $$', 'deals build was killed: exit status 137\n'],
  ])('mail what was said once, and of what was killed that it was: %s', (script, mail) => {
    writeFileSync(join(folder, 'deals'), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
    const command = lines.find((line) => line.includes('deals build'))?.replace(/^(\S+ ){5} *\S+ +/, '') ?? '';
    const { stdout, stderr } = spawnSync('bash', ['-c', command], {
      encoding: 'utf8',
      env: { PATH: `${folder}:${PATH}`, HOME: folder },
    });
    // The shell adds a line of its own about what was killed.
    expect(stdout + stderr.replaceAll(/^.* Killed .*\n/gm, '')).toBe(mail);
  });

  it('build quietly, by flags that there are', () => {
    const words = lines.flatMap((line) =>
      [...line.matchAll(/\bdeals (build --.*?) \|\|/g)].map(([, text = '']) => text.split(' ')),
    );
    expect(words).toHaveLength(1);
    expect(words.flatMap(findUnknownWords)).toEqual([]);
    expect(words.flat()).toContain('--quiet');
  });
});

describe.skipIf(isMissing('the scripts of the deployment', tool('shellcheck')))('the scripts', () => {
  it.each(SCRIPTS)('%s gives shellcheck nothing to say', (name) => {
    const { status, stdout } = spawnSync('shellcheck', [join(DEPLOY_FOLDER, name)], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
});

describe('alert.sh', () => {
  /** Runs it where the journal says what a program of ours says. */
  function alarm(unit: string, env: Readonly<Record<string, string>>) {
    const fake = (name: string, text: string): void => {
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder, name), 0o755);
    };
    fake('journalctl', `echo "the log of $1"`);
    fake('systemctl', 'echo 7');
    return spawnSync(join(DEPLOY_FOLDER, 'alert.sh'), [unit], {
      env: { PATH: `${folder}:${PATH}`, ...env },
      encoding: 'utf8',
    });
  }

  it.each([
    ['deals-build.service', '3', 'a gate refused what was built'],
    ['deals-build.service', '1', 'the machine (disk, permissions) or a bug'],
    ['deals-push.service', '3', 'was not built on the published one'],
    ['deals-fetch.service', '1', 'a source could not be fetched'],
    ['deals-serve.service', '9', 'it ended with signal'],
  ])('says of %s and exit status %s that %s', (unit, status, meaning) => {
    const file = join(folder, 'alarm');
    const env = { MONITOR_EXIT_STATUS: status, MONITOR_SERVICE_RESULT: 'signal' };
    const { status: exitCode, stdout } = alarm(unit, { ...env, DEALS_ALERT_COMMAND: `{ echo "$1"; cat; } >${file}` });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    const [subject, again, explanation, , log] = readFileSync(file, 'utf8').split('\n');
    expect(subject).toContain(`${unit} failed (exit status ${status})`);
    expect(again).toBe(subject);
    expect(explanation).toContain(meaning);
    expect(log).toBe(`the log of --unit=${unit}`);
  });

  it('calls a build that published no failure, and says nothing after one without a fault', () => {
    const env = { MONITOR_EXIT_STATUS: '4', MONITOR_SERVICE_RESULT: 'success' };
    const told = alarm('deals-build.service', env);
    expect(told.stdout).toMatch(
      /^<3>\S+: deals-build\.service needs someone to look \(exit status 4\)\n<3>it published, but /,
    );
    expect(alarm('deals-push.service', env).stdout).toContain('it published, but could not tidy up');
    expect(alarm('deals-build.service', { ...env, MONITOR_EXIT_STATUS: '0' })).toMatchObject({ status: 0, stdout: '' });
  });

  it('says nothing of a push that another builder overtook', () => {
    const env = { MONITOR_EXIT_STATUS: '75', MONITOR_SERVICE_RESULT: 'success' };
    expect(alarm('deals-push.service', env)).toMatchObject({ status: 0, stdout: '' });
    expect(alarm('deals-build.service', env).stdout).toContain('held the store for half an hour');
  });

  it('asks systemd where it was not told, and without a command writes errors to the log', () => {
    const { status, stdout } = alarm('deals-build.service', {});
    expect(status).toBe(0);
    expect(stdout).toMatch(/^<3>\S+: deals-build\.service failed \(exit status 7\)\n<3>it ended with 7\n/);
  });

  it('sends mail by the line of the README, which needs no spool and no other rights', () => {
    const readme = readFileSync(join(DEPLOY_FOLDER, 'README.md'), 'utf8');
    const [, command = ''] = /^DEALS_ALERT_COMMAND='(.*curl.*)'$/m.exec(readme) ?? [];
    const file = join(folder, 'mail');
    writeFileSync(join(folder, 'curl'), `#!/bin/sh\ncat >${file}\n`);
    chmodSync(join(folder, 'curl'), 0o755);
    const { status, stdout } = alarm('deals-build.service', { MONITOR_EXIT_STATUS: '3', DEALS_ALERT_COMMAND: command });
    rmSync(join(folder, 'curl'));
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    const [subject, empty, text] = readFileSync(file, 'utf8').split('\n');
    expect([subject, empty]).toEqual([`Subject: ${text}`, '']);
    expect(text).toContain('deals-build.service failed (exit status 3)');
  });

  it('fails, and keeps the text, when the command fails', () => {
    const { status, stdout } = alarm('deals-build.service', {
      MONITOR_EXIT_STATUS: '3',
      DEALS_ALERT_COMMAND: 'exit 4',
    });
    expect(status).toBe(1);
    expect(stdout).toContain('<3>a gate refused what was built');
  });
});
