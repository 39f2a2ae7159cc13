import { once } from 'node:events';
import { Agent } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PROBLEMS } from '../../data/query/problem.ts';
import { addKey, removeKeys } from '../../server/keys/key-file.ts';
import type { LogEntry } from '../../server/log.ts';
import { readCurrent } from '../../data/store/snapshots.ts';
import { FIXTURE } from '../contract/fixture-catalogue.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { until, withServer, withStore, type TestServer } from '../harness.ts';
import { findFreePort } from '../support/ports.ts';
import { receive, sendRequest, type Received } from '../support/receive.ts';
import { readDeployed } from './deployed.ts';
import { comparable, startSite, type Site } from './site.ts';

const PUBLIC_URL = 'https://deals.example.com';
const LIST = '/deals/v1/products/?expand=products(cheapestDeal)';
/** Every deal there is: the 19 of the fixture 700 times. */
const LARGEST = '/deals/v1/products/?expand=deals';
const LARGE_BYTES = 11_000_000;
const LARGE = {
  ...FIXTURE,
  deals: Array.from({ length: 700 }, (_, copy) =>
    FIXTURE.deals.map((deal) => ({ ...deal, link: `https://shop.example/deal?copy=${copy}&of=${deal.key}` })),
  ).flat(),
};

type Headers = Readonly<Record<string, string>>;

const withKey = (key: string, headers: Headers = {}): Headers => ({
  Host: 'deals.example.com',
  'x-api-key': key,
  ...headers,
});

/** Starts a site that is stopped after the test. */
async function startOwnSite(...args: Parameters<typeof startSite>): Promise<Site> {
  const site = await startSite(...args);
  onTestFinished(() => site.stop());
  return site;
}

/** A port on which connections get this text after each thing that they send, or nothing; and how many there were. */
async function listenFor(answer = ''): Promise<{ readonly port: number; readonly count: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined).on('data', () => socket.write(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, count: () => connections };
}

function expectProblem({ status, headers, body }: Received, code: keyof typeof PROBLEMS): void {
  const { title, status: expected } = PROBLEMS[code];
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'retry-after': expect.stringMatching(/^\d+$/) as string,
    'x-content-type-options': 'nosniff',
  });
  expect(status).toBe(expected);
  const said = { type: `/problems/${code}`, title, status: expected, detail: expect.any(String) as string };
  expect(JSON.parse(String(body))).toEqual({ ...said, instance: headers['x-request-id'], code, errors: [] });
}

