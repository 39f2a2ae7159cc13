import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Format } from '../../data/field/image.ts';
import type { NoticeCode } from '../../data/report/notice.ts';
import type { PictureLine } from '../../data/snapshot/format.ts';
import { locateOriginal, MAX_ORIGINAL_BYTES } from './locate-original.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { describeRecipe, RECIPES, renditionFile, type RecipeName } from './recipe.ts';
import { MAX_ORIGINAL_PIXELS, renderOriginal, UnreadablePictureError } from './render-original.ts';
import { describeRendition, findRenditions, storeRenditions, type StoredRendition } from './rendition-store.ts';

/** Each holds an original and its pixels, 150 MB of the largest: a limit of memory more than of cores. */
const MAX_CONCURRENT = 2;

/** An original as a record names it. */
export interface OriginalReference {
  readonly preset: RecipeName;
  /** The file that names it, relative to the configuration. */
  readonly namingFile: string;
  /** Relative to that file. */
  readonly path: string;
}

/** The pictures of an original, or why there are none. */
export type Rendering =
  | { readonly kind: 'rendered'; pathOf(name: string, format: Format): string }
  | {
      readonly kind: 'absent';
      readonly code: Extract<NoticeCode, 'missing-picture' | 'unreadable-picture'>;
      readonly found: string;
      readonly expected: string;
    };

/** All originals of a catalogue, rendered. */
export interface Gallery {
  find(reference: OriginalReference): Rendering | undefined;
  /** The picture at `/images/<hash>/<name>.<format>`. */
  pictureAt(path: string): PictureLine | undefined;
}

export interface GalleryOptions {
  readonly configFolder: string;
  /** The originals that lie in archives. */
  readonly unpacked: { find(namingFile: string, path: string): string | undefined };
  /** `<store>/images`: renditions are taken from here when they are there. */
  readonly imagesFolder: string;
  /** Whether new renditions are put there; otherwise they are rendered and forgotten. */
  readonly persist: boolean;
}

/**
 * Renders every original once, however many records name it. Renditions are kept by content: the name of their folder
 * is a hash of the original and of the preset, so what is there already is what would be rendered.
 */
export async function createGallery(
  references: readonly OriginalReference[],
  options: GalleryOptions,
): Promise<Gallery> {
  const distinct = [...new Map(references.map((reference) => [keyOf(reference), reference])).values()];
  const underWay = new Map<string, Promise<readonly StoredRendition[]>>();
  const pictures = new Map<string, PictureLine>();
  const render = (reference: OriginalReference) => renderReference(reference, options, underWay, pictures);
  const renderings = await mapConcurrently(distinct, Math.min(MAX_CONCURRENT, availableParallelism()), render);
  const byKey = new Map(distinct.map((reference, position) => [keyOf(reference), renderings[position]]));
  return {
    find: (reference) => byKey.get(keyOf(reference)),
    pictureAt: (path) => pictures.get(path),
  };
}

function keyOf({ preset, namingFile, path }: OriginalReference): string {
  return JSON.stringify([preset, namingFile, path]);
}

async function renderReference(
  reference: OriginalReference,
  options: GalleryOptions,
  underWay: Map<string, Promise<readonly StoredRendition[]>>,
  pictures: Map<string, PictureLine>,
): Promise<Rendering> {
  const { preset, namingFile, path } = reference;
  const unpacked = options.unpacked.find(namingFile, path);
  const located =
    unpacked === undefined
      ? await locateOriginal(options.configFolder, namingFile, path)
      : ({ kind: 'file', path: unpacked } as const);
  switch (located.kind) {
    case 'missing':
      return { kind: 'absent', code: 'missing-picture', found: path, expected: located.expected };
    case 'too-large':
      return {
        kind: 'absent',
        code: 'unreadable-picture',
        found: `${path}: ${located.bytes} bytes`,
        expected: `at most ${MAX_ORIGINAL_BYTES} bytes`,
      };
    case 'file':
      break;
  }
  try {
    const original = await readOriginal(located.path);
    const hash = createHash('sha256').update(original).update(describeRecipe(preset)).digest('hex').slice(0, 32);
    // Two paths may hold the same original.
    const renditions = underWay.get(hash) ?? renderOnce(original, preset, hash, options);
    underWay.set(hash, renditions);
    for (const { name, bytes, sha256 } of await renditions) {
      const picturePath = `/images/${hash}/${name}`;
      pictures.set(picturePath, { path: picturePath, bytes, sha256 });
    }
    return { kind: 'rendered', pathOf: (name, format) => `/images/${hash}/${renditionFile(name, format)}` };
  } catch (error) {
    if (!(error instanceof UnreadablePictureError)) throw error;
    return {
      kind: 'absent',
      code: 'unreadable-picture',
      found: `${path}: ${error.message}`,
      expected: `a PNG, JPEG, WebP, GIF, TIFF or AVIF picture of at most ${MAX_ORIGINAL_PIXELS / 1_000_000} megapixels`,
    };
  }
}

async function readOriginal(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new UnreadablePictureError((cause as NodeJS.ErrnoException).code, { cause });
  }
}

async function renderOnce(
  original: Buffer,
  preset: RecipeName,
  hash: string,
  { imagesFolder, persist }: GalleryOptions,
): Promise<readonly StoredRendition[]> {
  const stored = findRenditions(imagesFolder, hash);
  if (stored !== undefined) return stored;
  const files = await renderOriginal(original, RECIPES[preset]);
  return persist ? storeRenditions(imagesFolder, hash, files) : files.map(describeRendition);
}
