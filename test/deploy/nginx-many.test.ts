import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKey } from '../../server/keys/key-file.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { until, withServer, withStore, type TestServer } from '../harness.ts';
import { receive, type Received } from './site-client.ts';
import { startSiteNginx, type SiteNginx } from './site-nginx.ts';

const KEYS = 20;
const LIST = '/deals/v1/networks/';

let store: Awaited<ReturnType<typeof withStore>>;
let keys: readonly string[];
let servers: TestServer[];
let nginx: SiteNginx;

function ask(site: SiteNginx, key: string): Promise<Received> {
  return receive(site.tlsPort, true, { path: LIST, headers: { Host: 'deals.example.com', 'x-api-key': key } });
}

/** The port of the server that a key is sent to, as nginx logs it when it is done with the request. */
async function findServerOf(site: SiteNginx, key: string): Promise<number> {
  const { headers } = await ask(site, key);
  const lines = () => site.read('deals.log').split('\n');
  const findLine = () =>
    lines().find((text) => text.includes(headers['x-request-id'] ?? 'no id') && text.endsWith('}'));
  await until(async () => findLine() !== undefined);
  const { server } = JSON.parse(findLine() ?? '{}') as { readonly server: string };
  return Number(server.split(', ').at(-1)?.split(':')[1]);
}

const needs = [tool('nginx'), tool('openssl')];
describe.skipIf(isMissing('nginx before several servers', ...needs))('nginx.conf before several servers', () => {
  beforeAll(async () => {
    store = await withStore();
    const added: string[] = [];
    for (let at = 0; at < KEYS; at++)
      added.push((await addKey(store.keysFile, { name: `site-${at}` }, new Date())).keyText);
    keys = added;
    servers = [await withServer({ on: store }), await withServer({ on: store })];
    nginx = await startSiteNginx(servers.map(({ port }) => port));
  });
  afterAll(async () => {
    await nginx.stop();
    await Promise.all(servers.map((server) => server.close()));
    store.remove();
  });

  it('sends all requests of a key to one server, and the keys to all servers', async () => {
    const homes = await Promise.all(keys.map((key) => findServerOf(nginx, key)));
    for (let round = 0; round < 3; round++) {
      expect(await Promise.all(keys.map((key) => findServerOf(nginx, key)))).toEqual(homes);
    }
    expect(new Set(homes)).toEqual(new Set(servers.map(({ port }) => port)));
  });

  it('lets no request fail while a server is started again', async () => {
    const stopping = new AbortController();
    const answers: string[] = [];
    const clients = keys.map(async (key) => {
      while (!stopping.signal.aborted) {
        const { status, body } = await ask(nginx, key);
        answers.push(status === 200 ? 'served' : `${status} ${String(body)}`);
      }
    });
    const { port } = servers[0] as TestServer;
    await servers[0]?.close();
    await sleep(500);
    servers[0] = await withServer({ on: store, port });
    // nginx counts whole seconds: now it asks the server again.
    await sleep(5_000);
    stopping.abort();
    await Promise.all(clients);
    expect(answers.length).toBeGreaterThan(KEYS * 10);
    expect([...new Set(answers)]).toEqual(['served']);
  });

  it('passes the 503 of an overloaded server to the client, not the request to the next server', async () => {
    const body = '{"code":"overloaded"}';
    const answer = `HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const overloaded = createServer((socket: Socket) => socket.on('data', () => socket.write(answer)));
    overloaded.listen(0, '127.0.0.1');
    await once(overloaded, 'listening');
    const { port } = overloaded.address() as AddressInfo;
    const site = await startSiteNginx([port, servers[1]?.port ?? 0]);
    try {
      for (let round = 0; round < 2; round++) {
        const received = await Promise.all(keys.map((key) => ask(site, key)));
        const refused = received.filter(({ status }) => status === 503);
        expect(refused.length).toBeGreaterThan(0);
        expect(refused.length).toBeLessThan(KEYS);
        expect(refused.map(({ headers, body: got }) => [headers['retry-after'], String(got)])).toEqual(
          refused.map(() => ['7', body]),
        );
      }
    } finally {
      await site.stop();
      overloaded.close();
    }
  });
});
