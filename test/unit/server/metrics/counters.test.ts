import { describe, expect, it } from 'vitest';
import { RequestCounts } from '../../../../server/metrics/counters.ts';

describe('requests', () => {
  it('are counted by route and status', () => {
    const counts = new RequestCounts();
    for (const status of [200, 200, 304, undefined]) counts.count('products', status, 1);
    counts.count('health', 503, 1);
    expect(counts.listRequests()).toEqual([
      { labels: { route: 'products', status: 'none' }, value: 1 },
      { labels: { route: 'products', status: '200' }, value: 2 },
      { labels: { route: 'products', status: '304' }, value: 1 },
      { labels: { route: 'health', status: '503' }, value: 1 },
    ]);
  });

  it('are in every bucket that is not below them, and in the last for any duration', () => {
    const counts = new RequestCounts();
    for (const milliseconds of [0, 0.1, 0.11, 100, 1e6]) counts.count('products', 200, milliseconds);
    const lines = counts.listDurations().map(({ suffix, labels, value }) => [suffix, labels?.['le'], value]);
    expect(lines).toContainEqual(['_bucket', '0.0001', 2]);
    expect(lines).toContainEqual(['_bucket', '0.00025', 3]);
    expect(lines).toContainEqual(['_bucket', '0.05', 3]);
    expect(lines).toContainEqual(['_bucket', '0.1', 4]);
    expect(lines).toContainEqual(['_bucket', '10', 4]);
    expect(lines).toContainEqual(['_bucket', '+Inf', 5]);
    expect(lines).toContainEqual(['_count', undefined, 5]);
    expect(lines.find(([suffix]) => suffix === '_sum')?.[2]).toBeCloseTo(1_000.10021, 5);
  });

  it('have a route for each kind of path', () => {
    const counts = new RequestCounts();
    const routes = ['problem', 'page', 'openapi', 'status'] as const;
    for (const route of routes) counts.count(route, 200, 1);
    expect(counts.listRequests().map(({ labels }) => labels?.['route'])).toEqual(routes);
  });
});
