import { execFileSync } from 'node:child_process';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../harness.ts';
import { RawSocket } from '../../support/raw-socket.ts';
import { isMissing, tool } from '../needs.ts';
import { TIER } from '../tier.ts';
import { ask, createKey, startProgram, type RunningProgram } from '../running-program.ts';

const TARGET = '/deals/v1/products/?expand=products(cheapestDeal)';

/** What is searched for: a key is known by any long part of what follows its prefix. */
const secretOf = (key: string): string => key.slice(10, 34);

/** Sends bytes and returns everything that comes back. */
async function send(bytes: string): Promise<string> {
  const socket = new RawSocket(program.port);
  socket.send(bytes);
  await socket.untilClosed(5_000);
  socket.drop();
  return socket.received.toString('latin1');
}

/** Every way to send a key, right and wrong. */
const WAYS: readonly (readonly [how: string, first: string, ...headers: string[]])[] = [
  ['as it should be', `GET ${TARGET}`, 'x-api-key: KEY'],
  ['once more, when the response is cached', `GET ${TARGET}`, 'x-api-key: KEY'],
  ['twice', `GET ${TARGET}`, 'x-api-key: KEY', 'x-api-key: KEY'],
  ['with a typo', `GET ${TARGET}`, 'x-api-key: MOST_'],
  ['with a blank in it', `GET ${TARGET}`, 'x-api-key: KEY KEY'],
  ['in the value of a parameter', 'GET /deals/v1/products/?filter[networks]=eq{KEY}', 'x-api-key: KEY'],
  ['in the name of a parameter', 'GET /deals/v1/products/?KEY=1', 'x-api-key: KEY'],
  ['as a parameter', 'GET /deals/v1/products/?x-api-key=KEY'],
  ['as a cursor', 'GET /deals/v1/products/?cursor=KEY', 'x-api-key: KEY'],
  ['as the id of a product', 'GET /deals/v1/products/KEY/', 'x-api-key: KEY'],
  ['in an unknown path', 'GET /deals/v1/KEY/', 'x-api-key: KEY'],
  ['without its prefix', 'GET /deals/v1/BARE/?x=BARE', 'x-api-key: KEY'],
  ['with its line encoded', 'GET /deals/v1/deals%5FBARE/?sort=deals%5FBARE', 'x-api-key: KEY'],
  ['in the path of a picture', 'GET /images/KEY', 'x-api-key: KEY'],
  ['as a page', 'GET /problems/KEY', 'x-api-key: KEY'],
  ['as a method', `KEY ${TARGET}`, 'x-api-key: KEY'],
  ['as the host', `GET ${TARGET}`, 'x-api-key: KEY', 'Host: KEY'],
  ['as a tag', `GET ${TARGET}`, 'If-None-Match: "KEY"', 'x-api-key: KEY'],
  ['as an origin', `GET ${TARGET}`, 'Origin: https://KEY', 'x-api-key: KEY'],
  ['in a header that cannot be read', `GET ${TARGET}`, 'x-api-key: KEY', 'x y: KEY'],
  ['in headers that are too long', `GET ${TARGET}`, 'x-api-key: KEY', `Cookie: ${'KEY'.repeat(1_000)}`],
  ['in a target that is too long', `GET /${'KEY'.repeat(300)}`, 'x-api-key: KEY'],
  [
    'in a preflight',
    `OPTIONS ${TARGET}`,
    'Origin: https://shop.example',
    'Access-Control-Request-Method: GET',
    'x-api-key: KEY',
  ],
];

/** Every way to send a key, right and wrong, with the bytes of the request. */
function waysToSend(key: string): readonly (readonly [how: string, bytes: string])[] {
  const withKey = (text: string): string =>
    text.replaceAll('KEY', key).replaceAll('BARE', key.slice(6)).replaceAll('MOST', key.slice(0, -1));
  const ways = WAYS.map(([how, first, ...headers]): [string, string] => {
    const host = headers.some((line) => line.startsWith('Host:')) ? [] : ['Host: a'];
    const lines = [`${first} HTTP/1.1`, ...headers, ...host, 'Connection: close'];
    return [how, withKey(`${lines.join('\r\n')}\r\n\r\n`)];
  });
  return [...ways, ['in a request that cannot be read', withKey(`GET ${TARGET}\r\nx-api-key: KEY\r\n\r\n`)]];
}

let program: RunningProgram;

