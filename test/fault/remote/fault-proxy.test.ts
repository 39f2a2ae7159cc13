import { createHash, randomBytes } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startFaultProxy, type Fault } from '../../support/fault-proxy.ts';
import { startMemoryS3 } from '../../support/memory-s3.ts';

const BODY = randomBytes(300_000);
const HASH = createHash('sha256').update(BODY).digest('hex');

const store = await startMemoryS3();
const proxy = await startFaultProxy(store.endpoint);
const bucket = await store.createBucket();
const client = new AwsClient({ ...store, service: 's3', region: 'us-east-1', retries: 0 });

afterAll(async () => {
  await proxy.stop();
  await store.stop();
});

beforeEach(async () => {
  proxy.reset();
  store.objects(bucket).clear();
  await put('there');
  proxy.reset();
  store.clearRequests();
});

describe('the fault proxy', () => {
  it('passes requests on as they are, and counts them', async () => {
    expect((await put('a')).status).toBe(200);
    expect((await get('a')).equals(BODY)).toBe(true);
    expect([proxy.count('PUT'), proxy.count('GET'), proxy.count('GET', /there/)]).toEqual([1, 1, 0]);
  });

  it('lets a fault happen to the n-th request that matches, and to no other', async () => {
    proxy.inject({ method: 'GET', path: /there/, nth: 2, fault: { kind: 'answer', status: 500 } });
    const statuses: number[] = [];
    for (const key of ['there', 'absent', 'there', 'there']) statuses.push((await send('GET', key)).status);
    expect(statuses).toEqual([200, 404, 500, 200]);
    expect(proxy.requests.map(({ fault }) => fault)).toEqual([undefined, undefined, 'answer', undefined]);
  });

  it.each<[string, Fault, seenByStore: number]>([
    ['breaks the connection before the store sees a request', { kind: 'cut-before' }, 0],
    ['loses the answer to a request that the store has done', { kind: 'cut-after' }, 1],
    ['breaks an upload in its middle', { kind: 'cut-body', body: 'request', afterBytes: 100_000 }, 1],
  ])('%s', async (_, fault, seenByStore) => {
    proxy.inject({ fault });
    await expect(put('a')).rejects.toThrow('fetch failed');
    expect(store.count('PUT')).toBe(seenByStore);
    expect(store.objects(bucket).has('a')).toBe(fault.kind === 'cut-after');
  });

  it.each<[string, Fault]>([
    ['shortens an upload', { kind: 'truncate', body: 'request', afterBytes: 100_000 }],
    ['changes a byte of an upload', { kind: 'flip', body: 'request', byteOffset: 250_000 }],
  ])('%s, which the store notices', async (_, fault) => {
    proxy.inject({ fault });
    const response = await put('a');
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('XAmzContentSHA256Mismatch'),
    ]);
  });

  it('answers that the store is too busy', async () => {
    proxy.inject({ fault: { kind: 'answer', status: 503, code: 'SlowDown' } });
    const response = await send('GET', 'there');
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('<Code>SlowDown</Code>')]);
    expect(store.requests).toEqual([]);
  });

  it('answers in the place of a store that has done what was asked', async () => {
    proxy.inject({ fault: { kind: 'answer', status: 500, delivered: true } });
    expect((await put('a')).status).toBe(500);
    expect(store.objects(bucket).has('a')).toBe(true);
  });

  it('answers nothing, until the client gives up', async () => {
    proxy.inject({ fault: { kind: 'hang' } });
    await expect(send('GET', 'there', { signal: AbortSignal.timeout(200) })).rejects.toThrow('timeout');
    expect(store.requests).toEqual([]);
  });

  it('breaks a download in its middle', async () => {
    proxy.inject({ fault: { kind: 'cut-body', body: 'response', afterBytes: 100_000 } });
    const response = await send('GET', 'there');
    expect(response.headers.get('content-length')).toBe('300000');
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  });

  it('shortens a download, and states the shorter length', async () => {
    proxy.inject({ fault: { kind: 'truncate', body: 'response', afterBytes: 100_000 } });
    expect((await get('there')).equals(BODY.subarray(0, 100_000))).toBe(true);
  });

  it('changes one byte of a download', async () => {
    proxy.inject({ fault: { kind: 'flip', body: 'response', byteOffset: 250_000 } });
    const body = await get('there');
    expect([...body.keys()].filter((at) => body[at] !== BODY[at])).toEqual([250_000]);
  });

  it.each(['request', 'response'] as const)('passes the body of a %s slowly', async (body) => {
    proxy.inject({ fault: { kind: 'slow', body, bytesPerSecond: 1_000_000 } });
    const start = performance.now();
    await (body === 'request' ? put('a') : get('there'));
    // 300,000 bytes take 300 ms. A timer may fire a little early.
    expect(performance.now() - start).toBeGreaterThan(290);
  });

  it('holds a request until the test lets it go', async () => {
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    proxy.inject({ method: 'PUT', fault: { kind: 'call', at: 'before', run: () => gate } });
    const putting = put('a');
    await send('HEAD', 'there');
    expect(store.objects(bucket).has('a')).toBe(false);
    letGo();
    expect((await putting).status).toBe(200);
  });

  it('calls the test between the work of the store and its answer', async () => {
    const seen: boolean[] = [];
    const run = (): unknown => seen.push(store.objects(bucket).has('a'));
    proxy.inject({ method: 'PUT', fault: { kind: 'call', at: 'after', run } });
    expect((await put('a')).status).toBe(200);
    expect(seen).toEqual([true]);
  });
});

function put(key: string): Promise<Response> {
  return send('PUT', key, { body: BODY, headers: { 'x-amz-content-sha256': HASH } });
}

async function get(key: string): Promise<Buffer> {
  return Buffer.from(await (await send('GET', key)).arrayBuffer());
}

/** Sends a request by way of the proxy, for which it is signed. */
function send(method: string, key: string, init: RequestInit = {}): Promise<Response> {
  return client.fetch(`${proxy.url}/${bucket}/${key}`, { method, ...init });
}
