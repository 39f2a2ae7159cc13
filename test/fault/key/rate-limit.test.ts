import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../harness.ts';
import { byTier } from '../tier.ts';
import { ask, createKey, startProgram, type RunningProgram } from '../running-program.ts';

const TARGET = '/deals/v1/products/?expand=products(cheapestDeal)';
/** So slowly that none comes back while a test runs. */
const LIMIT = '50/24h';
const POLICY = '"default";q=50;w=86400';
const ORIGIN = 'https://shop.example';

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram({ args: ['--rate-limit', LIMIT, '--cors-origin', ORIGIN, '--access-log', 'off'] });
});
afterAll(() => program.stop());

/** A new key, as soon as the server knows it: that took one request of its share. */
async function newKey(...args: readonly string[]): Promise<string> {
  const key = createKey(program.folder, '--name', 'x', ...args);
  await until(async () => (await ask(`${program.url}/deals/v1/networks/`, key)).status === 200);
  return key;
}

const leftOf = (headers: Headers): number =>
  Number(/^"default";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);

describe('a key under a limit', () => {
  it('is told on every answer what is left, and refused when nothing is (429)', async () => {
    const key = await newKey();
    const share = { left: 49 };
    const expectShare = (headers: Headers) => {
      share.left--;
      expect([headers.get('ratelimit-policy'), leftOf(headers)]).toEqual([POLICY, share.left]);
    };
    const first = await ask(program.url + TARGET, key);
    expectShare(first.headers);
    const tag = first.headers.get('etag') ?? '';
    const asked: readonly [string, number, RequestInit?][] = [
      [TARGET, 200],
      [TARGET, 304, { headers: { 'If-None-Match': tag } }],
      [TARGET, 200, { method: 'HEAD' }],
      ['/deals/v1/products/?limit=7', 200],
      ['/deals/v1/products/?limit=7&sort=deals(total-cost-asc)', 304, { headers: { 'If-None-Match': '*' } }],
      ['/deals/v1/products/?x=1', 400],
      ['/deals/v1/products/987654/', 404],
      ['/deals/v1/products/?limit=7', 200, { headers: { Origin: ORIGIN } }],
    ];
    for (const [target, status, init] of asked) {
      const { headers, ...answer } = await ask(program.url + target, key, init);
      expect([target, answer.status]).toEqual([target, status]);
      expectShare(headers);
    }
    while (share.left > 0) expectShare((await ask(program.url + TARGET, key)).headers);
    for (const target of [TARGET, '/deals/v1/products/?limit=8', '/deals/v1/products/?x=1']) {
      const { status, headers, text } = await ask(program.url + target, key, { headers: { Origin: ORIGIN } });
      expect([status, leftOf(headers), headers.get('ratelimit-policy')]).toEqual([429, 0, POLICY]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(86_400 / 50 - 60);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400 / 50);
      expect(JSON.parse(text)).toMatchObject({ status: 429, code: 'rate-limited', errors: [] });
      expect(headers.get('access-control-expose-headers')).toMatch(/, RateLimit-Policy, RateLimit$/);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('is not refused what costs no key, nor does that cost it anything', async () => {
    const key = await newKey();
    for (let i = 0; i < 60; i++) {
      const path = ['/health/live', '/', '/deals/v1/nowhere/', '/problems/rate-limited'][i % 4] ?? '';
      const { status, headers } = await ask(program.url + path, key);
      expect([status, headers.get('ratelimit')]).toEqual([i % 4 === 2 ? 404 : 200, null]);
    }
    expect((await ask(program.url + TARGET, key, { method: 'OPTIONS' })).headers.get('ratelimit')).toBeNull();
    expect(leftOf((await ask(program.url + TARGET, key)).headers)).toBe(48);
  });

  it('keeps what it has used when the key file changes', async () => {
    const key = await newKey();
    for (let i = 0; i < 49; i++) expect((await ask(program.url + TARGET, key)).status).toBe(200);
    await newKey();
    expect((await ask(program.url + TARGET, key)).status).toBe(429);
  });

  it('may have a limit of its own, or none', async () => {
    const [few, free] = [await newKey('--rate-limit', '3/24h'), await newKey('--rate-limit', 'off')];
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await ask(program.url + TARGET, few)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    for (let i = 0; i < 100; i++) {
      const { status, headers } = await ask(program.url + TARGET, free);
      expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([200, null, null]);
    }
  });

  it('that asks far too much takes nothing from another, which gets all its answers', async () => {
    const [greedy, modest] = [await newKey(), await newKey()];
    const times = { quiet: [] as number[], beside: [] as number[] };
    /** Requests of the modest key, whose share they are within. */
    const askModestly = async (into: number[], count: number) => {
      for (let i = 0; i < count; i++) {
        const beganAt = performance.now();
        expect((await ask(`${program.url}/deals/v1/products/?limit=${i + 1}`, modest)).status).toBe(200);
        into.push(performance.now() - beganAt);
      }
    };
    await askModestly(times.quiet, 19);
    const count = { of: { 200: 0, 429: 0 } as Record<number, number>, isOver: false };
    const hammer = Array.from({ length: byTier({ first: 8, second: 32, long: 64 }) }, async () => {
      for (let i = 0; !count.isOver; i++) {
        const { status } = await ask(`${program.url}/deals/v1/products/?limit=${(i % 100) + 1}`, greedy);
        count.of[status] = (count.of[status] ?? 0) + 1;
      }
    });
    try {
      await until(async () => (count.of[429] ?? 0) > byTier({ first: 200, second: 3_000, long: 50_000 }), 120_000);
      await askModestly(times.beside, 30);
    } finally {
      count.isOver = true;
      await Promise.all(hammer);
    }
    expect(Object.keys(count.of)).toEqual(['200', '429']);
    expect(count.of[200]).toBe(49);
    const median = (of: readonly number[]) => of.toSorted((a, b) => a - b)[of.length >> 1] ?? 0;
    process.stderr.write(
      `one key refused ${count.of[429]} times; another waited ${median(times.quiet).toFixed(1)} ms before and ${median(times.beside).toFixed(1)} ms beside it\n`,
    );
    // The client, which is this very process, has its part in it.
    expect(median(times.beside)).toBeLessThan(byTier({ first: 5_000, second: 250, long: 500 }));
    expect((await ask(program.url + TARGET, modest)).status).toBe(429);
  });
});

describe('without a limit', () => {
  it('no answer speaks of one', async () => {
    const unlimited = await startProgram({ args: ['--cors-origin', ORIGIN] });
    for (let i = 0; i < 3; i++) {
      const { headers } = await ask(unlimited.url + TARGET, unlimited.key, { headers: { Origin: ORIGIN } });
      expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
      expect(headers.get('access-control-expose-headers')).not.toContain('RateLimit');
    }
    await unlimited.stop();
  });
});
