import { once } from 'node:events';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { Agent, request as requestTls } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../data/query/problem.ts';
import type { LogEntry } from '../../server/log.ts';
import { readCurrent } from '../../data/store/snapshots.ts';
import { LARGEST, writePlenty, type PlentyStore } from '../fault/load/plenty.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { until, withServer, type TestServer } from '../harness.ts';
import { readDeployed } from './deploy-folder.ts';
import { comparable, findNext, receive, type Received } from './site-client.ts';
import { startSiteNginx, type SiteNginx } from './site-nginx.ts';

let plenty: PlentyStore;
const log: LogEntry[] = [];
let server: TestServer;
let nginx: SiteNginx;

function direct(options: RequestOptions): Promise<Received> {
  return receive(server.port, false, options);
}

function throughNginx(options: RequestOptions): Promise<Received> {
  return receive(nginx.tlsPort, true, options);
}

const withKey = (headers: Readonly<Record<string, string>> = {}) => ({
  Host: 'deals.example.com',
  'x-api-key': plenty.key,
  ...headers,
});

const LIST = '/deals/v1/products/?expand=products(cheapestDeal)';
/** The largest response of the test of slow clients has 19 deals for each copy: 12 MB. */
const COPIES = 700;
const LARGE_BYTES = 11_000_000;

