import { afterAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../data/query/endpoint.ts';
import { expectProblem } from './expect-problem.ts';
import { dealIds, serve, variants } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

/** A valid value of every parameter but the cursor, with the name under which it is sent. */
const EXAMPLES = {
  filter: ['filter[condition]', 'eq{new}'],
  expand: ['expand', 'content'],
  fields: ['fields', 'heading'],
  limit: ['limit', '5'],
  sort: ['sort', 'products(name-asc)'],
} as const;

const CASES = ENDPOINTS.flatMap(({ name, path, parameters }) =>
  Object.entries(EXAMPLES).map(([parameter, [sentName, value]]) => ({
    endpoint: name,
    target: `${path.replace('<id>', '101')}?${sentName}=${value}`,
    sentName,
    isTaken: (parameters as readonly string[]).includes(parameter),
  })),
);

describe('the endpoints (§4)', () => {
  it.each(ENDPOINTS)('$path answers', async ({ path }) => {
    const { status, headers } = await server.ask(path.replace('<id>', '101'));
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
  });

  it.each(CASES.filter(({ isTaken }) => isTaken))('$endpoint takes $sentName', async ({ target }) => {
    expect((await server.ask(target)).status).toBe(200);
  });

  it.each(CASES.filter(({ isTaken }) => !isTaken))('$endpoint does not take $sentName (D4)', async (row) => {
    expectProblem(await server.ask(row.target), 'unknown-parameter', [[row.sentName, 'unknown-parameter']]);
  });

  it('a single product is told from its other variant by a condition filter (rule 1)', async () => {
    const of = async (condition: string): Promise<string[]> =>
      variants((await server.read(`/deals/v1/products/101/?filter[condition]=eq{${condition}}`)).products);
    expect(await of('new')).toEqual(['101']);
    expect(await of('refurbished')).toEqual(['101 refurbished']);
    expect(variants((await server.read('/deals/v1/products/101/')).products)).toEqual(['101', '101 refurbished']);
  });

  it('parameters combine: a selection of images with expanded content and deals under four filters (rule 2)', async () => {
    const body = await server.read(
      '/deals/v1/products/101/?expand=products(content,deals)&filter[upfrontCost]=eq{49.99}&filter[condition]=eq{new}' +
        '&filter[networks]=eq{o2}&filter[offers]=eq{cashback}&fields=products(front,large,png)',
    );
    expect(body.products).toEqual([
      {
        id: '101',
        name: 'Google Pixel 9 128GB',
        slug: 'google-pixel-9-128gb',
        content: { heading: 'Pixel 9', introduction: 'A "clever" phone' },
        images: { largeFrontImagePng: 'https://deals.test/images/706978656c2d392d/large-front.png' },
      },
    ]);
    expect(dealIds(body.deals)).toEqual(['P9-C']);
  });

  it('a single product takes limit and sort as well (rule 3)', async () => {
    const { products, deals } = await server.read(
      '/deals/v1/products/101/?limit=1,deals(1)&sort=products(name-desc),deals(total-cost-desc)&expand=deals',
    );
    expect(variants(products)).toEqual(['101 refurbished']);
    expect(dealIds(deals)).toEqual(['R9-B']);
  });
});
