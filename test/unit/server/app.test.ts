import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../../data/query/problem.ts';
import { addKey, removeKeys } from '../../../server/keys/key-file.ts';
import type { LogEntry } from '../../../server/log.ts';
import { createCursors } from '../../../server/query/pagination.ts';
import { NoKeyError } from '../../../server/start-error.ts';
import { startServer } from '../../../server/start.ts';
import { expectProblem } from '../../contract/expect-problem.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { serve, until, type TestServer } from '../../contract/serve.ts';
import { pictureBytes } from '../../oracle/write-snapshot.ts';

const PICTURE = '/images/aaaaaaaaaaaaaaaa/o2-small.webp';
const ORIGIN = 'https://shop.example';

const log: LogEntry[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await serve({ start: { log: (entry) => log.push(entry), settings: { corsOrigins: [ORIGIN] } } });
});
afterAll(() => server.close());

/** Sends bytes piece by piece and reads until the server closes the connection. */
async function send(pieces: readonly (string | Buffer)[], { port, hostname } = new URL(server.url)): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => (received += text));
    // The server may close before it has read all.
    socket.on('error', () => undefined).on('close', () => resolve(received));
    for (const piece of pieces) socket.write(piece);
  });
}
const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

describe('every answer', () => {
  it.each([
    '/',
    '/page.css',
    '/nothing',
    '/health/live',
    '/health/ready',
    '/problems/unknown-path',
    PICTURE,
    '/images/nothing.webp',
    '/deals/v1/products/',
    '/deals/v1/products/?x=1',
    '/deals/v2/',
  ])('to %s has an X-Request-Id of its own', async (path) => {
    const ids = await Promise.all([server.ask(path), server.ask(path), server.ask(path, { method: 'POST' })]);
    const found = ids.map(({ headers }) => headers.get('x-request-id'));
    expect(found).not.toContain(null);
    expect(new Set(found).size).toBe(3);
  });

  it('of the interface names the snapshot, refusals included (D18)', async () => {
    const { headers } = await server.ask('/deals/v1/products/');
    const snapshot = headers.get('x-snapshot');
    expect(snapshot).toMatch(/^20261119T/);
    for (const path of ['/deals/', '/deals/v1/products/?x=1', '/deals/v1/products/31/']) {
      expect((await server.ask(path)).headers.get('x-snapshot')).toBe(snapshot);
    }
    expect((await fetch(`${server.url}/deals/v1/products/`)).headers.get('x-snapshot')).toBe(snapshot);
  });
});

describe('the checks of a request', () => {
  it('come in the order of D3', async () => {
    const forged = createCursors('0123456789ab', 'another walk')(20);
    const long = `/deals/v2/?${'x'.repeat(9_000)}`;
    const refusals = [
      await fetch(server.url + long, { method: 'POST' }),
      await fetch(`${server.url}/deals/v2/`, { method: 'POST' }),
      await fetch(`${server.url}/deals/v1/products/?x=1`, { method: 'POST' }),
      await fetch(`${server.url}/deals/v1/products/31/?x=1`),
      await server.ask(`/deals/v1/products/31/?x=1&cursor=${forged}`),
      await server.ask(`/deals/v1/products/31/?cursor=${forged}`),
      await server.ask(`/deals/v1/products/101/?cursor=${forged}`),
      await server.ask('/deals/v1/products/101/', { headers: { 'If-None-Match': '*' } }),
      await server.ask('/deals/v1/products/101/'),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([414, 404, 405, 401, 400, 404, 400, 304, 200]);
  });

  it.each(['/deals/v1/products/', '/health/ready', '/problems/unknown-path', PICTURE])(
    '%s is read, and OPTIONS says so (D2)',
    async (path) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await server.ask(path, { method });
        expectProblem(answer, 'method-not-allowed');
        expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      }
      const options = await fetch(server.url + path, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow'), await options.text()]).toEqual([
        204,
        'GET, HEAD, OPTIONS',
        '',
      ]);
      const [get, head] = [await server.ask(path), await server.ask(path, { method: 'HEAD' })];
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      const kept = (headers: Headers) =>
        [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name));
      expect(kept(head.headers)).toEqual(kept(get.headers));
    },
  );

  it.each(['x-api-key', 'host'])('refuse the header %s twice', async (name) => {
    const twice = name === 'host' ? '' : `${name}: ${server.key}\r\n`.repeat(2);
    const hosts = name === 'host' ? 'Host: a\r\nHost: a\r\n' : 'Host: a\r\n';
    const answer = await send([`GET /deals/v1/products/ HTTP/1.1\r\n${hosts}${twice}Connection: close\r\n\r\n`]);
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain('"code":"repeated-header"');
  });
});

