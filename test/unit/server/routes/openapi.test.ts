import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { withServer } from '../../../harness.ts';

const ORIGIN = 'https://shop.test';
const server = await withServer({ settings: { corsOrigins: [ORIGIN], maxDealsPerAnswer: 4_321 } });

const ADDRESS = `${server.url}/openapi.json`;

describe('/openapi.json (D19)', () => {
  it('is sent without a key, as JSON, and says what this server is set to', async () => {
    const response = await fetch(ADDRESS);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const document = (await response.json()) as { readonly openapi: string };
    expect(document.openapi).toBe('3.1.0');
    expect(JSON.stringify(document)).toContain('at most 4321 deals');
  });

  it.each(['br', 'gzip', 'identity'])('has a tag of its own as %s, and a 304 for it', async (encoding) => {
    const headers = { 'Accept-Encoding': encoding };
    const first = await fetch(ADDRESS, { headers });
    await first.body?.cancel();
    expect(first.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(first.headers.get('vary')).toContain('Accept-Encoding');
    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=[1-9][0-9]*$/);
    const tag = first.headers.get('etag') ?? '';
    const again = await fetch(ADDRESS, { headers: { ...headers, 'If-None-Match': tag } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, '']);
    const other = await fetch(ADDRESS, { headers: { 'Accept-Encoding': 'br;q=0', 'If-None-Match': `${tag}x` } });
    await other.body?.cancel();
    expect(other.status).toBe(200);
  });

  it('is encoded once', async () => {
    let encoderCount = 0;
    const hook = createHook({ init: (_id, type) => void (encoderCount += type === 'ZLIB' ? 1 : 0) }).enable();
    for (let i = 0; i < 5; i++) {
      // This client decodes nothing.
      const asking = once(get(`${ADDRESS}?${i}`, { headers: { 'Accept-Encoding': 'gzip' } }), 'response');
      const [response] = (await asking) as [IncomingMessage];
      await response.toArray();
    }
    hook.disable();
    expect(encoderCount).toBeLessThanOrEqual(1);
  });

  it('may be read by the pages of a configured origin (D21)', async () => {
    const response = await fetch(ADDRESS, { headers: { Origin: ORIGIN } });
    await response.body?.cancel();
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-expose-headers')).toContain('ETag');
  });

  it('is the same without a snapshot, and answers HEAD, OPTIONS and nothing else (D2)', async () => {
    const empty = await withServer({ catalogue: null, settings: { maxDealsPerAnswer: 4_321 } });
    const [full, bare] = await Promise.all([fetch(ADDRESS), fetch(`${empty.url}/openapi.json`)]);
    expect(await bare.text()).toBe(await full.text());
    const url = `${empty.url}/openapi.json`;
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, full.headers.get('etag'), '']);
    const statuses = ['OPTIONS', 'POST', 'DELETE'].map(async (method) => (await fetch(url, { method })).status);
    expect(await Promise.all(statuses)).toEqual([204, 405, 405]);
  });

  it.each(['/OPENAPI.json', '/openapi.json/', '/openapi'])('is not at %s: paths are compared as sent', async (path) => {
    expect((await fetch(server.url + path)).status).toBe(404);
  });
});

describe('/problems/ (D17, D19)', () => {
  it('is a list', async () => {
    const response = await fetch(`${server.url}/problems/`);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('/problems/out-of-range')]);
  });

  it.each(['/problems', '/problems//', '/problems/none', '/problems/unknown-path//'])(
    'is nothing at %s',
    async (path) => {
      expect((await fetch(server.url + path)).status).toBe(404);
    },
  );
});
