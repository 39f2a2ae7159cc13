import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { negotiateEncoding, openEncoder } from '../../../../server/http/encoding.ts';
import { makeBody } from '../../../../server/http/send.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { withServer } from '../../../harness.ts';

const server = await withServer({
  catalogue: { ...FIXTURE, deals: Array.from({ length: 60 }, () => FIXTURE.deals).flat() },
});
const LONG = '/deals/v1/products/?expand=deals&limit=100';
const SHORT = '/deals/v1/networks/';

async function ask(target: string, encoding: string, method = 'GET', more: Record<string, string> = {}) {
  const headers = { 'x-api-key': server.key, 'accept-encoding': encoding, ...more };
  const [response] = (await once(request(server.url + target, { method, headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(await response.toArray()) };
}

describe('a response', () => {
  it.each([
    ['long', LONG],
    ['short', '/deals/v1/products/?expand=products(content,specs)'],
  ])(
    'that is %s is the same as br, gzip and plain, made or cached, each with its tag (D18)',
    async (length, target) => {
      const plain = await ask(target, 'identity');
      expect(plain.body.length > 64 * 1024).toBe(length === 'long');
      expect(plain.headers['content-length']).toBe(length === 'long' ? undefined : String(plain.body.length));
      const tags = new Set([plain.headers.etag]);
      for (const [encoding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const [made, again] = [await ask(target, encoding), await ask(target, encoding)];
        expect([made.status, made.headers['content-encoding']]).toEqual([200, encoding]);
        expect(decode(made.body).equals(plain.body)).toBe(true);
        expect(again.body.equals(made.body)).toBe(true);
        const { 'x-request-id': _, date: __, ...kept } = made.headers;
        expect(again.headers).toMatchObject(kept);
        tags.add(made.headers.etag);
        const unchanged = await ask(target, encoding, 'GET', { 'if-none-match': made.headers.etag ?? '' });
        expect([unchanged.status, unchanged.body.length, unchanged.headers.etag]).toEqual([304, 0, made.headers.etag]);
        for (const name of ['content-type', 'content-encoding', 'x-total-count', 'link', 'content-length']) {
          expect([name, unchanged.headers[name]]).toEqual([name, undefined]);
        }
      }
      expect(tags.size).toBe(3);
      const head = await ask(target, 'identity', 'HEAD');
      expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, plain.headers.etag]);
    },
  );

  it('that is long is sent plain, with the plain tag, while there is no encoder for it', async () => {
    const plain = await ask(LONG, 'identity');
    const encoders = Array.from({ length: 16 }, () => openEncoder('br'));
    const { headers, body } = await ask(LONG, 'br');
    await Promise.all(encoders.map((encoder) => once(encoder.destroy(), 'close')));
    expect([headers['content-encoding'], headers.etag]).toEqual([undefined, plain.headers.etag]);
    expect(body.equals(plain.body)).toBe(true);
    expect((await ask(LONG, 'br')).headers['content-encoding']).toBe('br');
  });

  it('that is short does not wait for those that are long', async () => {
    let chunkCount = 0;
    const endless = {
      status: 200,
      headers: {},
      body: (function* () {
        while (chunkCount < 10_000) {
          chunkCount++;
          yield 'x'.repeat(64 * 1024);
        }
      })(),
    };
    const made = await makeBody(endless);
    expect(made.body).toHaveProperty('chunks');
    // No more is made than is needed to know that it is long.
    expect(chunkCount).toBe(2);
    const readers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const headers = { 'x-api-key': server.key };
        const [response] = (await once(request(server.url + LONG, { headers }).end(), 'response')) as [IncomingMessage];
        return response;
      }),
    );
    expect((await ask(SHORT, 'identity')).status).toBe(200);
    const whole = await Promise.all(readers.map(async (reader) => Buffer.concat(await reader.toArray()).length));
    expect(new Set(whole).size).toBe(1);
  });
});

describe('Accept-Encoding (D18)', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['br, gzip', 'br'],
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['deflate', 'identity'],
    [`gzip;x=${'x'.repeat(300)}`, 'gzip'],
  ])('%s is sent as %s, twice', (text, encoding) => {
    expect([negotiateEncoding(text), negotiateEncoding(text)]).toEqual([encoding, encoding]);
  });
});
