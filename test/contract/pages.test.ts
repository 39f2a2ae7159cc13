import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_PAGE_LIMIT, MAX_DEALS_PER_PRODUCT, MAX_PAGE_LIMIT } from '../../data/query/parameter.ts';
import type { LogEntry } from '../../server/log.ts';
import type { OracleCatalogue } from '../oracle/catalogue.ts';
import { expectProblem } from './expect-problem.ts';
import { FIXTURE } from './fixture-catalogue.ts';
import { askAhead } from './problem-scenarios.ts';
import { dealIds, linksOf, serve, variants, withServer, type Item, type TextResponse } from './serve.ts';

const server = await serve();
const [pattern] = FIXTURE.products;
/** 123 products, of which number n has the id n. */
const MANY: OracleCatalogue = {
  ...FIXTURE,
  deals: [],
  products: Array.from({ length: 123 }, (_, n) => ({ ...pattern!, id: String(n + 1), slug: `phone-${n + 1}` })),
};
const large = await serve({ catalogue: MANY });
afterAll(async () => {
  await server.close();
  await large.close();
});

const PRODUCTS = '/deals/v1/products/';
const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, n) => String(first + n));

describe('limit (§4.5)', () => {
  it.each([
    ['', range(1, DEFAULT_PAGE_LIMIT)],
    ['?limit=1', ['1']],
    ['?limit=7', range(1, 7)],
    [`?limit=${MAX_PAGE_LIMIT}`, range(1, MAX_PAGE_LIMIT)],
  ])('products/%s gives that many products (D15)', async (query, ids) => {
    const { headers, text } = await large.ask(`${PRODUCTS}${query}`);
    expect(JSON.parse(text).products.map(({ id }: Item) => id)).toEqual(ids);
    expect(headers.get('x-total-count')).toBe('123');
  });

  it.each([
    ['0', 'out-of-range'],
    [String(MAX_PAGE_LIMIT + 1), 'out-of-range'],
    ['99999999999999999999', 'out-of-range'],
    ['deals(0)', 'out-of-range'],
    [`deals(${MAX_DEALS_PER_PRODUCT + 1})`, 'out-of-range'],
    ['abc', 'malformed-value'],
  ] as const)('limit=%s is refused as %s, never clamped (D15)', async (text, code) => {
    expectProblem(await server.ask(`${PRODUCTS}?limit=${text}`), code, [['limit', code]]);
  });

  it('deals(n) keeps the first n deals of each product after sorting (D15)', async () => {
    const cheapest = await server.read(`${PRODUCTS}?expand=deals&limit=deals(1)`);
    expect(dealIds(cheapest.deals).join(' ')).toBe('N-B R9-B 3310-A P8-A RI-A Z-A P9-C P256-A I-10 PLUS-A');
    const largest = await server.read(`${PRODUCTS}?expand=deals&limit=deals(1)&sort=deals(data-allowance-desc)`);
    expect(dealIds(largest.deals).join(' ')).toBe('P9-D N-B 3310-A P8-A RI-A Z-A P256-A I-10 R9-A PLUS-A');
  });

  it(`deals(${MAX_DEALS_PER_PRODUCT}) is allowed and keeps them all`, async () => {
    const all = await server.ask(`${PRODUCTS}?expand=deals`);
    expect((await server.ask(`${PRODUCTS}?expand=deals&limit=deals(${MAX_DEALS_PER_PRODUCT})`)).text).toBe(all.text);
  });

  it('a page limit and deals(n) combine in either order (D15)', async () => {
    const one = await server.ask(`${PRODUCTS}?expand=deals&limit=2,deals(1)`);
    expect(dealIds(JSON.parse(one.text).deals)).toEqual(['N-B', 'I-10']);
    expect((await server.ask(`${PRODUCTS}?expand=deals&limit=deals(1),2`)).text).toBe(one.text);
  });

  it('deals(n) leaves the cheapest deal alone, and changes nothing where no deals are expanded (D14)', async () => {
    const plain = await server.ask(`${PRODUCTS}?expand=cheapestDeal&sort=deals(total-cost-desc)`);
    const limited = await server.ask(`${PRODUCTS}?expand=cheapestDeal&sort=deals(total-cost-desc)&limit=deals(1)`);
    expect([plain.status, limited.text]).toEqual([200, plain.text]);
  });

  it.each([
    ['', 7],
    ['?limit=50', 3],
    ['?limit=41', 3],
    ['?limit=5&filter[id]=ne{3}&sort=products(name-desc)&fields=id', 25],
  ])('following next from products/%s meets every product once in %d pages (D15)', async (query, pageCount) => {
    const met: string[] = [];
    let pages = 0;
    for (let target: string | undefined = PRODUCTS + query; target !== undefined; pages++) {
      const { headers, text } = await large.ask(target);
      met.push(...JSON.parse(text).products.map(({ id }: Item) => id));
      target = linksOf(headers)['next'];
    }
    const wanted = query.includes('ne{3}') ? range(1, 123).filter((id) => id !== '3') : range(1, 123);
    expect([met, pages]).toEqual([wanted, pageCount]);
  });

  it('prev, first and last lead where they say (D15)', async () => {
    const read = async (target: string | undefined) => {
      const { headers, text } = await large.ask(target ?? 'no link');
      return { links: linksOf(headers), ids: JSON.parse(text).products.map(({ id }: Item) => id) as string[] };
    };
    const first = await read(`${PRODUCTS}?limit=50`);
    expect(Object.keys(first.links).sort()).toEqual(['first', 'last', 'next']);
    const second = await read(first.links['next']);
    expect(Object.keys(second.links).sort()).toEqual(['first', 'last', 'next', 'prev']);
    const last = await read(first.links['last']);
    expect(Object.keys(last.links).sort()).toEqual(['first', 'last', 'prev']);
    expect(last.ids).toEqual(range(101, 123));
    expect((await read(last.links['prev'])).ids).toEqual(second.ids);
    expect((await read(second.links['prev'])).ids).toEqual(first.ids);
    expect((await read(last.links['first'])).ids).toEqual(first.ids);
  });

  it.each([`${PRODUCTS}?limit=100`, `${PRODUCTS}?filter[id]=eq{9}&limit=1`, '/deals/v1/gifts/', '/deals/v1/networks/'])(
    '%s is one page and has no Link (D15)',
    async (target) => {
      const { status, headers } = await server.ask(target);
      expect([status, headers.get('link')]).toEqual([200, null]);
    },
  );

  it.each([
    ['/deals/v1/products/', '12'],
    ['/deals/v1/products/?filter[condition]=eq{refurbished}&limit=1', '3'],
    ['/deals/v1/products/101/', '2'],
    ['/deals/v1/gifts/', '3'],
    ['/deals/v1/gifts/categories/', '2'],
    ['/deals/v1/networks/', '4'],
    ['/deals/v1/retailers/', '4'],
    ['/deals/v1/manufacturers/', '4'],
  ])('X-Total-Count of %s is %s (D15)', async (target, count) => {
    expect((await server.ask(target)).headers.get('x-total-count')).toBe(count);
  });

  it('a single product with two variants has pages too', async () => {
    const { headers, text } = await server.ask(`${PRODUCTS}101/?limit=1`);
    expect(variants(JSON.parse(text).products)).toEqual(['101']);
    const next = await server.read(linksOf(headers)['next'] ?? '');
    expect(variants(next.products)).toEqual(['101 refurbished']);
  });

  it('the default and the most can be set (D15)', async () => {
    await withServer({ start: { settings: { defaultPageLimit: 2, maxPageLimit: 3 } } }, async (small) => {
      expect((await small.read(PRODUCTS)).products).toHaveLength(2);
      expect((await small.read(`${PRODUCTS}?limit=3`)).products).toHaveLength(3);
      expectProblem(await small.ask(`${PRODUCTS}?limit=4`), 'out-of-range', [['limit', 'out-of-range']]);
    });
  });
});

