import { afterAll, describe, expect, it } from 'vitest';
import { serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const objectOf = async (id: string, expand: string): Promise<unknown[]> => {
  const { products } = await server.read(`/deals/v1/products/${id}/?filter[condition]=eq{new}&expand=${expand}`);
  return products.map(({ id: _id, name: _name, slug: _slug, ...rest }) => rest);
};

describe('content (§2.6)', () => {
  it('has a heading and an introduction', async () => {
    expect(await objectOf('101', 'content')).toEqual([
      { content: { heading: 'Pixel 9', introduction: 'A "clever" phone' } },
    ]);
  });

  it('of the page is pageContent, an object of its own (D8)', async () => {
    expect(await objectOf('101', 'page-content')).toEqual([
      { pageContent: { heading: 'Pixel 9 deals', introduction: 'All deals of the Pixel 9' } },
    ]);
  });

  it('lacks what the editor left empty (D6)', async () => {
    expect(await objectOf('300', 'content')).toEqual([{ content: { heading: 'Plus' } }]);
    const { products } = await server.read('/deals/v1/products/101/?filter[condition]=eq{refurbished}&expand=content');
    expect(products[0]?.['content']).toEqual({ heading: 'Pixel 9, refurbished' });
  });
});
