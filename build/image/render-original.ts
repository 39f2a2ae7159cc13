import sharp, { type OutputInfo, type Sharp } from 'sharp';
import type { Format } from '../../data/field/image.ts';
import { renditionFile, type Rendition } from './recipe.ts';

/** 50 megapixels: more than any camera of the catalogue, less than what a small machine can hold in memory. */
export const MAX_ORIGINAL_PIXELS = 50_000_000;

/**
 * What an original may be. SVG is not among them: its text depends on the fonts of the machine, so the same export would
 * give other bytes elsewhere.
 */
const DECODABLE = ['png', 'jpeg', 'webp', 'gif', 'tiff', 'heif'] as const;

/** Four times the largest box: no more of an original is kept than its renditions can show. */
const WORKING_BOX = { width: 800, height: 1600 } as const;

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 } as const;

export interface RenderedFile {
  readonly name: string;
  readonly content: Buffer;
}

interface Pixels {
  readonly data: Buffer;
  readonly info: OutputInfo;
}

// Nothing is rendered twice, so a cache would only hold memory; and pictures are rendered side by side already.
sharp.cache(false);
sharp.concurrency(1);

/** An original that cannot be made into pictures; the message says why. */
export class UnreadablePictureError extends Error {
  override readonly name = 'UnreadablePictureError';
}

/**
 * Makes the renditions of an original: fitted whole, padded with transparency, in JPEG with white (D7). It is decoded
 * once; every size is made from the same pixels and every format of a size from the same size.
 *
 * @throws {UnreadablePictureError} when it is no picture, is cut short, or is too large
 */
export async function renderOriginal(original: Buffer, renditions: readonly Rendition[]): Promise<RenderedFile[]> {
  const decoded = await decode(original);
  const sized = new Map<string, Pixels>();
  const files: RenderedFile[] = [];
  for (const rendition of renditions) {
    const box = `${rendition.width}x${rendition.height}`;
    const pixels = sized.get(box) ?? (await fit(decoded, rendition));
    sized.set(box, pixels);
    const content = await encode(open(pixels), rendition.format).toBuffer();
    files.push({ name: renditionFile(rendition.name, rendition.format), content });
  }
  return files;
}

async function decode(original: Buffer): Promise<Pixels> {
  try {
    const picture = sharp(original, { limitInputPixels: MAX_ORIGINAL_PIXELS, failOn: 'error' });
    const { format } = await picture.metadata();
    if (!(DECODABLE as readonly string[]).includes(format)) {
      throw new UnreadablePictureError(`a picture of the format ${format}`);
    }
    return await picture
      .autoOrient()
      .resize({ ...WORKING_BOX, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    if (error instanceof UnreadablePictureError) throw error;
    throw new UnreadablePictureError((error as Error).message.split('\n', 1)[0], { cause: error });
  }
}

function fit(decoded: Pixels, { width, height }: Rendition): Promise<Pixels> {
  return open(decoded)
    .resize({ width, height, fit: 'contain', background: TRANSPARENT })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

function open({ data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

function encode(picture: Sharp, format: Format): Sharp {
  switch (format) {
    case 'webp':
      return picture.webp({ quality: 80 });
    case 'png':
      return picture.png({ palette: true, quality: 80 });
    case 'jpg':
      return picture.flatten({ background: '#ffffff' }).jpeg({ quality: 80, mozjpeg: true });
  }
}
