import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withServer, type TestServer, type TextResponse } from '../harness.ts';
import type { OracleCatalogue } from '../oracle/catalogue.ts';
import { linksOf, productIds } from './exchange.ts';
import { expectProblem } from './expect-problem.ts';
import { FIXTURE, MANY } from './fixture-catalogue.ts';

const PRODUCTS = '/deals/v1/products/';
const QUERY = `${PRODUCTS}?filter[condition]=eq{new}&expand=deals&limit=2`;

const server = await withServer();
const many = await withServer({ catalogue: MANY });

const nextOf = ({ headers }: TextResponse): string => linksOf(headers)['next'] ?? 'no next link';
const cursorOf = (link: string): string => /cursor=[^&]*/.exec(link)?.[0] ?? '';
const idsOf = ({ text }: TextResponse): string[] => productIds(JSON.parse(text));

/** The ids on all pages from a target on, following next. */
async function walk(from: Pick<TestServer, 'ask'>, target: string): Promise<readonly string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = target; next !== undefined;) {
    const answer = await from.ask(next);
    pages.push(idsOf(answer));
    next = linksOf(answer.headers)['next'];
  }
  return pages;
}

// That following next meets every product once, the oracle shows.
describe('pages (§4.5)', () => {
  it('prev, first and last lead where they say (D15)', async () => {
    const read = async (target = 'no link') => {
      const answer = await many.ask(target);
      return { links: linksOf(answer.headers), ids: idsOf(answer) };
    };
    const first = await read(`${PRODUCTS}?limit=50`);
    const second = await read(first.links['next']);
    const last = await read(first.links['last']);
    expect([first, second, last].map(({ links }) => Object.keys(links).sort().join(' '))).toEqual([
      'first last next',
      'first last next prev',
      'first last prev',
    ]);
    expect(last.ids).toEqual(MANY.products.slice(100).map(({ id }) => id));
    expect((await read(last.links['prev'])).ids).toEqual(second.ids);
    expect((await read(second.links['prev'])).ids).toEqual(first.ids);
    expect((await read(last.links['first'])).ids).toEqual(first.ids);
  });

  it('a single product with two variants has pages, and so has a search, however it is spelled (D15, D23)', async () => {
    expect(await walk(server, `${PRODUCTS}101/?limit=1`)).toEqual([['101'], ['101 refurbished']]);
    const query = 'sort=products(name-desc)&limit=1&expand=products(grouped)';
    const first = await server.ask(`${PRODUCTS}?filter[name]=has{goog}&${query}`);
    const cursor = cursorOf(nextOf(first));
    const second = await server.ask(`${PRODUCTS}?filter[name]=has{GO%C3%96G}&${query}&${cursor}`);
    expect([idsOf(first), idsOf(second), second.headers.get('x-total-count')]).toEqual([['101'], ['12'], '2']);
    expectProblem(await server.ask(`${PRODUCTS}?filter[name]=has{goo}&${query}&${cursor}`), 'invalid-cursor');
  });
});

describe('a cursor (D15)', () => {
  const cursor = async () => cursorOf(nextOf(await server.ask(QUERY)));

  it('is bound to the query, however that is spelled, under any limit (D15)', async () => {
    const followed = await server.ask(nextOf(await server.ask(QUERY)));
    const respelled = `expand=products%7Bdeals%7D&filter%5Bcondition%5D=eq%7Bnew%7D&limit=`;
    expect(idsOf(followed)).toEqual(['12', '101']);
    expect((await server.ask(`${PRODUCTS}?${await cursor()}&${respelled}2`)).text).toBe(followed.text);
    const longer = await server.ask(`${PRODUCTS}?${await cursor()}&${respelled}5`);
    expect(idsOf(longer)).toEqual(['12', '101', '102', '201', '300']);
  });

  it.each([
    ['another filter', (at: string) => `${PRODUCTS}?filter[condition]=eq{refurbished}&expand=deals&limit=2&${at}`],
    ['another expansion', (at: string) => `${PRODUCTS}?filter[condition]=eq{new}&limit=2&${at}`],
    ['another sort', (at: string) => `${QUERY}&sort=products(name-asc)&${at}`],
    ['another endpoint', (at: string) => `${PRODUCTS}101/?filter[condition]=eq{new}&expand=deals&limit=2&${at}`],
    ['a changed character', (at: string) => `${QUERY}&${at.slice(0, -1)}${at.endsWith('A') ? 'B' : 'A'}`],
    ['a character more', (at: string) => `${QUERY}&${at}A`],
    ['a character less', (at: string) => `${QUERY}&${at.slice(0, -1)}`],
  ])('with %s is refused (D15)', async (_, change) => {
    expectProblem(await server.ask(change(await cursor())), 'invalid-cursor', [['cursor', 'invalid-cursor']]);
  });

  it('of another query is looked at last: after every other fault, and after the record (D3, D17)', async () => {
    expectProblem(await server.ask(`${PRODUCTS}?${await cursor()}&limit=0`), 'out-of-range');
    expectProblem(await server.ask(`${PRODUCTS}424242/?${await cursor()}`), 'unknown-product');
    expectProblem(await server.ask(`${PRODUCTS}?${await cursor()}`), 'invalid-cursor');
  });
});

