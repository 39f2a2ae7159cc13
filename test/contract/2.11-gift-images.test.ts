import { afterAll, describe, expect, it } from 'vitest';
import { GIFT_IMAGE_KEYS } from '../../data/field/image.ts';
import { serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

describe('images of gifts and gift categories (§2.11)', () => {
  it('are the large front image in the three formats by default', async () => {
    const { giftCategories } = await server.read<{ giftCategories: { images: Record<string, string> }[] }>(
      '/deals/v1/gifts/categories/?expand=giftcategories(images)',
    );
    expect(giftCategories.map(({ images }) => Object.keys(images).sort())).toEqual([[...GIFT_IMAGE_KEYS].sort(), []]);
  });

  it.each([
    ['/deals/v1/gifts/?fields=gifts(front,large,jpg,webp)', 'gifts'],
    ['/deals/v1/gifts/categories/?fields=giftcategories(front,large,jpg,webp)', 'giftCategories'],
  ])('are the formats that %s selects', async (target, key) => {
    const body = await server.read<Record<string, { images: Record<string, string> }[]>>(target);
    expect(Object.keys(body[key]?.[0]?.images ?? {}).sort()).toEqual(['largeFrontImageJpg', 'largeFrontImageWebp']);
  });
});
