import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { METRICS } from '../../server/metrics/metric-table.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { readDeployed } from './deploy-folder.ts';

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
      const cwd = mkdtempSync(join(tmpdir(), 'deals-alerts-'));
      onTestFinished(() => rmSync(cwd, { recursive: true }));
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
