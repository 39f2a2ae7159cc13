import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { compareRounds, measureInTurns, measureLoad, measureOne, parseWrkOutput, type LoadResult } from './load.ts';

const result = (requestsPerSecond: number, failures = 0): LoadResult => ({
  requestsPerSecond,
  p50Ms: 1000 / requestsPerSecond,
  p99Ms: 2000 / requestsPerSecond,
  cpuMicroseconds: 1_000 / requestsPerSecond,
  failures,
});

describe('measuring in turns', () => {
  it('reverses the order in each round, and drops the round that warms up', async () => {
    const asked: string[] = [];
    const measure = (name: string) => async () => {
      asked.push(name);
      return result(asked.length);
    };
    const rounds = await measureInTurns({ a: measure('a'), b: measure('b') }, 2);
    expect(asked).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
    expect(rounds.map(({ a, b }) => [a.requestsPerSecond, b.requestsPerSecond])).toEqual([
      [4, 3],
      [5, 6],
    ]);
  });
});

describe('comparing rounds', () => {
  const rounds = [
    { a: result(100), b: result(200) },
    { a: result(300, 2), b: result(100) },
    { a: result(80), b: result(100, 5) },
  ];
  const comparison = { what: 'a against b', one: 'a', other: 'b', target: '>= 0.5' } as const;

  it('gives the median of the ratios of the rounds with its spread, not the ratio of the medians', () => {
    expect(compareRounds(rounds, comparison)).toMatchObject({ reached: 0.8, lowest: 0.5, highest: 3 });
    expect(compareRounds(rounds.slice(0, 2), comparison).reached).toBe(1.75);
  });

  it('compares the processor time of a request', () => {
    const line = compareRounds(rounds.slice(0, 1), { ...comparison, figure: 'cpuMicroseconds', target: '<= 1.5' });
    expect(line).toMatchObject({ reached: 2, isMet: false, note: '10 against 5.0 µs of the processor' });
  });

  it('meets no target if a request failed', () => {
    expect(compareRounds(rounds, comparison)).toMatchObject({
      isMet: false,
      note: '100 against 100 a second; 7 requests failed',
    });
    expect(compareRounds(rounds.slice(0, 1), comparison).isMet).toBe(true);
  });

  it('fails without rounds, and with a round without responses', () => {
    const silent = { a: result(100), b: result(0) };
    expect(() => compareRounds([...rounds, silent], comparison)).toThrow('b: expected a response in every round');
    expect(() => compareRounds([] as typeof rounds, comparison)).toThrow(RangeError);
  });
});

const WRK = `Running 2s test @ http://127.0.0.1:8080/
  1 threads and 16 connections
  Latency Distribution
     50%  980.00us
     99%    1.00s${' '}
  30412 requests in 2.00s, 543.10MB read
  Socket errors: connect 1, read 20, write 300, timeout 4000
  Non-2xx or 3xx responses: 50000
Requests/sec:  15203.31
`;

describe('the output of wrk', () => {
  it('is read as requests a second, times in milliseconds and failures', () => {
    expect(parseWrkOutput(WRK)).toEqual({
      requestCount: 30_412,
      requestsPerSecond: 15203.31,
      p50Ms: 0.98,
      p99Ms: 1000,
      failures: 54_321,
    });
  });

  it('fails when a figure is missing', () => {
    expect(() => parseWrkOutput(WRK.replace('Requests/sec', ''))).toThrow('expected requests a second, got "Running');
    expect(() => parseWrkOutput(WRK.replace('980.00us', 'soon'))).toThrow('expected the 50%');
  });
});

describe('a server under load', () => {
  const serve = async (status: number | undefined, run: (url: string) => Promise<void>): Promise<void> => {
    const server = createServer((request, response) =>
      status === undefined ? request.socket.destroy() : response.writeHead(status).end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
  const load = { targets: ['/a?b=c{d}', '/e'], connections: 2, seconds: 1 };
  const { pid } = process;

  it.skipIf(spawnSync('wrk', ['-v']).error !== undefined).each([
    { status: 200, fails: false },
    { status: 304, fails: false },
    { status: 404, fails: true },
    { status: undefined, fails: true },
  ])('that responds with $status is measured', async ({ status, fails }) => {
    await serve(status, async (url) => {
      const { failures, cpuMicroseconds } = await measureLoad({ url, pid }, load);
      expect(failures > 0).toBe(fails);
      expect(cpuMicroseconds).toBeGreaterThan(0);
    });
  });

  it('that takes one request is measured', async () => {
    await serve(200, async (url) => {
      const { requestsPerSecond, p50Ms, failures } = await measureOne({ url, pid }, load);
      expect(requestsPerSecond * p50Ms).toBeCloseTo(1000);
      expect(failures).toBe(0);
    });
  });
});
