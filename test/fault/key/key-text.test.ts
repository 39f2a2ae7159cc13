import { execFileSync } from 'node:child_process';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../contract/serve.ts';
import { isMissing, tool } from '../needs.ts';
import { TIER } from '../tier.ts';
import { ask, createKey, startProgram, type RunningProgram } from '../running-program.ts';

const TARGET = '/deals/v1/products/?expand=products(cheapestDeal)';

/** What is searched for: a key is known by any long part of what follows its prefix. */
const secretOf = (key: string): string => key.slice(10, 34);

/** Sends bytes as they are and resolves to all that comes back. */
function send(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => (received += text));
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('error', () => undefined).on('close', () => resolve(received));
  });
}

/** Every way to send a key, right and wrong. */
const waysToSend = (key: string): readonly (readonly [string, string])[] => {
  const close = 'Host: a\r\nConnection: close\r\n\r\n';
  const header = `x-api-key: ${key}\r\n`;
  return [
    ['as it should be', `GET ${TARGET} HTTP/1.1\r\n${header}${close}`],
    ['once more, when the answer is cached', `GET ${TARGET} HTTP/1.1\r\n${header}${close}`],
    ['twice', `GET ${TARGET} HTTP/1.1\r\n${header}${header}${close}`],
    ['with a slip', `GET ${TARGET} HTTP/1.1\r\nx-api-key: ${key.slice(0, -1)}_\r\n${close}`],
    ['with a blank in it', `GET ${TARGET} HTTP/1.1\r\nx-api-key: ${key} ${key}\r\n${close}`],
    [
      'in the value of a parameter',
      `GET /deals/v1/products/?filter[networks]=eq{${key}} HTTP/1.1\r\n${header}${close}`,
    ],
    ['in the name of a parameter', `GET /deals/v1/products/?${key}=1 HTTP/1.1\r\n${header}${close}`],
    ['as a parameter', `GET /deals/v1/products/?x-api-key=${key} HTTP/1.1\r\n${close}`],
    ['as a cursor', `GET /deals/v1/products/?cursor=${key} HTTP/1.1\r\n${header}${close}`],
    ['as the id of a product', `GET /deals/v1/products/${key}/ HTTP/1.1\r\n${header}${close}`],
    ['in a path that is not there', `GET /deals/v1/${key}/ HTTP/1.1\r\n${header}${close}`],
    ['without its prefix', `GET /deals/v1/${key.slice(6)}/?x=${key.slice(6)} HTTP/1.1\r\n${header}${close}`],
    [
      'with its line encoded',
      `GET /deals/v1/${key.replace('_', '%5F')}/?sort=${key.replace('_', '%5F')} HTTP/1.1\r\n${header}${close}`,
    ],
    ['beside the interface', `GET /images/${key} HTTP/1.1\r\n${header}${close}`],
    ['as a page', `GET /problems/${key} HTTP/1.1\r\n${header}${close}`],
    ['as a method', `${key} ${TARGET} HTTP/1.1\r\n${header}${close}`],
    ['as the host', `GET ${TARGET} HTTP/1.1\r\nHost: ${key}\r\n${header}Connection: close\r\n\r\n`],
    ['as a tag', `GET ${TARGET} HTTP/1.1\r\nIf-None-Match: "${key}"\r\n${header}${close}`],
    ['as an origin', `GET ${TARGET} HTTP/1.1\r\nOrigin: https://${key}\r\n${header}${close}`],
    ['in a request that cannot be read', `GET ${TARGET}\r\n${header}\r\n`],
    ['in a header that cannot be read', `GET ${TARGET} HTTP/1.1\r\n${header}x y: ${key}\r\n${close}`],
    ['in headers that are too long', `GET ${TARGET} HTTP/1.1\r\n${header}Cookie: ${key.repeat(1_000)}\r\n${close}`],
    ['in a target that is too long', `GET /${key.repeat(300)} HTTP/1.1\r\n${header}${close}`],
    [
      'in a preflight',
      `OPTIONS ${TARGET} HTTP/1.1\r\nOrigin: https://shop.example\r\nAccess-Control-Request-Method: GET\r\n${header}${close}`,
    ],
  ];
};

describe('the text of a key (D16)', () => {
  let program: RunningProgram;
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
      const answer = await send(program.url, bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
      const isInIt = answer.includes(secretOf(program.key));
      expect([`sent ${how}: ${isInIt ? answer : ''}`, isInIt]).toEqual([`sent ${how}: `, false]);
    }
  });

  it('is in no line of the log, which tells of every request by the name of its key', async () => {
    for (const [, bytes] of waysToSend(program.key)) await send(program.url, bytes);
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
    for (const [, bytes] of waysToSend(program.key)) await send(program.url, bytes);
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
    const program = await startProgram({ shell: 'ulimit -c unlimited' });
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
