import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Format } from '../../data/field/image.ts';
import type { NoticeCode } from '../../data/report/notice.ts';
import type { PictureLine } from '../../data/snapshot/format.ts';
import { mapConcurrently } from '../../data/store/map-concurrently.ts';
import { describePreset, PRESETS, renditionFile, type PresetName } from './presets.ts';
import { describeRendition, findRenditions, storeRenditions, type StoredRendition } from './rendition-store.ts';
import {
  locateSourceImage,
  MAX_SOURCE_IMAGE_BYTES,
  MAX_SOURCE_IMAGE_PIXELS,
  renderSourceImage,
  UnreadableImageError,
} from './source-image.ts';

/** Each rendering holds a source image and its pixels, up to 150 MB: a limit of memory more than of cores. */
const MAX_CONCURRENT = 2;

/** A source image as a record names it. */
export interface SourceImageReference {
  readonly preset: PresetName;
  /** The file that names it, relative to the configuration. */
  readonly namingFile: string;
  /** Relative to that file. */
  readonly path: string;
}

/** The pictures of a source image, or why there are none. */
export type Rendering =
  | { readonly kind: 'rendered'; pathOf(name: string, format: Format): string }
  | {
      readonly kind: 'absent';
      readonly code: Extract<NoticeCode, 'missing-picture' | 'unreadable-picture'>;
      readonly found: string;
      readonly expected: string;
    };

/** The rendered pictures of all source images of a catalogue. */
export interface RenderedImages {
  find(reference: SourceImageReference): Rendering | undefined;
  /** The picture at `/images/<hash>/<name>.<format>`. */
  pictureAt(path: string): PictureLine | undefined;
}

export interface RenderOptions {
  readonly configFolder: string;
  /** The source images in archives. */
  readonly unpacked: { find(namingFile: string, path: string): string | undefined };
  /** `<store>/images`: existing renditions are taken from here. */
  readonly imagesFolder: string;
  /** Whether new renditions are stored; otherwise they are rendered and forgotten. */
  readonly persist: boolean;
}

/**
 * Renders every source image once, for any number of records. Renditions are stored by content: the name of their
 * folder is a hash of the source image and of the preset, so existing ones are reused.
 */
export async function renderImages(
  references: readonly SourceImageReference[],
  options: RenderOptions,
): Promise<RenderedImages> {
  const distinct = [...new Map(references.map((reference) => [keyOf(reference), reference])).values()];
  const underWay = new Map<string, Promise<readonly StoredRendition[]>>();
  const pictures = new Map<string, PictureLine>();
  const render = (reference: SourceImageReference) => renderReference(reference, options, underWay, pictures);
  const renderings = await mapConcurrently(distinct, Math.min(MAX_CONCURRENT, availableParallelism()), render);
  const byKey = new Map(distinct.map((reference, position) => [keyOf(reference), renderings[position]]));
  return {
    find: (reference) => byKey.get(keyOf(reference)),
    pictureAt: (path) => pictures.get(path),
  };
}

function keyOf({ preset, namingFile, path }: SourceImageReference): string {
  return JSON.stringify([preset, namingFile, path]);
}

async function renderReference(
  reference: SourceImageReference,
  options: RenderOptions,
  underWay: Map<string, Promise<readonly StoredRendition[]>>,
  pictures: Map<string, PictureLine>,
): Promise<Rendering> {
  const { preset, namingFile, path } = reference;
  const unpacked = options.unpacked.find(namingFile, path);
  const located =
    unpacked === undefined
      ? await locateSourceImage(options.configFolder, namingFile, path)
      : ({ kind: 'file', path: unpacked } as const);
  switch (located.kind) {
    case 'missing':
      return { kind: 'absent', code: 'missing-picture', found: path, expected: located.expected };
    case 'too-large':
      return {
        kind: 'absent',
        code: 'unreadable-picture',
        found: `${path}: ${located.bytes} bytes`,
        expected: `at most ${MAX_SOURCE_IMAGE_BYTES} bytes`,
      };
    case 'file':
      break;
  }
  try {
    const original = await readSourceImage(located.path);
    const hash = createHash('sha256').update(original).update(describePreset(preset)).digest('hex').slice(0, 32);
    // Two paths may have the same source image.
    const renditions = underWay.get(hash) ?? renderOnce(original, preset, hash, options);
    underWay.set(hash, renditions);
    for (const { name, bytes, sha256 } of await renditions) {
      const picturePath = `/images/${hash}/${name}`;
      pictures.set(picturePath, { path: picturePath, bytes, sha256 });
    }
    return { kind: 'rendered', pathOf: (name, format) => `/images/${hash}/${renditionFile(name, format)}` };
  } catch (error) {
    if (!(error instanceof UnreadableImageError)) throw error;
    return {
      kind: 'absent',
      code: 'unreadable-picture',
      found: `${path}: ${error.message}`,
      expected: `a PNG, JPEG, WebP, GIF, TIFF or AVIF picture of at most ${MAX_SOURCE_IMAGE_PIXELS / 1_000_000} megapixels`,
    };
  }
}

async function readSourceImage(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new UnreadableImageError((cause as NodeJS.ErrnoException).code, { cause });
  }
}

async function renderOnce(
  original: Buffer,
  preset: PresetName,
  hash: string,
  { imagesFolder, persist }: RenderOptions,
): Promise<readonly StoredRendition[]> {
  const stored = findRenditions(imagesFolder, hash);
  if (stored !== undefined) return stored;
  const files = await renderSourceImage(original, PRESETS[preset]);
  return persist ? storeRenditions(imagesFolder, hash, files) : files.map(describeRendition);
}
