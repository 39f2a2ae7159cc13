import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Encoding } from '../../../../server/http/compression.ts';
import { createCacheEntry, MAX_CACHED_BYTES, ResponseCache } from '../../../../server/http/response-cache.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { serve, type TestServer } from '../../../contract/serve.ts';

const TARGET = '/deals/v1/products/?expand=products(content,cheapestDeal,deals)';

/** Everything of an answer that a client sees and that is not its own. */
const seen = (answer: { status: number; headers: Headers; text: string }) => {
  const own = ['x-request-id', 'date', 'connection', 'keep-alive'];
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !own.includes(name)));
  return { status: answer.status, headers, text: answer.text };
};

describe('an answer that was made before', () => {
  let server: TestServer;
  let uncached: TestServer;
  beforeAll(async () => {
    server = await serve();
    uncached = await serve({ start: { settings: { answerCacheBytes: 0 } } });
  });
  afterAll(async () => {
    await server.close();
    await uncached.close();
  });

  it.each(['identity', 'gzip', 'br'])('is the same in status, headers and bytes (%s)', async (encoding) => {
    const options = { headers: { 'accept-encoding': encoding } };
    const first = await server.ask(TARGET, options);
    const again = await server.ask(TARGET, options);
    expect(seen(again)).toEqual(seen(first));
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect((await uncached.ask(TARGET, options)).text).toBe(first.text);
  });

  it('answers 304 to a client that has it, with the headers of any 304', async () => {
    const tag = (await server.ask(TARGET)).headers.get('etag') ?? '';
    const options = { headers: { 'if-none-match': tag } };
    const cached = await server.ask(TARGET, options);
    expect(cached.status).toBe(304);
    const made = await server.ask(`${TARGET}&`, options);
    expect(seen(cached)).toEqual(seen(made));
  });

  it('needs a key like any other', async () => {
    await server.ask(TARGET);
    expect((await fetch(server.url + TARGET)).status).toBe(401);
  });

  it('goes with its snapshot', async () => {
    const before = await server.ask('/deals/v1/products/?limit=1');
    await server.publish({ ...FIXTURE, products: FIXTURE.products.map((row) => ({ ...row, name: `${row.name} II` })) });
    const after = await server.ask('/deals/v1/products/?limit=1');
    expect(after.text).not.toBe(before.text);
    expect(after.headers.get('x-snapshot')).not.toBe(before.headers.get('x-snapshot'));
    const next = /<([^>]+)>; rel="next"/.exec(before.headers.get('link') ?? '')?.[1] ?? '';
    const walked = await server.ask(next);
    expect(walked.headers.get('x-snapshot')).toBe(before.headers.get('x-snapshot'));
    expect(seen(await server.ask(next))).toEqual(seen(walked));
  });
});

describe('the cache', () => {
  const answerOf = (bytes: number) => createCacheEntry('"t"', {}, Buffer.alloc(bytes));
  const find = (cache: ResponseCache, target: string, encoding: Encoding = 'br') =>
    cache.find(target, encoding, undefined);

  it('keeps encodings apart', () => {
    const cache = new ResponseCache(1_000_000);
    cache.set('/a', 'br', answerOf(1));
    expect(find(cache, '/a')).toBeDefined();
    expect(find(cache, '/a', 'identity')).toBeUndefined();
  });

  it('has 304 for those who have the answer, without the headers of its body', () => {
    const cache = new ResponseCache(1_000_000);
    const headers = { 'Content-Type': 'application/json', ETag: '"t"', Link: '</>; rel="first"', Vary: ['A', 'B'] };
    cache.set('/a', 'br', createCacheEntry('"t"', headers, Buffer.from('{}')));
    expect(cache.find('/a', 'br', '"u", W/"t"')).toEqual({
      status: 304,
      headers: { 'X-Request-Id': '', 'X-Content-Type-Options': 'nosniff', ETag: '"t"', Vary: ['A', 'B'] },
      body: undefined,
    });
    expect(cache.find('/a', 'br', '"u"')).toEqual({
      status: 200,
      headers: { 'X-Request-Id': '', 'X-Content-Type-Options': 'nosniff', ...headers, 'Content-Length': '2' },
      body: Buffer.from('{}'),
    });
  });

  it('may know that nothing changed before it knows the body', () => {
    const cache = new ResponseCache(1_000_000);
    cache.set('/a', 'br', createCacheEntry('"t"', { ETag: '"t"' }, undefined));
    expect(cache.find('/a', 'br', '"t"')?.status).toBe(304);
    expect(find(cache, '/a')).toBeUndefined();
  });

  it('keeps no answer that is too large, and none at all with no bytes', () => {
    const cache = new ResponseCache(10_000_000);
    cache.set('/a', 'br', answerOf(MAX_CACHED_BYTES + 2_000));
    expect(find(cache, '/a')).toBeUndefined();
    const none = new ResponseCache(0);
    none.set('/a', 'br', answerOf(1));
    expect(find(none, '/a')).toBeUndefined();
  });

  it('counts links as long as the target, and not what they were cut from', () => {
    const cache = new ResponseCache(1_000_000);
    const target = (i: number): string => `/${i}?${'x'.repeat(8_000)}`;
    const links = (i: number): string => ['first', 'prev', 'next', 'last'].map((to) => `<${target(i)}>; ${to}`).join();
    for (let i = 0; i < 100; i++) cache.set(target(i), 'br', createCacheEntry('"t"', { Link: links(i) }, undefined));
    const kept = Array.from({ length: 100 }, (_, i) => cache.find(target(i), 'br', '"t"') !== undefined);
    expect(kept.at(-1)).toBe(true);
    expect(kept.filter(Boolean).length).toBeLessThanOrEqual(1_000_000 / (5 * 8_000));
  });

  it('holds a body in memory of its own: zlib returns a part of something larger', () => {
    const { full } = createCacheEntry('"t"', {}, Buffer.alloc(16_384, 'x').subarray(0, 300));
    expect([full?.body?.buffer.byteLength, full?.body?.toString()]).toEqual([300, 'x'.repeat(300)]);
  });

  it('is bounded in bytes, and forgets what was asked for longest ago', () => {
    const cache = new ResponseCache(1_000_000);
    for (let i = 0; i < 100; i++) cache.set(`/${i}`, 'br', answerOf(100_000));
    const kept = Array.from({ length: 100 }, (_, i) => find(cache, `/${i}`) !== undefined);
    expect(kept.filter(Boolean).length).toBeLessThan(10);
    expect(kept.at(-1)).toBe(true);
  });
});