/** Other contents, in which every product has lost its deals and the first has gone. */
const CHANGED = { ...FIXTURE, deals: [], products: FIXTURE.products.filter(({ id }) => id !== '9') };
const CHANGED_AGAIN = { ...CHANGED, giftCategories: [] };

/** The next page of `target`, as a server gives it that has loaded `catalogue` after the fixture. */
async function askAhead(catalogue: OracleCatalogue, target: string) {
  const ahead = await withServer();
  await ahead.publish(catalogue);
  const link = nextOf(await ahead.ask(target));
  return { link, page: await ahead.ask(link) };
}

describe('a page walk over a new snapshot (D15)', () => {
  it('ends on the old one, whole and without duplicates (D15)', async () => {
    const moving = await withServer();
    const whole = (await walk(moving, `${PRODUCTS}?limit=100`)).flat();
    const first = await moving.ask(`${PRODUCTS}?limit=5`);
    const id = await moving.publish(CHANGED);
    expect((await moving.ask(PRODUCTS)).headers.get('x-snapshot')).toBe(id);
    const second = await moving.ask(nextOf(first));
    expect(second.headers.get('x-snapshot')).toBe(first.headers.get('x-snapshot'));
    expect([idsOf(first), ...(await walk(moving, nextOf(first)))].flat()).toEqual(whole);
  });

  it('is over once still another snapshot has come, and says where to start again (D15)', async () => {
    const moving = await withServer();
    const link = nextOf(await moving.ask(QUERY));
    await moving.publish(CHANGED);
    expect((await moving.ask(link)).status).toBe(200);
    await moving.publish(CHANGED_AGAIN);
    const expired = await moving.ask(link);
    expectProblem(expired, 'snapshot-expired');
    expect(idsOf(await moving.ask(linksOf(expired.headers)['first'] ?? 'no link'))).toEqual(['10', '12']);
  });

  it('is over after the grace period of 15 minutes (D15)', async () => {
    let clock = Date.now();
    const moving = await withServer({ now: () => new Date(clock) });
    const link = nextOf(await moving.ask(QUERY));
    await moving.publish(CHANGED);
    clock += 899_000;
    expect((await moving.ask(link)).status).toBe(200);
    clock += 2_000;
    expectProblem(await moving.ask(link), 'snapshot-expired');
  });

  it('does not notice a snapshot with the same contents (D18)', async () => {
    const moving = await withServer();
    const first = await moving.ask(QUERY);
    await moving.publish(FIXTURE);
    await moving.publish(FIXTURE);
    const again = await moving.ask(QUERY);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    for (const page of [first, again]) expect(idsOf(await moving.ask(nextOf(page)))).toEqual(['12', '101']);
  });
});

describe('a cursor of the next snapshot (D15)', () => {
  /** A network that the snapshot before does not know. */
  const NEXT = { ...FIXTURE, networks: [...FIXTURE.networks, { ...FIXTURE.networks[0]!, id: '99', slug: 'newline' }] };
  const NEW_WORD = `${PRODUCTS}?filter[networks]=ne{newline}&limit=2`;

  it('waits until its server has that snapshot, too (D15, D17)', async () => {
    const { link } = await askAhead(NEXT, NEW_WORD);
    const behind = await withServer();
    const answer = await behind.ask(link);
    expect([expectProblem(answer, 'snapshot-not-yet').errors, answer.headers.get('retry-after')]).toEqual([[], '10']);
    expect(answer.headers.get('x-snapshot')).toBe((await behind.ask(PRODUCTS)).headers.get('x-snapshot'));
    // It waits on one product too, and is no parameter of a list.
    expectProblem(await behind.ask(`${PRODUCTS}424242/?${cursorOf(link)}`), 'snapshot-not-yet');
    expectProblem(await behind.ask(`/deals/v1/networks/?${cursorOf(link)}`), 'unknown-parameter');
  });

  it('gets its page after the switch, the same as from the server that gave it (D15)', async () => {
    const { link, page } = await askAhead(NEXT, NEW_WORD);
    const behind = await withServer();
    await behind.publish(NEXT);
    const { status, text } = await behind.ask(link);
    expect([status, text]).toEqual([200, page.text]);
  });

  it('is past on a server that has come further, also after a rollback (D15)', async () => {
    const { link } = await askAhead(CHANGED, QUERY);
    const further = await withServer();
    const first = await further.publish(CHANGED_AGAIN);
    await further.publish({ ...CHANGED_AGAIN, giftCategories: [] });
    expectProblem(await further.ask(link), 'snapshot-expired');
    writeFileSync(join(further.store, 'current.json'), JSON.stringify({ snapshot: first }));
    await further.refresh();
    expectProblem(await further.ask(link), 'snapshot-expired');
  });
});
