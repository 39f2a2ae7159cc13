import { afterAll, describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.ts';
import { FIXTURE } from './fixture-catalogue.ts';
import { linksOf, serve, variants, type Answer, type TestServer } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const PRODUCTS = '/deals/v1/products/';
const QUERY = `${PRODUCTS}?filter[condition]=eq{new}&expand=deals&limit=2`;

const nextOf = ({ headers }: Answer): string => {
  const next = linksOf(headers)['next'];
  if (next === undefined) throw new Error('expected a next link');
  return next;
};
const cursorOf = (link: string): string => /cursor=[^&]*/.exec(link)?.[0] ?? '';
const idsOf = ({ text }: Answer): string[] => variants(JSON.parse(text).products);

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

  it('altered in any one place is refused or leads to the same page (D15)', async () => {
    const link = nextOf(await server.ask(QUERY));
    const page = await server.ask(link);
    const cursor = cursorOf(link);
    for (let i = 'cursor='.length; i < cursor.length; i++) {
      const altered = `${cursor.slice(0, i)}${cursor[i] === 'x' ? 'y' : 'x'}${cursor.slice(i + 1)}`;
      const { status, text } = await server.ask(`${QUERY}&${altered}`);
      expect(status === 200 ? text === page.text : status === 400).toBe(true);
    }
  });
});

describe('a page walk over a new snapshot (D15)', () => {
  it('ends on the old one, whole and without duplicates (D15)', async () => {
    await withServer(async (moving) => {
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
    await withServer(async (moving) => {
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
    await withServer(
      async (moving) => {
        const link = nextOf(await moving.ask(QUERY));
        await moving.publish(CHANGED);
        clock += 59_000;
        expect((await moving.ask(link)).status).toBe(200);
        clock += 2_000;
        expectProblem(await moving.ask(link), 'snapshot-expired');
      },
      { now: () => new Date(clock), settings: { graceSeconds: 60 } },
    );
  });

  it('does not notice a snapshot with the same contents (D18)', async () => {
    await withServer(async (moving) => {
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

async function withServer(
  run: (moving: TestServer) => Promise<void>,
  start: NonNullable<Parameters<typeof serve>[0]>['start'] = {},
): Promise<void> {
  const moving = await serve({ start });
  try {
    await run(moving);
  } finally {
    await moving.close();
  }
}
