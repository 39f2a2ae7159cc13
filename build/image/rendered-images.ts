import { createHash } from 'node:crypto';
import type { PictureLine } from '../../data/snapshot/format.ts';
import { describePreset, PRESETS, type PresetName } from './presets.ts';
import { describeRendition, findRenditions, storeRenditions, type StoredRendition } from './rendition-store.ts';
import { readSourceImage, renderSourceImage } from './source-image.ts';

export interface RenderOptions {
  readonly configFolder: string;
  /** The source images in archives. */
  readonly unpacked: { find(namingFile: string, path: string): string | undefined };
  /** `<store>/images`: existing renditions are taken from here. */
  readonly imagesFolder: string;
  /** Whether new renditions are stored; otherwise they are rendered and forgotten. */
  readonly persist: boolean;
}

/** The pictures of a source image, by name: `large.webp`. */
export type Rendering = ReadonlyMap<string, PictureLine>;

/**
 * Renders the source image at `path`, relative to `namingFile`, which is relative to the configuration.
 * @throws {PictureError} when it cannot be rendered
 */
export type RenderImage = (preset: PresetName, namingFile: string, path: string) => Promise<Rendering>;

/**
 * Every source image is rendered once, whatever names it. Renditions are stored by content: the name of their folder is
 * a hash of the source image and of the preset, so existing ones are used again.
 */
export function createImageRenderer(options: RenderOptions): RenderImage {
  const { configFolder, unpacked, imagesFolder, persist } = options;
  const renderings = new Map<string, Promise<Rendering>>();

  async function renderOnce(original: Buffer, preset: PresetName, hash: string): Promise<Rendering> {
    const renditions = findRenditions(imagesFolder, hash) ?? (await renderNew(original, preset, hash));
    return new Map(
      renditions.map(({ name, bytes, sha256 }) => [name, { path: `/images/${hash}/${name}`, bytes, sha256 }]),
    );
  }

  async function renderNew(original: Buffer, preset: PresetName, hash: string): Promise<readonly StoredRendition[]> {
    const files = await renderSourceImage(original, PRESETS[preset]);
    return persist ? storeRenditions(imagesFolder, hash, files) : files.map(describeRendition);
  }

  return async (preset, namingFile, path) => {
    const original = await readSourceImage(configFolder, namingFile, path, unpacked.find(namingFile, path));
    const hash = createHash('sha256').update(original).update(describePreset(preset)).digest('hex').slice(0, 32);
    const rendering = renderings.get(hash) ?? renderOnce(original, preset, hash);
    renderings.set(hash, rendering);
    return rendering;
  };
}
