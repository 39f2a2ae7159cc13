import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../support/random.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { withServer, type TestServer } from '../../harness.ts';
import { RawSocket, statusesOf } from '../../support/raw-socket.ts';
import { byTier } from '../tier.ts';
import { randomBytes } from './random-bytes.ts';

const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const COUNT = byTier({ first: 600, second: 20_000, long: 1_000_000 });
const TIMEOUT_MS = byTier({ first: 120_000, second: 900_000, long: 24 * 3_600_000 });

/** So many connections at a time, and after them a sound request. */
const AT_ONCE = 40;
const DEADLINE_MS = 15_000;

const failed: unknown[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await withServer({
    shedder: { isLate: () => false },
    log: (entry) => entry.event === 'request-failed' && failed.push(entry),
  });
});
afterAll(() => server.close());

/** What is wrong with what came back, or undefined. */
async function faultOf(at: number, port: number): Promise<string | undefined> {
  const sent = randomBytes(createRandom(SEED + at * 7_919), FIXTURE, server.key);
  const socket = new RawSocket(port);
  await socket.sendAll(sent);
  socket.finish();
  const isClosed = await socket.untilClosed(DEADLINE_MS);
  socket.drop();
  const bytes = socket.received;
  const statuses = statusesOf(bytes);
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  const told = `${at}: ${JSON.stringify(Buffer.concat(sent).toString('latin1').slice(0, 2_000))}`;
  if (!isClosed) return `${told}: neither answered to the end nor closed`;
  // Nothing here has to be not implemented: the method, the version and the coding are all refused as they are read.
  if (statuses.some((status) => status >= 500)) return `${told}: ${bytes.toString('latin1').slice(0, 500)}`;
  // Node does not answer a client that has ended its side meanwhile, which may have its interim answer by then.
  const isAnswer = statuses.length > 0 || /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?$/.test(bytes.toString('latin1'));
  if (!isAnswer) return `${told}: not an answer: ${bytes.toString('latin1', 0, 500)}`;
  return undefined;
}

const counts = new Map<number, number>();

describe('no bytes on a connection', () => {
  it(
    `end the server, are answered by a fault of it, or keep it from answering the next (${COUNT}, FAULT_SEED=${SEED})`,
    async () => {
      const { port } = server;
      const sound = `GET /deals/v1/networks/ HTTP/1.1\r\nHost: a\r\nx-api-key: ${server.key}\r\nConnection: close\r\n\r\n`;
      for (let first = 0; first < COUNT; first += AT_ONCE) {
        const numbers = Array.from({ length: Math.min(AT_ONCE, COUNT - first) }, (_, offset) => first + offset);
        const faults = await Promise.all(numbers.map((at) => faultOf(at, port)));
        expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
        const next = new RawSocket(port);
        next.send(sound);
        expect(await next.statuses(1, DEADLINE_MS)).toEqual([200]);
        next.drop();
      }
      expect(failed).toEqual([]);
      const figures = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
      process.stderr.write(`answers to ${COUNT} sequences of bytes: ${figures.join(', ')} (FAULT_SEED=${SEED})\n`);
    },
    TIMEOUT_MS,
  );
});
