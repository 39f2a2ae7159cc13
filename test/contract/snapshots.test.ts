import { describe, expect, it } from 'vitest';
import { withServer } from '../harness.ts';
import { FIXTURE } from './fixture-catalogue.ts';

const LARGE = '/deals/v1/products/?expand=deals,images,specs';

describe('a snapshot (D18)', () => {
  it('with other contents has other tags, and with the same the same (D18)', async () => {
    const server = await withServer();
    const tag = async () => (await server.ask('/deals/v1/gifts/')).headers.get('etag');
    const first = await tag();
    await server.publish(FIXTURE);
    expect(await tag()).toBe(first);
    await server.publish({ ...FIXTURE, giftCategories: [] });
    expect(await tag()).not.toBe(first);
  });

  it('gives the same bytes and tags at any time and on any server (D18)', async () => {
    const [one, other] = [await withServer(), await withServer({ now: () => new Date('2031-05-06T07:08:09Z') })];
    const [first, second] = [await one.ask(LARGE), await other.ask(LARGE)];
    expect([second.text, second.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
  });

  // That another spelling has the same tag, the oracle shows.
  it('has a tag for each meaning of a query (D18)', async () => {
    const server = await withServer();
    const queries = [
      'expand=products(content,specs)&filter[networks]=eq{o2,ee}',
      'expand=products(content)&filter[networks]=eq{o2,ee}',
      'expand=products(content,specs)&filter[networks]=eq{o2}',
      'expand=products(content,specs)&filter[networks]=eq{o2,ee}&limit=19',
    ];
    const answers = await Promise.all(queries.map((query) => server.ask(`/deals/v1/products/?${query}`)));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(queries.length);
  });

  it('that comes to a server without one is taken up (D19)', async () => {
    const server = await withServer({ catalogue: null });
    expect((await server.ask('/health/ready')).status).toBe(503);
    const id = await server.publish(FIXTURE);
    const { status, text } = await server.ask('/health/ready');
    expect([status, JSON.parse(text)]).toMatchObject([200, { snapshot: id }]);
  });
});
