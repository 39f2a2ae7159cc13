import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../harness.ts';
import { byTier } from '../tier.ts';
import { openLoadClient, writeRequest } from './load.ts';
import { SHORT, writePlenty, type PlentyStore } from './plenty.ts';
import { countDescriptors, serveProgram, type ServingProgram } from '../running-program.ts';

/** Ten seconds, what the looks at them are apart, and room for a machine that is shared. */
const DEADLINE_MS = 40_000;
const PIPELINING = byTier({ first: 300, second: 1_000, long: 3_900 });
const PIPELINED = 299;
const SILENT = byTier({ first: 200, second: 3_900, long: 3_900 });
/** Fewer than the system keeps for a server that has not accepted them yet. */
const ASKING = 400;
const MAX_BYTES_EACH = 64 * 1024;
/** A container is called unhealthy after a second or more. */
const MAX_HEALTH_MS = 1_000;

describe('who has no key', () => {
  let plenty: PlentyStore;
  let program: ServingProgram;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    plenty = await writePlenty(1);
    program = await serveProgram({ ...plenty, hasProbe: true, args: ['--access-log', 'off'] });
  });
  afterEach(() => sockets.splice(0).forEach((socket) => void socket.destroy()));
  afterAll(async () => {
    await program.stop();
    plenty.remove();
  });

  /** Connects, and closes nothing by itself. */
  const come = (count: number, text: string): void => {
    for (let i = 0; i < count; i++) {
      const socket = connect({ port: program.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined);
      if (text !== '') socket.pause().write(text);
      else socket.resume();
      sockets.push(socket);
    }
  };
  const ask = async (path: string): Promise<number> => {
    const headers = { 'x-api-key': plenty.key, connection: 'close' };
    return (await fetch(program.url + path, { headers })).status;
  };

  it.each(['/docs/', '/openapi.json', '/health/ready', '/nothing', '/deals/v1/products/'])(
    `and asks for %s ${PIPELINED} times without reading, over ${PIPELINING} connections, costs little and is cut off`,
    async (path) => {
      const before = { memory: await program.memory(), sockets: countDescriptors(program.pid, 'socket') };
      let mostBytes = 0;
      come(PIPELINING, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(PIPELINED));
      await until(async () => {
        const { heapUsed, external } = await program.memory();
        mostBytes = Math.max(mostBytes, heapUsed + external - before.memory.heapUsed - before.memory.external);
        return sockets.every(({ connecting }) => !connecting);
      }, DEADLINE_MS);
      await until(async () => countDescriptors(program.pid, 'socket') <= before.sockets, DEADLINE_MS);
      expect(mostBytes / PIPELINING).toBeLessThan(MAX_BYTES_EACH);
      expect(await ask(SHORT)).toBe(200);
    },
    120_000,
  );

  it('and says nothing keeps no place beyond the ten seconds for a head', async () => {
    const before = countDescriptors(program.pid, 'socket');
    come(SILENT, '');
    await until(async () => sockets.every(({ connecting }) => !connecting), DEADLINE_MS);
    expect(countDescriptors(program.pid, 'socket')).toBeGreaterThan(before);
    await until(async () => countDescriptors(program.pid, 'socket') <= before, DEADLINE_MS);
    expect(await ask(SHORT)).toBe(200);
  }, 120_000);

  it.each(['/nothing', '/problems/', '/health/live', '/deals/v1/products/'])(
    'and asks for %s over hundreds of connections keeps nobody else waiting, least of all for health',
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
      await until(async () => readCount > ASKING);
      const times: number[] = [];
      for (let i = 0; i < 10; i++) {
        const start = performance.now();
        expect([await ask('/health/live'), await ask(SHORT)]).toEqual([200, 200]);
        times.push((performance.now() - start) / 2);
      }
      expect(times.sort((a, b) => a - b)[5]).toBeLessThan(MAX_HEALTH_MS);
    },
    120_000,
  );

  it('refuses no client that has one, however often the description is asked for', async () => {
    const [crowd, client] = [await openLoadClient(), await openLoadClient()];
    const flood = writeRequest('/openapi.json', '').replace('identity', 'br');
    const task = { url: program.url, seconds: byTier({ first: 3, second: 10, long: 60 }) };
    const flooding = crowd.run({ ...task, request: flood, connections: 400 });
    await sleep(500);
    const request = writeRequest(SHORT, plenty.key);
    const result = await client.run({ ...task, request, connections: 8, perSecond: 40 });
    await flooding;
    crowd.close();
    client.close();
    expect(result.good.length).toBeGreaterThan(0);
    expect([result.shed, result.otherStatus, result.lost]).toEqual([0, 0, 0]);
  }, 120_000);
});
