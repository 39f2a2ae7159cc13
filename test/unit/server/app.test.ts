import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../server/log.ts';
import { expectProblem } from '../../contract/expect-problem.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { until, withServer } from '../../harness.ts';

const PRODUCTS = '/deals/v1/products/';

const log: LogEntry[] = [];
const server = await withServer({ log: (entry) => log.push(entry) });

describe('pictures (D19)', () => {
  it('that are not in the store, or of another size, are 404, may not be cached, and are logged', async () => {
    const path = '/images/aaaaaaaaaaaaaaaa/o2-large.webp';
    const file = join(server.store, path);
    for (const spoil of [() => appendFileSync(file, 'x'), () => rmSync(file)]) {
      log.length = 0;
      spoil();
      const answer = await server.ask(path);
      expectProblem(answer, 'unknown-path');
      expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null]);
      expect(log).toContainEqual({ event: 'picture-missing', path });
    }
  });

  it('of the snapshot before are there for its grace', async () => {
    const changing = await withServer();
    const products = FIXTURE.products.map((product) => ({ ...product, images: {} }));
    const path = Object.values(FIXTURE.products[0]?.images ?? {}).find((image) => image.startsWith('/images/')) ?? '';
    await changing.publish({ ...FIXTURE, products });
    expect((await changing.ask(path)).status).toBe(200);
    await changing.publish({ ...FIXTURE, products, gifts: FIXTURE.gifts.map((gift) => ({ ...gift, name: 'x' })) });
    expect((await changing.ask(path)).status).toBe(404);
  });
});

describe('the log', () => {
  it('has a line of each request', async () => {
    log.length = 0;
    await server.ask(PRODUCTS);
    await server.ask(`${PRODUCTS}?x=1`);
    await until(async () => log.length === 2);
    const line = { event: 'request', method: 'GET', path: PRODUCTS, route: 'products', key: 'spec', finished: true };
    expect(log).toMatchObject([
      { ...line, status: 200 },
      { ...line, status: 400 },
    ]);
    expect(Number(log[0]?.['bytes'])).toBeGreaterThan(200);
  });

  it('may be without requests', async () => {
    const entries: LogEntry[] = [];
    const quiet = await withServer({ log: (entry) => entries.push(entry), settings: { accessLog: false } });
    await quiet.ask(PRODUCTS);
    await quiet.close();
    expect(entries.map(({ event }) => event)).toEqual(['snapshot-taken-up']);
  });
});

it('a fault of ours is 500 from the cache or not, is not cached, and a page of another origin may read it (D17)', async () => {
  let isBroken = false;
  const broken = await withServer({
    settings: { corsOrigins: ['https://shop.example'] },
    now: () => {
      if (isBroken) throw new Error('the clock stands still');
      return new Date();
    },
  });
  await broken.ask(PRODUCTS);
  isBroken = true;
  for (const target of [PRODUCTS, '/deals/v1/networks/']) {
    const answer = await broken.ask(target, { headers: { Origin: 'https://shop.example' } });
    expectProblem(answer, 'internal-error');
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  isBroken = false;
});
