import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { serve } from '../contract/serve.ts';
import { isMissing, tool } from '../fault/needs.ts';

describe('the metrics of a server', () => {
  it.skipIf(isMissing('the conventions of metrics', tool('promtool')))('pass promtool check metrics', async () => {
    let metricsUrl = '';
    const log = (entry: { readonly event: string; readonly url?: unknown }): void => {
      if (entry.event === 'metrics-listening') metricsUrl = String(entry.url);
    };
    const server = await serve({ start: { metricsPort: 0, log } });
    await server.ask('/deals/v1/products/');
    await server.ask('/deals/v1/products/?x=1');
    const text = await (await fetch(metricsUrl)).text();
    expect(text).toContain('deals_snapshot_sources{state="carried-forward"} 0');
    expect(text).toContain('deals_http_requests_total{route="products",status="400"} 1');
    // It says nothing when there is nothing to say.
    expect(execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('');
    await server.close();
  });
});
