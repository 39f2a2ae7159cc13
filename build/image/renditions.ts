import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { PictureLine } from '../../data/snapshot/format.ts';
import { createDurably, removeFolder, syncFolder } from '../../data/store/durable-file.ts';
import { newPath } from '../../data/store/layout.ts';
import { hashFile } from '../../data/store/lines.ts';
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

const COMMIT_FILE = 'renditions.json';

const renditionSchema = z.strictObject({ name: z.string(), bytes: z.number(), sha256: z.string() });
const renditionsSchema = z.strictObject({ renditions: z.array(renditionSchema) });

/** A rendered file as its folder lists it. */
type StoredRendition = Readonly<z.infer<typeof renditionSchema>>;

export function describeRendition({ name, content }: RenderedFile): StoredRendition {
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/**
 * The renditions in `<imagesFolder>/<hash>`; undefined when there are none, or one of them is damaged, so that they are
 * rendered again.
 */
function findRenditions(imagesFolder: string, hash: string): readonly StoredRendition[] | undefined {
  const folder = join(imagesFolder, hash);
  try {
    const { renditions } = renditionsSchema.parse(JSON.parse(readRegularFile(join(folder, COMMIT_FILE))));
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
): readonly StoredRendition[] {
  mkdirSync(imagesFolder, { recursive: true });
  const renditions = files.map(describeRendition);
  const folder = newPath(imagesFolder);
  mkdirSync(folder);
  for (const { name, content } of files) createDurably(join(folder, name), content);
  createDurably(join(folder, COMMIT_FILE), `${JSON.stringify({ renditions })}\n`);
  syncFolder(folder);
  // A damaged one.
  if (existsSync(join(imagesFolder, hash))) removeFolder(imagesFolder, hash);
  renameSync(folder, join(imagesFolder, hash));
  syncFolder(imagesFolder);
  return renditions;
}
