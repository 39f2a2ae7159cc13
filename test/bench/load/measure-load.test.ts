import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { LOAD_CLIENT, measureLoad, measureOne } from './measure-load.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** wrk makes a whole second of it. */
const SECONDS = 0.3;

const CLIENTS = LOAD_CLIENT === 'wrk' ? (['own', 'wrk'] as const) : (['own'] as const);

describe.each(CLIENTS)('the client "%s"', (client) => {
  it('counts answers, and as failures those of a status of 400 and more', async () => {
    const seen = new Map<string, number>();
    const url = await listen((target) => {
      seen.set(target, (seen.get(target) ?? 0) + 1);
      return target === '/missing' ? 404 : 200;
    });
    const load = { url, targets: ['/a?b=c{d}', '/missing'], connections: 4, seconds: SECONDS };
    const { requestsPerSecond, p50Ms, p99Ms, failures } = await measureLoad(load, client);
    expect(requestsPerSecond).toBeGreaterThan(0);
    expect(p50Ms).toBeGreaterThan(0);
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
    expect([...seen.keys()].sort()).toEqual(['/a?b=c{d}', '/missing']);
    // One of the targets is missing, and they are asked for in turn; a few answers come too late to be counted.
    expect(failures).toBeGreaterThan(0);
    expect(failures).toBeLessThanOrEqual(seen.get('/missing') ?? 0);
  });

  it('takes 304 for an answer, and sends the headers it is given', async () => {
    const url = await listen((_target, headers) => (headers['if-none-match'] === '"tag"' ? 304 : 500));
    const load = { url, targets: ['/'], headers: { 'If-None-Match': '"tag"' }, connections: 1, seconds: SECONDS };
    expect((await measureLoad(load, client)).failures).toBe(0);
  });

  it('counts connections that break', async () => {
    const url = await listen(() => undefined);
    const load = { url, targets: ['/'], connections: 1, seconds: SECONDS };
    const { failures, requestsPerSecond } = await measureLoad(load, client);
    expect(failures).toBeGreaterThan(0);
    expect(requestsPerSecond).toBe(0);
  });
});

describe('one request', () => {
  it('is told as load', async () => {
    const url = await listen(() => 200);
    const { requestsPerSecond, p50Ms, failures } = await measureOne({
      url,
      targets: ['/'],
      connections: 1,
      seconds: 1,
    });
    expect(requestsPerSecond * p50Ms).toBeCloseTo(1000);
    expect(failures).toBe(0);
  });
});

/** A server that answers with a status, or breaks the connection where there is none. */
async function listen(
  answer: (target: string, headers: Readonly<Record<string, unknown>>) => number | undefined,
): Promise<string> {
  server = createServer((request, response) => {
    const status = answer(request.url ?? '', request.headers);
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status).end(status === 304 ? undefined : 'text');
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