describe('a request without the header x-api-key', () => {
  const ask = async (query: string, headers: Record<string, string>): Promise<string> => {
    const answer = await fetch(`${server.url}/deals/v1/networks/${query}`, { headers });
    const text = await answer.text();
    expect([answer.status, text.includes('"missing-key"')]).toEqual([401, true]);
    expect(text).not.toContain(server.key);
    return (JSON.parse(text) as { detail: string }).detail;
  };

  it('is told so, and where the key belongs when it came in another place', async () => {
    expect(await ask('', {})).toBe('The request has no header x-api-key.');
    expect(await ask('?limit=1', {})).toBe('The request has no header x-api-key.');
    for (const name of ['x-api-key', 'api_key', 'apikey', 'key']) {
      expect(await ask(`?${name}=${server.key}`, {})).toContain('send it as the header x-api-key');
    }
    for (const scheme of ['Bearer', 'ApiKey']) {
      expect(await ask('', { Authorization: `${scheme} ${server.key}` })).toContain(
        'send the key as the header x-api-key',
      );
    }
  });
});

describe('what never becomes a request', () => {
  it.each<[string, (string | Buffer)[], number]>([
    ['a target of 9 KB', [`GET /${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`], 414],
    ['a target of 100 KB', [`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`], 414],
    ['a header of 100 KB', [`GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(100_000)}\r\n\r\n`], 431],
    ['garbage', [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0xfc])], 400],
    ['half a line', ['GET\r\n\r\n'], 400],
    ['an unknown method', ['BREW /deals/ HTTP/1.1\r\nHost: a\r\n\r\n'], 400],
    ['another version', ['GET / HTTP/9.9\r\nHost: a\r\n\r\n'], 400],
    ['no host', ['GET / HTTP/1.1\r\n\r\n'], 400],
    ['two lengths', ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'], 400],
    [
      'a length and chunks',
      ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
      400,
    ],
    ['a line break in a header', ['GET / HTTP/1.1\r\nHost: a\r\nX: a\nb\r\n\r\n'], 400],
  ])('%s', async (_what, pieces, status) => {
    expect(statusOf(await send(pieces))).toBe(status);
    expect((await server.ask('/health/live')).status).toBe(200);
  });

  it.each<[string, string, object]>([
    ['half a line', 'GET\r\n\r\n', { status: 400, cause: 'HPE_INVALID_METHOD' }],
    ['a long target', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, { status: 414 }],
  ])('has an X-Request-Id that the log knows: %s', async (_what, request, facts) => {
    const answer = await send([request]);
    const [, requestId] = /\r\nX-Request-Id: (\S+)\r\n/.exec(answer) ?? [];
    expect(log.find((entry) => entry['requestId'] === requestId)).toMatchObject({ event: 'request-unread', ...facts });
  });

  it('is answered with the problem of a target that is too long even for the parser (D4)', async () => {
    const answer = await send([`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`]);
    const [, requestId] = /\r\nX-Request-Id: (\S+)\r\n/.exec(answer) ?? [];
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({
      code: 'target-too-long',
      status: 414,
      instance: requestId,
    });
  });

  it('may be nothing at all', async () => {
    const { port, hostname } = new URL(server.url);
    const resets = Array.from(
      { length: 20 },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(port), hostname, () => socket.resetAndDestroy());
          socket.on('close', () => resolve()).on('error', () => undefined);
        }),
    );
    await Promise.all(resets);
    expect((await server.ask('/health/live')).status).toBe(200);
  });
});

