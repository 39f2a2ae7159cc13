import {
  FORMATS,
  GIFT_IMAGE_KEYS,
  IMAGE_KEYS,
  imageKey,
  SIZE_BOX,
  SIZES,
  VIEWS,
  type ImageKey,
  type View,
} from '../../data/field/image.ts';
import { RECIPES } from '../image/recipe.ts';
import type { CmsPicture } from './cms-value.ts';
import type { RecordList } from './record-list.ts';

/** The pictures of a record as its schema has them. */
export interface PlacedPictures {
  /** Originals beside the export, which are rendered. */
  readonly images: Readonly<Partial<Record<View, string>>>;
  readonly imageUrls: Readonly<Partial<Record<ImageKey, string>>>;
  /** Views that show the picture of another. */
  readonly standIns: { readonly view: View; readonly of: readonly View[] } | undefined;
}

/**
 * Originals go to the image stage; a picture of which there is only a URL gets every key of its view (D7), in the size
 * and the format of the key where the CMS can make them. As with originals, the front stands in for a missing view.
 */
export function placePictures(list: RecordList, pictures: ReadonlyMap<View, CmsPicture>): PlacedPictures {
  const images: Partial<Record<View, string>> = {};
  const imageUrls: Partial<Record<ImageKey, string>> = {};
  const shown = list === 'products' ? VIEWS : (['front'] as const);
  const standIn = VIEWS.find((view) => pictures.has(view));
  const hasOriginals = [...pictures.values()].some(({ file }) => file !== undefined);
  const missing: View[] = [];
  for (const [view, { file }] of pictures) {
    if (file !== undefined) images[view] = file;
  }
  for (const view of shown) {
    // Where there are originals, the image stage fills the gaps.
    const picture = pictures.get(view) ?? (hasOriginals || standIn === undefined ? undefined : pictures.get(standIn));
    if (picture === undefined || picture.file !== undefined) continue;
    if (!pictures.has(view)) missing.push(view);
    for (const [key, box, format] of keysOf(list, view)) imageUrls[key] = picture.urlOf(box, format);
  }
  const standIns = standIn === undefined || missing.length === 0 ? undefined : { view: standIn, of: missing };
  return { images, imageUrls, standIns };
}

/** The badges of a network or a retailer, of a logo of which there is only a URL. */
export function placeLogo(list: 'networks' | 'retailers', logo: CmsPicture): Readonly<Record<string, string>> {
  const recipe = list === 'networks' ? RECIPES.network : RECIPES.retailer;
  return Object.fromEntries(
    recipe.map(({ name, width, height, format }) => [name, logo.urlOf({ width, height }, format)]),
  );
}

function keysOf(list: RecordList, view: View) {
  const keys: readonly ImageKey[] = list === 'products' ? IMAGE_KEYS : GIFT_IMAGE_KEYS;
  return SIZES.flatMap((size) =>
    FORMATS.map((format) => [imageKey(size, view, format), SIZE_BOX[size], format] as const),
  ).filter(([key]) => keys.includes(key));
}
