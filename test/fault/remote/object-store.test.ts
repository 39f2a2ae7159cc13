import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { startMemoryS3, type TestStore } from '../../support/memory-s3.ts';
import { startObjectStore, type ObjectStore } from '../../support/object-store/object-store.ts';
import { runRclone } from '../../support/object-store/rclone.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
import { isMissing, tool } from '../needs.ts';
import { byTier } from '../tier.ts';
import { readCurrentId, RemoteSite, runHere } from './remote-site.ts';

/** One winner of each race. */
const RACES = byTier({ first: 3, second: 20, long: 500 });
const WRITERS = 16;

const HOUR_MS = 3_600_000;

const memory = await startMemoryS3();
const ceph = await startObjectStore();
const stores: readonly (readonly [name: string, store: TestStore])[] = [
  ['the store in memory', memory],
  ...(ceph === undefined ? [] : [['Ceph', ceph] as const]),
];

afterAll(() => Promise.all(stores.map(([, store]) => store.stop())));

// What the remote store relies on. A store that does not do this cannot hold one.
describe.each(stores)('%s', (_, store) => {
  const client = clientOf(store);

  it('returns what was put, with its length, time and headers', async () => {
    const { send } = await openBucket(store);
    const headers = { 'cache-control': 'public, max-age=31536000, immutable', 'content-type': 'application/json' };
    const before = Date.now();
    expect(await send('PUT', 'manifest/a b+ü.json', { body: '{"a":1}', headers })).toMatchObject({ status: 200 });
    const got = await send('GET', 'manifest/a b+ü.json');
    expect(got).toMatchObject({ status: 200, text: '{"a":1}' });
    expect(Object.fromEntries(got.headers)).toMatchObject(headers);
    const head = await send('HEAD', 'manifest/a b+ü.json');
    expect(head.headers.get('content-length')).toBe('7');
    // The time is in whole seconds.
    const modified = Date.parse(head.headers.get('last-modified') ?? '');
    expect(modified).toBeGreaterThan(before - 1001);
    expect(modified).toBeLessThan(Date.now() + 1);
  });

  it('creates only once: the second writer gets 412, and the object stays', async () => {
    const { send } = await openBucket(store);
    expect(await create(send, 'switch/1', 'first')).toBe(200);
    expect(await create(send, 'switch/1', 'second')).toBe(412);
    expect(await send('GET', 'switch/1')).toMatchObject({ text: 'first' });
  });

  it(`lets one of ${WRITERS} writers create an object, in ${RACES} races`, async () => {
    const { send } = await openBucket(store);
    for (let race = 0; race < RACES; race++) {
      const writers = Array.from({ length: WRITERS }, (_, writer) => `writer ${writer}`);
      const statuses = await Promise.all(writers.map((text) => create(send, `switch/${race}`, text)));
      const winners = writers.filter((_, at) => statuses[at] === 200);
      expect(winners, `statuses ${statuses.join()}`).toHaveLength(1);
      expect(await send('GET', `switch/${race}`)).toMatchObject({ text: winners[0] });
    }
  });

  it('has buckets that accept the condition and ignore it, which a push has to notice', async () => {
    const { send } = await openBucket(store, true);
    expect([await create(send, 'probe', 'first'), await create(send, 'probe', 'second')]).toEqual([200, 200]);
    expect(await send('GET', 'probe')).toMatchObject({ text: 'second' });
  });

  it('refuses a body that is not the one of the stated hash', async () => {
    const { send } = await openBucket(store);
    const headers = { 'x-amz-content-sha256': sha256('another') };
    expect(await send('PUT', 'blob', { body: 'this one', headers })).toMatchObject({ status: 400 });
    expect(await send('HEAD', 'blob')).toMatchObject({ status: 404 });
  });

  it('answers 304 to a reader that has the object already', async () => {
    const { send } = await openBucket(store);
    await send('PUT', 'head.json', { body: '{"revision":1}' });
    const etag = (await send('GET', 'head.json')).headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag };
    expect(await send('GET', 'head.json', { headers })).toMatchObject({ status: 304, text: '' });
    await send('PUT', 'head.json', { body: '{"revision":2}' });
    expect(await send('GET', 'head.json', { headers })).toMatchObject({ status: 200, text: '{"revision":2}' });
  });

  it('lists keys in pages, in order and by prefix', async () => {
    const { send } = await openBucket(store);
    const keys = ['blob/1', 'blob/2', 'blob/3', 'blob/a&b', 'blob/ü'];
    for (const key of [...keys, 'blah', 'switch/1']) await send('PUT', key, { body: key });
    const found: string[] = [];
    const pages: number[] = [];
    let token: string | undefined;
    do {
      const next = token === undefined ? '' : `&continuation-token=${encodeURIComponent(token)}`;
      const { text } = await send('GET', `?list-type=2&prefix=blob%2F&max-keys=2${next}`);
      const onPage = [...text.matchAll(/<Key>([^<]+)/g)].map(([, key = '']) => unescapeXml(key));
      expect(text.match(/<Size>\d+<\/Size>/g)).toHaveLength(onPage.length);
      expect(text.match(/<LastModified>\d{4}-\d\d-\d\dT[\d:.]+Z/g)).toHaveLength(onPage.length);
      pages.push(onPage.length);
      found.push(...onPage);
      const [, escaped] = /<NextContinuationToken>([^<]+)/.exec(text) ?? [];
      token = escaped === undefined ? undefined : unescapeXml(escaped);
    } while (token !== undefined);
    expect([found, pages]).toEqual([keys, [2, 2, 1]]);
  });

  it('keeps nothing of an upload that is cut in its middle', async () => {
    const { send, bucket } = await openBucket(store);
    const proxy = await startFaultProxy(store.endpoint);
    const body = randomBytes(1_000_000);
    const init = { method: 'PUT', body, headers: { 'x-amz-content-sha256': sha256(body) } };
    try {
      proxy.inject({ nth: 1, fault: { kind: 'cut-body', body: 'request', afterBytes: 300_000 } });
      await expect(client.fetch(`${proxy.url}/${bucket}/cut`, init)).rejects.toThrow('fetch failed');
      await sleep(200);
      expect(await send('HEAD', 'cut')).toMatchObject({ status: 404 });
      // The same upload, not cut: the signature holds for the address of the proxy.
      expect(await client.fetch(`${proxy.url}/${bucket}/cut`, init)).toMatchObject({ status: 200 });
    } finally {
      await proxy.stop();
    }
  });

  it('deletes an object, also one that is gone already', async () => {
    const { send } = await openBucket(store);
    await send('PUT', 'blob', { body: 'a' });
    const statuses: number[] = [];
    for (const method of ['DELETE', 'GET', 'DELETE']) statuses.push((await send(method, 'blob')).status);
    expect(statuses).toEqual([204, 404, 204]);
  });

  it.each([-HOUR_MS, HOUR_MS])('refuses a client whose clock is off by %i ms', async (skew) => {
    const { url } = await openBucket(store);
    const datetime = new Date(Date.now() + skew).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
    const response = await fetch(await client.sign(url('a'), { aws: { datetime } }));
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('RequestTimeTooSkewed')]);
  });

  it.each<[string, Partial<TestStore>, code: string]>([
    ['another secret', { secretAccessKey: 'another' }, 'SignatureDoesNotMatch'],
    ['a key that it does not know', { accessKeyId: 'AKOTHER' }, 'InvalidAccessKeyId'],
  ])('refuses a client with %s', async (_, change, code) => {
    const { url } = await openBucket(store);
    const response = await clientOf({ ...store, ...change }).fetch(url('a'));
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining(code)]);
  });

  it('refuses a request whose header was changed after it was signed', async () => {
    const { send, url } = await openBucket(store);
    await send('PUT', 'a', { body: 'first' });
    const body = 'second';
    const signed = await client.sign(url('a'), { method: 'PUT', headers: { 'if-none-match': '*' }, body });
    signed.headers.set('if-none-match', '"1"');
    expect(await fetch(signed)).toMatchObject({ status: 403 });
  });
});

