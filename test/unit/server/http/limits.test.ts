import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LoadShedder } from '../../../../server/http/limits.ts';
import type { LogEntry } from '../../../../server/log.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { until, withServer } from '../../../harness.ts';

const open = (port: number): Socket =>
  connect(port, '127.0.0.1')
    .resume()
    .on('error', () => undefined);

describe('a connection', () => {
  it.each(['/page.css', '/nothing', '/deals/v1/products/'])(
    'is closed by a request that comes before the response to %s is sent',
    async (path) => {
      const lines: LogEntry[] = [];
      const server = await withServer({ log: (entry) => lines.push(entry) });
      const socket = open(server.port);
      const pipelined = `GET ${path} HTTP/1.1\r\nHost: a\r\nx-api-key: ${server.key}\r\n\r\n`;
      socket.write(pipelined.repeat(300));
      await once(socket, 'close');
      await until(async () => lines.some(({ event }) => event === 'request'));
      // None of the others was begun.
      expect(lines.filter(({ event }) => event === 'request')).toHaveLength(1);
      expect((await server.ask('/health/live')).status).toBe(200);
    },
  );

  it('is closed as it comes beyond the limit, and the log says so once', async () => {
    const lines: LogEntry[] = [];
    const { port } = await withServer({ log: (entry) => lines.push(entry), maxConnections: 10 });
    const opened = Array.from({ length: 30 }, () => open(port));
    await until(async () => opened.filter(({ closed }) => closed).length === 20);
    expect(lines.filter(({ event }) => event === 'connections-dropped')).toEqual([
      { event: 'connections-dropped', maxConnections: 10 },
    ]);
    for (const socket of opened) socket.destroy();
  });

  it('without a request does not keep a server from stopping, nor does a client that has gone', async () => {
    const server = await withServer({
      catalogue: { ...FIXTURE, deals: Array.from({ length: 300 }, () => FIXTURE.deals).flat() },
    });
    const socket = open(server.port);
    await once(socket, 'connect');
    const asking = request(`${server.url}/deals/v1/products/?expand=deals`, { headers: { 'x-api-key': server.key } });
    asking.on('error', () => undefined).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    response.destroy();
    await server.close();
    await until(async () => socket.closed);
    expect(response.destroyed).toBe(true);
  });
});

/** Uses the processor for some time. */
function work(milliseconds: number): void {
  const before = process.cpuUsage();
  for (let used = 0; used < milliseconds * 1_000;) {
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
}
/** Lets time pass by the clock alone, as a machine does that is busy with other programs. */
const pause = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** What the last of several requests in each tick is told. */
async function runTicks(spend: (milliseconds: number) => void, ticks: number): Promise<readonly boolean[]> {
  const shedder = new LoadShedder();
  const told: boolean[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    expect(shedder.isLate()).toBe(false);
    spend(80);
    told.push(shedder.isLate());
    await nextTick();
  }
  return told;
}

describe('load shedding', () => {
  it('bears long ticks for half a second, and then refuses what is beyond 50 ms of a tick', async () => {
    const told = await runTicks(work, 12);
    expect(told.slice(0, 4)).toEqual([false, false, false, false]);
    expect(told.slice(-3)).toEqual([true, true, true]);
  });

  it('refuses nothing while other programs have the processor', async () => {
    expect(await runTicks(pause, 12)).not.toContain(true);
  });

  it('answers 503, but to cached requests and for health (D17)', async () => {
    let isLate = false;
    const server = await withServer({ shedder: { isLate: () => isLate }, metricsPort: 0 });
    for (let i = 0; i < 2; i++) expect((await server.ask('/deals/v1/networks/')).status).toBe(200);
    isLate = true;
    const paths = ['/deals/v1/networks/', '/health/live', '/health/ready', '/deals/v1/gifts/', '/docs/'];
    const statuses = await Promise.all(paths.map(async (path) => (await server.ask(path)).status));
    expect(statuses).toEqual([200, 200, 200, 503, 503]);
    expect(await (await fetch(server.metricsUrl ?? '')).text()).toContain('deals_shed_requests_total 2\n');
  });
});
