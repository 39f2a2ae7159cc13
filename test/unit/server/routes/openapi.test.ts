import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { withServer } from '../../../harness.ts';

it('/openapi.json is encoded once, and has a tag for each encoding (D18)', async () => {
  const server = await withServer();
  let encoderCount = 0;
  const hook = createHook({ init: (_id, type) => void (encoderCount += type === 'ZLIB' ? 1 : 0) }).enable();
  const ask = async (encoding: string, i = 0) => {
    // This client decodes nothing.
    const asking = once(
      get(`${server.url}/openapi.json?${i}`, { headers: { 'Accept-Encoding': encoding } }),
      'response',
    );
    const [response] = (await asking) as [IncomingMessage];
    await response.toArray();
    return response.headers.etag;
  };
  for (let i = 0; i < 5; i++) await ask('gzip', i);
  hook.disable();
  expect(encoderCount).toBeLessThanOrEqual(1);
  expect(new Set([await ask('gzip'), await ask('br'), await ask('identity')]).size).toBe(3);
});
