import { describe, expect, it } from 'vitest';
import { parseWrkOutput } from './wrk-output.ts';

const GOOD = `Running 2s test @ http://127.0.0.1:8080/
  1 threads and 16 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.05ms    1.20ms  30.00ms   98.00%
    Req/Sec    15.20k     1.10k   16.40k    75.00%
  Latency Distribution
     50%  980.00us
     75%    1.10ms
     90%    1.25ms
     99%    1.00s${' '}
  30412 requests in 2.00s, 543.10MB read
`;
const RATES = `Requests/sec:  15203.31
Transfer/sec:    271.50MB
`;

describe('the output of wrk', () => {
  it('is read as answers a second and times in milliseconds, regardless of their unit', () => {
    expect(parseWrkOutput(GOOD + RATES)).toEqual({
      requestsPerSecond: 15203.31,
      p50Ms: 0.98,
      p99Ms: 1000,
      failures: 0,
    });
  });

  it('counts statuses of 400 and more and broken connections as failures', () => {
    const text = `${GOOD}  Socket errors: connect 1, read 20, write 300, timeout 4000\n  Non-2xx or 3xx responses: 50000\n${RATES}`;
    expect(parseWrkOutput(text).failures).toBe(54_321);
  });

  it('is refused when a figure is missing', () => {
    expect(() => parseWrkOutput(GOOD)).toThrow('the output of wrk: expected requests a second, got "Running 2s test');
    expect(() => parseWrkOutput(GOOD.replace('980.00us', 'soon') + RATES)).toThrow(
      'the output of wrk: expected a time such as 1.02ms, got "soon"',
    );
  });
});
