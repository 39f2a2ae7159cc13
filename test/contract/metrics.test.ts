import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { METRICS } from '../../server/metrics.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { fetchText, until, withServer } from '../harness.ts';

const PRODUCTS = '/deals/v1/products/';

const server = await withServer({ metricsPort: 0 });
const metricsUrl = server.metricsUrl ?? '';

const scrape = async (): Promise<string> => (await fetchText(metricsUrl)).text;

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

it('the loopback port has /metrics and nothing else, and the public port has none (D19)', async () => {
  const { origin } = new URL(metricsUrl);
  for (const path of ['/', '/metrics/', '/METRICS', '/metrics?x=1', '/health/live', PRODUCTS, '/%6detrics']) {
    const { status, text } = await fetchText(origin + path);
    expect([path, status, text]).toEqual([path, 404, '']);
  }
  const { status, headers } = await fetchText(metricsUrl, { method: 'POST' });
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  for (const path of ['/metrics', '/metrics/', '/deals/v1/metrics/']) {
    const answer = await server.ask(path);
    expect([path, answer.status, answer.text.includes('# TYPE')]).toEqual([path, 404, false]);
  }
});

describe('the metrics (D19)', () => {
  it('are the documented ones, each with its help, its type and its labels', async () => {
    await server.ask(PRODUCTS);
    const text = await scrape();
    const found = [...text.matchAll(/^# TYPE (deals_[a-z_]+) ([a-z]+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    expect(new Set(found)).toEqual(new Set(Object.entries(METRICS).map(([name, { type }]) => `${name} ${type}`)));
    for (const [, name = '', labels = ''] of text.matchAll(/^(deals_[a-z_]+?)(?:_bucket|_sum|_count)?\{(.*)\} /gm)) {
      const used = [...labels.matchAll(/([a-z]+)="/g)].map(([, label]) => label).filter((label) => label !== 'le');
      expect([name, used]).toEqual([name, METRICS[name as keyof typeof METRICS]?.labels]);
    }
  });

  it.each<[string, string, number, string, string?]>([
    ['products', `${PRODUCTS}?limit=9`, 200, 'made'],
    ['products', `${PRODUCTS}?limit=9`, 200, 'from memory'],
    ['products', `${PRODUCTS}?x=1`, 400, 'refused'],
    ['product', `${PRODUCTS}987654/`, 404, 'of no record'],
    ['networks', '/deals/v1/networks/', 405, 'of another method', 'POST'],
    ['health', '/health/live', 200, 'of no key'],
    ['image', '/images/aaaaaaaaaaaaaaaa/o2-small.webp', 200, 'of a file'],
    ['other', '/deals/v9/', 404, 'of no route'],
  ])('count a request once, by route and status: %s %s %d, %s', async (route, target, status, _, method = 'GET') => {
    const lines = [
      `deals_http_requests_total{route="${route}",status="${status}"}`,
      `deals_http_request_duration_seconds_count{route="${route}"}`,
    ];
    expect(await growthOf(lines, () => server.ask(target, { method }))).toEqual([1, 1]);
  });

  it('tell answers from memory from others, and what was logged', async () => {
    const results = ['hit', 'miss'].map((result) => `deals_answer_cache_requests_total{result="${result}"}`);
    for (const _ of ['first', 'second']) {
      expect(await growthOf(results, () => server.ask(`${PRODUCTS}?limit=3`))).toEqual([0, 1]);
    }
    expect(await growthOf(results, () => server.ask(`${PRODUCTS}?limit=3`))).toEqual([1, 0]);
    const refused = 'deals_log_events_total{event="snapshot-refused"}';
    expect(await valueOf(refused)).toBe(0);
    writeFileSync(join(server.store, 'current.json'), '{"snapshot":"20261120T0000Z-00000000"}');
    await until(async () => (await valueOf(refused)) === 1);
  });

  it('show the last build, and nothing when its report cannot be read', async () => {
    const file = join(server.store, 'last-build.json');
    const outcome = (name: string) => `deals_last_build_outcome{outcome="${name}"}`;
    const build = { outcome: 'published', startedAt: '2026-11-21T02:30:00.000Z', seconds: 7, message: '' };
    writeFileSync(file, JSON.stringify(build));
    await server.refresh();
    expect([await valueOf(outcome('published')), await valueOf(outcome('failed'))]).toEqual([1, 0]);
    expect(await valueOf('deals_last_build_duration_seconds')).toBe(7);
    writeFileSync(file, '{');
    await server.refresh();
    expect(await valueOf(outcome('published'))).toBeUndefined();
  });

  it.skipIf(isMissing('the conventions of metrics', tool('promtool')))('keep to those of Prometheus', async () => {
    const ours = (await scrape()).split('\n').filter((line) => line.includes('deals_'));
    // It says nothing when there is nothing to say.
    const said = execFileSync('promtool', ['check', 'metrics'], { input: `${ours.join('\n')}\n`, encoding: 'utf8' });
    expect(said).toBe('');
  });
});
