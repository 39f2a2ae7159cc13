import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openEncoder, makeBody } from '../../../../server/http/send.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { withServer } from '../../../harness.ts';
import { receive } from '../../../support/receive.ts';

const server = await withServer({
  catalogue: { ...FIXTURE, deals: Array.from({ length: 60 }, () => FIXTURE.deals).flat() },
});
const LONG = '/deals/v1/products/?expand=deals&limit=100';

const ask = (target: string, encoding: string, more: Record<string, string> = {}) =>
  receive(server.url, target, { 'x-api-key': server.key, 'accept-encoding': encoding, ...more });

describe('a response', () => {
  // The exchanges of the contract have short ones.
  it('that is long is the same as br, gzip and plain, made or cached, each with its tag (D18)', async () => {
    const plain = await ask(LONG, 'identity');
    expect(plain.body.length).toBeGreaterThan(64 * 1024);
    expect(plain.headers['content-length']).toBeUndefined();
    const tags = new Set([plain.headers.etag]);
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const [made, again] = [await ask(LONG, encoding), await ask(LONG, encoding)];
      expect([made.status, made.headers['content-encoding']]).toEqual([200, encoding]);
      expect(decode(made.body).equals(plain.body)).toBe(true);
      expect(again.body.equals(made.body)).toBe(true);
      const { 'x-request-id': _, date: __, ...kept } = made.headers;
      expect(again.headers).toMatchObject(kept);
      tags.add(made.headers.etag);
      const unchanged = await ask(LONG, encoding, { 'if-none-match': made.headers.etag ?? '' });
      expect([unchanged.status, unchanged.body.length, unchanged.headers.etag]).toEqual([304, 0, made.headers.etag]);
      for (const name of ['content-type', 'content-encoding', 'x-total-count', 'link', 'content-length']) {
        expect([name, unchanged.headers[name]]).toEqual([name, undefined]);
      }
    }
    expect(tags.size).toBe(3);
  });

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
    const readers = Array.from({ length: 20 }, () => ask(LONG, 'identity'));
    expect((await ask('/deals/v1/networks/', 'identity')).status).toBe(200);
    expect(new Set((await Promise.all(readers)).map(({ body }) => body.length)).size).toBe(1);
  });
});

it('/openapi.json is encoded twice at most, and has a tag for each encoding (D18)', async () => {
  const tagOf = async (encoding: string, i = 0) => (await ask(`/openapi.json?${i}`, encoding)).headers['etag'];
  for (let i = 0; i < 2; i++) await tagOf('gzip', i);
  let encoderCount = 0;
  const hook = createHook({ init: (_id, type) => void (encoderCount += type === 'ZLIB' ? 1 : 0) }).enable();
  for (let i = 0; i < 5; i++) await tagOf('gzip', i);
  hook.disable();
  expect(encoderCount).toBe(0);
  expect(new Set([await tagOf('gzip'), await tagOf('br'), await tagOf('identity')]).size).toBe(3);
});
