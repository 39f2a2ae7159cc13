import { afterAll, describe, expect, it } from 'vitest';
import { serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

describe('a gift (§2.4)', () => {
  it('comes with what fields selects, in order of numeric id (D14)', async () => {
    const body = await server.read<unknown>(
      '/deals/v1/gifts/?fields=gifts(heading,meta-data-title,meta-data-description,front,large,png)',
    );
    expect(body).toEqual({
      gifts: [
        {
          id: '7',
          name: 'Wireless "earbuds"',
          slug: 'wireless-earbuds',
          content: { heading: 'Earbuds' },
          metaData: { title: 'Free earbuds', description: 'Earbuds with your phone' },
          images: { largeFrontImagePng: 'https://cdn.example/gift/earbuds.png' },
        },
        {
          id: '9',
          name: 'Smart watch',
          slug: 'smart-watch',
          content: { heading: 'Watch' },
          metaData: {},
          images: {},
        },
        {
          id: '10',
          name: 'Phone case',
          slug: 'phone-case',
          content: {},
          metaData: { title: 'A case' },
          images: { largeFrontImagePng: 'https://cdn.example/gift/phone-case.png' },
        },
      ],
    });
  });
});