describe.skipIf(ceph === undefined)('Ceph', () => {
  const store = ceph as ObjectStore;

  it('answers nothing while it is paused, and then goes on', async () => {
    const { send, url } = await openBucket(store);
    await send('PUT', 'a', { body: 'a' });
    store.pause();
    try {
      const signed = await clientOf(store).sign(url('a'));
      await expect(fetch(signed, { signal: AbortSignal.timeout(300) })).rejects.toThrow('timeout');
    } finally {
      store.resume();
    }
    expect(await send('GET', 'a')).toMatchObject({ text: 'a' });
  });

  it.skipIf(isMissing('reading the store with another program', tool('rclone')))(
    'has what was put, as rclone reads it',
    async () => {
      const { send, bucket } = await openBucket(store);
      const folder = mkdtempSync(join(tmpdir(), 'deals-rclone-'));
      for (const name of ['a.json', 'b.json']) {
        writeFileSync(join(folder, name), name);
        await send('PUT', `uk/${name}`, { body: name });
      }
      const check = ['check', folder, `store:${bucket}/uk`];
      expect(await runRclone(store, check)).toMatchObject({ status: 0 });
      await send('PUT', 'uk/b.json', { body: 'B.json' });
      expect(await runRclone(store, check)).toMatchObject({ status: 1, output: expect.stringContaining('b.json') });
    },
  );

  it.skipIf(isMissing('copying a remote store with another program', tool('rclone')))(
    'has what deals push wrote: rclone finds the pictures of the builder, and a server pulls from its copy',
    async () => {
      const site = await RemoteSite.create(store);
      onTestFinished(() => site.remove());
      const id = site.publish();
      requireSuccess(await site.push());
      const remote = `store:${site.bucket}/uk`;
      const copy = join(site.root, 'copy');
      const pictures = ['check', join(site.builder, 'images'), `${remote}/images`];
      expect(await runRclone(store, pictures)).toMatchObject({ status: 0 });
      expect(await runRclone(store, ['copy', remote, copy])).toMatchObject({ status: 0 });
      expect(await runRclone(store, ['check', copy, remote])).toMatchObject({ status: 0 });
      const server = site.server('server');
      const trust = `${site.signingKey}.pub`;
      requireSuccess(await runHere(['pull', `file://${copy}`, '--trust', trust, '--store', server]));
      expect(readCurrentId(server)).toBe(id);
      expect(verifySnapshot(server, id)).toEqual([]);
    },
  );
});