const needs = [tool('nginx'), tool('openssl')];
describe.skipIf(isMissing('the site of nginx', ...needs))('nginx.conf', () => {
  const log: LogEntry[] = [];
  let server: TestServer;
  let site: Site;
  beforeAll(async () => {
    server = await withServer({ catalogue: LARGE, publicUrl: PUBLIC_URL, log: (entry) => log.push(entry) });
    site = await startSite([server.port]);
  });
  afterAll(async () => {
    await site?.stop();
    await server?.close();
  });

  const keyed = (headers?: Headers): Headers => withKey(server.key, headers);
  /** The answer of the server itself, and that which comes through nginx. */
  const askBoth = async (path: string, headers?: Headers): Promise<readonly Received[]> =>
    Promise.all([server.url, site.origin].map((origin) => receive(origin, path, keyed(headers))));

  it.each([
    ['a list in brotli', LIST, 200, { 'Accept-Encoding': 'br' }],
    ['a long answer', LARGEST, 200],
    ['a path that there is not', '/deals/v2/%7Bx%7D//products', 404],
    ['a target that is too long', `${LIST}&x=${'y'.repeat(9_000)}`, 414],
    ['the state of health', '/health/live', 200],
  ] as const)('changes nothing of %s', async (_, path, status, headers?: Headers) => {
    const [plain, behind] = (await askBoth(path, headers)).map(comparable);
    expect(plain?.status).toBe(status);
    expect(behind).toEqual(plain);
  });

  it('passes heads as long as the longest target makes them', async () => {
    const first = `/deals/v1/products/?filter[networks]=eq{${'%20'.repeat(2_600)}o2}&limit=1`;
    const { headers } = await receive(server.url, first, keyed());
    // The second page has links to all others.
    const [plain, behind] = (await askBoth(/<([^>]*)>; *rel="next"/.exec(headers['link'] ?? '')?.[1] ?? '')).map(
      comparable,
    );
    expect(plain?.status).toBe(200);
    expect(plain?.headers['link']?.length).toBeGreaterThan(31_000);
    expect(behind).toEqual(plain);
  });

  it('refuses a key over http, and leads pages to https', async () => {
    const refused = await receive(site.plainOrigin, LIST, keyed());
    expect([refused.status, String(refused.body)]).toEqual([403, expect.stringContaining('Use https')]);
    const page = await receive(site.plainOrigin, '/explore/?a=b', { Host: 'deals.example.com' });
    expect([page.status, page.headers['location']]).toEqual([308, `${PUBLIC_URL}/explore/?a=b`]);
  });

  it('logs each request by its id in our log, and no key', async () => {
    const { key, store } = server;
    const bare = key.slice('deals_'.length);
    const targets = [`/deals/v1/${key}/`, `/x?key=${key}&again=${key}`, `/x?key=deals%5f${bare}`, `/x?key=${bare}`];
    const ids: unknown[] = [];
    for (const path of targets) {
      ids.push((await receive(site.origin, path, keyed({ 'User-Agent': key }))).headers['x-request-id']);
    }
    const entries = site.readLog();
    const blotted = ['/deals/v1/<key>', '/x?key=<key>', '/x?key=<key>', '/x?key=<key>'];
    expect(entries.slice(-targets.length)).toMatchObject(
      ids.map((requestId, at) => ({ requestId, target: blotted[at], method: 'GET', address: '127.0.0.1' })),
    );
    expect(JSON.stringify(entries)).not.toContain(bare);
    await receive(site.origin, LIST, keyed());
    expect(site.readLog().at(-1)).toMatchObject({ status: 200, target: LIST, snapshot: readCurrent(store) });
  });

  it('holds back a flood from one address, as problem details, and not those who watch', async () => {
    // At 100 requests a second a busy machine is no flood. 127.0.0.1 is one of our own addresses.
    const { origin } = await startOwnSite([server.port], [['rate=100r/s', 'rate=1r/s']]);
    const agent = new Agent({ keepAlive: true, maxSockets: 20, rejectUnauthorized: false });
    const ask = (path: string) => receive(origin, path, keyed(), { localAddress: '127.0.0.2', agent });
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask('/problems/unknown-path')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(600);
    for (const each of refused) expectProblem(each, 'rate-limited');
    expect((await ask('/health/live')).status).toBe(200);
    agent.destroy();
    expect((await receive(origin, LIST, keyed())).status).toBe(200);
  });

  it('limits the addresses of one IPv6 network together: a client has 2^64 of them', async () => {
    // nginx takes the address from a header here, in the place of the connection.
    const { origin } = await startOwnSite(
      [server.port],
      [
        ['rate=100r/s', 'rate=1r/m'],
        ['burst=400', 'burst=4'],
        ['server_tokens off;', 'set_real_ip_from 127.0.0.1; real_ip_header X-Test-Address; server_tokens off;'],
      ],
    );
    const countServed = async (addressOf: (at: number) => string): Promise<number> => {
      const asked = Array.from({ length: 10 }, (_, at) =>
        receive(origin, LIST, keyed({ 'X-Test-Address': addressOf(at) })),
      );
      return (await Promise.all(asked)).filter(({ status }) => status === 200).length;
    };
    expect(await countServed((at) => `2001:db8:1:2::${at + 1}`)).toBe(5);
    expect(await countServed((at) => `2001:db8:2:${at}::1`)).toBe(10);
    expect(await countServed((at) => `192.0.2.${at}`)).toBe(10);
  });

  it('refuses what the server could not answer soon, so that the server is never overloaded', async () => {
    const silent = await listenFor();
    const full = await startSite([silent.port], [['max_conns=256', 'max_conns=3']]);
    const waiting = [1, 2, 3].map(() => receive(full.origin, LIST, keyed()).catch(() => undefined));
    await until(async () => silent.count() === 3);
    expectProblem(await receive(full.origin, LIST, keyed()), 'overloaded');
    expect(silent.count()).toBe(3);
    await full.stop();
    await Promise.all(waiting);
  });

  it('answers 503 with problem details for a server that never answers', async () => {
    const { port } = await listenFor();
    const { origin } = await startOwnSite([port], [['proxy_read_timeout 30s', 'proxy_read_timeout 1s']]);
    const received = await receive(origin, LIST, keyed());
    expectProblem(received, 'overloaded');
    expect(String(received.body)).toContain('The server behind this address does not answer');
  });

  it('buffers a response whole, so that the server has finished before a slow client reads', async () => {
    const countFinished = () => log.filter(({ bytes }) => Number(bytes) > LARGE_BYTES).length;
    const before = countFinished();
    const response = await sendRequest(site.origin, LARGEST, keyed());
    response.pause();
    await until(async () => countFinished() > before);
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(LARGE_BYTES);
  });

  it.each(['nginx.conf', 'nginx-edge.conf'])('closes its connections to the server before it does: %s', (file) => {
    const [, seconds] = /keepalive 32;[^}]*keepalive_timeout (\d+)s;/.exec(readDeployed(file)) ?? [];
    const [, serverMs] = /keepAliveTimeout: ([\d_]+)/.exec(readDeployed('../http/limits.ts')) ?? [];
    expect(Number(seconds) * 1_000).toBeLessThan(Number(serverMs?.replaceAll('_', '')));
  });
});

