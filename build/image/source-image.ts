import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { FORMATS, LOGO_BOX, SIZE_BOX, SIZES, type Format, type Size } from '../../data/field/image.ts';
import type { NoticeCode } from '../../data/report/notice.ts';

/** One picture to be rendered from a source image. */
interface Rendition {
  /** Its name in the folder of the source image, without the format. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly format: Format;
}

/** Raise it when the same source image and preset would give other bytes. */
const PRESET_VERSION = 1;

function picturesOf(sizes: readonly Size[]): readonly Rendition[] {
  return sizes.flatMap((size) => FORMATS.map((format) => ({ name: size, ...SIZE_BOX[size], format })));
}

function badgesOf(boxes: (typeof LOGO_BOX)['network' | 'retailer']): readonly Rendition[] {
  return Object.entries(boxes).map(([name, box]) => ({ name, ...box, format: 'webp' }));
}

/** The renditions of one source image (spec §2.9, §2.11, §8). The preset of a product applies to each of its views. */
export const PRESETS = {
  product: picturesOf(SIZES),
  gift: picturesOf(['large']),
  network: badgesOf(LOGO_BOX.network),
  retailer: badgesOf(LOGO_BOX.retailer),
} as const;

export type PresetName = keyof typeof PRESETS;

/** `large.webp`: the name of a rendition's file. */
export function renditionFile(name: string, format: Format): string {
  return `${name}.${format}`;
}

/** Everything except the source image that the bytes of its renditions depend on: part of the name of their folder. */
export function describePreset(name: PresetName): string {
  const { sharp: version, vips } = sharp.versions;
  return JSON.stringify({ version: PRESET_VERSION, sharp: version, libvips: vips, renditions: PRESETS[name] });
}

/** 50 megapixels: more than any camera of the catalogue, less than what a small machine can hold in memory. */
const MAX_SOURCE_IMAGE_PIXELS = 50_000_000;

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

/** A source image without renditions. Its message is what is wrong with the file; empty when there is no file. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
  readonly code: Extract<NoticeCode, 'missing-picture' | 'unreadable-picture'>;
  readonly expected: string;

  constructor(code: PictureError['code'], expected: string, message = '', options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.expected = expected;
  }
}

function unreadable(message: string | undefined, cause?: unknown): PictureError {
  const megapixels = MAX_SOURCE_IMAGE_PIXELS / 1_000_000;
  const expected = `a PNG, JPEG, WebP, GIF, TIFF or AVIF picture of at most ${megapixels} megapixels`;
  return new PictureError('unreadable-picture', expected, message, { cause });
}

/**
 * Makes the renditions of an original: fitted whole, padded with transparency, in JPEG with white (D7). It is decoded
 * once; every size is made from the same pixels and every format of a size from the same size.
 *
 * @throws {PictureError} when it is no picture, is cut short, or is too large
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
      throw unreadable(`a picture of the format ${format}`);
    }
    return await picture
      .autoOrient()
      .resize({ ...WORKING_BOX, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    if (error instanceof PictureError) throw error;
    throw unreadable((error as Error).message.split('\n', 1)[0], error);
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

/**
 * Reads a source image. Its path is relative to the file that names it. It must be in the folder of the configuration,
 * also after symbolic links, so that an export cannot publish a file of the machine.
 *
 * @param unpacked its file where it comes from an archive
 * @throws {PictureError} when it is not there, or is too large
 */
export async function readSourceImage(
  configFolder: string,
  namingFile: string,
  path: string,
  unpacked: string | undefined,
): Promise<Buffer> {
  const file = unpacked ?? (await locateSourceImage(configFolder, namingFile, path));
  try {
    return await readFile(file);
  } catch (error) {
    throw unreadable((error as NodeJS.ErrnoException).code, error);
  }
}

async function locateSourceImage(configFolder: string, namingFile: string, path: string): Promise<string> {
  const folder = await realpath(configFolder);
  const missing = (expected: string): PictureError => new PictureError('missing-picture', expected);
  try {
    const real = await realpath(resolve(dirname(join(folder, namingFile)), path));
    if (!real.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) {
      throw missing('a file in the folder of the configuration');
    }
    const found = await stat(real);
    if (!found.isFile()) throw missing('a file');
    if (found.size <= MAX_SOURCE_IMAGE_BYTES) return real;
    throw new PictureError('unreadable-picture', `at most ${MAX_SOURCE_IMAGE_BYTES} bytes`, `${found.size} bytes`);
  } catch (error) {
    if (error instanceof PictureError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw missing(`the path of a file (${code ?? message})`);
  }
}