describe('the text of a key (D16)', () => {
  let second = '';
  beforeAll(async () => {
    program = await startProgram({
      args: ['--cors-origin', 'https://shop.example', '--rate-limit', '100000/1m'],
      nodeArgs: ['--heapsnapshot-signal=SIGUSR2'],
    });
    second = createKey(program.folder, '--name', 'holder-two');
    await until(async () => (await ask(program.url + TARGET, second)).status === 200);
  });
  afterAll(() => program.stop());

  it('is in no answer, regardless of what was sent', async () => {
    for (const [how, bytes] of waysToSend(program.key)) {
      const answer = await send(bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
      const isInIt = answer.includes(secretOf(program.key));
      expect([`sent ${how}: ${isInIt ? answer : ''}`, isInIt]).toEqual([`sent ${how}: `, false]);
    }
  });

  it('is in no line of the log, which tells of every request by the name of its key', async () => {
    for (const [, bytes] of waysToSend(program.key)) await send(bytes);
    await until(async () => (program.output().match(/"event":"request"/g) ?? []).length >= 20);
    expect(program.output()).toContain('"key":"holder-one"');
    for (const key of [program.key, second]) expect(program.output()).not.toContain(secretOf(key));
  });

  it('is not among the metrics, nor is its name', async () => {
    await ask(program.url + TARGET, program.key);
    const { status, text } = await ask(program.metricsUrl, undefined);
    expect(status).toBe(200);
    for (const hidden of [secretOf(program.key), secretOf(second), 'holder-']) {
      expect(text).not.toContain(hidden);
    }
  });

  it('is not on disk, in the list of processes, or in the environment', async () => {
    const files = readdirSync(program.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const seen = [
      ...files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')),
      readFileSync(`/proc/${program.pid}/cmdline`, 'latin1'),
      readFileSync(`/proc/${program.pid}/environ`, 'latin1'),
      isMissing('the list of processes', tool('ps')) ? '' : execFileSync('ps', ['-eo', 'args'], { encoding: 'latin1' }),
    ];
    expect(readFileSync(`/proc/${program.pid}/cmdline`, 'latin1')).toContain('serve');
    for (const text of seen) {
      for (const key of [program.key, second]) expect(text).not.toContain(secretOf(key));
    }
  });

  it('is not remembered: after a collection nothing of the heap holds it', async () => {
    for (let i = 0; i < 50; i++) await ask(program.url + TARGET, program.key);
    for (const [, bytes] of waysToSend(program.key)) await send(bytes);
    // The client keeps a connection, of which Node holds the last request: let another key be the one.
    for (let i = 0; i < 50; i++) await ask(program.url + TARGET, second);
    const heap = await takeHeapSnapshot(program);
    // The target shows that what the program does remember is found, and so would a key be.
    expect({
      hasTarget: heap.includes('products(cheapestDeal)'),
      hasKey: heap.includes(secretOf(program.key)),
    }).toEqual({ hasTarget: true, hasKey: false });
  });
});

/** The strings of the heap after a collection. */
async function takeHeapSnapshot({ pid, folder }: RunningProgram): Promise<string> {
  process.kill(pid, 'SIGUSR2');
  let file: string | undefined;
  await until(async () => {
    file = readdirSync(folder).find((name) => name.endsWith('.heapsnapshot'));
    if (file === undefined) return false;
    return readFileSync(join(folder, file), 'latin1').trimEnd().endsWith('}');
  });
  return readFileSync(join(folder, file ?? ''), 'utf8');
}

/** A core file lies where the kernel is told to put it; a test can only find it in the working directory. */
const isCoreInFolder =
  process.platform === 'linux' && /^core(\.%p)?\s*$/.test(readFileSync('/proc/sys/kernel/core_pattern', 'latin1'));
const noCore =
  TIER === 'first' || isMissing('a core file without keys', { name: 'core files', isThere: isCoreInFolder });

describe.skipIf(noCore)('a core file', () => {
  it('of a server that is at work does not hold a key that was used before', async () => {
    const program = await startProgram({ before: ['bash', '-c', 'ulimit -c unlimited; exec "$@"', 'bash'] });
    const later = createKey(program.folder, '--name', 'later');
    await until(async () => (await ask(program.url + TARGET, later)).status === 200);
    for (let i = 0; i < 20; i++) await ask(program.url + TARGET, program.key);
    // What Node read and V8 threw away is overwritten by what comes after.
    for (let i = 0; i < 400; i++) {
      await Promise.all(Array.from({ length: 50 }, () => ask(program.url + TARGET, later)));
    }
    await program.stop('SIGABRT');
    const core = readdirSync(program.folder).find((name) => name.startsWith('core'));
    const file = join(program.folder, core ?? 'no core file');
    expect(statSync(file).size).toBeGreaterThan(10_000_000);
    expect(await countIn(file, 'x-api-key')).toBeGreaterThan(0);
    expect(await countIn(file, secretOf(program.key))).toBe(0);
  }, 120_000);
});

/** How often a text is in a file that is too large to read whole. */
async function countIn(file: string, text: string): Promise<number> {
  let count = 0;
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: 4 * 1024 * 1024 })) {
    const part = rest + String(chunk);
    count += part.split(text).length - 1;
    rest = part.slice(1 - text.length);
  }
  return count;
}
