import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OracleCatalogue } from '../../oracle/catalogue.ts';
import { damageBytes } from '../../support/damage-bytes.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { withServer, type TestServer } from '../../harness.ts';
import { RawSocket, statusesOf } from '../../support/raw-socket.ts';
import { byTier } from '../tier.ts';
import { randomTarget } from './random-target.ts';

const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const COUNT = byTier({ first: 600, second: 20_000, long: 1_000_000 });
const TIMEOUT_MS = byTier({ first: 120_000, second: 900_000, long: 24 * 3_600_000 });

/** So many connections at a time, and after them a sound request. */
const AT_ONCE = 40;
const DEADLINE_MS = 15_000;

const METHODS = [...'GET GET GET HEAD OPTIONS POST CONNECT TRACE PRI get'.split(' '), 'G\0T', '', 'X'.repeat(300)];
const VERSIONS = [...'HTTP/1.1 HTTP/1.1 HTTP/1.1 HTTP/1.0 HTTP/2.0 HTTP/0.9 HTTP/1. http/1.1 HTTP/9.9'.split(' '), ''];
const LINE_ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n', '\n\r'];

const LINE_ENDS_AS_BYTES = LINE_ENDS.map((end) => Buffer.from(end));

/** Values of headers, separated by bars. */
const VALUES: Readonly<Record<string, string>> = {
  Host: 'a|a||a b|c|a, b|\u00ff',
  ' Host': 'a',
  'Host ': 'a',
  'Content-Length': '0|5|-1|+5|5, 5|99999999999999999999|0x5|5\r\nContent-Length: 6',
  'Transfer-Encoding': 'chunked|gzip, chunked|identity|chunked, chunked|\u000bchunked',
  'Transfer-Encoding ': 'chunked',
  TE: 'trailers',
  Expect: '100-continue|nonsense',
  Upgrade: 'websocket|h2c',
  Connection: 'Upgrade|close|keep-alive|close, keep-alive',
  'Keep-Alive': 'timeout=0',
  'If-None-Match': `*|"|${'"a",'.repeat(2_000)}`,
  Range: 'bytes=0-|bytes=9-1,-5',
  'Accept-Encoding': `br;q=2|\u0000|${'a,'.repeat(2_000)}`,
  Origin: 'null|https://x\u0080',
  __proto__: '1',
  '': 'nothing',
  'a\u0000b': 'c',
  a: 'b\u0000c|b\rc|\r\n b|\u00e9',
  x: 'y'.repeat(40_000),
  ['x'.repeat(40_000)]: 'y',
  'x-api-key': 'deals_x|',
};
const LINES: readonly string[] = [
  'no colon',
  'x: y\r\n'.repeat(3_000).trimEnd(),
  ...Object.entries(VALUES).flatMap(([name, values]) => values.split('|').map((value) => `${name}: ${value}`)),
];

const BODIES: readonly string[] = [
  ...'|||abcde|5\r\nabcde\r\n0\r\n\r\n|0\r\n\r\n|zz\r\n|-1\r\n|5\r\nab|5\nabcde\n0\n\n'.split('|'),
  '5\r\nabcde\r\n0\r\nTrailer: x\r\nHost: b\r\n\r\n',
  'fffffffffffffffff\r\n',
  '5;ext=1\r\nabcde\r\n0\r\n\r\n',
  '5\r\nabcdeX0\r\n\r\n',
  `5;${'x'.repeat(20_000)}\r\nabcde\r\n0\r\n\r\n`,
  `0\r\n${'T: x\r\n'.repeat(3_000)}\r\n`,
];

/** Openings of other protocols. */
const FOREIGN: readonly Buffer[] = [
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0', 'latin1'),
  Buffer.from('16030100c8010000c40303', 'hex'),
  Buffer.from('SSH-2.0-x\r\n'),
  Buffer.from('PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n'),
  Buffer.from('GET /\r\n'),
  Buffer.from('\r\n\r\n\r\n'),
  Buffer.alloc(5_000),
  Buffer.alloc(50_000, 'A'),
  Buffer.from('RTSP/1.0 OPTIONS * \r\n\r\n'),
];

/** What a client sends on a connection, in one packet or several. `key` goes into many requests. */
function randomBytes(random: Random, catalogue: OracleCatalogue, key: string): readonly Buffer[] {
  let bytes = random.isLikely(0.08)
    ? random.pick(FOREIGN)
    : Buffer.concat(
        Array.from({ length: random.pick([1, 1, 1, 2, 3, 20]) }, () => randomRequest(random, catalogue, key)),
      );
  for (let damages = random.pick([0, 0, 0, 1, 1, 3, 20]); damages > 0; damages--)
    bytes = damageBytes(random, bytes, LINE_ENDS_AS_BYTES);
  return cut(random, bytes);
}

function randomRequest(random: Random, catalogue: OracleCatalogue, key: string): Buffer {
  const method = random.isLikely(0.8) ? random.pick(['GET', 'HEAD']) : random.pick(METHODS);
  const places =
    '/deals/v1/products/ / /page.css /health/live /health/ready /problems/overloaded /images/x * a:1'.split(' ');
  const target = random.isLikely(0.4) ? randomTarget(random, catalogue) : random.pick(places);
  const lines = [
    `${method} ${target} ${random.isLikely(0.9) ? 'HTTP/1.1' : random.pick(VERSIONS)}`,
    ...random.some(LINES, random.pick([0, 0, 0.02, 0.1])),
  ];
  if (random.isLikely(0.95)) lines.push('Host: a');
  if (random.isLikely(0.9)) lines.push(`x-api-key: ${key}`);
  const end = random.isLikely(0.9) ? '\r\n' : random.pick(LINE_ENDS);
  return Buffer.from(
    `${lines.join(end)}${end}${random.isLikely(0.98) ? end : ''}${random.isLikely(0.8) ? '' : random.pick(BODIES)}`,
    'latin1',
  );
}

function cut(random: Random, bytes: Buffer): readonly Buffer[] {
  if (random.isLikely(0.7) || bytes.length < 2) return [bytes];
  const places = Array.from({ length: random.pick([1, 1, 3]) }, () => random.below(bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((place, at) => bytes.subarray(place, places[at]));
}

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
