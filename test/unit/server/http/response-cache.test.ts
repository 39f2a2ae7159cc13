import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ResponseCache } from '../../../../server/http/response-cache.ts';
import type { Sendable } from '../../../../server/http/send.ts';

const SNAPSHOT = { manifest: { id: '20261119T0230Z-1c77e0d2' } };
const PRODUCTS = '/deals/v1/products/';

function createResponse(bytes: number, more: Partial<Sendable> = {}): Sendable {
  const headers = ['Content-Type', 'application/json', 'ETag', '"x"', 'Link', `<${'x'.repeat(300)}>; rel="next"`];
  return { status: 200, headers, tag: '"x"', snapshotId: SNAPSHOT.manifest.id, body: Buffer.alloc(bytes), ...more };
}

describe('the response cache', () => {
  it.each<[string, Partial<Sendable>, boolean]>([
    ['a 200 with a tag', {}, true],
    ['one without a snapshot', { snapshotId: undefined }, true],
    ['one of another snapshot', { snapshotId: '20261118T0230Z-00000000' }, false],
    ['one without a tag', { tag: undefined }, false],
    ['a refusal', { status: 400 }, false],
  ])('keeps %s: %j is %s', (_, more, isKept) => {
    const cache = new ResponseCache();
    cache.keep('a', createResponse(10, more), SNAPSHOT);
    expect(cache.find('a', SNAPSHOT)).toBeUndefined();
    cache.keep('a', createResponse(10, more), SNAPSHOT);
    expect(cache.find('a', SNAPSHOT) !== undefined).toBe(isKept);
    expect(cache.find('b', SNAPSHOT)).toBeUndefined();
    expect(cache.find('a', { manifest: { id: '20261120T0230Z-1c77e0d2' } })).toBeUndefined();
    expect(cache.find('a', SNAPSHOT)).toBeUndefined();
  });

  it.each([100, 3_000, 40_000])('of responses of %i bytes holds about as much memory as it may', (bytes) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const measure = (): number => {
      collect();
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = measure();
    const cache = new ResponseCache();
    for (let i = 0; i < 30_000; i++) {
      // A part of something larger, as a target is a part of a packet.
      const target = Buffer.from(`${PRODUCTS}?limit=${i}${'&'.repeat(100)}`).toString('latin1');
      const response = createResponse(bytes, { body: Buffer.alloc(bytes * 2).subarray(0, bytes) });
      for (let asked = 0; asked < 2; asked++) cache.keep(`br ${target}`, response, SNAPSHOT);
    }
    const held = measure() - before;
    expect(held).toBeLessThan(19_200_000);
    expect(cache.find('br none', SNAPSHOT)).toBeUndefined();
  });
});
