import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addKey, removeKeys } from '../../server/keys/key-file.ts';
import type { LogEntry } from '../../server/log.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { until, withServer, withStore, type TestServer } from '../harness.ts';
import { findFreePort } from '../support/ports.ts';
import { comparable, receive, type Received } from './site-client.ts';
import { startSiteNginx, type SiteNginx } from './site-nginx.ts';

const LIST = '/deals/v1/products/?expand=products(cheapestDeal)';

let store: Awaited<ReturnType<typeof withStore>>;
/** By name: of the cache, and of clients. One has a limit of three requests. */
let keys: Readonly<Record<'edge' | 'first' | 'second' | 'revoked' | 'limited', string>>;
let server: TestServer;
let site: SiteNginx;
const log: LogEntry[] = [];

async function startEdge(serverPort: number): Promise<SiteNginx> {
  const edgePort = await findFreePort();
  return startSiteNginx(
    [edgePort],
    [],
    [
      ['127.0.0.1:8079', `127.0.0.1:${edgePort}`],
      ['server 10.0.0.11:8080 ', `server 127.0.0.1:${serverPort} `],
      ['server 10.0.0.12:8080 ', `server 127.0.0.1:${serverPort} backup `],
      ['hash $deals_client consistent;', ''],
      ['include /etc/nginx/deals-edge-key.conf;', `proxy_set_header x-api-key ${keys.edge};`],
      ['proxy_cache_valid 200 10s;', 'proxy_cache_valid 200 60s;'],
    ],
  );
}

const headersOf = (key: string | undefined, headers: Readonly<Record<string, string>> = {}) => ({
  Host: 'deals.example.com',
  ...(key === undefined ? {} : { 'x-api-key': key }),
  ...headers,
});

function ask(path: string, key: string | undefined, headers?: Readonly<Record<string, string>>): Promise<Received> {
  return receive(site.tlsPort, true, { path, headers: headersOf(key, headers) });
}

function askServer(path: string, key: string | undefined): Promise<Received> {
  return receive(server.port, false, { path, headers: headersOf(key) });
}

/** The answers that the cache has fetched: the others were in it. */
function countFetches(): number {
  return log.filter(({ event, key }) => event === 'request' && key === 'edge').length;
}

describe.skipIf(isMissing('the cache of nginx', tool('nginx'), tool('openssl')))('nginx-edge.conf', () => {
  beforeAll(async () => {
    store = await withStore();
    const { keysFile } = store;
    const add = async (name: string, rateLimit = 'off'): Promise<string> =>
      (await addKey(keysFile, { name, rateLimit }, new Date())).keyText;
    keys = {
      edge: await add('edge'),
      first: await add('first'),
      second: await add('second'),
      revoked: await add('revoked'),
      limited: await add('limited', '3/1h'),
    };
    server = await withServer({
      on: { ...store, key: keys.first },
      publicUrl: 'https://deals.example.com',
      settings: { corsOrigins: ['https://www.example.com'] },
      log: (entry) => log.push(entry),
    });
    site = await startEdge(server.port);
  });
  afterAll(async () => {
    await site.stop();
    await server.close();
    store.remove();
  });

  it('is sound to nginx -t, without a warning', () => {
    expect(site.checked.status).toBe(0);
    expect(site.checked.stderr).not.toMatch(/\[(?:warn|emerg|alert)\]/);
  });

  it.each([
    ['as it is', {}],
    ['in brotli', { 'Accept-Encoding': 'br' }],
    ['for another origin', { Origin: 'https://www.example.com' }],
  ])('gives two keys the answer of the server %s, and fetches it once', async (_, headers) => {
    const plain = await receive(server.port, false, { path: LIST, headers: headersOf(keys.first, headers) });
    const before = countFetches();
    for (const key of [keys.first, keys.second, keys.first]) {
      const received = await ask(LIST, key, headers);
      expect(received.status).toBe(200);
      expect(comparable(received)).toEqual(comparable(plain));
      const id = received.headers['x-request-id'];
      // The server logs a request when its connection is done with it.
      await until(async () => log.some(({ requestId }) => requestId === id));
    }
    expect(countFetches() - before).toBe(1);
  });

  it('gives no client an answer that was fetched for the headers of another, however they are cut', async () => {
    const path = `${LIST}&limit=7`;
    // Joined by blanks, these two headers are those of the browser below.
    const planted = { 'Accept-Encoding': 'gzip, deflate,', Origin: 'br https://www.example.com' };
    expect((await ask(path, keys.second, planted)).headers['access-control-allow-origin']).toBeUndefined();
    const browser = { 'Accept-Encoding': 'gzip, deflate, br', Origin: 'https://www.example.com' };
    const { headers } = await ask(path, keys.first, browser);
    expect([headers['access-control-allow-origin'], headers['content-encoding']]).toEqual([browser.Origin, 'br']);
  });

  it.each<[string, () => Promise<string | undefined>]>([
    ['a key that is none', async () => 'deals_wrong'],
    [
      'a key that was revoked',
      async () => {
        expect((await ask(LIST, keys.revoked)).status).toBe(200);
        await removeKeys(store.keysFile, ({ name }) => name === 'revoked');
        await until(async () => (await askServer(LIST, keys.revoked)).status === 401);
        return keys.revoked;
      },
    ],
  ])('gives no cached answer to %s: the 401 of the server', async (_, make) => {
    expect((await ask(LIST, keys.first)).status).toBe(200);
    const key = await make();
    const [plain, received] = [await askServer(LIST, key), await ask(LIST, key)];
    expect(received.status).toBe(401);
    expect(comparable(received)).toEqual(comparable(plain));
  });

  it('counts every request of a key, and passes the 429 of the server', async () => {
    const left: (string | undefined)[] = [];
    for (let at = 0; at < 3; at++) {
      const { status, headers } = await ask(LIST, keys.limited);
      expect(status).toBe(200);
      left.push(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
    }
    expect(left).toEqual(['2', '1', '0']);
    // Retry-After counts seconds: one may pass between the two.
    await vi.waitFor(async () => {
      const [plain, received] = [await askServer(LIST, keys.limited), await ask(LIST, keys.limited)];
      expect([plain.status, plain.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
      expect(comparable(received)).toEqual(comparable(plain));
    });
  });

  it('gives no cached answer when no server answers: 503 with Retry-After', async () => {
    const alone = await startEdge(await findFreePort());
    try {
      const { status, headers } = await receive(alone.tlsPort, true, { path: LIST, headers: headersOf('deals_any') });
      expect([status, headers['retry-after'], headers['content-type']]).toEqual([503, '5', 'application/problem+json']);
    } finally {
      await alone.stop();
    }
  });
});
