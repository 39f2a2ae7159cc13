import type { OracleCatalogue } from '../../oracle/catalogue.ts';
import { damageBytes } from '../../support/damage-bytes.ts';
import type { Random } from '../../support/random.ts';
import { randomTarget } from './random-target.ts';

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
export function randomBytes(random: Random, catalogue: OracleCatalogue, key: string): readonly Buffer[] {
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
