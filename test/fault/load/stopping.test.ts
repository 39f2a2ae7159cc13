import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byTier } from '../tier.ts';
import { LARGEST, SHORT, writePlenty, type PlentyStore } from './plenty.ts';
import { serveProgram } from '../running-program.ts';

const STOP_MS = 10_000;
const CONNECTIONS = 200;
/** Those who are reading something long. */
const LONG_READERS = 20;
const ROUNDS = byTier({ first: 2, second: 100, long: 1_000 });

interface Traffic {
  whole: number;
  /** Answers that began and did not end. */
  cut: number;
  /** Answers that said that they are the last. */
  last: number;
}

describe('a program that is told to stop', () => {
  let plenty: PlentyStore;
  beforeAll(async () => {
    // The longest answer is 2 MB.
    plenty = await writePlenty(100);
  });
  afterAll(() => plenty.remove());

  /** Asks again and again on one connection until it is closed. */
  async function keepAsking(url: string, target: string, traffic: Traffic): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const response = await new Promise<IncomingMessage | undefined>((resolve) => {
        const headers = { 'x-api-key': plenty.key, 'accept-encoding': 'identity' };
        get(url + target, { agent, headers }, resolve).on('error', () => resolve(undefined));
      });
      if (response === undefined) break;
      response.resume().on('error', () => undefined);
      await new Promise((resolve) => response.once('close', resolve));
      if (response.complete) traffic.whole++;
      else traffic.cut++;
      if (response.headers.connection === 'close') {
        traffic.last++;
        break;
      }
    }
    agent.destroy();
  }

  it(`cuts nothing short under ${CONNECTIONS} connections, and ends well within 10 s`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const program = await serveProgram({ ...plenty, hasProbe: true, args: ['--access-log', 'off'] });
      const traffic: Traffic = { whole: 0, cut: 0, last: 0 };
      const clients = Array.from({ length: CONNECTIONS }, (_, i) =>
        keepAsking(program.url, i < LONG_READERS ? LARGEST : SHORT, traffic),
      );
      await sleep(200 + (round % 10) * 20);
      const exited = once(program.process, 'exit');
      const toldAt = performance.now();
      program.process.kill('SIGTERM');
      const [code, signal] = (await exited) as [number | null, string | null];
      const tookMs = performance.now() - toldAt;
      await Promise.all(clients);
      expect({ round, code, signal, cut: traffic.cut }).toEqual({ round, code: 0, signal: null, cut: 0 });
      expect(traffic.whole).toBeGreaterThan(0);
      expect(traffic.last).toBeGreaterThan(0);
      expect(tookMs).toBeLessThan(STOP_MS);
    }
  }, 600_000);

  it('ends at once when it is told again', async () => {
    const program = await serveProgram({ ...plenty, hasProbe: true });
    const { hostname, port } = new URL(program.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    // A reader who keeps it from ending for as long as it may take.
    socket.pause().write(`GET ${LARGEST} HTTP/1.1\r\nHost: x\r\nx-api-key: ${plenty.key}\r\n\r\n`);
    await sleep(300);
    const exited = once(program.process, 'exit');
    program.process.kill('SIGTERM');
    await sleep(500);
    expect(program.process.exitCode).toBeNull();
    const toldAgainAt = performance.now();
    program.process.kill('SIGTERM');
    expect(await exited).toEqual([null, 'SIGTERM']);
    expect(performance.now() - toldAgainAt).toBeLessThan(1_000);
    socket.destroy();
  });
});
