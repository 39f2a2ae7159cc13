import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRICS } from '../../../server/metrics/metric-table.ts';
import { until } from '../../harness.ts';
import { ask, startProgram, type RunningProgram } from '../running-program.ts';
import { isMissing, tool } from '../needs.ts';

const PRODUCTS = '/deals/v1/products/';

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram({ args: ['--access-log', 'off'] });
});
afterAll(() => program.stop());

const scrape = async (): Promise<string> => (await ask(program.metricsUrl, undefined)).text;

/** The value of a line; undefined when there is none. */
async function valueOf(line: string): Promise<number | undefined> {
  const found = (await scrape()).split('\n').find((candidate) => candidate.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

/** By how much lines grow while something is done. */
async function growthOf(lines: readonly string[], doIt: () => Promise<unknown>): Promise<readonly number[]> {
  const read = () => Promise.all(lines.map(async (line) => (await valueOf(line)) ?? 0));
  const before = await read();
  await doIt();
  // What is counted when a connection has taken it may come a moment later.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return (await read()).map((value, i) => value - (before[i] ?? 0));
}

describe('the loopback port (D19)', () => {
  it('has /metrics for GET and HEAD', async () => {
    const [get, head] = [
      await ask(program.metricsUrl, undefined),
      await ask(program.metricsUrl, undefined, { method: 'HEAD' }),
    ];
    expect([get.status, head.status, head.text]).toEqual([200, 200, '']);
    for (const { headers } of [get, head]) {
      expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('has nothing else', async () => {
    const { origin } = new URL(program.metricsUrl);
    const paths = [
      '/',
      '/metrics/',
      '/METRICS',
      '//metrics',
      '/metrics?x=1',
      '/health/live',
      '/deals/v1/products/',
      '/page.css',
      '/%6detrics',
      '/metrics%00',
    ];
    for (const path of paths) {
      const { status, text } = await ask(origin + path, program.key);
      expect([path, status, text]).toEqual([path, 404, '']);
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const { status, headers } = await ask(program.metricsUrl, undefined, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    }
  });

  it('is not on the public port', async () => {
    for (const path of ['/metrics', '/metrics/', '/deals/metrics', '/deals/v1/metrics/', '/health/metrics']) {
      const { status, text } = await ask(program.url + path, program.key);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain('# TYPE');
    }
  });

  it('listens to this machine alone, also when the server listens to all', async () => {
    const open = await startProgram({ args: ['--host', '0.0.0.0'] });
    const port = Number(new URL(open.metricsUrl).port).toString(16).toUpperCase().padStart(4, '0');
    const table = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFileSync(file, 'latin1')).join('\n');
    // Local addresses of sockets that listen (0A), in hex and in the order of the machine.
    const listening = [...table.matchAll(/^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /gm)].filter(
      ([, , found]) => found === port,
    );
    expect(listening.map(([, address]) => address)).toEqual(['0100007F']);
    await open.stop();
  });
});

describe('the metrics', () => {
  it('are the documented ones, each with its help, its type and its labels', async () => {
    await ask(program.url + PRODUCTS, program.key);
    const text = await scrape();
    const found = [...text.matchAll(/^# TYPE (deals_[a-z_]+) ([a-z]+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    expect(new Set(found)).toEqual(new Set(Object.entries(METRICS).map(([name, { type }]) => `${name} ${type}`)));
    const used = new Map<string, readonly string[]>();
    for (const [, name = '', labels = ''] of text.matchAll(/^(deals_[a-z_]+?)(?:_bucket|_sum|_count)?\{(.*)\} /gm)) {
      used.set(
        name,
        [...labels.matchAll(/([a-z]+)="/g)].map(([, label = '']) => label).filter((label) => label !== 'le'),
      );
    }
    expect(used.size).toBeGreaterThan(4);
    for (const [name, labels] of used)
      expect([name, labels]).toEqual([name, METRICS[name as keyof typeof METRICS]?.labels]);
  });

  it('count every request once, by route and status, from memory or not', async () => {
    const notModified = { headers: { 'If-None-Match': '*' } };
    const asked: readonly (readonly [string, string, number, RequestInit?])[] = [
      ['products', `${PRODUCTS}?limit=9`, 200],
      ['products', `${PRODUCTS}?limit=9`, 200],
      ['products', `${PRODUCTS}?limit=9`, 304, notModified],
      ['products', `${PRODUCTS}?limit=8`, 304, notModified],
      ['products', `${PRODUCTS}?x=1`, 400],
      ['product', `${PRODUCTS}987654/`, 404],
      ['networks', '/deals/v1/networks/', 405, { method: 'POST' }],
      ['health', '/health/live', 200],
      ['image', '/images/aaaaaaaaaaaaaaaa/o2-small.webp', 200],
      ['problem', '/problems/unknown-path', 200],
      ['page', '/page.css', 200],
      ['status', '/status/store.json', 403],
      ['other', '/deals/v9/', 404],
    ];
    for (const [route, target, status, init] of asked) {
      const lines = [
        `deals_http_requests_total{route="${route}",status="${status}"}`,
        `deals_http_request_duration_seconds_count{route="${route}"}`,
      ];
      const growth = await growthOf(lines, () => ask(program.url + target, program.key, init));
      expect([target, init?.method, ...growth]).toEqual([target, init?.method, 1, 1]);
    }
  });

  it('tell answers from memory from others, and what was logged', async () => {
    const results = ['hit', 'miss'].map((result) => `deals_answer_cache_requests_total{result="${result}"}`);
    const target = `${program.url}${PRODUCTS}?limit=3`;
    expect(await growthOf(results, () => ask(target, program.key))).toEqual([0, 1]);
    expect(await growthOf(results, () => ask(target, program.key))).toEqual([1, 0]);
    expect(await valueOf('deals_log_events_total{event="snapshot-refused"}')).toBe(0);
    writeFileSync(join(program.folder, 'store/current.json'), '{"snapshot":"20261120T0000Z-00000000"}');
    await until(async () => (await valueOf('deals_log_events_total{event="snapshot-refused"}')) === 1);
  });

  it('show the last build, and nothing when its report cannot be read', async () => {
    const file = join(program.folder, 'store/last-build.json');
    const outcome = (name: string) => `deals_last_build_outcome{outcome="${name}"}`;
    const build = { outcome: 'published', startedAt: '2026-11-21T02:30:00.000Z', seconds: 7, message: '' };
    writeFileSync(file, JSON.stringify(build));
    await until(async () => (await valueOf(outcome('published'))) === 1);
    expect(await valueOf(outcome('failed'))).toBe(0);
    expect(await valueOf('deals_last_build_duration_seconds')).toBe(7);
    writeFileSync(file, '{');
    await until(async () => (await valueOf(outcome('published'))) === undefined);
    expect((await ask(program.metricsUrl, undefined)).status).toBe(200);
  });

  it.skipIf(isMissing('the conventions of metrics', tool('promtool')))(
    'keep to the conventions of Prometheus',
    async () => {
      const ours = (await scrape()).split('\n').filter((line) => line.includes('deals_'));
      // It says nothing when there is nothing to say.
      expect(execFileSync('promtool', ['check', 'metrics'], { input: `${ours.join('\n')}\n`, encoding: 'utf8' })).toBe(
        '',
      );
    },
  );
});