describe.skipIf(isMissing('nginx before several servers', ...needs))('nginx.conf before several servers', () => {
  const keys: string[] = [];
  let store: Awaited<ReturnType<typeof withStore>>;
  let servers: TestServer[];
  let site: Site;
  beforeAll(async () => {
    store = await withStore();
    for (let at = 0; at < 20; at++) {
      keys.push((await addKey(store.keysFile, { name: `site-${at}` }, new Date())).keyText);
    }
    servers = [await withServer({ on: store }), await withServer({ on: store })];
    site = await startSite(servers.map(({ port }) => port));
  });
  afterAll(async () => {
    await site?.stop();
    await Promise.all(servers.map((server) => server.close()));
    store?.remove();
  });

  const askAll = ({ origin }: Site): Promise<readonly Received[]> =>
    Promise.all(keys.map((key) => receive(origin, '/deals/v1/networks/', withKey(key))));

  /** The address of the server that each key is sent to, as nginx logs it when it is done with the request. */
  const findServers = async (): Promise<readonly unknown[]> => {
    const ids = (await askAll(site)).map(({ headers }) => headers['x-request-id']);
    const find = () => ids.map((id) => site.readLog().find(({ requestId }) => requestId === id)?.['server']);
    await until(async () => !find().includes(undefined));
    return find();
  };

  it('sends all requests of a key to one server, and the keys to all servers', async () => {
    const homes = await findServers();
    for (let round = 0; round < 3; round++) expect(await findServers()).toEqual(homes);
    expect(new Set(homes)).toEqual(new Set(servers.map(({ port }) => `127.0.0.1:${port}`)));
  });

  it('lets no request fail while a server is started again', async () => {
    const over = new AbortController();
    const answers: string[] = [];
    const clients = (async () => {
      while (!over.signal.aborted) {
        const received = await askAll(site);
        answers.push(...received.map(({ status, body }) => (status === 200 ? 'served' : `${status} ${String(body)}`)));
      }
    })();
    const { port } = servers[0] as TestServer;
    await servers[0]?.close();
    await sleep(500);
    servers[0] = await withServer({ on: store, port });
    // nginx counts whole seconds: now it asks the server again.
    await sleep(5_000);
    over.abort();
    await clients;
    expect(answers.length).toBeGreaterThan(keys.length * 10);
    expect([...new Set(answers)]).toEqual(['served']);
  });

  it('passes the 503 of an overloaded server to the client, not the request to the next server', async () => {
    const body = '{"code":"overloaded"}';
    const head = `HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: ${body.length}`;
    const { port } = await listenFor(`${head}\r\n\r\n${body}`);
    const half = await startOwnSite([port, servers[1]?.port ?? 0]);
    for (let round = 0; round < 2; round++) {
      const refused = (await askAll(half)).filter(({ status }) => status === 503);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.length).toBeLessThan(keys.length);
      for (const each of refused) expect([each.headers['retry-after'], String(each.body)]).toEqual(['7', body]);
    }
  });
});