const QUERY = `${PRODUCTS}?filter[condition]=eq{new}&expand=deals&limit=2`;

const nextOf = ({ headers }: TextResponse): string => {
  const next = linksOf(headers)['next'];
  if (next === undefined) throw new Error('expected a next link');
  return next;
};
const cursorOf = (link: string): string => /cursor=[^&]*/.exec(link)?.[0] ?? '';
const idsOf = ({ text }: TextResponse): string[] => variants(JSON.parse(text).products);

/** Other contents, in which every product has lost its deals and the first has gone. */
const CHANGED = { ...FIXTURE, deals: [], products: FIXTURE.products.filter(({ id }) => id !== '9') };
const CHANGED_AGAIN = { ...CHANGED, giftCategories: [] };

describe('a cursor (D15)', () => {
  it('is bound to the query, however that is spelled (D15)', async () => {
    const first = await server.ask(QUERY);
    const followed = await server.ask(nextOf(first));
    const respelled = `${PRODUCTS}?${cursorOf(nextOf(first))}&limit=2&expand=products%7Bdeals%7D&filter%5Bcondition%5D=eq%7Bnew%7D`;
    expect(idsOf(followed)).toEqual(['12', '101']);
    expect((await server.ask(respelled)).text).toBe(followed.text);
  });

  it('goes on under another limit (D15)', async () => {
    const cursor = cursorOf(nextOf(await server.ask(QUERY)));
    expect(idsOf(await server.ask(`${QUERY.replace('limit=2', 'limit=5')}&${cursor}`))).toEqual([
      '12',
      '101',
      '102',
      '201',
      '300',
    ]);
  });

  it.each([
    [
      'another filter',
      (cursor: string) => `${PRODUCTS}?filter[condition]=eq{refurbished}&expand=deals&limit=2&${cursor}`,
    ],
    ['another expansion', (cursor: string) => `${PRODUCTS}?filter[condition]=eq{new}&limit=2&${cursor}`],
    ['another sort', (cursor: string) => `${QUERY}&sort=products(name-asc)&${cursor}`],
    [
      'another endpoint',
      (cursor: string) => `${PRODUCTS}101/?filter[condition]=eq{new}&expand=deals&limit=2&${cursor}`,
    ],
    ['a changed character', (cursor: string) => `${QUERY}&${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`],
    ['a character more', (cursor: string) => `${QUERY}&${cursor}A`],
    ['a character less', (cursor: string) => `${QUERY}&${cursor.slice(0, -1)}`],
  ])('with %s is refused (D15)', async (_, change) => {
    const answer = await server.ask(change(cursorOf(nextOf(await server.ask(QUERY)))));
    expectProblem(answer, 'invalid-cursor', [['cursor', 'invalid-cursor']]);
  });

  it('that is none at all is a fault of the request like any other (D17)', async () => {
    expectProblem(await server.ask(`${PRODUCTS}?cursor=2&limit=0&page=2`), 'invalid-request', [
      ['page', 'unknown-parameter'],
      ['limit', 'out-of-range'],
      ['cursor', 'invalid-cursor'],
    ]);
    expectProblem(await server.ask(`${PRODUCTS}424242/?cursor=2`), 'invalid-cursor', [['cursor', 'invalid-cursor']]);
  });

  it('of another query is looked at last: after every other fault, and after the record (D3, D17)', async () => {
    const cursor = cursorOf(nextOf(await server.ask(QUERY)));
    expectProblem(await server.ask(`${PRODUCTS}?${cursor}&limit=0`), 'out-of-range', [['limit', 'out-of-range']]);
    expectProblem(await server.ask(`${PRODUCTS}424242/?${cursor}`), 'unknown-product');
    expectProblem(await server.ask(`${PRODUCTS}?${cursor}`), 'invalid-cursor', [['cursor', 'invalid-cursor']]);
  });

  it('without anything in it is refused (D4)', async () => {
    expect((await server.ask(`${QUERY}&cursor=`)).status).toBe(400);
  });
});