describe('CORS (D21)', () => {
  const EXPOSED = 'Link, X-Total-Count, ETag, X-Snapshot, X-Request-Id, Retry-After';

  it('lets the origins that were set read answers, refusals and faults', async () => {
    for (const path of ['/deals/v1/products/', '/deals/v1/products/?x=1', '/deals/v2/', PICTURE]) {
      const { headers } = await server.ask(path, { headers: { Origin: ORIGIN } });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, ORIGIN]);
      expect(headers.get('access-control-expose-headers')).toBe(EXPOSED);
      expect(headers.get('vary')?.split(', ')).toContain('Origin');
    }
  });

  it('lets no other read, and tells caches apart all the same', async () => {
    for (const origin of ['https://evil.example', 'null', `${ORIGIN}.evil.example`, 'HTTPS://SHOP.EXAMPLE']) {
      const { headers } = await server.ask('/deals/v1/products/', { headers: { Origin: origin } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('vary')).toBe('Origin, Accept-Encoding');
    }
  });

  it('answers a preflight without a key', async () => {
    const answer = await fetch(`${server.url}/deals/v1/products/`, {
      method: 'OPTIONS',
      headers: { Origin: ORIGIN, 'Access-Control-Request-Method': 'GET' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-headers')).toBe('x-api-key, if-none-match');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
  });

  it('lets in the pages of this machine on any port, and no other host, where localhost is named', async () => {
    const local = await serve({ start: { settings: { corsOrigins: ['localhost', ORIGIN] } } });
    const allowed = async (origin: string) => {
      const { headers } = await local.ask('/deals/v1/products/', { headers: { Origin: origin } });
      expect(headers.get('vary')).toBe('Origin, Accept-Encoding');
      return headers.get('access-control-allow-origin');
    };
    const ours = ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]:8000', 'http://localhost', ORIGIN];
    const others = [
      'https://localhost:5173',
      'http://localhost.example:80',
      'http://localhost:5173.example',
      'http://127.0.0.1.example',
      'http://a@localhost:80',
      'http://localhost:5173/',
      'http://localhost:',
      'http://localhost:123456',
      'null',
    ];
    // Twice: an answer that is remembered must not be that for another origin.
    for (const origin of [...ours, ...ours]) expect(await allowed(origin)).toBe(origin);
    for (const origin of [...others, ...others]) expect([origin, await allowed(origin)]).toEqual([origin, null]);
    await local.close();
  });

  it('is off unless it is set, and may be for any origin', async () => {
    const off = await serve();
    const any = await serve({ start: { settings: { corsOrigins: ['*'] } } });
    const read = async (asked: TestServer) =>
      (await asked.ask('/deals/v1/products/', { headers: { Origin: ORIGIN } })).headers;
    const [offHeaders, anyHeaders] = [await read(off), await read(any)];
    expect([...offHeaders.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(offHeaders.get('vary')).toBe('Accept-Encoding');
    expect(anyHeaders.get('access-control-allow-origin')).toBe('*');
    await Promise.all([off.close(), any.close()]);
  });
});

describe('pictures (D19)', () => {
  it('are sent as immutable, without a key', async () => {
    const answer = await fetch(server.url + PICTURE);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(pictureBytes(PICTURE).length),
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(await answer.text()).toBe(pictureBytes(PICTURE));
    const unchanged = await fetch(server.url + PICTURE, {
      headers: { 'If-None-Match': answer.headers.get('etag') ?? '' },
    });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    expect(unchanged.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['jpg', 'image/jpeg'],
    ['png', 'image/png'],
  ])('.%s is %s', async (format, mediaType) => {
    const { products } = await server.read('/deals/v1/products/?filter[id]=eq{101}&expand=images');
    const images = products[0]?.['images'] as Record<string, string>;
    const url = Object.values(images).find((candidate) => candidate.endsWith(format)) ?? '';
    const answer = await fetch(server.url + new URL(url).pathname);
    expect(answer.headers.get('content-type')).toBe(mediaType);
  });

  it.each([
    '/images/../current.json',
    '/images/..%2fcurrent.json',
    '/images/%2e%2e/current.json',
    '/images/aaaaaaaaaaaaaaaa/../../keys.json',
    '/images//aaaaaaaaaaaaaaaa/o2-small.webp',
    '/images/aaaaaaaaaaaaaaaa/o2-small.webp/',
    '/images/aaaaaaaaaaaaaaaa/O2-small.webp',
    '/images/aaaaaaaaaaaaaaaa/o2-small.webp%00.png',
    '/images/aaaaaaaaaaaaaaaa',
    '/images/',
    '/keys.json',
    '/../keys.json',
    '/..%2f..%2fpackage.json',
    '/current.json',
  ])('are the listed ones only: %s is unknown', async (path) => {
    const answer = await send([`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`]);
    expect(statusOf(answer)).toBe(404);
    expect(answer).toContain('"code":"unknown-path"');
  });

  it('that are not in the store, or not as listed, are 404, may not be cached, and are logged', async () => {
    const path = '/images/aaaaaaaaaaaaaaaa/o2-large.webp';
    const file = join(server.store, path);
    const spoils = [
      ['picture-damaged', () => appendFileSync(file, 'x')],
      ['picture-damaged', () => writeFileSync(file, pictureBytes(path).replace('bytes', 'bites'))],
      ['picture-missing', () => rmSync(file)],
    ] as const;
    for (const [event, spoil] of spoils) {
      log.length = 0;
      spoil();
      const answer = await server.ask(path);
      expectProblem(answer, 'unknown-path');
      expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null]);
      expect(log).toContainEqual({ event, path });
    }
  });

  it('of the snapshot before are still there in the grace period', async () => {
    const changing = await serve();
    const { products, ...rest } = FIXTURE;
    const bare = products.map((product) => ({ ...product, images: {} }));
    const path = new URL(
      Object.values(
        (await changing.read('/deals/v1/products/?expand=images&limit=100')).products
          .map(({ images }) => images as Record<string, string>)
          .find((images) => images['largeFrontImageWebp']?.includes('/images/')) ?? {},
      )[0] ?? '',
    ).pathname;
    await changing.publish({ ...rest, products: bare });
    expect((await changing.ask(path)).status).toBe(200);
    await changing.publish({ ...rest, products: bare, gifts: rest.gifts.map((gift) => ({ ...gift, name: 'x' })) });
    expect((await changing.ask(path)).status).toBe(404);
    await changing.close();
  });
});

describe('pages', () => {
  it.each([
    ['/', 'text/html;charset=utf-8', '<!doctype html>'],
    ['/page.css', 'text/css', ':root'],
  ])('%s is there, for HEAD too', async (path, mediaType, start) => {
    const answer = await fetch(server.url + path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, mediaType]);
    expect((await answer.text()).startsWith(start)).toBe(true);
    const head = await fetch(server.url + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const unchanged = await fetch(server.url + path, {
      headers: { 'If-None-Match': answer.headers.get('etag') ?? '' },
    });
    expect(unchanged.status).toBe(304);
  });

  it.each(['bytes=10-5', 'bytes=-1', 'bytes=0-0', 'bytes=99999999-', 'bytes=x'])(
    'are whole regardless of the range: %s',
    async (range) => {
      const answer = await fetch(`${server.url}/`, { headers: { Range: range } });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('</html>');
    },
  );

  it.each(['/', '/page.css'])('%s cannot be posted to', async (path) => {
    const answer = await server.ask(path, { method: 'POST' });
    expectProblem(answer, 'method-not-allowed');
    expect((await server.ask(path, { method: 'OPTIONS' })).status).toBe(204);
  });

  it.each(['/index.htm', '/.git/config', '/%', '/%zz', '/page.css/x', '/INDEX.html', '//page.css'])(
    '%s is none',
    async (path) => {
      expect(statusOf(await send([`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`]))).toBe(404);
    },
  );

  it.each(Object.keys(PROBLEMS))('/problems/%s explains the code', async (code) => {
    const answer = await fetch(`${server.url}/problems/${code}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain(`<code>${code}</code>`);
  });

  it.each(['/problems', '/problems/nothing', '/problems/__proto__', '/PROBLEMS/unknown-path'])(
    '%s is none',
    async (path) => {
      expectProblem(await server.ask(path), 'unknown-path');
    },
  );
});

describe('a fault of ours', () => {
  it('is 500 without its cause, which goes to the log; CORS holds, and nothing may be cached (D17)', async () => {
    const spoiled = '/images/cccccccccccccccc/spoiled.webp';
    const faults: LogEntry[] = [];
    const broken = await serve({
      start: {
        log: (entry) => faults.push(entry),
        settings: { corsOrigins: [ORIGIN] },
        now: () => {
          if (faults.some(({ event }) => event === 'break')) throw new Error('the clock stands still');
          return new Date();
        },
      },
    });
    faults.push({ event: 'break' });
    const answer = await broken.ask('/deals/v1/products/', { headers: { Origin: ORIGIN } });
    const problem = expectProblem(answer, 'internal-error');
    expect(problem.detail).toBe('internal error');
    expect(answer.text).not.toContain('clock');
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(faults.find(({ event }) => event === 'request-failed')).toMatchObject({
      requestId: answer.headers.get('x-request-id'),
      cause: 'the clock stands still',
    });
    expect((await broken.ask(spoiled)).status).toBe(404);
    faults.splice(0);
    await broken.close();
  });
});

describe('keys over HTTP (D16)', () => {
  it('are taken up and dropped without a restart', async () => {
    const changing = await serve();
    const target = `${changing.url}/deals/v1/networks/`;
    const statusWith = async (key: string) => (await fetch(target, { headers: { 'x-api-key': key } })).status;
    const { keyText, entry } = await addKey(changing.keysFile, { name: 'second' }, new Date());
    await until(async () => (await statusWith(keyText)) === 200);
    expect(await statusWith(changing.key)).toBe(200);
    await removeKeys(changing.keysFile, ({ id }) => id === entry.id);
    await until(async () => (await statusWith(keyText)) === 401);
    // A file that cannot be read leaves the keys as they are.
    writeFileSync(changing.keysFile, '{');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await statusWith(changing.key)).toBe(200);
    await changing.close();
  });

  it('are never in the log, regardless of what was sent', async () => {
    const target = '/deals/v1/products/';
    await server.ask(target);
    await server.ask(`${target}?x-api-key=${server.key}`);
    await server.ask(`${target}?${server.key}=1`);
    await server.ask(target, { headers: { 'x-api-key': `${server.key}x` } });
    await send([
      `GET ${target} HTTP/1.1\r\nx-api-key: ${server.key}\r\nx-api-key: ${server.key}\r\nHost: a\r\nConnection: close\r\n\r\n`,
    ]);
    await send([`GET ${target}\r\nx-api-key: ${server.key}\r\n\r\n`]);
    await until(async () => log.filter(({ event }) => event === 'request').length > 5);
    expect(log.length).toBeGreaterThan(5);
    expect(JSON.stringify(log)).not.toContain(server.key.slice(6, 30));
    expect(log).toContainEqual(expect.objectContaining({ event: 'request', key: 'spec', status: 200, finished: true }));
  });

  it('must be there at all, or the server does not start', async () => {
    const folder = join(server.store, 'no-keys');
    mkdirSync(folder);
    const keysFile = join(folder, 'keys.json');
    writeFileSync(keysFile, '{"keys":[]}');
    const start = { store: server.store, keysFile, host: '127.0.0.1', port: 0 };
    await expect(startServer(start)).rejects.toThrow(NoKeyError);
    await addKey(keysFile, { name: 'old', until: new Date(1) }, new Date(0));
    await expect(startServer(start)).rejects.toThrow(/expected at least one key that has not expired, found none/);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });
});
