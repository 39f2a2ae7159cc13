import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import type { Format } from '../../data/field/image.ts';
import { renditionFile, type Rendition } from './presets.ts';

/** 50 megapixels: more than any camera of the catalogue, less than what a small machine can hold in memory. */
export const MAX_SOURCE_IMAGE_PIXELS = 50_000_000;

/**
 * The formats of source images. SVG is not among them: its text depends on the fonts of the machine, so the same export
 * would give other bytes elsewhere.
 */
const DECODABLE = ['png', 'jpeg', 'webp', 'gif', 'tiff', 'heif'] as const;

/** Four times the largest box: renditions cannot show more of a source image. */
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

// Nothing is rendered twice, so a cache would only use memory. Pictures are already rendered in parallel.
sharp.cache(false);
sharp.concurrency(1);

/** A source image that cannot be rendered; the message says why. */
export class UnreadableImageError extends Error {
  override readonly name = 'UnreadablePictureError';
}

/**
 * Makes the renditions of an original: fitted whole, padded with transparency, in JPEG with white (D7). It is decoded
 * once; every size is made from the same pixels and every format of a size from the same size.
 *
 * @throws {UnreadableImageError} when it is no picture, is cut short, or is too large
 */
export async function renderSourceImage(original: Buffer, renditions: readonly Rendition[]): Promise<RenderedFile[]> {
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
    const picture = sharp(original, { limitInputPixels: MAX_SOURCE_IMAGE_PIXELS, failOn: 'error' });
    const { format } = await picture.metadata();
    if (!(DECODABLE as readonly string[]).includes(format)) {
      throw new UnreadableImageError(`a picture of the format ${format}`);
    }
    return await picture
      .autoOrient()
      .resize({ ...WORKING_BOX, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    if (error instanceof UnreadableImageError) throw error;
    throw new UnreadableImageError((error as Error).message.split('\n', 1)[0], { cause: error });
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

/** 25 MB: enough for a photo of a camera, too little for a film. */
export const MAX_SOURCE_IMAGE_BYTES = 25_000_000;

export type LocatedImage =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'missing'; readonly expected: string }
  | { readonly kind: 'too-large'; readonly bytes: number };

/**
 * Finds a source image. Its path is relative to the file that names it. It must be in the folder of the configuration,
 * also after symbolic links, so that an export cannot publish a file of the machine.
 */
export async function locateSourceImage(configFolder: string, namingFile: string, path: string): Promise<LocatedImage> {
  const folder = await realpath(configFolder);
  try {
    const real = await realpath(resolve(dirname(join(folder, namingFile)), path));
    if (!real.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) {
      return { kind: 'missing', expected: 'a file in the folder of the configuration' };
    }
    const { size, isFile } = await describeFile(real);
    if (!isFile) return { kind: 'missing', expected: 'a file' };
    return size > MAX_SOURCE_IMAGE_BYTES ? { kind: 'too-large', bytes: size } : { kind: 'file', path: real };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', expected: 'the path of a file' };
    return { kind: 'missing', expected: `a file that can be opened (${message.split(',', 1)[0]})` };
  }
}

async function describeFile(path: string): Promise<{ readonly size: number; readonly isFile: boolean }> {
  const found = await stat(path);
  return { size: found.size, isFile: found.isFile() };
}
