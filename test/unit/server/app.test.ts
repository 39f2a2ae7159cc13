import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../../data/query/problem.ts';
import { addKey } from '../../../server/keys/key-file.ts';
import type { LogEntry } from '../../../server/log.ts';
import { createCursors } from '../../../server/query/pagination.ts';
import { NoKeyError } from '../../../server/keys/key-file.ts';
import { startServer } from '../../../server/start.ts';
import { expectProblem } from '../../contract/expect-problem.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { until, withServer } from '../../harness.ts';
import { pictureBytes } from '../../oracle/write-snapshot.ts';

const PRODUCTS = '/deals/v1/products/';
const PICTURE = '/images/aaaaaaaaaaaaaaaa/o2-small.webp';
const ORIGIN = 'https://shop.example';

const log: LogEntry[] = [];
const server = await withServer({ log: (entry) => log.push(entry), settings: { corsOrigins: [ORIGIN] } });

/** Sends bytes as they are and reads until the server closes the connection. */
function send(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => (received += text));
    // The server may close before it has read all.
    socket.on('error', () => undefined).on('close', () => resolve(received));
    socket.write(bytes);
  });
}
const get = (target: string): Promise<string> => send(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

describe('every response', () => {
  it.each([
    '/',
    '/page.css',
    '/nothing',
    '/health/live',
    '/problems/unknown-path',
    PICTURE,
    PRODUCTS,
    `${PRODUCTS}?x=1`,
  ])('to %s has an X-Request-Id of its own, also when several come at once', async (path) => {
    const asked = await Promise.all([server.ask(path), server.ask(path), server.ask(path, { method: 'POST' })]);
    const ids = asked.map(({ headers }) => headers.get('x-request-id'));
    expect(ids).not.toContain(null);
    expect(new Set(ids).size).toBe(3);
  });
});

describe('the checks of a request', () => {
  it('come in the order of D3', async () => {
    const forged = createCursors({ content: '0123456789ab', sequence: 1 }, 'another walk')(20);
    const keyless = { headers: { 'x-api-key': null } };
    const responses = [
      await server.ask(`/deals/v2/?${'x'.repeat(9_000)}`, { ...keyless, method: 'POST' }),
      await server.ask('/deals/v2/', { ...keyless, method: 'POST' }),
      await server.ask(`${PRODUCTS}?x=1`, { ...keyless, method: 'POST' }),
      await server.ask(`${PRODUCTS}31/?x=1`, keyless),
      await server.ask(`${PRODUCTS}31/?x=1&cursor=${forged}`),
      await server.ask(`${PRODUCTS}31/?cursor=${forged}`),
      await server.ask(`${PRODUCTS}101/?cursor=${forged}`),
      await server.ask(`${PRODUCTS}101/`, { headers: { 'If-None-Match': '*' } }),
      await server.ask(`${PRODUCTS}101/`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([414, 404, 405, 401, 400, 404, 400, 304, 200]);
  });

  it.each(['/health/ready', '/problems/unknown-path', PICTURE, '/', '/page.css'])(
    'of %s are those of the interface: HEAD, OPTIONS, 405 (D2)',
    async (path) => {
      const answer = await server.ask(path, { method: 'DELETE' });
      expectProblem(answer, 'method-not-allowed');
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      const options = await server.ask(path, { method: 'OPTIONS', headers: { 'x-api-key': null } });
      expect([options.status, options.headers.get('allow'), options.text]).toEqual([204, 'GET, HEAD, OPTIONS', '']);
      const [whole, head] = [await server.ask(path), await server.ask(path, { method: 'HEAD' })];
      expect([head.status, head.text]).toEqual([whole.status, '']);
      const kept = ({ headers }: typeof whole) =>
        [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name));
      expect(kept(head)).toEqual(kept(whole));
    },
  );
});

describe('what Node cannot parse', () => {
  it.each<[string, string | Buffer, number]>([
    ['a target of 100 KB', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['a header of 100 KB', `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['garbage', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0xfc]), 400],
    ['half a line', 'GET\r\n\r\n', 400],
    ['an unknown method', 'BREW /deals/ HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['another version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two lengths', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 400],
    [
      'a length and chunks',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a line break in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\nb\r\n\r\n', 400],
  ])('gets a bare status: %s', async (_what, bytes, status) => {
    expect(statusOf(await send(bytes))).toBe(status);
    expect((await server.ask('/health/live')).status).toBe(200);
  });

  it('closes its connection: CONNECT, and nothing at all', async () => {
    expect(await send('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('');
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(server.port, '127.0.0.1', () => socket.resetAndDestroy()).on('error', () => undefined);
        await new Promise((resolve) => socket.on('close', resolve));
      }),
    );
    expect((await server.ask('/health/live')).status).toBe(200);
  });
});

describe('pictures (D19)', () => {
  it.each([
    [PICTURE, 'image/webp'],
    ['/images/aaaaaaaaaaaaaaaa/o2-small.png', 'image/png'],
    ['/images/aaaaaaaaaaaaaaaa/o2-small.jpg', 'image/jpeg'],
  ])('are sent as immutable, without a key: %s', async (path, mediaType) => {
    const answer = await server.ask(path, { headers: { 'x-api-key': null } });
    if (path !== PICTURE && answer.status === 404) return;
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': mediaType,
      'content-length': String(pictureBytes(path).length),
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(answer.text).toBe(pictureBytes(path));
    const tag = answer.headers.get('etag') ?? '';
    const unchanged = await server.ask(path, { headers: { 'If-None-Match': tag } });
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', tag]);
  });

  it.each([
    '/images/../current.json',
    '/images/..%2fcurrent.json',
    '/images/aaaaaaaaaaaaaaaa/../../keys.json',
    '/images//aaaaaaaaaaaaaaaa/o2-small.webp',
    '/images/aaaaaaaaaaaaaaaa/o2-small.webp/',
    '/images/aaaaaaaaaaaaaaaa/O2-small.webp',
    '/images/aaaaaaaaaaaaaaaa/o2-small.webp%00.png',
    '/images/aaaaaaaaaaaaaaaa',
    '/images/',
    '/current.json',
    '/..%2f..%2fpackage.json',
  ])('are the listed ones only: %s is unknown', async (path) => {
    const answer = await get(path);
    expect([statusOf(answer), answer.includes('"code":"unknown-path"')]).toEqual([404, true]);
  });

  it('that are not in the store, or of another size, are 404, may not be cached, and are logged', async () => {
    const path = '/images/aaaaaaaaaaaaaaaa/o2-large.webp';
    const file = join(server.store, path);
    for (const spoil of [() => appendFileSync(file, 'x'), () => rmSync(file)]) {
      log.length = 0;
      spoil();
      const answer = await server.ask(path);
      expectProblem(answer, 'unknown-path');
      expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null]);
      expect(log).toContainEqual({ event: 'picture-missing', path });
    }
  });

  it('of the snapshot before are there for its grace', async () => {
    const changing = await withServer();
    const products = FIXTURE.products.map((product) => ({ ...product, images: {} }));
    const { products: listed } = await changing.read<{ products: { images?: Record<string, string> }[] }>(
      `${PRODUCTS}?expand=images&limit=100`,
    );
    const urls = listed.flatMap(({ images }) => Object.values(images ?? {}));
    const path = new URL(urls.find((url) => url.includes('/images/')) ?? '').pathname;
    await changing.publish({ ...FIXTURE, products });
    expect((await changing.ask(path)).status).toBe(200);
    await changing.publish({ ...FIXTURE, products, gifts: FIXTURE.gifts.map((gift) => ({ ...gift, name: 'x' })) });
    expect((await changing.ask(path)).status).toBe(404);
  });
});

describe('pages', () => {
  it.each([
    ['/', 'text/html;charset=utf-8', '<!doctype html>'],
    ['/page.css', 'text/css', ':root'],
  ])('%s is there, whole whatever range is asked for, and 304 with its tag', async (path, mediaType, start) => {
    for (const range of ['bytes=10-5', 'bytes=-1', 'bytes=0-0', 'bytes=99999999-', 'bytes=x']) {
      const { status, headers, text } = await server.ask(path, { headers: { range } });
      expect([status, headers.get('content-type'), text.startsWith(start)]).toEqual([200, mediaType, true]);
      const unchanged = await server.ask(path, { headers: { range, 'If-None-Match': headers.get('etag') } });
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    }
  });

  it('in a folder is at its last slash', async () => {
    const moved = await get('/explore?x=1');
    expect([statusOf(moved), moved.includes('Location: /explore/?x=1\r\n')]).toEqual([308, true]);
  });

  it.each(['/index.htm', '/index', '/.git/config', '/%', '/%zz', '/page.css/x', '/INDEX.html', '//page.css', '/page'])(
    '%s is none',
    async (path) => {
      expect(statusOf(await get(path))).toBe(404);
    },
  );

  it.each(Object.keys(PROBLEMS))('/problems/%s explains the code', async (code) => {
    const { status, headers, text } = await server.ask(`/problems/${code}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(`<code>${code}</code>`);
  });

  it.each(['/problems', '/problems/nothing', '/problems/__proto__', '/PROBLEMS/unknown-path'])(
    '%s is none',
    async (path) => {
      expectProblem(await server.ask(path), 'unknown-path');
    },
  );
});

describe('a fault of ours', () => {
  it('is 500 without its cause, which goes to the log, from the cache or not; CORS holds (D17)', async () => {
    const faults: LogEntry[] = [];
    let isBroken = false;
    const broken = await withServer({
      log: (entry) => faults.push(entry),
      settings: { corsOrigins: [ORIGIN] },
      now: () => {
        if (isBroken) throw new Error('the clock stands still');
        return new Date();
      },
    });
    await broken.ask(PRODUCTS);
    isBroken = true;
    for (const target of [PRODUCTS, '/deals/v1/networks/']) {
      const answer = await broken.ask(target, { headers: { Origin: ORIGIN } });
      expect(expectProblem(answer, 'internal-error').detail).toBe('internal error');
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const requestId = answer.headers.get('x-request-id');
      expect(faults).toContainEqual({ event: 'request-failed', requestId, cause: 'the clock stands still' });
    }
    isBroken = false;
  });
});

describe('the log', () => {
  it('has a line of each request, and never a key, whatever was sent (D16)', async () => {
    log.length = 0;
    await server.ask(PRODUCTS);
    await server.ask(`${PRODUCTS}?x-api-key=${server.key}`);
    await server.ask(`/deals/v1/${server.key}`);
    await server.ask(PRODUCTS, { headers: { 'x-api-key': `${server.key}x` } });
    await send(
      `GET ${PRODUCTS} HTTP/1.1\r\n${`x-api-key: ${server.key}\r\n`.repeat(2)}Host: a\r\nConnection: close\r\n\r\n`,
    );
    await until(async () => log.filter(({ event }) => event === 'request').length === 5);
    expect(JSON.stringify(log)).not.toContain(server.key.slice(6, 30));
    const line = { event: 'request', method: 'GET', path: PRODUCTS, route: 'products', key: 'spec', finished: true };
    expect(log[0]).toMatchObject({ ...line, status: 200 });
    expect(Number(log[0]?.['bytes'])).toBeGreaterThan(200);
  });

  it('may be without requests', async () => {
    const entries: LogEntry[] = [];
    const quiet = await withServer({ log: (entry) => entries.push(entry), settings: { accessLog: false } });
    await quiet.ask(PRODUCTS);
    await quiet.close();
    expect(entries.map(({ event }) => event)).toEqual(['snapshot-taken-up']);
  });
});

it('a server without a key that can be used does not start (D16)', async () => {
  const folder = join(server.folder, 'no-keys');
  mkdirSync(folder);
  const keysFile = join(folder, 'keys.json');
  writeFileSync(keysFile, '{"keys":[]}');
  const start = { store: server.store, keysFile, host: '127.0.0.1', port: 0 };
  await expect(startServer(start)).rejects.toThrow(NoKeyError);
  await addKey(keysFile, { name: 'old', until: new Date(1) }, new Date(0));
  await expect(startServer(start)).rejects.toThrow(/expected at least one key that has not expired, found none/);
});
