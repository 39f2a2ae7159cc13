import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { FIXTURE } from './fixture-catalogue.ts';
import { serve, withServer } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const LARGE = '/deals/v1/products/?expand=deals,images,specs';

interface Encoded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Unlike fetch, asks for the encodings it is told to and leaves the body as it came. */
function askEncoded(
  target: string,
  acceptEncoding: string | undefined,
  more: Record<string, string> = {},
): Promise<Encoded> {
  return new Promise((resolve, reject) => {
    const headers = {
      'x-api-key': server.key,
      ...more,
      ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
    };
    request(server.url + target, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('caching (D18)', () => {
  it('an answer may be kept by its client alone, with a tag, by encoding (D18)', async () => {
    const { headers } = await server.ask(LARGE);
    expect(headers.get('cache-control')).toBe('private, max-age=60, stale-while-revalidate=600, stale-if-error=86400');
    expect(headers.get('vary')).toMatch(/\bAccept-Encoding\b/i);
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
  });

  it('the times may be set (D18)', async () => {
    const settings = { maxAgeSeconds: 1, staleWhileRevalidateSeconds: 2, staleIfErrorSeconds: 3 };
    await withServer({ start: { settings } }, async (other) => {
      const expected = 'private, max-age=1, stale-while-revalidate=2, stale-if-error=3';
      expect((await other.ask(LARGE)).headers.get('cache-control')).toBe(expected);
    });
  });

  it.each(['/deals/v1/products/', '/deals/v1/gifts/', '/deals/v1/networks/', LARGE])(
    '%s with its tag is 304 without a body (D18)',
    async (target) => {
      const tag = (await server.ask(target)).headers.get('etag') ?? '';
      for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const { status, headers, text } = await server.ask(target, {
          headers: { 'if-none-match': sent },
        });
        expect([sent, status, text, headers.get('etag')]).toEqual([sent, 304, '', tag]);
        expect(headers.get('cache-control')).toContain('private');
      }
      const { status } = await server.ask(target, { headers: { 'if-none-match': '"other"' } });
      expect(status).toBe(200);
    },
  );

  it('the tag is of the meaning of the query, however it is spelled (D18)', async () => {
    const tagOf = async (query: string): Promise<string | null> =>
      (await server.ask(`/deals/v1/products/?${query}`)).headers.get('etag');
    const tag = await tagOf('expand=products(content,specs)&filter[networks]=eq{o2,ee}&limit=20');
    expect(tag).not.toBeNull();
    expect(await tagOf('filter%5Bnetworks%5D=eq{ee,21}&expand=product-specs,content')).toBe(tag);
    expect(await tagOf('expand=products(content)&filter[networks]=eq{o2,ee}')).not.toBe(tag);
    expect(await tagOf('expand=products(content,specs)&filter[networks]=eq{o2}')).not.toBe(tag);
    expect(await tagOf('expand=products(content,specs)&filter[networks]=eq{o2,ee}&limit=19')).not.toBe(tag);
  });

  it('a change of the contents changes the tag (D18)', async () => {
    await withServer({}, async (moving) => {
      const tag = (await moving.ask('/deals/v1/gifts/')).headers.get('etag');
      await moving.publish({ ...FIXTURE, giftCategories: [] });
      expect((await moving.ask('/deals/v1/gifts/')).headers.get('etag')).not.toBe(tag);
    });
  });

  it('brotli and gzip are negotiated and hold the same bytes (D18)', async () => {
    const plain = await askEncoded(LARGE, undefined);
    const brotli = await askEncoded(LARGE, 'br, gzip');
    const gzip = await askEncoded(LARGE, 'gzip');
    expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    const tags = [plain, brotli, gzip].map(({ headers }) => headers['etag']);
    expect(new Set(tags).size).toBe(3);
    const unchanged = await askEncoded(LARGE, 'gzip', { 'if-none-match': String(gzip.headers['etag']) });
    expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
  });

  it.each(['gzip;q=0', 'identity', 'br;q=0, gzip;q=0', 'deflate'])(
    'Accept-Encoding: %s is sent plain (D18)',
    async (accept) => {
      const { status, headers } = await askEncoded(LARGE, accept);
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    },
  );

  it('every answer of the interface names its snapshot, errors included (D18)', async () => {
    const id = (await server.ask('/deals/v1/products/')).headers.get('x-snapshot');
    expect(id).toMatch(/^[0-9]{8}T[0-9]{4}Z-[0-9a-f]{8}$/);
    for (const target of [
      '/deals/v1/gifts/',
      '/deals/v1/products/?limit=0',
      '/deals/v1/products/424242/',
      '/deals/v1/x/',
    ]) {
      expect([target, (await server.ask(target)).headers.get('x-snapshot')]).toEqual([target, id]);
    }
    const unauthorised = await fetch(`${server.url}/deals/v1/products/`);
    expect([unauthorised.status, unauthorised.headers.get('x-snapshot')]).toEqual([401, id]);
    expect((await server.ask('/deals/v1/gifts/', { method: 'POST' })).headers.get('x-snapshot')).toBe(id);
    const tag = (await server.ask('/deals/v1/gifts/')).headers.get('etag') ?? '';
    const unchanged = await server.ask('/deals/v1/gifts/', {
      headers: { 'if-none-match': tag },
    });
    expect([unchanged.status, unchanged.headers.get('x-snapshot')]).toEqual([304, id]);
  });

  it('the same query on the same snapshot is the same bytes, at any time and on any server (D18)', async () => {
    await withServer({ start: { now: () => new Date('2031-05-06T07:08:09Z') } }, async (other) => {
      expect((await other.ask(LARGE)).text).toBe((await server.ask(LARGE)).text);
    });
  });
});
