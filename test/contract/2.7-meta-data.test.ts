import { afterAll, describe, expect, it } from 'vitest';
import { serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

describe('meta data (§2.7)', () => {
  it('has a title, a description and keywords', async () => {
    const { products } = await server.read('/deals/v1/products/101/?filter[condition]=eq{new}&expand=meta-data');
    expect(products[0]?.['metaData']).toEqual({
      title: 'Pixel 9',
      description: 'Deals on the Pixel 9',
      keywords: 'pixel,google',
    });
  });
});
