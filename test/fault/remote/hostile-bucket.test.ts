import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { AwsClient } from 'aws4fetch';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { EXIT } from '../../../cli/console/command.ts';
import type { TestStore } from '../../support/memory-s3.ts';
import { requireSuccess, type DealsRun } from '../../unit/cli/run-deals.ts';
import { openTestStores, readCurrentId, RemoteSite } from './remote-site.ts';

/** A command that hangs is killed after this time, and has then no exit code. */
const PATIENCE_MS = 30_000;

/** What a stranger who may write to the bucket can call an object. */
const STRANGE_NAMES = [
  '0\u0001',
  '\n',
  '&<>"\'',
  '😀',
  '../head.json',
  '..%2fhead.json',
  'a//b',
  '000000000009.json/',
  '0000000000010.json',
  '00000000000١.json',
  '-1.json',
  'x'.repeat(900),
];

const stores = await openTestStores();
let site: RemoteSite;

afterEach(() => site.remove());
afterAll(() => stores.stop());

async function run(words: readonly string[]): Promise<DealsRun> {
  const running = site.start(words);
  const timer = setTimeout(() => running.kill('SIGKILL'), PATIENCE_MS);
  const ended = await running.ended;
  clearTimeout(timer);
  return ended;
}

describe.each(stores.all)('a bucket of %s with foreign objects', (_, store: TestStore) => {
  beforeEach(async () => {
    site = await RemoteSite.create(store);
  });

  it('is used as if they were not there, also under strange names', async () => {
    const client = new AwsClient({ ...store, service: 's3', region: 'us-east-1', retries: 0 });
    site.publish();
    requireSuccess(await site.push());
    for (const prefix of ['switch/', 'blob/', 'images/', 'probe/', '']) {
      for (const name of STRANGE_NAMES) {
        const key = `uk/${prefix}${name}`;
        // The memory takes any name; a client cannot ask Ceph for some of them.
        const url = `${store.endpoint}/${site.bucket}/${key.split('/').map(encodeURIComponent).join('%2F')}`;
        const { status } = await client.fetch(url, { method: 'PUT', body: 'x' });
        expect([200, 400, 403, 404]).toContain(status);
      }
    }
    const before = await site.objects.keys();
    for (let number = 2; number <= 3; number++) {
      const next = site.publish();
      requireSuccess(await run(site.pushWords()));
      const { records, head, faults } = await site.read();
      expect([records[0]?.snapshot, records.length, head]).toEqual([next, number, number]);
      expect(faults.filter((fault) => !fault.endsWith('a foreign object'))).toEqual([]);
      requireSuccess(await run(site.pullWords('server')));
      expect(readCurrentId(site.server('server'))).toBe(next);
      expect(verifySnapshot(site.server('server'), next)).toEqual([]);
    }
    expect(before.length).toBeGreaterThan(STRANGE_NAMES.length);
    expect((await site.objects.keys()).filter((key) => before.includes(key))).toEqual(before);
  }, 120_000);
});

describe('a service in the place of the store', () => {
  let service: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let requests: string[];

  beforeEach(async () => {
    site = await RemoteSite.create(stores.memory);
    site.publish();
    requests = [];
    service = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      request.resume();
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
  });
  afterEach(() => {
    service.closeAllConnections();
    service.close();
  });

  function endpoint(): string {
    return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  }

  function list(token: string, ...keys: readonly string[]): string {
    const contents = keys.map(
      (key) => `<Contents><Key>${key}</Key><LastModified>2026-11-19T02:30:00Z</LastModified></Contents>`,
    );
    return `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>${contents.join('')}</ListBucketResult>`;
  }

  const SERVICES: readonly (readonly [what: string, body: () => string])[] = [
    ['says that there is always more, with the same token', () => list('again', 'uk/switch/000000000001.json')],
    ['says that there is always more, with another token', () => list(String(Math.random()), 'uk/switch/x')],
    ['lists what is no XML', () => 'no XML'],
    ['lists XML that is cut', () => list('again', 'uk/switch/000000000001.json').slice(0, 200)],
    ['lists an endless name', () => `<ListBucketResult><Contents><Key>${'x'.repeat(5_000_000)}`],
    ['lists XML nested deep', () => '<a>'.repeat(1_000_000)],
    [
      'lists entities that expand',
      () =>
        `<!DOCTYPE l [<!ENTITY a "${'x'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}"><!ENTITY c "${'&b;'.repeat(1_000)}">]><ListBucketResult><Contents><Key>&c;</Key></Contents></ListBucketResult>`,
    ],
    ['answers LIST with a web page', () => '<html><body><p>Welcome<br></body></html>'],
  ];

  it.each(SERVICES)(
    'that %s ends a push with exit code 1, and soon',
    async (_, body) => {
      answer = (request, response) => {
        const { url = '', method } = request;
        if (url.includes('list-type')) response.writeHead(200).end(body());
        else if (url.endsWith('deals-store.json')) response.writeHead(200).end('{"format":1}');
        else response.writeHead(method === 'PUT' ? 200 : 404).end();
      };
      const { exitCode, stderr } = await run([...site.pushWords(), '--endpoint', endpoint()]);
      expect(exitCode, stderr).toBe(EXIT.failed);
      expect(requests.filter((request) => request.startsWith('PUT'))).toEqual([]);
    },
    60_000,
  );

  it('that sends clients elsewhere gets no credentials sent there', async () => {
    const seen: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/x`;
    answer = (_, response) => response.writeHead(307, { location }).end();
    for (const words of [site.pushWords(), site.pullWords('server')]) {
      const { exitCode, stderr } = await run([...words, '--endpoint', endpoint()]);
      expect(exitCode, stderr).toBe(EXIT.failed);
      expect(stderr).toContain('the store answered 307');
    }
    expect(seen).toEqual([]);
    elsewhere.close();
  });

  it.each([
    ['everything with 200 and nothing', 200],
    ['everything with 204', 204],
    ['everything with 403', 403],
    ['everything with 404', 404],
    ['everything with 412', 412],
    ['everything with 500', 500],
    ['everything with 100,000 bytes of error', 418],
  ])(
    'that answers %s publishes nothing, and a server says so',
    async (_, status) => {
      answer = (__, response) => response.writeHead(status).end(status === 418 ? 'x'.repeat(200_000) : undefined);
      const pushed = await run([...site.pushWords(), '--endpoint', endpoint()]);
      expect(pushed.exitCode, pushed.stdout).not.toBe(EXIT.ok);
      expect(pushed.exitCode, pushed.stderr).not.toBe(null);
      expect(pushed.stdout).toBe('');
      const pulled = await run([...site.pullWords('server'), '--endpoint', endpoint()]);
      expect([EXIT.failed, EXIT.refused], pulled.stdout).toContain(pulled.exitCode);
      expect(readCurrentId(site.server('server'))).toBe(undefined);
    },
    90_000,
  );
});