describe('a page walk over a new snapshot (D15)', () => {
  it('ends on the old one, whole and without duplicates (D15)', async () => {
    await withServer({}, async (moving) => {
      const whole = variants((await moving.read(`${PRODUCTS}?limit=100`)).products);
      let answer = await moving.ask(`${PRODUCTS}?limit=5`);
      const old = answer.headers.get('x-snapshot');
      const met = idsOf(answer);
      const id = await moving.publish(CHANGED);
      expect((await moving.ask(PRODUCTS)).headers.get('x-snapshot')).toBe(id);
      while ('next' in linksOf(answer.headers)) {
        answer = await moving.ask(nextOf(answer));
        met.push(...idsOf(answer));
        expect(answer.headers.get('x-snapshot')).toBe(old);
      }
      expect(met).toEqual(whole);
    });
  });

  it('is over once still another snapshot has come, and says where to start again (D15)', async () => {
    await withServer({}, async (moving) => {
      const link = nextOf(await moving.ask(QUERY));
      await moving.publish(CHANGED);
      expect((await moving.ask(link)).status).toBe(200);
      await moving.publish(CHANGED_AGAIN);
      const expired = await moving.ask(link);
      expectProblem(expired, 'snapshot-expired');
      const { first = '' } = linksOf(expired.headers);
      expect(idsOf(await moving.ask(first))).toEqual(['10', '12']);
    });
  });

  it('is over after the grace period (D15)', async () => {
    let clock = Date.now();
    const start = { now: () => new Date(clock), settings: { graceSeconds: 60 } };
    await withServer({ start }, async (moving) => {
      const link = nextOf(await moving.ask(QUERY));
      await moving.publish(CHANGED);
      clock += 59_000;
      expect((await moving.ask(link)).status).toBe(200);
      clock += 2_000;
      expectProblem(await moving.ask(link), 'snapshot-expired');
    });
  });

  it('does not notice a snapshot with the same contents (D18)', async () => {
    await withServer({}, async (moving) => {
      const first = await moving.ask(QUERY);
      await moving.publish(FIXTURE);
      await moving.publish(FIXTURE);
      const again = await moving.ask(QUERY);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
      expect(nextOf(again)).toBe(nextOf(first));
      expect(idsOf(await moving.ask(nextOf(first)))).toEqual(['12', '101']);
    });
  });
});

