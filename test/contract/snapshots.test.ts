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

  it.each([
    ['expand=products(content,specs)&filter[networks]=eq{o2,ee}&limit=20', true],
    ['filter%5Bnetworks%5D=eq{ee,21}&expand=product-specs,content', true],
    ['expand=products(content)&filter[networks]=eq{o2,ee}', false],
    ['expand=products(content,specs)&filter[networks]=eq{o2}', false],
    ['expand=products(content,specs)&filter[networks]=eq{o2,ee}&limit=19', false],
  ])('has a tag for the meaning of a query, however it is spelled: %s (D18)', async (query, isSame) => {
    const server = await withServer();
    const tagOf = async (spelled: string) => (await server.ask(`/deals/v1/products/?${spelled}`)).headers.get('etag');
    const tag = await tagOf('expand=products(content,specs)&filter[networks]=eq{o2,ee}');
    expect((await tagOf(query)) === tag).toBe(isSame);
  });

  it('that comes to a server without one is taken up (D19)', async () => {
    const server = await withServer({ catalogue: null });
    expect((await server.ask('/health/ready')).status).toBe(503);
    const id = await server.publish(FIXTURE);
    const { status, text } = await server.ask('/health/ready');
    expect([status, JSON.parse(text)]).toMatchObject([200, { snapshot: id }]);
  });
});
