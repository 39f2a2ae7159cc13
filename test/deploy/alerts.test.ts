import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { METRICS } from '../../server/metrics/metric-table.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { DEPLOY_FOLDER, readDeployed } from './deploy-folder.ts';

const RULES = readDeployed('alerts.yml');
/** Without comments and the texts of alarms, which may name a metric in passing. */
const EXPRESSIONS = [...RULES.matchAll(/^ {8}expr: ([^]*?)^ {8}(?:for|labels):/gm)].map(([, text]) => text ?? '');

/** Of a histogram there are three series. */
const SERIES = new Set(
  Object.entries(METRICS).flatMap(([name, { type }]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  ),
);

describe('alerts.yml', () => {
  it('asks for no metric that there is not', () => {
    const asked = EXPRESSIONS.join('\n').match(/\bdeals_\w+/g) ?? [];
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((name) => !SERIES.has(name))).toEqual([]);
  });

  it('asks for no label that its metric has not', () => {
    const asked = EXPRESSIONS.flatMap((text) =>
      [...text.matchAll(/\b(deals_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', labels = '']) =>
        Array.from(labels.matchAll(/(\w+)(?:=|!)/g), ([, label = '']) => ({ name, label })),
      ),
    );
    expect(asked.some(({ label }) => label === 'outcome')).toBe(true);
    const labelsOf = new Map<string, readonly string[]>(
      Object.entries(METRICS).map(([name, { labels }]) => [name, labels]),
    );
    const unknown = asked.filter(
      ({ name, label }) =>
        label !== 'job' && !labelsOf.get(name.replace(/_(?:bucket|sum|count)$/, ''))?.includes(label),
    );
    expect(unknown).toEqual([]);
  });

  it('raises no alarm on memory or descriptors above what the service may have', () => {
    const service = readDeployed('deals-serve.service') + readDeployed('confine.conf');
    const memoryMegabytes = Number(/process_resident_memory_bytes\{.*\} > (\d+)e6/.exec(RULES)?.[1]);
    expect(memoryMegabytes).toBeLessThan(Number(/^MemoryHigh=(\d+)M$/m.exec(service)?.[1]));
    const descriptors = Number(/process_open_fds\{.*\} > (\d+)/.exec(RULES)?.[1]);
    expect(descriptors).toBeLessThan(Number(/^LimitNOFILE=(\d+)$/m.exec(service)?.[1]));
  });

  describe.skipIf(isMissing('alert rules', tool('promtool')))('as Prometheus reads it', () => {
    it('is sound', () => {
      const { status, stdout, stderr } = promtool(DEPLOY_FOLDER, 'check', 'rules', 'alerts.yml');
      expect(stderr).toBe('');
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('SUCCESS') });
    });

    it('raises each alarm when it should, and not otherwise', () => {
      const folder = mkdtempSync(join(tmpdir(), 'deals-alerts-'));
      try {
        copyFileSync(join(DEPLOY_FOLDER, 'alerts.yml'), join(folder, 'alerts.yml'));
        copyFileSync(join(import.meta.dirname, 'alerts.test.yml'), join(folder, 'alerts.test.yml'));
        const { status, stdout, stderr } = promtool(folder, 'test', 'rules', 'alerts.test.yml');
        expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') });
      } finally {
        rmSync(folder, { recursive: true });
      }
    }, 120_000);
  });
});

function promtool(cwd: string, ...args: readonly string[]) {
  return spawnSync('promtool', args, { cwd, encoding: 'utf8' });
}
