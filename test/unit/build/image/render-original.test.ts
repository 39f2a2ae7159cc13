import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PictureError, PRESETS, renderSourceImage } from '../../../../build/image/source-image.ts';
import { drawPicture, pixelAt } from './draw-picture.ts';

async function renderNamed(original: Buffer, preset: keyof typeof PRESETS): Promise<Map<string, Buffer>> {
  const files = await renderSourceImage(original, PRESETS[preset]);
  return new Map(files.map(({ name, content }) => [name, content]));
}

describe('renderOriginal', () => {
  it.each([
    ['product', 'large', 200, 400, ['webp', 'png', 'jpg']],
    ['product', 'medium', 100, 200, ['webp', 'png', 'jpg']],
    ['product', 'small', 60, 120, ['webp', 'png', 'jpg']],
    ['gift', 'large', 200, 400, ['webp', 'png', 'jpg']],
    ['network', 'small', 50, 25, ['webp']],
    ['network', 'medium', 100, 50, ['webp']],
    ['network', 'large', 200, 100, ['webp']],
    ['network', 'deal', 100, 50, ['webp']],
    ['retailer', 'large', 200, 100, ['webp']],
    ['retailer', 'deal', 50, 50, ['webp']],
  ] as const)('renders %s %s at %d x %d (spec §8)', async (preset, name, width, height, formats) => {
    const files = await renderNamed(await drawPicture({ width: 300, height: 300 }), preset);
    for (const format of formats) {
      const picture = await sharp(files.get(`${name}.${format}`)).metadata();
      expect([picture.format, picture.width, picture.height]).toEqual([
        format === 'jpg' ? 'jpeg' : format,
        width,
        height,
      ]);
    }
    expect([...files.keys()].filter((file) => file.startsWith(`${name}.`))).toHaveLength(formats.length);
  });

  it('fits an original whole and pads it: transparent in webp and png, white in jpg (D7)', async () => {
    const files = await renderNamed(await drawPicture({ width: 400, height: 400, colour: '#c02040' }), 'product');
    for (const [name, padding] of [
      ['large.webp', [0, 0, 0, 0]],
      ['large.png', [0, 0, 0, 0]],
      ['large.jpg', [255, 255, 255, 255]],
    ] as const) {
      const picture = files.get(name) as Buffer;
      const corner = await pixelAt(picture, 2, 2);
      // What a fully transparent pixel would look like does not matter.
      expect({ name, corner: corner[3] === 0 ? [0, 0, 0, 0] : corner }).toEqual({ name, corner: padding });
      const [red = 0, green = 0, blue = 0, alpha] = await pixelAt(picture, 100, 200);
      expect(alpha).toBe(255);
      expect(Math.abs(red - 0xc0) + Math.abs(green - 0x20) + Math.abs(blue - 0x40)).toBeLessThan(20);
    }
  });

  it('turns a picture as its camera says', async () => {
    const lying = await sharp(await drawPicture({ width: 100, height: 20, format: 'jpeg' }))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const files = await renderNamed(lying, 'product');
    // Upright it is 20 wide and 100 high: 80 x 400 in the box, so that its sides are padded and its top is not.
    expect((await pixelAt(files.get('large.png') as Buffer, 100, 3))[3]).toBe(255);
    expect((await pixelAt(files.get('large.png') as Buffer, 10, 200))[3]).toBe(0);
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'tiff'] as const)('reads %s', async (format) => {
    const files = await renderNamed(await drawPicture({ width: 30, height: 60, format }), 'gift');
    expect(files.size).toBe(3);
  });

  it('reads greyscale, 16 bit and CMYK', async () => {
    const colour = sharp(await drawPicture({ width: 30, height: 60 }));
    for (const original of [
      await colour.clone().greyscale().toColourspace('b-w').png().toBuffer(),
      await colour.clone().toColourspace('rgb16').png().toBuffer(),
      await colour.clone().removeAlpha().toColourspace('cmyk').jpeg().toBuffer(),
    ]) {
      const files = await renderNamed(original, 'gift');
      expect((await sharp(files.get('large.webp')).metadata()).space).toBe('srgb');
    }
  });

  it.each([
    [
      'SVG, which depends on the fonts of the machine',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'),
      'a picture of the format svg',
    ],
    [
      'a picture of more than 50 megapixels',
      () =>
        sharp({ create: { width: 8000, height: 7000, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      'Input image exceeds pixel limit',
    ],
  ])('refuses %s', async (_, make, message) => {
    const original = await make();
    await expect(renderSourceImage(original, PRESETS.gift)).rejects.toThrow(message);
  });

  it('refuses a picture that is cut short', async () => {
    const whole = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 99, sigma: 30 },
      },
    })
      .jpeg()
      .toBuffer();
    await expect(renderSourceImage(whole.subarray(0, whole.length / 2), PRESETS.gift)).rejects.toThrow(PictureError);
  });
});
