import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRICS, type MetricName } from '../../../server/metrics/prometheus.ts';
import { until } from '../../contract/serve.ts';
import { ask, createKey, startProgram, type RunningProgram } from '../running-program.ts';
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
  it('are the documented ones, each with its help and its type, once', async () => {
    await ask(program.url + PRODUCTS, program.key);
    writeFileSync(
      join(program.folder, 'store/last-build.json'),
      JSON.stringify({
        outcome: 'refused',
        startedAt: '2026-11-20T02:30:00.000Z',
        seconds: 12.5,
        message: 'x',
        confirmedAt: '2026-11-19T02:30:00.000Z',
      }),
    );
    const accepted = {
      revision: 2,
      snapshot: '20261120T0230Z-01234567',
      manifest: 'a',
      contentHash: 'b',
      activateAt: '2026-11-20T02:31:00.000Z',
      leadSeconds: 60,
    };
    writeFileSync(
      join(program.folder, 'store/pull.json'),
      JSON.stringify({
        url: 's3://catalogue/uk',
        highest: {},
        announced: accepted,
        current: { ...accepted, revision: 1 },
        lastContactAt: '2026-11-20T02:30:30.000Z',
        failures: { head: 1 },
        refusals: 0,
        fetchedBytes: 7,
      }),
    );
    const text = await scrape();
    const names = Object.keys(METRICS) as MetricName[];
    for (const kind of ['HELP', 'TYPE']) {
      const found = [...text.matchAll(new RegExp(`^# ${kind} ([a-z_]+) `, 'gm'))].map(([, name]) => name);
      expect(found).toEqual(names);
    }
    for (const line of text.trimEnd().split('\n')) {
      if (line.startsWith('#')) continue;
      const [, name = '', , labels = ''] =
        /^([a-z_]+?)(_bucket|_sum|_count)?(?:\{((?:[a-z]+="[^"\\]*",?)+)\})? -?[0-9.e+-]+$/.exec(line) ?? [];
      expect([line, Object.hasOwn(METRICS, name)]).toEqual([line, true]);
      const documented: readonly string[] = METRICS[name as MetricName].labels;
      const used = [...labels.matchAll(/([a-z]+)="/g)].map(([, label]) => label).filter((label) => label !== 'le');
      expect([line, ...used]).toEqual([line, ...documented]);
    }
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const series = samples.map((line) => line.slice(0, line.lastIndexOf(' ')));
    expect(new Set(series).size).toBe(series.length);
  });

  it('count every request once, by route and status, from memory or not', async () => {
    const asked: readonly (readonly [string, string, number, RequestInit?])[] = [
      ['products', `${PRODUCTS}?limit=9`, 200],
      ['products', `${PRODUCTS}?limit=9`, 200],
      ['products', `${PRODUCTS}?limit=9`, 304, { headers: { 'If-None-Match': '*' } }],
      ['products', `${PRODUCTS}?limit=8`, 304, { headers: { 'If-None-Match': '*' } }],
      ['products', `${PRODUCTS}?x=1`, 400],
      ['product', `${PRODUCTS}101/`, 200],
      ['product', `${PRODUCTS}987654/`, 404],
      ['networks', '/deals/v1/networks/', 405, { method: 'POST' }],
      ['health', '/health/live', 200],
      ['image', '/images/aaaaaaaaaaaaaaaa/o2-small.webp', 200],
      ['problem', '/problems/unknown-path', 200],
      ['page', '/page.css', 200],
      ['page', '/status/', 200],
      ['status', '/status/data.json', 403],
      ['other', '/nothing', 404],
      ['other', '/deals/v9/', 404],
    ];
    for (const [route, target, status, init] of asked) {
      const lines = [
        `deals_http_requests_total{route="${route}",status="${status}"}`,
        `deals_http_request_duration_seconds_count{route="${route}"}`,
        `deals_http_request_duration_seconds_bucket{route="${route}",le="+Inf"}`,
      ];
      const growth = await growthOf(lines, () => ask(program.url + target, program.key, init));
      expect([target, init?.method, ...growth]).toEqual([target, init?.method, 1, 1, 1]);
    }
  });

  it('tell answers from memory from others, and count bytes and connections', async () => {
    const lines = [
      'deals_answer_cache_requests_total{result="hit"}',
      'deals_answer_cache_requests_total{result="miss"}',
    ];
    const target = `${program.url}${PRODUCTS}?limit=3&expand=deals`;
    expect(await growthOf(lines, () => ask(target, program.key))).toEqual([0, 1]);
    expect(await growthOf(lines, () => ask(target, program.key))).toEqual([1, 0]);
    const { text } = await ask(target, program.key, { headers: { 'Accept-Encoding': 'identity' } });
    const [sent = 0, received = 0] = await growthOf(
      ['deals_http_sent_bytes_total', 'deals_http_received_bytes_total'],
      () => ask(target, program.key, { headers: { 'Accept-Encoding': 'identity' } }),
    );
    expect(sent).toBeGreaterThan(text.length);
    expect(sent).toBeLessThan(text.length + 2_000);
    expect(received).toBeGreaterThan(100);
    expect(await valueOf('deals_http_open_connections')).toBeGreaterThan(0);
  });

  it('count refusals for a used share, and what was logged of snapshots', async () => {
    const key = createKey(program.folder, '--name', 'x', '--rate-limit', '2/24h');
    await until(async () => (await ask(program.url + PRODUCTS, key)).status === 200);
    const lines = ['deals_rate_limited_requests_total', 'deals_http_requests_total{route="products",status="429"}'];
    expect(
      await growthOf(lines, async () => {
        for (let i = 0; i < 4; i++) await ask(program.url + PRODUCTS, key);
      }),
    ).toEqual([3, 3]);
    expect(await valueOf('deals_log_events_total{event="snapshot-taken-up"}')).toBe(1);
    expect(await valueOf('deals_snapshot_refusals_total')).toBe(0);
    writeFileSync(join(program.folder, 'store/current.json'), '{"snapshot":"20261120T0000Z-00000000"}');
    await until(async () => (await valueOf('deals_snapshot_refusals_total')) === 1);
    expect(await valueOf('deals_snapshot_sequence')).toBe(1);
  });

  it('show the last build, also when another comes, and nothing when its report cannot be read', async () => {
    const file = join(program.folder, 'store/last-build.json');
    const outcome = (name: string) => `deals_last_build_outcome{outcome="${name}"}`;
    writeFileSync(
      file,
      JSON.stringify({ outcome: 'published', startedAt: '2026-11-21T02:30:00.000Z', seconds: 7, message: '' }),
    );
    expect([await valueOf(outcome('published')), await valueOf(outcome('failed'))]).toEqual([1, 0]);
    expect(await valueOf('deals_last_build_duration_seconds')).toBe(7);
    expect(await valueOf('deals_last_build_started_timestamp_seconds')).toBe(
      Date.parse('2026-11-21T02:30:00Z') / 1_000,
    );
    writeFileSync(file, '{');
    expect(await valueOf(outcome('published'))).toBeUndefined();
    expect((await ask(program.metricsUrl, undefined)).status).toBe(200);
  });

  it.skipIf(isMissing('the conventions of metrics', tool('promtool')))(
    'keep to the conventions of Prometheus',
    async () => {
      const text = await scrape();
      expect(text).toContain('deals_snapshot_sources{state="carried-forward"} 0');
      // It says nothing when there is nothing to say.
      expect(execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('');
    },
  );
});