describe('a cursor of the next snapshot (D15)', () => {
  /** A network that the snapshot before does not know. */
  const NEXT = { ...FIXTURE, networks: [...FIXTURE.networks, { ...FIXTURE.networks[0]!, id: '99', slug: 'newline' }] };
  const NEW_WORD = `${PRODUCTS}?filter[networks]=ne{newline}&limit=2`;
  const now = new Date('2026-11-20T08:00:00Z');
  const start = { now: () => now };

  it.each([
    ['is 30 s ahead', '2026-11-20T08:00:30.000Z', 60, '31'],
    ['is hours ahead by a wrong clock: no longer than the lead', '2026-11-20T11:00:00.000Z', 60, '61'],
    ['has passed', '2026-11-19T08:00:00.000Z', 60, '1'],
    ['is now', '2026-11-20T08:00:00.000Z', 0, '1'],
  ])('waits for the switch, which %s (D15, D17)', async (_, activateAt, leadSeconds, wait) => {
    const { link, contentHash } = await askAhead(NEXT, NEW_WORD);
    await withServer({ start }, async (behind) => {
      expectProblem(await behind.ask(link), 'unknown-value');
      await behind.announce({ contentHash, activateAt, leadSeconds });
      const answer = await behind.ask(link);
      const { errors } = expectProblem(answer, 'snapshot-not-yet');
      expect([errors, answer.headers.get('retry-after')]).toEqual([[], wait]);
      expect(answer.headers.get('x-snapshot')).toBe((await behind.ask(PRODUCTS)).headers.get('x-snapshot'));
    });
  });

  it('gets its page after the switch, the same as from the server that gave it (D15)', async () => {
    const { link, contentHash, page } = await askAhead(NEXT, NEW_WORD);
    await withServer({ start }, async (behind) => {
      await behind.announce({ contentHash });
      await behind.publish(NEXT);
      const { status, text } = await behind.ask(link);
      expect([status, text]).toEqual([200, page.text]);
    });
  });

  it('waits on one product too, and is no parameter of a list (D15, D21)', async () => {
    const { link, contentHash } = await askAhead(NEXT, NEW_WORD);
    await withServer({ start }, async (behind) => {
      await behind.announce({ contentHash });
      expectProblem(await behind.ask(`${PRODUCTS}424242/?${cursorOf(link)}`), 'snapshot-not-yet');
      expectProblem(await behind.ask(`/deals/v1/networks/?${cursorOf(link)}`), 'unknown-parameter');
    });
  });

  it('differs from one of a content that is past, or was never announced (D15)', async () => {
    const [past, next] = [await askAhead(CHANGED_AGAIN, QUERY), await askAhead(CHANGED, QUERY)];
    await withServer({ start }, async (behind) => {
      await behind.announce(next);
      expectProblem(await behind.ask(past.link), 'snapshot-expired');
      expectProblem(await behind.ask(next.link), 'snapshot-not-yet');
      expect((await behind.ask(QUERY)).status).toBe(200);
    });
  });

  it.each([
    ['half a file', '{'],
    ['other JSON', JSON.stringify({ url: 7 })],
    ['too long', 'x'.repeat(300_000)],
  ])('is past where pull.json is damaged (%s), and no request fails (D15)', async (_, text) => {
    const { link, contentHash } = await askAhead(CHANGED, QUERY);
    const log: LogEntry[] = [];
    await withServer({ start: { ...start, log: (entry) => log.push(entry) } }, async (behind) => {
      writeFileSync(join(behind.store, 'pull.json'), text);
      await behind.publish(FIXTURE);
      await behind.publish(FIXTURE);
      expectProblem(await behind.ask(link), 'snapshot-expired');
      expect((await behind.ask(QUERY)).status).toBe(200);
      expect(log.filter(({ event }) => event === 'pull-state-unreadable').length).toBe(1);
      // The next pull writes it again.
      await behind.announce({ contentHash });
      expectProblem(await behind.ask(link), 'snapshot-not-yet');
    });
  });
});
