import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKey } from '../../../server/keys/key-file.ts';
import type { LogEntry } from '../../../server/log.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { serve, until, type TestServer, type TextResponse } from '../../contract/serve.ts';

const TARGET = '/deals/v1/products/?expand=products(content,cheapestDeal)&limit=3';
const ORIGIN = 'https://shop.example';

/** Everything of an answer that a client sees and that is not its own. */
function seen({ status, headers, text }: TextResponse) {
  // A problem names its request, which may make it longer.
  const own = ['x-request-id', 'date', ...(status >= 400 ? ['content-length'] : [])];
  return {
    status,
    headers: [...headers].filter(([name]) => !own.includes(name)),
    text: text.replaceAll(/"instance":"[^"]*"/g, ''),
  };
}

const requestOf = (method: string, target: string, headers: readonly string[]): string =>
  `${method} ${target}${target.includes(' ') ? '' : ' HTTP/1.1'}\r\n${headers.map((line) => `${line}\r\n`).join('')}Connection: close\r\n\r\n`;

/** Asks until the answer is remembered. */
async function warm(server: TestServer, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const encoding of ['identity', 'gzip', 'br']) {
    await server.ask(TARGET, { headers: { 'accept-encoding': encoding, ...headers } });
  }
}

describe.each([
  ['without CORS', []],
  ['with CORS for one origin', [ORIGIN]],
  ['with CORS for any', ['*']],
])('a remembered answer, %s', (_, corsOrigins) => {
  let hot: TestServer;
  let cold: TestServer;
  let tag = '';
  beforeAll(async () => {
    hot = await serve({ start: { settings: { corsOrigins } } });
    const { store, keysFile } = hot;
    cold = await serve({ start: { store, keysFile, settings: { corsOrigins, answerCacheBytes: 0 } } });
    await warm(hot);
    tag = (await hot.ask(TARGET, { headers: { 'accept-encoding': 'identity' } })).headers.get('etag') ?? '';
  });
  afterAll(async () => {
    await cold.close();
    await hot.close();
  });

  it.each<[string, string, string, readonly string[]]>([
    ['the request itself', 'GET', TARGET, ['Host: a', 'x-api-key: KEY']],
    ['HEAD', 'HEAD', TARGET, ['Host: a', 'x-api-key: KEY']],
    ['HEAD with the tag', 'HEAD', TARGET, ['Host: a', 'x-api-key: KEY', 'If-None-Match: TAG']],
    ['names of headers in capitals', 'GET', TARGET, ['HOST: a', 'X-API-KEY: KEY', 'IF-NONE-MATCH: TAG']],
    ['blanks around the key', 'GET', TARGET, ['Host: a', 'x-api-key:   KEY  ']],
    ['no key', 'GET', TARGET, ['Host: a']],
    ['an empty key', 'GET', TARGET, ['Host: a', 'x-api-key: ']],
    ['another key', 'GET', TARGET, ['Host: a', 'x-api-key: deals_x']],
    ['the key and more', 'GET', TARGET, ['Host: a', 'x-api-key: KEYx']],
    ['the key twice', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', 'x-api-key: KEY']],
    ['a good and an empty key', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', 'x-api-key: ']],
    ['Host twice', 'GET', TARGET, ['Host: a', 'Host: a', 'x-api-key: KEY']],
    ['Host twice and no key', 'GET', TARGET, ['Host: a', 'Host: a']],
    ['the tag', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', 'If-None-Match: TAG']],
    ['the weak tag', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', 'If-None-Match: W/TAG']],
    ['any tag', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', 'If-None-Match: *']],
    ['a list with the tag', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', 'If-None-Match: "x", TAG']],
    [
      'the tag in a second header',
      'GET',
      TARGET,
      ['Host: a', 'x-api-key: KEY', 'If-None-Match: "x"', 'If-None-Match: TAG'],
    ],
    ['another tag', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', 'If-None-Match: "x"']],
    ['the tag and no key', 'GET', TARGET, ['Host: a', 'If-None-Match: TAG']],
    [
      'the tag of another encoding',
      'GET',
      TARGET,
      ['Host: a', 'x-api-key: KEY', 'Accept-Encoding: gzip', 'If-None-Match: TAG'],
    ],
    ['no encoding at all', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', 'Accept-Encoding: ']],
    ['nothing but an unknown encoding', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', 'Accept-Encoding: zstd']],
    [
      'encodings by weight',
      'GET',
      TARGET,
      ['Host: a', 'x-api-key: KEY', 'Accept-Encoding: gzip;q=0.1, identity;q=1, br;q=0'],
    ],
    [
      'encodings in two headers',
      'GET',
      TARGET,
      ['Host: a', 'x-api-key: KEY', 'Accept-Encoding: zstd', 'Accept-Encoding: identity'],
    ],
    ['the origin', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', `Origin: ${ORIGIN}`]],
    ['the origin and the tag', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', `Origin: ${ORIGIN}`, 'If-None-Match: TAG']],
    ['the origin and no key', 'GET', TARGET, ['Host: a', `Origin: ${ORIGIN}`]],
    ['another origin', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', 'Origin: https://evil.example']],
    ['the origin twice', 'GET', TARGET, ['Host: a', 'x-api-key: KEY', `Origin: ${ORIGIN}`, `Origin: ${ORIGIN}`]],
    ['a preflight', 'OPTIONS', TARGET, ['Host: a', `Origin: ${ORIGIN}`, 'Access-Control-Request-Method: GET']],
    ['OPTIONS', 'OPTIONS', TARGET, ['Host: a', 'x-api-key: KEY']],
    ['POST', 'POST', TARGET, ['Host: a', 'x-api-key: KEY', 'Content-Length: 0']],
    ['DELETE', 'DELETE', TARGET, ['Host: a', 'x-api-key: KEY']],
    ['an absolute target', 'GET', `http://b${TARGET}`, ['Host: a', 'x-api-key: KEY']],
    [
      'an absolute target with the tag',
      'GET',
      `http://b${TARGET}`,
      ['Host: a', 'x-api-key: KEY', 'If-None-Match: TAG'],
    ],
    ['two slashes', 'GET', `/${TARGET}`, ['Host: a', 'x-api-key: KEY']],
    ['another case', 'GET', TARGET.replace('deals', 'DEALS'), ['Host: a', 'x-api-key: KEY']],
    ['a parameter more', 'GET', `${TARGET}&x=1`, ['Host: a', 'x-api-key: KEY']],
    ['a target that is too long', 'GET', `${TARGET}${'&'.repeat(8_200)}`, ['Host: a', 'x-api-key: KEY']],
    ['HTTP/0.9', 'GET', `${TARGET} HTTP/0.9`, ['Host: a', 'x-api-key: KEY']],
    ['HTTP/1.0', 'GET', `${TARGET} HTTP/1.0`, ['Host: a', 'x-api-key: KEY']],
    ['HTTP/2.0', 'GET', `${TARGET} HTTP/2.0`, ['Host: a', 'x-api-key: KEY']],
    ['many headers', 'GET', TARGET, ['Host: a', ...Array.from({ length: 90 }, () => 'a:'), 'x-api-key: KEY']],
    ['too many headers', 'GET', TARGET, ['Host: a', ...Array.from({ length: 2_500 }, () => 'a:'), 'x-api-key: KEY']],
  ])('answers as if it were made again: %s', async (_what, method, target, headers) => {
    const filled = headers.map((line) => line.replace('KEY', hot.key).replace('TAG', tag));
    const request = requestOf(method, target, filled);
    const made = seen(await cold.raw(request));
    expect(seen(await hot.raw(request))).toEqual(made);
    expect(seen(await hot.raw(request))).toEqual(made);
  });
});

describe('a request that was answered before', () => {
  it.each([
    ['in HTTP/0.9', ' HTTP/0.9', [], 400],
    ['in HTTP/2.0', ' HTTP/2.0', [], 400],
    ['with a second Host behind 2,000 headers', '', [...Array.from({ length: 2_000 }, () => 'a:'), 'Host: b'], 431],
    ['with a second key behind 2,000 headers', '', [...Array.from({ length: 2_000 }, () => 'a:'), 'x-api-key: b'], 431],
    [
      'with a coding that has no end behind 2,000 headers',
      '',
      [...Array.from({ length: 2_000 }, () => 'a:'), 'Transfer-Encoding: identity'],
      431,
    ],
    ['with 101 headers', '', Array.from({ length: 98 }, () => 'a:'), 431],
    ['with 100 headers', '', Array.from({ length: 97 }, () => 'a:'), 200],
  ])('is refused all the same %s (D2)', async (_what, version, more, status) => {
    const server = await serve();
    await warm(server);
    const request = requestOf('GET', TARGET + version, ['Host: a', `x-api-key: ${server.key}`, ...more]);
    expect((await server.raw(request)).status).toBe(status);
    await server.close();
  });

  it('gets an X-Request-Id of its own, also when several come at once', async () => {
    const server = await serve();
    await warm(server);
    const head = `HEAD ${TARGET} HTTP/1.1\r\nHost: a\r\nx-api-key: ${server.key}\r\n`;
    const { status, headers, text } = await server.raw(`${head}\r\n${head}\r\n${head}Connection: close\r\n\r\n`);
    const ids = [headers.get('x-request-id') ?? undefined];
    for (const [, id] of text.matchAll(/^X-Request-Id: (.*)\r$/gim)) ids.push(id);
    expect(status).toBe(200);
    expect(ids.length).toBe(3);
    expect(new Set(ids).size).toBe(3);
    await server.close();
  });

  it('is refused from the moment at which its key expires, and before it begins', async () => {
    let now = Date.parse('2026-11-20T12:00:00Z');
    const server = await serve({ start: { now: () => new Date(now) } });
    const period = { from: new Date(now + 1_000), until: new Date(now + 2_000) };
    const { keyText } = await addKey(server.keysFile, { name: 'brief', ...period }, new Date(now));
    await warm(server);
    const ask = async () => {
      const { status, text } = await server.ask(TARGET, { headers: { 'x-api-key': keyText } });
      return [status, status === 200 ? undefined : (JSON.parse(text) as { code: string }).code];
    };
    const begin = now;
    now = begin + 1_000;
    await until(async () => (await ask())[0] === 200);
    const told: unknown[] = [];
    for (const after of [999, 1_000, 1_999, 2_000, 1_500, 0]) {
      now = begin + after;
      told.push(await ask());
    }
    expect(told).toEqual([
      [401, 'invalid-key'],
      [200, undefined],
      [200, undefined],
      [401, 'expired-key'],
      [200, undefined],
      [401, 'invalid-key'],
    ]);
    await server.close();
  });

  it('is answered from the new snapshot as soon as that is there', async () => {
    const server = await serve();
    await warm(server);
    const before = await server.ask(TARGET);
    const id = await server.publish({
      ...FIXTURE,
      products: FIXTURE.products.map((row) => ({ ...row, name: `${row.name} II` })),
    });
    for (let i = 0; i < 3; i++) {
      const after = await server.ask(TARGET, { headers: { 'if-none-match': before.headers.get('etag') ?? '' } });
      expect([after.status, after.headers.get('x-snapshot')]).toEqual([200, id]);
      expect(after.text).toContain(' II"');
    }
    await server.close();
  });

  it('under a new snapshot with the same content is still 304, and names the new one', async () => {
    const server = await serve();
    const tag = (await server.ask(TARGET)).headers.get('etag') ?? '';
    const headers = { 'if-none-match': tag };
    await server.ask(TARGET, { headers });
    const id = await server.publish(FIXTURE);
    for (let i = 0; i < 3; i++) {
      const { status, headers: got } = await server.ask(TARGET, { headers });
      expect([status, got.get('x-snapshot')]).toEqual([304, id]);
    }
    // Only 304s were sent since: the body is made for the first client without it.
    const whole = await server.ask(TARGET);
    expect([whole.status, whole.headers.get('etag')]).toEqual([200, tag]);
    expect(whole.text).toContain('"products"');
    await server.close();
  });

  it('is a 500 like any other when something of ours fails', async () => {
    let isBroken = false;
    const log: LogEntry[] = [];
    const server = await serve({
      start: {
        log: (entry) => log.push(entry),
        now: () => {
          if (isBroken) throw new Error('the clock stands still');
          return new Date();
        },
      },
    });
    await warm(server);
    isBroken = true;
    const { status, headers } = await server.ask(TARGET);
    expect(status).toBe(500);
    expect(log.find(({ event }) => event === 'request-failed')?.['requestId']).toBe(headers.get('x-request-id'));
    isBroken = false;
    expect((await server.ask(TARGET)).status).toBe(200);
    await server.close();
  });
});

describe('the access log', () => {
  it('tells the same of a request that was answered before', async () => {
    const log: LogEntry[] = [];
    const server = await serve({ start: { log: (entry) => log.push(entry) } });
    const tag = (await server.ask(TARGET)).headers.get('etag') ?? '';
    await server.ask(TARGET);
    await server.ask(TARGET, { method: 'HEAD' });
    await server.ask(TARGET, { headers: { 'if-none-match': tag } });
    await server.ask(TARGET, { headers: { 'x-api-key': 'x' } });
    const entries = () => log.filter(({ event }) => event === 'request');
    await until(async () => entries().length === 5);
    const [path] = TARGET.split('?');
    const told = { path, key: 'spec', finished: true };
    expect(entries()).toMatchObject([
      { ...told, method: 'GET', status: 200 },
      { ...told, method: 'GET', status: 200 },
      { ...told, method: 'HEAD', status: 200 },
      { ...told, method: 'GET', status: 304 },
      { method: 'GET', status: 401, path },
    ]);
    expect(new Set(entries().map((entry) => entry['requestId'])).size).toBe(5);
    for (const entry of entries()) {
      expect(entry['milliseconds']).toBeTypeOf('number');
      expect(Object.keys(entry)).toEqual(Object.keys(entries()[0] ?? {}));
    }
    await server.close();
  });

  it('can be switched off, and what else happens is still logged', async () => {
    const log: LogEntry[] = [];
    const server = await serve({ start: { log: (entry) => log.push(entry), settings: { accessLog: false } } });
    await warm(server);
    await server.ask('/health/live');
    await server.publish({ ...FIXTURE, deals: [] });
    expect(new Set(log.map(({ event }) => event))).toEqual(new Set(['snapshot-taken-up']));
    await server.close();
  });
});
