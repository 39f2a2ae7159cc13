import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../contract/serve.ts';
import { byTier } from '../tier.ts';
import { openLoadClient, writeRequest } from './load.ts';
import { SHORT, writePlenty, type PlentyStore } from './plenty.ts';
import { countDescriptors, serveProgram, type ServingProgram } from '../running-program.ts';

/** Ten seconds, what the looks at them are apart, and room for a machine that is shared. */
const DEADLINE_MS = 40_000;
const PIPELINING = byTier({ first: 10, second: 60, long: 200 });
const SILENT = byTier({ first: 200, second: 3_900, long: 3_900 });
/** Fewer than the system keeps for a server that has not accepted them yet. */
const ASKING = 400;

describe('who has no key', () => {
  let plenty: PlentyStore;
  let program: ServingProgram;
  beforeAll(async () => {
    plenty = await writePlenty(1);
    program = await serveProgram({ ...plenty, hasProbe: true, args: ['--access-log', 'off'] });
  });
  afterAll(async () => {
    await program.stop();
    plenty.remove();
  });

  const sockets: Socket[] = [];
  /** Connects, and closes nothing by itself. */
  const come = (count: number, text: string): void => {
    const { hostname, port } = new URL(program.url);
    for (let i = 0; i < count; i++) {
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).on('error', () => undefined);
      if (text !== '') socket.pause().write(text);
      else socket.resume();
      sockets.push(socket);
    }
  };
  const leave = (): void => sockets.splice(0).forEach((socket) => void socket.destroy());
  const isServed = (): Promise<boolean> =>
    fetch(program.url + SHORT, {
      headers: { 'x-api-key': plenty.key, connection: 'close' },
      signal: AbortSignal.timeout(2_000),
    }).then(
      ({ status }) => status === 200,
      () => false,
    );

  it.each(['/docs/', '/explore/', '/openapi.json', '/problems/', '/health/ready', '/nothing', '/deals/v1/products/'])(
    'and asks for %s again and again without reading costs little, and is cut off',
    async (path) => {
      const before = {
        memory: await program.memory(),
        sockets: countDescriptors(program.pid, 'socket'),
        all: countDescriptors(program.pid),
      };
      come(PIPELINING, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20_000));
      // Some are cut off at once, since all of them have more requests waiting than there may be.
      await until(async () => countDescriptors(program.pid, 'socket') > before.sockets);
      await sleep(2_000);
      // What came in the first packets has been read by then.
      await until(isServed);
      const { rss } = await program.memory();
      expect((rss - before.memory.rss) / 1e6).toBeLessThan(150);
      await until(async () => countDescriptors(program.pid, 'socket') <= before.sockets, DEADLINE_MS);
      await until(async () => countDescriptors(program.pid) <= before.all);
      leave();
    },
    120_000,
  );

  it('and says nothing keeps no place beyond the ten seconds for a head', async () => {
    const before = countDescriptors(program.pid, 'socket');
    come(SILENT, '');
    await until(async () => sockets.every(({ connecting }) => !connecting), DEADLINE_MS);
    expect(countDescriptors(program.pid, 'socket')).toBeGreaterThan(before);
    await until(async () => countDescriptors(program.pid, 'socket') <= before, DEADLINE_MS);
    expect(await isServed()).toBe(true);
    leave();
  }, 120_000);

  it.each(['/nothing', '/problems/', '/docs/', '/health/live'])(
    'and asks for %s over hundreds of connections keeps no other client waiting for a connection',
    async (path) => {
      const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
      let readCount = 0;
      come(ASKING, '');
      for (const socket of sockets) {
        socket.write(request);
        socket.on('data', () => {
          readCount++;
          socket.write(request);
        });
      }
      const { status } = await fetch(program.url + SHORT, {
        headers: { 'x-api-key': plenty.key, connection: 'close' },
      });
      expect(status).toBe(200);
      expect(readCount).toBeGreaterThan(0);
      // Each of them has had a few answers meanwhile, not hundreds.
      expect(readCount).toBeLessThan(10 * ASKING);
      leave();
    },
    120_000,
  );

  it('refuses no client that has one, however often the description is asked for', async () => {
    const [crowd, client] = [await openLoadClient(), await openLoadClient()];
    const flood = writeRequest('/openapi.json', '').replace('identity', 'br');
    const task = { url: program.url, seconds: byTier({ first: 3, second: 10, long: 60 }) };
    const flooding = crowd.run({ ...task, request: flood, connections: 400 });
    await sleep(500);
    const result = await client.run({
      ...task,
      request: writeRequest(SHORT, plenty.key),
      connections: 8,
      perSecond: 40,
    });
    await flooding;
    crowd.close();
    client.close();
    expect(result.good.length).toBeGreaterThan(0);
    expect([result.shed, result.otherStatus, result.lost]).toEqual([0, 0, 0]);
  }, 120_000);
});
