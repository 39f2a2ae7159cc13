import { afterAll, describe, expect, it } from 'vitest';
import { FORMATS, IMAGE_KEYS, imageKey, MEDIA_TYPE, SIZES, VIEWS } from '../../data/field/image.ts';
import { pictureBytes } from '../oracle/write-snapshot.ts';
import { serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const imagesOf = async (id: string): Promise<Record<string, string>> => {
  const { products } = await server.read(`/deals/v1/products/${id}/?filter[condition]=eq{new}&expand=images`);
  return products[0]?.['images'] as Record<string, string>;
};

describe('product images (§2.9)', () => {
  it('are all 36 combinations of size, view and format in an unrestricted expansion (D7)', async () => {
    const images = await imagesOf('101');
    expect(Object.keys(images).sort()).toEqual([...IMAGE_KEYS].sort());
    expect(Object.keys(images)).toHaveLength(36);
    for (const size of SIZES) {
      for (const view of VIEWS) {
        for (const format of FORMATS) {
          expect(images[imageKey(size, view, format)]).toBe(
            `https://deals.test/images/706978656c2d392d/${size}-${view}.${format}`,
          );
        }
      }
    }
  });

  it('are an empty object of a product without any (D7)', async () => {
    expect(await imagesOf('9')).toEqual({});
  });

  it('are the ones that the source has', async () => {
    expect(await imagesOf('12')).toEqual({ smallBackImagePng: 'https://cdn.example/pixel-8/back.png' });
  });

  it.each(FORMATS)('are served as their media type, %s, to anyone and for ever (D7, D19)', async (format) => {
    const images = await imagesOf('101');
    const path = new URL(images[imageKey('large', 'front', format)] ?? '').pathname;
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(MEDIA_TYPE[format]);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(await response.text()).toBe(pictureBytes(path));
  });
});