function clientOf({ accessKeyId, secretAccessKey }: TestStore): AwsClient {
  return new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'us-east-1', retries: 0 });
}

type Send = (
  method: string,
  key: string,
  init?: { body?: string; headers?: Record<string, string> },
) => Promise<Answer>;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An empty bucket, and a function that sends signed requests to it. */
async function openBucket(store: TestStore, ignoresConditions = false) {
  const bucket = await store.createBucket({ ignoresConditions });
  const client = clientOf(store);
  const url = (key: string): string => {
    const [path = '', query] = key.split('?');
    return `${store.endpoint}/${bucket}/${path.split('/').map(encodeURIComponent).join('/')}${query === undefined ? '' : `?${query}`}`;
  };
  const send: Send = async (method, key, { body, headers = {} } = {}) => {
    const hash: Record<string, string> = body === undefined ? {} : { 'x-amz-content-sha256': sha256(body) };
    const response = await client.fetch(url(key), {
      method,
      headers: { ...hash, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { bucket, url, send };
}

function unescapeXml(text: string): string {
  return text.replaceAll('&amp;', '&');
}

async function create(send: Send, key: string, body: string): Promise<number> {
  return (await send('PUT', key, { body, headers: { 'if-none-match': '*' } })).status;
}

function sha256(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
