import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEPLOY_FOLDER, readDeployed } from './deploy-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deals-alert-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs alert.sh where systemd and the journal say what programs of ours say. */
function alarm(unit: string, status: number, result: string, command?: string) {
  const fake = (name: string, text: string): void =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  fake('journalctl', `echo "the log of $1"`);
  fake('systemctl', `case $2 in *Status) echo ${status} ;; *) echo ${result} ;; esac`);
  return spawnSync(join(DEPLOY_FOLDER, 'alert.sh'), [unit], {
    env: {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      ...(command === undefined ? {} : { DEALS_ALERT_COMMAND: command }),
    },
    encoding: 'utf8',
  });
}

describe('alert.sh', () => {
  it.each([
    ['deals-build.service', 3, 'a gate refused what was built'],
    ['deals-build.service', 1, 'the machine (disk, permissions) or a bug'],
    ['deals-push.service', 3, 'was not built on the published one'],
    ['deals-fetch.service', 1, 'a source could not be fetched'],
    ['deals-serve.service', 9, 'it ended with signal'],
  ])('says of %s and exit status %s that %s', (unit, status, meaning) => {
    const file = join(folder, 'alarm');
    const told = alarm(unit, status, 'signal', `{ echo "$1"; cat; } >${file}`);
    expect(told).toMatchObject({ status: 0, stdout: '' });
    const [subject, again, explanation, , log] = readFileSync(file, 'utf8').split('\n');
    expect(subject).toContain(`${unit} failed (exit status ${status})`);
    expect(again).toBe(subject);
    expect(explanation).toContain(meaning);
    expect(log).toBe(`the log of --unit=${unit}`);
  });

  it('calls what published no failure, and says nothing where there is nothing to say', () => {
    const { stdout } = alarm('deals-build.service', 4, 'success');
    expect(stdout).toMatch(
      /^<3>\S+: deals-build\.service needs someone to look \(exit status 4\)\n<3>it published, but /,
    );
    expect(alarm('deals-push.service', 4, 'success').stdout).toContain('it published, but could not tidy up');
    expect(alarm('deals-build.service', 75, 'success').stdout).toContain('held the store for half an hour');
    expect(alarm('deals-build.service', 0, 'success')).toMatchObject({ status: 0, stdout: '' });
    // Another builder was first.
    expect(alarm('deals-push.service', 75, 'success')).toMatchObject({ status: 0, stdout: '' });
  });

  it('sends mail by the line of deals.env', () => {
    const [, command = ''] = /^#DEALS_ALERT_COMMAND='(.*curl.*)'$/m.exec(readDeployed('deals.env')) ?? [];
    writeFileSync(join(folder, 'curl'), `#!/bin/sh\ncat >${folder}/mail\n`, { mode: 0o755 });
    expect(alarm('deals-build.service', 3, 'exit-code', command)).toMatchObject({ status: 0, stdout: '' });
    const [subject, empty, text] = readFileSync(join(folder, 'mail'), 'utf8').split('\n');
    expect([subject, empty]).toEqual([`Subject: ${text}`, '']);
  });

  it('fails, and keeps the text in the log, when the command fails', () => {
    const { status, stdout } = alarm('deals-build.service', 3, 'exit-code', 'exit 4');
    expect(status).toBe(1);
    expect(stdout).toContain('<3>a gate refused what was built');
  });
});
