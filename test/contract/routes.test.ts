import { afterAll, describe, expect, it } from 'vitest';
import { FIXTURE } from './fixture-catalogue.ts';
import { serve, withServer } from './serve.ts';

const created = Date.parse('2026-11-19T02:30:00Z');
let clock = created;
const server = await serve({ start: { now: () => new Date(clock), settings: { corsOrigins: ['https://shop.test'] } } });
afterAll(() => server.close());

const HOUR = 3_600_000;

/** Without a key. */
const ask = async (target: string, init?: RequestInit) => {
  const response = await fetch(server.url + target, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
};

describe('beside the interface, without a key (D19)', () => {
  it('/health/live answers as long as the process does (D19)', async () => {
    expect((await ask('/health/live')).status).toBe(200);
  });

  it('/health/ready tells the snapshot and its age, and when it is stale (D19)', async () => {
    const id = (await server.ask('/deals/v1/networks/')).headers.get('x-snapshot') ?? 'no snapshot';
    const readyAt = async (time: number): Promise<Record<string, unknown>> => {
      clock = time;
      const { status, text } = await ask('/health/ready');
      expect([status, text]).toEqual([200, expect.stringContaining(id)]);
      return JSON.parse(text) as Record<string, unknown>;
    };
    expect(await readyAt(created + 25 * HOUR)).toMatchObject({ ageSeconds: 25 * 3600, stale: false });
    expect(await readyAt(created + 27 * HOUR)).toMatchObject({ ageSeconds: 27 * 3600, stale: true });
  });

  it('/health/ready is 503 without a snapshot, and 200 once there is one (D19)', async () => {
    await withServer({ hasSnapshot: false }, async (empty) => {
      expect((await fetch(`${empty.url}/health/ready`)).status).toBe(503);
      expect((await fetch(`${empty.url}/health/live`)).status).toBe(200);
      await empty.publish(FIXTURE);
      expect((await fetch(`${empty.url}/health/ready`)).status).toBe(200);
    });
  });

  it.each([
    '/images/0000000000000000/none.webp',
    '/images/',
    '/images/../current.json',
    '/images/%2e%2e/current.json',
    '/problems/none',
    '/keys.json',
  ])('%s is not there (D19)', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });
});

describe('the added lists (D21)', () => {
  it.each([
    ['networks', ['100 ee ee', '21 O2 o2', '30 Three three', '9 Zeta Mobile zeta-mobile']],
    [
      'retailers',
      [
        '100 buy & go buy-and-go',
        '3 Corner "Shop" corner-shop',
        '40 Empty Shelf empty-shelf',
        '20 O2 Mobiles o2-mobiles',
      ],
    ],
    ['manufacturers', ['Apple apple', 'Fairphone fairphone', 'Google google', 'nokia nokia']],
  ])('/deals/v1/%s/ has %j: by name in lower case (D21)', async (name, expected) => {
    const body = await server.read<Record<string, Record<string, string>[]>>(`/deals/v1/${name}/`);
    expect(Object.keys(body)).toEqual([name]);
    expect(body[name]?.map((record) => Object.values(record).join(' '))).toEqual(expected);
  });

  it.each(['networks', 'retailers', 'manufacturers'])('%s holds every word its filter knows (D21)', async (name) => {
    const body = await server.read<Record<string, { slug: string }[]>>(`/deals/v1/${name}/`);
    const slugs = (body[name] ?? []).map(({ slug }) => slug);
    expect(slugs).toHaveLength(4);
    expect((await server.ask(`/deals/v1/products/?filter[${name}]=eq{${slugs.join(',')}}`)).status).toBe(200);
  });
});

describe('calls from a browser (D21)', () => {
  it('a configured origin may read the headers that matter (D21)', async () => {
    const { headers } = await server.ask('/deals/v1/products/?limit=1', {
      headers: { origin: 'https://shop.test' },
    });
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.test');
    const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/, */);
    expect(exposed.sort()).toEqual(['etag', 'link', 'retry-after', 'x-request-id', 'x-snapshot', 'x-total-count']);
    expect(headers.get('vary')).toMatch(/\bOrigin\b/i);
  });

  it('a configured origin may ask first whether it may send its key (D21)', async () => {
    const { status, headers } = await ask('/deals/v1/products/', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.test',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key',
      },
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, 'https://shop.test']);
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-api-key');
    expect(headers.get('access-control-allow-methods')).toContain('GET');
  });

  it('no other origin is let in (D21)', async () => {
    const { headers } = await server.ask('/deals/v1/products/', {
      headers: { origin: 'https://elsewhere.test' },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
