import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKey } from '../../server/keys/key-file.ts';
import { startServer, type RunningServer } from '../../server/start.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { until } from '../harness.ts';
import { findFreePort } from '../support/ports.ts';
import { buildSample } from './sample-store.ts';
import { receive, type Received } from './site-client.ts';
import { startSiteNginx, type SiteNginx } from './site-nginx.ts';

const KEYS = 20;
const LIST = '/deals/v1/networks/';

let sample: { readonly store: string; remove(): void };
let keysFile: string;
let keys: readonly string[];
/** Each with a store of its own, which holds the same snapshot. */
let servers: RunningServer[];
let nginx: SiteNginx;

function startOn(port: number, number: number): Promise<RunningServer> {
  const store = `${sample.store}-${number}`;
  return startServer({ store, keysFile, host: '127.0.0.1', port, publicUrl: 'https://deals.example.com' });
}

function startBefore(ports: readonly number[]): Promise<SiteNginx> {
  return startSiteNginx(ports, [['proxy_read_timeout 30s', 'proxy_read_timeout 4s']]);
}

function ask(site: SiteNginx, key: string | undefined): Promise<Received> {
  const headers = { Host: 'deals.example.com', ...(key === undefined ? {} : { 'x-api-key': key }) };
  return receive(site.tlsPort, true, { path: LIST, headers });
}

/** The port of the server that gave a response, as nginx logs it when it is done with the request. */
async function findPort(site: SiteNginx, { headers }: Received): Promise<number> {
  const findLine = () =>
    site
      .read('deals.log')
      .split('\n')
      .find((text) => text.includes(headers['x-request-id'] ?? 'no id') && text.endsWith('}'));
  await until(async () => findLine() !== undefined);
  const { server } = JSON.parse(findLine() ?? '{}') as { readonly server: string };
  return Number(server.split(', ').at(-1)?.split(':')[1]);
}

async function findServerOf(site: SiteNginx, key: string | undefined): Promise<number> {
  return findPort(site, await ask(site, key));
}

describe.skipIf(isMissing('nginx before several servers', tool('nginx'), tool('openssl')))(
  'nginx.conf before several servers',
  () => {
    beforeAll(async () => {
      sample = await buildSample();
      keysFile = join(sample.store, '../keys.json');
      const added: string[] = [];
      for (let at = 0; at < KEYS; at++)
        added.push((await addKey(keysFile, { name: `site-${at}` }, new Date())).keyText);
      keys = added;
      for (const number of [0, 1]) cpSync(sample.store, `${sample.store}-${number}`, { recursive: true });
      servers = await Promise.all([0, 1].map((number) => startOn(0, number)));
      nginx = await startBefore(servers.map(({ port }) => port));
    });
    afterAll(async () => {
      await nginx.stop();
      await Promise.all(servers.map((server) => server.close()));
      sample.remove();
    });

    /** Stops a server, and starts it again on its port when `work` has ended. */
    async function without<Result>(number: number, work: () => Promise<Result>): Promise<Result> {
      const { port } = servers[number] as RunningServer;
      await servers[number]?.close();
      try {
        return await work();
      } finally {
        servers[number] = await startOn(port, number);
        // nginx counts whole seconds: now it asks the server again.
        await sleep(5_000);
      }
    }

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
      await without(0, () => sleep(500));
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
      const site = await startBefore([port, servers[1]?.port ?? 0]);
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

    it('answers 503 with Retry-After when no server answers', async () => {
      const site = await startBefore([await findFreePort(), await findFreePort()]);
      try {
        const { status, headers, body } = await ask(site, keys[0]);
        expect([status, headers['retry-after']]).toEqual([503, '5']);
        expect(JSON.parse(String(body))).toMatchObject({ code: 'overloaded' });
      } finally {
        await site.stop();
      }
    });
  },
);