describe.skipIf(isMissing('the site of nginx', tool('nginx'), tool('openssl')))('nginx.conf', () => {
  beforeAll(async () => {
    plenty = await writePlenty(COPIES);
    server = await withServer({
      on: { ...plenty, folder: '' },
      publicUrl: 'https://deals.example.com',
      log: (entry) => log.push(entry),
    });
    nginx = await startSiteNginx([server.port]);
  });
  afterAll(async () => {
    await nginx.stop();
    await server.close();
    plenty.remove();
  });

  it('is sound to nginx -t, without a warning', () => {
    expect(nginx.checked.status).toBe(0);
    expect(nginx.checked.stderr).toMatch(/test is successful/);
    expect(nginx.checked.stderr).not.toMatch(/\[(?:warn|emerg|alert)\]/);
  });

  const SAME: readonly (readonly [what: string, make: () => RequestOptions, status: number])[] = [
    ['a list in brotli', () => ({ path: LIST, headers: withKey({ 'Accept-Encoding': 'br' }) }), 200],
    ['a long answer', () => ({ path: LARGEST, headers: withKey() }), 200],
    ['a path that there is not', () => ({ path: '/deals/v2/%7Bx%7D//products', headers: withKey() }), 404],
    ['a target that is too long', () => ({ path: `${LIST}&x=${'y'.repeat(9_000)}`, headers: withKey() }), 414],
    ['the state of health', () => ({ path: '/health/live', headers: {} }), 200],
  ];

  it.each(SAME)('changes nothing of %s', async (_, make, status) => {
    const [plain, behind] = [await direct(make()), await throughNginx(make())];
    expect(plain.status).toBe(status);
    expect(comparable(behind)).toEqual(comparable(plain));
  });

  it('passes heads as long as the longest target makes them', async () => {
    const padding = '%20'.repeat(2_600);
    const first = await direct({
      path: `/deals/v1/products/?filter[networks]=eq{${padding}o2}&limit=1`,
      headers: withKey(),
    });
    // The second page has links to all others.
    const asked = { path: findNext(first) ?? '', headers: withKey() };
    const [plain, behind] = [await direct(asked), await throughNginx(asked)];
    expect(plain.status).toBe(200);
    expect(plain.headers['link']?.length).toBeGreaterThan(31_000);
    expect(comparable(behind)).toEqual(comparable(plain));
  });

  it('refuses a key over http, and leads pages to https', async () => {
    const keyed = await receive(nginx.plainPort, false, { path: LIST, headers: withKey() });
    expect(keyed.status).toBe(403);
    expect(String(keyed.body)).toContain('Use https');
    const page = await receive(nginx.plainPort, false, {
      path: '/explore/?a=b',
      headers: { Host: 'deals.example.com' },
    });
    expect([page.status, page.headers['location']]).toEqual([308, 'https://deals.example.com/explore/?a=b']);
  });

  it('logs each request by its id in our log, and no key', async () => {
    const { key } = plenty;
    const bare = key.slice('deals_'.length);
    const targets = [`/deals/v1/${key}/`, `/x?key=${key}&again=${key}`, `/x?key=deals%5f${bare}`, `/x?key=${bare}`];
    const answers = [];
    for (const path of targets) answers.push(await throughNginx({ path, headers: withKey({ 'User-Agent': key }) }));
    const lines = nginx.read('deals.log').trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const last = entries.slice(-targets.length);
    expect(last.map(({ requestId }) => requestId)).toEqual(answers.map(({ headers }) => headers['x-request-id']));
    expect(last.map(({ target }) => target)).toEqual([
      '/deals/v1/<key>',
      '/x?key=<key>',
      '/x?key=<key>',
      '/x?key=<key>',
    ]);
    expect(lines.filter((line) => line.includes(bare))).toEqual([]);
    const ok = entries.find(({ status, target }) => status === 200 && target === LIST);
    expect(ok).toMatchObject({ method: 'GET', snapshot: readCurrent(plenty.store), address: '127.0.0.1' });
  });

  it('holds back a flood from one address, as problem details, and not those who watch', async () => {
    // At 100 requests a second a busy machine is no flood. 127.0.0.1 is one of our own addresses.
    const site = await startSiteNginx([server.port], [['rate=100r/s', 'rate=1r/s']]);
    const ask = (options: RequestOptions) => receive(site.tlsPort, true, options);
    const agent = new Agent({ keepAlive: true, maxSockets: 20, rejectUnauthorized: false });
    const flood = { headers: withKey(), localAddress: '127.0.0.2', agent };
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => ask({ path: '/problems/unknown-path', ...flood })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(600);
    for (const answer of refused) expectProblem(answer, 'rate-limited');
    expect((await ask({ path: '/health/live', ...flood })).status).toBe(200);
    agent.destroy();
    expect((await ask({ path: LIST, headers: withKey() })).status).toBe(200);
    await site.stop();
  });

  it('limits the addresses of one IPv6 network together: a client has 2^64 of them', async () => {
    // nginx takes the address from a header here, in the place of the connection.
    const site = await startSiteNginx(
      [server.port],
      [
        ['rate=100r/s', 'rate=1r/m'],
        ['burst=400', 'burst=4'],
        ['server_tokens off;', 'set_real_ip_from 127.0.0.1; real_ip_header X-Test-Address; server_tokens off;'],
      ],
    );
    const statusOf = async (address: string) =>
      (await receive(site.tlsPort, true, { path: LIST, headers: withKey({ 'X-Test-Address': address }) })).status;
    const statuses = async (addressOf: (at: number) => string) =>
      (await Promise.all(Array.from({ length: 10 }, (_, at) => statusOf(addressOf(at))))).sort((a = 0, b = 0) => a - b);
    try {
      expect(await statuses((at) => `2001:db8:1:2::${at + 1}`)).toEqual([...Array(5).fill(200), ...Array(5).fill(429)]);
      expect(await statuses((at) => `2001:db8:2:${at}::1`)).toEqual(Array(10).fill(200));
      expect(await statuses((at) => `192.0.2.${at}`)).toEqual(Array(10).fill(200));
    } finally {
      await site.stop();
    }
  });

  it('refuses what the server could not answer soon, so that the server is never overloaded', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    let reached = 0;
    silent.on('connection', () => reached++);
    const { port } = silent.address() as AddressInfo;
    const site = await startSiteNginx([port], [['max_conns=256', 'max_conns=3']]);
    try {
      const asked = { path: LIST, headers: withKey() };
      const waiting = [1, 2, 3].map(() => receive(site.tlsPort, true, asked).catch(() => undefined));
      await until(async () => reached === 3);
      expectProblem(await receive(site.tlsPort, true, asked), 'overloaded');
      expect(reached).toBe(3);
      await site.stop();
      await Promise.all(waiting);
    } finally {
      silent.close();
    }
  });

  it('buffers a response whole, so that the server has finished before a slow client reads', async () => {
    const target = { host: '127.0.0.1', port: nginx.tlsPort, path: LARGEST, headers: withKey() };
    const countFinished = () => log.filter(({ bytes }) => Number(bytes) > LARGE_BYTES).length;
    const before = countFinished();
    const request = requestTls({ ...target, agent: false, rejectUnauthorized: false }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.pause();
    await until(async () => countFinished() > before);
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(LARGE_BYTES);
  });

  it('answers 503 with problem details for a server that never answers', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const alone = await startSiteNginx([port], [['proxy_read_timeout 30s', 'proxy_read_timeout 1s']]);
    try {
      const received = await receive(alone.tlsPort, true, { path: LIST, headers: withKey() });
      expectProblem(received, 'overloaded');
      expect(String(received.body)).toContain('The server behind this address does not answer');
    } finally {
      await alone.stop();
      silent.close();
    }
  });

  it.each(['nginx.conf', 'nginx-edge.conf'])('closes its connections to the server before it does: %s', (file) => {
    const [, seconds] = /keepalive 32;[^}]*keepalive_timeout (\d+)s;/.exec(readDeployed(file)) ?? [];
    const [, serverMs] = /keepAliveTimeout: ([\d_]+)/.exec(readDeployed('../http/limits.ts')) ?? [];
    expect(Number(seconds) * 1_000).toBeLessThan(Number(serverMs?.replaceAll('_', '')));
  });
});

function expectProblem({ status, headers, body }: Received, code: keyof typeof PROBLEMS): void {
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'retry-after': expect.stringMatching(/^\d+$/),
    'x-content-type-options': 'nosniff',
  });
  const problem = PROBLEMS[code];
  expect(status).toBe(problem.status);
  expect(JSON.parse(String(body))).toEqual({
    type: `/problems/${code}`,
    title: problem.title,
    status: problem.status,
    detail: expect.any(String),
    instance: headers['x-request-id'],
    code,
    errors: [],
  });
}
