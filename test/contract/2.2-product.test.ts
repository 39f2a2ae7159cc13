import { afterAll, describe, expect, it } from 'vitest';
import { serve, variants } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const WHOLE =
  '/deals/v1/products/101/?filter[condition]=eq{new}&expand=products(content,page-content,meta-data,specs,images,cheapestDeal)';

describe('a product (§2.2)', () => {
  it('can appear twice under one id, new and refurbished, and the refurbished name says so', async () => {
    const { products } = await server.read('/deals/v1/products/101/');
    expect(products).toEqual([
      { id: '101', name: 'Google Pixel 9 128GB', slug: 'google-pixel-9-128gb' },
      { id: '101', name: 'Refurbished Google Pixel 9 128GB', slug: 'refurbished-google-pixel-9-128gb' },
    ]);
  });

  it('keeps an id that no number can hold', async () => {
    const { products } = await server.read('/deals/v1/products/10000000000000000001/');
    expect(variants(products)).toEqual(['10000000000000000001']);
  });

  it('has each of its objects only when asked for', async () => {
    const { products } = await server.read(WHOLE);
    expect(Object.keys(products[0] ?? {}).sort()).toEqual(
      ['id', 'name', 'slug', 'content', 'pageContent', 'metaData', 'specs', 'images', 'cheapestDeal'].sort(),
    );
  });

  it('has every group that was asked for as an object, even an empty one, and nothing that it lacks (D6)', async () => {
    const { products } = await server.read(
      '/deals/v1/products/1000/?expand=products(content,page-content,meta-data,specs,images,cheapestDeal)',
    );
    expect(products).toEqual([
      {
        id: '1000',
        name: 'Quoted "phone" </script> 📱',
        slug: 'quoted-phone-script',
        content: { introduction: 'line one\nline two' },
        pageContent: {},
        metaData: {},
        specs: {},
        images: {},
      },
    ]);
  });
});
