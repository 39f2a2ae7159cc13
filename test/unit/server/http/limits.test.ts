import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
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
