import sharp from 'sharp';
import { FORMATS, SIZE_BOX, SIZES, type Format } from '../../data/field/image.ts';

/** One picture to be rendered from a source image. */
export interface Rendition {
  /** Its name in the folder of the source image, without the format. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly format: Format;
}

export type PresetName = 'product' | 'gift' | 'network' | 'retailer';

/** Raise it when the same source image and preset would give other bytes. */
const PRESET_VERSION = 1;

function logo(name: string, width: number, height: number): Rendition {
  return { name, width, height, format: 'webp' };
}

/** The renditions of one source image (spec §2.9, §2.11, §8). The preset of a product applies to each of its views. */
export const PRESETS = {
  product: SIZES.flatMap((size) => FORMATS.map((format) => ({ name: size, ...SIZE_BOX[size], format }))),
  gift: FORMATS.map((format) => ({ name: 'large', ...SIZE_BOX.large, format })),
  network: [logo('small', 50, 25), logo('medium', 100, 50), logo('large', 200, 100), logo('deal', 100, 50)],
  retailer: [logo('large', 200, 100), logo('deal', 50, 50)],
} as const satisfies Record<PresetName, readonly Rendition[]>;

/** `large.webp`: the name of a rendition's file. */
export function renditionFile(name: string, format: Format): string {
  return `${name}.${format}`;
}

/** Everything except the source image that the bytes of its renditions depend on: part of the name of their folder. */
export function describePreset(name: PresetName): string {
  return JSON.stringify({
    version: PRESET_VERSION,
    sharp: sharp.versions.sharp,
    libvips: sharp.versions.vips,
    renditions: PRESETS[name],
  });
}
