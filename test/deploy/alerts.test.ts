import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { METRICS } from '../../server/metrics.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { DEPLOY_FOLDER, readDeployed } from './deployed.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deals-alert-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const RULES = readDeployed('alerts.yml');

/** The labels of each series: of a histogram there are three. */
const SERIES = new Map<string, readonly string[]>(
  Object.entries(METRICS).flatMap(([name, { type, labels }]) =>
    (type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map((end) => [name + end, labels] as const),
  ),
);

describe('alerts.yml', () => {
  it('asks for no metric and no label that there is not', () => {
    // Without the texts of alarms, which may name a metric in passing.
    const expressions = [...RULES.matchAll(/^ {8}expr: ([^]*?)^ {8}(?:for|labels):/gm)].map(([, text]) => text);
    const asked = [...expressions.join('\n').matchAll(/\b(deals_\w+)(?:\{([^}]*)\})?/g)];
    expect(asked.length).toBeGreaterThan(20);
    const unknown = asked.filter(([, name = '', matchers = '']) => {
      const labels = Array.from(matchers.matchAll(/(\w+)(?:=|!)/g), ([, label = '']) => label);
      const known = SERIES.get(name);
      return known === undefined || labels.some((label) => label !== 'job' && !known.includes(label));
    });
    expect(unknown.map(([text]) => text)).toEqual([]);
  });

  it('raises no alarm on memory or descriptors above what the service may have', () => {
    const service = readDeployed('deals-serve.service') + readDeployed('confine.conf');
    const megabytes = Number(/process_resident_memory_bytes\{.*\} > (\d+)e6/.exec(RULES)?.[1]);
    expect(megabytes).toBeLessThan(Number(/^MemoryHigh=(\d+)M$/m.exec(service)?.[1]));
    const descriptors = Number(/process_open_fds\{.*\} > (\d+)/.exec(RULES)?.[1]);
    expect(descriptors).toBeLessThan(Number(/^LimitNOFILE=(\d+)$/m.exec(service)?.[1]));
  });

  it.skipIf(isMissing('alert rules', tool('promtool')))(
    'is sound to Prometheus, and raises each alarm when it should, and not otherwise',
    () => {
      const cwd = folder;
      writeFileSync(join(cwd, 'alerts.yml'), RULES);
      writeFileSync(join(cwd, 'alerts.test.yml'), readFileSync(join(import.meta.dirname, 'alerts.test.yml')));
      for (const words of [
        ['check', 'rules', 'alerts.yml'],
        ['test', 'rules', 'alerts.test.yml'],
      ]) {
        const { status, stdout, stderr } = spawnSync('promtool', words, { cwd, encoding: 'utf8' });
        expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') });
      }
    },
    120_000,
  );
});

const writeProgram = (name: string, text: string): void =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

/** Runs alert.sh where systemd and the journal say what programs of ours say. */
function alarm(unit: string, status: number, result: string, command?: string) {
  writeProgram('journalctl', 'echo "the log of $1"');
  writeProgram('systemctl', `case $2 in *Status) echo ${status} ;; *) echo ${result} ;; esac`);
  const told = command === undefined ? {} : { DEALS_ALERT_COMMAND: command };
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, ...told };
  return spawnSync(join(DEPLOY_FOLDER, 'alert.sh'), [unit], { env, encoding: 'utf8' });
}

describe('alert.sh', () => {
  it.each([
    ['deals-build', 3, 'signal', 'failed (exit status 3)', 'a gate refused what was built'],
    ['deals-build', 1, 'signal', 'failed (exit status 1)', 'the machine (disk, permissions) or a bug'],
    ['deals-build', 4, 'success', 'needs someone to look (exit status 4)', 'it published, but a source was held'],
    ['deals-build', 75, 'success', 'needs someone to look (exit status 75)', 'held the store for half an hour'],
    ['deals-push', 3, 'signal', 'failed (exit status 3)', 'was not built on the published one'],
    ['deals-push', 4, 'success', 'needs someone to look (exit status 4)', 'it published, but could not tidy up'],
    ['deals-fetch', 1, 'signal', 'failed (exit status 1)', 'a source could not be fetched'],
    ['deals-serve', 9, 'signal', 'failed (exit status 9)', 'it ended with signal'],
  ])('says of %s.service with exit status %s and %s that it %s: %s', (name, status, result, event, meaning) => {
    const unit = `${name}.service`;
    const command = `{ echo "$1"; cat; } >${folder}/alarm`;
    expect(alarm(unit, status, result, command)).toMatchObject({ status: 0, stdout: '' });
    const [subject = '', ...text] = readFileSync(join(folder, 'alarm'), 'utf8').split('\n');
    expect(subject).toMatch(new RegExp(`^\\S+: ${unit} `));
    expect(subject).toContain(event);
    expect(text).toEqual([subject, expect.stringContaining(meaning), '', `the log of --unit=${unit}`, '']);
    // Without a command the log has the same.
    const logged = alarm(unit, status, result).stdout.trimEnd();
    expect(logged).toBe(`<3>${text.join('\n<3>').slice(0, -'\n<3>'.length)}`);
  });

  it('says nothing where there is nothing to say, or another builder was first', () => {
    expect(alarm('deals-build.service', 0, 'success')).toMatchObject({ status: 0, stdout: '' });
    expect(alarm('deals-push.service', 75, 'success')).toMatchObject({ status: 0, stdout: '' });
  });

  it('sends mail by the line of deals.env', () => {
    const [, command = ''] = /^#DEALS_ALERT_COMMAND='(.*curl.*)'$/m.exec(readDeployed('deals.env')) ?? [];
    writeProgram('curl', `cat >${folder}/mail`);
    expect(alarm('deals-build.service', 3, 'exit-code', command)).toMatchObject({ status: 0, stdout: '' });
    const [subject, empty, text] = readFileSync(join(folder, 'mail'), 'utf8').split('\n');
    expect([subject, empty]).toEqual([`Subject: ${text}`, '']);
  });

  it('fails, and keeps the text in the log, when the command fails', () => {
    const { status, stdout } = alarm('deals-build.service', 3, 'exit-code', 'exit 4');
    expect([status, stdout]).toEqual([1, expect.stringContaining('<3>a gate refused what was built')]);
  });
});
