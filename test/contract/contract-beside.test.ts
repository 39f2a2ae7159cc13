import { afterAll, describe, expect, it } from 'vitest';
import { serve } from './serve.ts';

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
    const empty = await serve({ hasSnapshot: false });
    try {
      expect((await fetch(`${empty.url}/health/ready`)).status).toBe(503);
      expect((await fetch(`${empty.url}/health/live`)).status).toBe(200);
      await empty.publish((await import('./fixture-catalogue.ts')).FIXTURE);
      expect((await fetch(`${empty.url}/health/ready`)).status).toBe(200);
    } finally {
      await empty.close();
    }
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
  it('/deals/v1/networks/ comes by name, regardless of its case (D21)', async () => {
    expect(await server.read<unknown>('/deals/v1/networks/')).toEqual({
      networks: [
        { id: '100', name: 'ee', slug: 'ee' },
        { id: '21', name: 'O2', slug: 'o2' },
        { id: '30', name: 'Three', slug: 'three' },
        { id: '9', name: 'Zeta Mobile', slug: 'zeta-mobile' },
      ],
    });
  });

  it('/deals/v1/retailers/ comes by name (D21)', async () => {
    expect(await server.read<unknown>('/deals/v1/retailers/')).toEqual({
      retailers: [
        { id: '100', name: 'buy & go', slug: 'buy-and-go' },
        { id: '3', name: 'Corner "Shop"', slug: 'corner-shop' },
        { id: '40', name: 'Empty Shelf', slug: 'empty-shelf' },
        { id: '20', name: 'O2 Mobiles', slug: 'o2-mobiles' },
      ],
    });
  });

  it('/deals/v1/manufacturers/ has a name and a slug of each (D21)', async () => {
    expect(await server.read<unknown>('/deals/v1/manufacturers/')).toEqual({
      manufacturers: [
        { name: 'Apple', slug: 'apple' },
        { name: 'Fairphone', slug: 'fairphone' },
        { name: 'Google', slug: 'google' },
        { name: 'nokia', slug: 'nokia' },
      ],
    });
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
