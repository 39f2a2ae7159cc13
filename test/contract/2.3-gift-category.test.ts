import { afterAll, describe, expect, it } from 'vitest';
import { serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

describe('a gift category (§2.3)', () => {
  it('comes with all its objects when they are expanded, in order of numeric id (D14)', async () => {
    const body = await server.read<unknown>(
      '/deals/v1/gifts/categories/?expand=giftcategories(content,page-content,meta-data,images,gifts)',
    );
    expect(body).toEqual({
      giftCategories: [
        {
          id: '3',
          name: 'Audio & watches',
          slug: 'audio',
          content: { heading: 'Audio', introduction: 'Things to hear' },
          pageContent: { heading: 'All audio', introduction: 'Everything to hear' },
          metaData: { title: 'Audio gifts', description: 'Gifts that sound', keywords: 'audio,gift' },
          images: {
            largeFrontImageWebp: 'https://cdn.example/gift/audio.webp',
            largeFrontImagePng: 'https://cdn.example/gift/audio.png',
            largeFrontImageJpg: 'https://cdn.example/gift/audio.jpg',
          },
          gifts: {
            gifts: [
              { id: '9', name: 'Smart watch', slug: 'smart-watch' },
              { id: '7', name: 'Wireless "earbuds"', slug: 'wireless-earbuds' },
            ],
          },
        },
        {
          id: '12',
          name: 'Nothing yet',
          slug: 'nothing-yet',
          content: {},
          pageContent: {},
          metaData: {},
          images: {},
          gifts: { gifts: [] },
        },
      ],
    });
  });

  it('holds its gifts in an object with one array, in the order of the editor (D9)', async () => {
    const { giftCategories } = await server.read<{ giftCategories: { gifts: { gifts: { id: string }[] } }[] }>(
      '/deals/v1/gifts/categories/?expand=giftcategories(gifts)',
    );
    expect(giftCategories.map(({ gifts }) => gifts.gifts.map(({ id }) => id))).toEqual([['9', '7'], []]);
  });
});
