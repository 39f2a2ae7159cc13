import { describe, expect, it } from 'vitest';
import { RequestCounts } from '../../../../server/metrics/counters.ts';

describe('the metrics of a server', () => {
  it('have a route for everything that is answered', () => {
    const counts = new RequestCounts();
    for (const route of ['openapi', 'status', 'page', 'problem'] as const) counts.count(route, 200, 1);
    expect(counts.listRequests().map(({ labels }) => labels?.['route'])).toEqual([
      'problem',
      'page',
      'openapi',
      'status',
    ]);
  });
});
