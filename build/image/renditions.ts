import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PictureLine } from '../../data/snapshot/format.ts';
import { createDurably, moveIntoPlace, syncFolder } from '../../data/store/durable-file.ts';
import { newPath } from '../../data/store/layout.ts';
import { hashFile } from '../../data/store/lines.ts';
import type { WrittenFile } from '../../data/store/manifest.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import {
  describePreset,
  PRESETS,
  readSourceImage,
  renderSourceImage,
  type PresetName,
  type RenderedFile,
} from './source-image.ts';

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
type RenderImage = (preset: PresetName, namingFile: string, path: string) => Promise<Rendering>;

/**
 * Every source image is rendered once, whatever names it. Renditions are stored by content: the name of their folder is
 * a hash of the source image and of the preset, so existing ones are used again.
 */
export function createImageRenderer({ configFolder, unpacked, imagesFolder, persist }: RenderOptions): RenderImage {
  const renderings = new Map<string, Promise<Rendering>>();

  async function renderOnce(original: Buffer, preset: PresetName, hash: string): Promise<Rendering> {
    let renditions = findRenditions(imagesFolder, hash);
    if (renditions === undefined) {
      const files = await renderSourceImage(original, PRESETS[preset]);
      renditions = files.map(describeRendition);
      if (persist) storeRenditions(imagesFolder, hash, files, renditions);
    }
    return new Map(renditions.map(({ name, ...facts }) => [name, { path: `/images/${hash}/${name}`, ...facts }]));
  }

  return async (preset, namingFile, path) => {
    const original = await readSourceImage(configFolder, namingFile, path, unpacked.find(namingFile, path));
    const hash = createHash('sha256').update(original).update(describePreset(preset)).digest('hex').slice(0, 32);
    const rendering = renderings.get(hash) ?? renderOnce(original, preset, hash);
    renderings.set(hash, rendering);
    return rendering;
  };
}

/** A rendered file as its folder lists it. */
interface StoredRendition extends WrittenFile {
  readonly name: string;
}

export function describeRendition({ name, content }: RenderedFile): StoredRendition {
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** The file that lists the renditions of a folder. */
const COMMIT_FILE = 'renditions.json';

/**
 * The renditions in `<imagesFolder>/<hash>`; undefined when there are none, or one of them is damaged, so that they are
 * rendered again.
 */
function findRenditions(imagesFolder: string, hash: string): readonly StoredRendition[] | undefined {
  const folder = join(imagesFolder, hash);
  try {
    // What is no such list has no sound files.
    const text = readRegularFile(join(folder, COMMIT_FILE));
    const { renditions } = JSON.parse(text) as { readonly renditions: readonly StoredRendition[] };
    const isSound = renditions.every(({ name, sha256 }) => hashFile(join(folder, name)).sha256 === sha256);
    return isSound ? renditions : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the renditions of a source image, all or none. */
function storeRenditions(
  imagesFolder: string,
  hash: string,
  files: readonly RenderedFile[],
  renditions: readonly StoredRendition[],
): void {
  mkdirSync(imagesFolder, { recursive: true });
  const folder = newPath(imagesFolder);
  mkdirSync(folder);
  for (const { name, content } of files) createDurably(join(folder, name), content);
  createDurably(join(folder, COMMIT_FILE), `${JSON.stringify({ renditions })}\n`);
  syncFolder(folder);
  moveIntoPlace(imagesFolder, folder, hash);
}