describe.skipIf(isMissing('the cache of nginx', ...needs))('nginx-edge.conf', () => {
  const ORIGIN = 'https://www.example.com';
  const log: LogEntry[] = [];
  /** That of the cache, and those of clients, of which one has a limit of three requests. */
  const keys = { edge: '', first: '', second: '', revoked: '', limited: '' };
  let store: Awaited<ReturnType<typeof withStore>>;
  let server: TestServer;
  let site: Site;
  beforeAll(async () => {
    store = await withStore();
    for (const name of Object.keys(keys) as (keyof typeof keys)[]) {
      const rateLimit = name === 'limited' ? '3/1h' : 'off';
      keys[name] = (await addKey(store.keysFile, { name, rateLimit }, new Date())).keyText;
    }
    const settings = { corsOrigins: [ORIGIN] };
    server = await withServer({ on: store, publicUrl: PUBLIC_URL, settings, log: (entry) => log.push(entry) });
    site = await startEdge(server.port);
  });
  afterAll(async () => {
    await site?.stop();
    await server?.close();
    store?.remove();
  });

  const startEdge = async (serverPort: number): Promise<Site> => {
    const edgePort = await findFreePort();
    const changes = [
      ['127.0.0.1:8079', `127.0.0.1:${edgePort}`],
      ['server 10.0.0.11:8080 ', `server 127.0.0.1:${serverPort} `],
      ['server 10.0.0.12:8080 ', `server 127.0.0.1:${serverPort} backup `],
      ['hash $deals_client consistent;', ''],
      ['include /etc/nginx/deals-edge-key.conf;', `proxy_set_header x-api-key ${keys.edge};`],
      ['proxy_cache_valid 200 10s;', 'proxy_cache_valid 200 60s;'],
    ] as const;
    return startSite([edgePort], [], changes);
  };

  const ask = (key: string, path = LIST, headers?: Headers) => receive(site.origin, path, withKey(key, headers));
  const askServer = (key: string, headers?: Headers) => receive(server.url, LIST, withKey(key, headers));

  it.each([
    ['as it is', {}],
    ['in brotli', { 'Accept-Encoding': 'br' }],
    ['for another origin', { Origin: ORIGIN }],
  ])('gives two keys the answer of the server %s, and fetches it once', async (_, headers) => {
    const plain = comparable(await askServer(keys.first, headers));
    const countFetches = () => log.filter(({ event, key }) => event === 'request' && key === 'edge').length;
    const before = countFetches();
    for (const key of [keys.first, keys.second, keys.first]) {
      const received = await ask(key, LIST, headers);
      expect(comparable(received)).toEqual({ ...plain, status: 200 });
      // The server logs a request when its connection is done with it.
      await until(async () => log.some(({ requestId }) => requestId === received.headers['x-request-id']));
    }
    expect(countFetches() - before).toBe(1);
  });

  it('gives no client an answer that was fetched for the headers of another, however they are cut', async () => {
    const path = `${LIST}&limit=7`;
    // Joined by blanks, these two headers are those of the browser below.
    const planted = { 'Accept-Encoding': 'gzip, deflate,', Origin: `br ${ORIGIN}` };
    expect((await ask(keys.second, path, planted)).headers['access-control-allow-origin']).toBeUndefined();
    const { headers } = await ask(keys.first, path, { 'Accept-Encoding': 'gzip, deflate, br', Origin: ORIGIN });
    expect([headers['access-control-allow-origin'], headers['content-encoding']]).toEqual([ORIGIN, 'br']);
  });

  it('gives no cached answer to a key that is none or was revoked: the 401 of the server', async () => {
    for (const key of [keys.first, keys.revoked]) expect((await ask(key)).status).toBe(200);
    await removeKeys(store.keysFile, ({ name }) => name === 'revoked');
    await until(async () => (await askServer(keys.revoked)).status === 401);
    for (const key of ['deals_wrong', keys.revoked]) {
      expect(comparable(await ask(key))).toEqual({ ...comparable(await askServer(key)), status: 401 });
    }
  });

  it('counts every request of a key, and passes the 429 of the server', async () => {
    for (const left of ['2', '1', '0']) {
      const { status, headers } = await ask(keys.limited);
      expect([status, /r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]]).toEqual([200, left]);
    }
    // Retry-After counts seconds: one may pass between the two.
    await vi.waitFor(async () => {
      const [plain, received] = [await askServer(keys.limited), await ask(keys.limited)];
      expect([plain.status, plain.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
      expect(comparable(received)).toEqual(comparable(plain));
    });
  });

  it('gives no cached answer when no server answers: 503 with Retry-After', async () => {
    const alone = await startEdge(await findFreePort());
    onTestFinished(() => alone.stop());
    expectProblem(await receive(alone.origin, LIST, withKey('deals_any')), 'overloaded');
  });
});
