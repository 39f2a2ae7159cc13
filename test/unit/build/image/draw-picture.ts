import sharp from 'sharp';

/** A plain picture of one colour. */
export function drawPicture(options: {
  readonly width: number;
  readonly height: number;
  readonly colour?: string;
  readonly format?: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff';
}): Promise<Buffer> {
  const { width, height, colour = '#c02040', format = 'png' } = options;
  return sharp({ create: { width, height, channels: 4, background: colour } })
    .toFormat(format)
    .toBuffer();
}

/** Red, green, blue, alpha of the pixel at (x, y). */
export async function pixelAt(picture: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const start = (y * info.width + x) * info.channels;
  return [...data.subarray(start, start + 4)];
}
