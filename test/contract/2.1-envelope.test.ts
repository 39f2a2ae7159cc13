import { afterAll, describe, expect, it } from 'vitest';
import { serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

describe('the envelope (§2.1)', () => {
  it.each([
    ['/deals/v1/products/', ['products']],
    ['/deals/v1/products/101/', ['products']],
    ['/deals/v1/products/?expand=products(deals)', ['products', 'deals']],
    ['/deals/v1/products/101/?expand=products(deals)', ['products', 'deals']],
    ['/deals/v1/gifts/categories/', ['giftCategories']],
    ['/deals/v1/gifts/', ['gifts']],
    ['/deals/v1/networks/', ['networks']],
    ['/deals/v1/retailers/', ['retailers']],
    ['/deals/v1/manufacturers/', ['manufacturers']],
  ])('%s holds one array for each of %j', async (target, keys) => {
    const body = await server.read<Record<string, unknown>>(target);
    expect(Object.keys(body)).toEqual(keys);
    expect(Object.values(body).every(Array.isArray)).toBe(true);
  });

  it.each([
    ['/deals/v1/products/', 'products'],
    ['/deals/v1/gifts/categories/', 'giftCategories'],
    ['/deals/v1/gifts/', 'gifts'],
  ])('without expand and fields, each item of %s carries only id, name and slug, as texts', async (target, key) => {
    const body = await server.read<Record<string, Record<string, unknown>[]>>(target);
    expect(body[key]?.length).toBeGreaterThan(0);
    for (const item of body[key] ?? []) {
      expect(Object.keys(item)).toEqual(['id', 'name', 'slug']);
      expect(Object.values(item).map((value) => typeof value)).toEqual(['string', 'string', 'string']);
    }
  });

  it('is JSON in UTF-8', async () => {
    const { headers, text } = await server.ask('/deals/v1/products/1000/');
    expect(headers.get('content-type')).toMatch(/^application\/json(?:; ?charset=utf-8)?$/i);
    expect(JSON.parse(text)).toEqual({
      products: [{ id: '1000', name: 'Quoted "phone" </script> 📱', slug: 'quoted-phone-script' }],
    });
  });
});
