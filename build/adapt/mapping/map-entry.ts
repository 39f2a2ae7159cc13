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
} from '../../../data/field/image.ts';
import { isCondition, isWebUrl } from '../../../data/record/product.ts';
import { PRESETS } from '../../image/presets.ts';
import { parseCondition } from '../../feed/values.ts';
import { CMS_FIELDS, type CmsFieldKind, type EntityType } from './cms-fields.ts';
import type { CmsMapping, EntityMapping } from './cms-mapping.ts';
import { createUrlImage, isEntry, isImage, type CmsEntry, type CmsImage } from './cms-value.ts';
import { applyFieldRule, type FieldRule } from './field-rule.ts';
import { sharedSlug } from './slug.ts';

export interface MappedEntry {
  readonly record: Readonly<Record<string, unknown>>;
  /** Broken references, with the field that they should have filled. */
  readonly brokenReferences: readonly { readonly field: string; readonly target: string }[];
  readonly standIns: { readonly view: View; readonly of: readonly View[] } | undefined;
  /** The text to make the slug from, where the mapping says so. */
  readonly slugText: string | undefined;
}

/** Finds a picture by its id or URL in this CMS. */
export type FindImage = (text: string) => CmsImage | undefined;

/** Fills the fields of a record with what their rules find in an entry. */
export function mapEntry(
  entry: CmsEntry,
  listMapping: EntityMapping,
  mapping: CmsMapping,
  findPicture: FindImage,
): MappedEntry {
  const record: Record<string, unknown> = {};
  const brokenReferences: { field: string; target: string }[] = [];
  const pictures = new Map<View, CmsImage>();
  let slugText: string | undefined;
  for (const { name, kind, rule } of listMapping.fields) {
    const { value, brokenReferences: targets } = applyFieldRule(rule, entry, kind === 'prose');
    brokenReferences.push(...targets.map((target) => ({ field: name, target })));
    if (value === undefined) continue;
    if (rule.slug !== undefined && typeof value === 'string') {
      setField(record, name, sharedSlug(name === 'slug' ? listMapping.list : 'manufacturers', value));
      if (name === 'slug') slugText = value;
      continue;
    }
    if (kind !== 'picture') {
      setField(record, name, convert(kind, value, mapping));
      continue;
    }
    const picture = toImage(value, findPicture);
    const view = VIEWS.find((each) => name === `images.${each}`);
    if (picture === undefined) brokenReferences.push({ field: name, target: describeValue(value) });
    else if (view !== undefined) pictures.set(view, picture);
    else setLogo(record, listMapping.list, picture);
  }
  const feedIds = listMapping.feedIds.flatMap(({ feed, rule }) => {
    const { value } = applyFieldRule(rule, entry);
    return value === undefined ? [] : [[feed, toWords(value)] as const];
  });
  const feedIdsField = 'matches.names' in CMS_FIELDS[listMapping.list] ? 'matches.feedIds' : 'feedIds';
  if (feedIds.length > 0) setField(record, feedIdsField, Object.fromEntries(feedIds));
  const { images, imageUrls, standIns } = placeImages(listMapping.list, pictures);
  if (Object.keys(images).length > 0) record['images'] = images;
  // URLs that the editor has entered win over those made from a picture.
  const urls = { ...imageUrls, ...(record['imageUrls'] as object | undefined) };
  if (Object.keys(urls).length > 0) record['imageUrls'] = urls;
  return { record, brokenReferences, standIns, slugText };
}

function convert(kind: Exclude<CmsFieldKind, 'picture'>, value: unknown, mapping: CmsMapping): unknown {
  switch (kind) {
    case 'word':
      return toWord(value);
    case 'condition':
      return toCondition(toWord(value));
    case 'prose':
      return toProse(value);
    case 'words':
      return toWords(value);
    case 'url':
      return toUrl(value);
    case 'gift':
      return listOf(value).flatMap((item) => toGiftIds(item, mapping.idOfGift));
    case 'manufacturer':
      return toWord(followLink(onlyItem(value), mapping.slugOfManufacturer));
  }
}

/** Numbers and booleans become texts; the schema rejects anything else. */
function toWord(value: unknown): unknown {
  const item = onlyItem(value);
  if (typeof item === 'string') return item.trim();
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  return describeEntries(item);
}

function toCondition(word: unknown): unknown {
  if (typeof word !== 'string') return word;
  const lower = word.toLowerCase();
  return isCondition(lower) ? lower : (parseCondition(word) ?? word);
}

/** A boolean is `Yes` or `No`, as in the specification of a phone (spec §2.8); a list is joined by commas. */
function toProse(value: unknown): unknown {
  if (!Array.isArray(value)) return toSentence(value);
  const items = value.map(toSentence);
  return items.every((item) => typeof item === 'string') ? items.join(', ') : describeEntries(value);
}

function toSentence(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? value.trim() : toWord(value);
}

/** A list, or a text with one item on each line. */
function toWords(value: unknown): unknown[] {
  return listOf(value)
    .flatMap((item) => (typeof item === 'string' ? item.split('\n') : [toWord(item)]))
    .map((item) => (typeof item === 'string' ? item.trim() : item))
    .filter((item) => item !== '');
}

function toUrl(value: unknown): unknown {
  const word = toWord(value);
  return typeof word === 'string' ? toAbsoluteUrl(word) : word;
}

/** `//images.ctfassets.net/…` has no scheme: a page supplies it, a catalogue cannot. */
export function toAbsoluteUrl(url: string): string {
  return url.startsWith('//') ? `https:${url}` : url;
}

/** The id of a linked gift, or ids as text: `7`, `7, 9`. */
function toGiftIds(item: unknown, idOfGift: FieldRule | undefined): readonly unknown[] {
  const followed = followLink(item, idOfGift);
  return typeof followed === 'string' ? followed.split(/[\s,;]+/).filter((id) => id !== '') : [toWord(followed)];
}

function followLink(value: unknown, rule: FieldRule | undefined): unknown {
  if (!isEntry(value) || rule === undefined) return value;
  const { value: found } = applyFieldRule(rule, value);
  if (rule.slug !== undefined && typeof found === 'string') return sharedSlug('manufacturers', found);
  return found ?? value;
}

function toImage(value: unknown, findPicture: FindImage): CmsImage | undefined {
  const [item] = listOf(value);
  if (isImage(item)) return item;
  if (typeof item !== 'string' && typeof item !== 'number') return undefined;
  return findPicture(String(item).trim());
}

/** A picture that has a URL only. */
export function findImageByUrl(text: string): CmsImage | undefined {
  const url = toAbsoluteUrl(text);
  return isWebUrl(url) && url.length <= 2_000 ? createUrlImage(() => url) : undefined;
}

function setLogo(record: Record<string, unknown>, list: EntityType, picture: CmsImage): void {
  if (picture.file !== undefined) setField(record, 'logo', picture.file);
  else if (list === 'networks' || list === 'retailers') setField(record, 'logos', placeLogo(list, picture));
}

/** Sets a nested field such as `content.heading`. Names come from the table of fields, so none is `__proto__`. */
function setField(record: Record<string, unknown>, name: string, value: unknown): void {
  const [group = '', ...rest] = name.split('.');
  if (rest.length === 0) {
    record[group] = value;
    return;
  }
  const inner = { ...(record[group] as Record<string, unknown> | undefined) };
  setField(inner, rest.join('.'), value);
  record[group] = inner;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** Entries as JSON for notices. */
function describeEntries(value: unknown): unknown {
  return Array.isArray(value) ? value.map(describeEntry) : describeEntry(value);
}

function describeEntry(value: unknown): unknown {
  if (isEntry(value)) return { entry: value.type };
  return isImage(value) ? { picture: value.file ?? 'a URL' } : value;
}

function describeValue(value: unknown): string {
  const [item] = listOf(value);
  return typeof item === 'string' || typeof item === 'number' ? String(item) : 'no picture';
}

interface PlacedImages {
  /** Source images in the export, which are rendered. */
  readonly images: Readonly<Partial<Record<View, string>>>;
  readonly imageUrls: Readonly<Partial<Record<ImageKey, string>>>;
  /** Views that show the picture of another view. */
  readonly standIns: { readonly view: View; readonly of: readonly View[] } | undefined;
}

/**
 * Source images go to the image stage. A picture with only a URL gets every key of its view (D7), in the size and the
 * format of the key where the CMS can convert it. In both cases the front stands in for a missing view.
 */
function placeImages(list: EntityType, pictures: ReadonlyMap<View, CmsImage>): PlacedImages {
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
    // The image stage fills the gaps between source images.
    const picture = pictures.get(view) ?? (hasOriginals || standIn === undefined ? undefined : pictures.get(standIn));
    if (picture === undefined || picture.file !== undefined) continue;
    if (!pictures.has(view)) missing.push(view);
    for (const [key, box, format] of keysOf(list, view)) imageUrls[key] = picture.urlOf(box, format);
  }
  const standIns = standIn === undefined || missing.length === 0 ? undefined : { view: standIn, of: missing };
  return { images, imageUrls, standIns };
}

/** The badges of a network or a retailer whose logo has only a URL. */
function placeLogo(list: 'networks' | 'retailers', logo: CmsImage): Readonly<Record<string, string>> {
  const recipe = list === 'networks' ? PRESETS.network : PRESETS.retailer;
  return Object.fromEntries(
    recipe.map(({ name, width, height, format }) => [name, logo.urlOf({ width, height }, format)]),
  );
}

function keysOf(list: EntityType, view: View) {
  const keys: readonly ImageKey[] = list === 'products' ? IMAGE_KEYS : GIFT_IMAGE_KEYS;
  return SIZES.flatMap((size) =>
    FORMATS.map((format) => [imageKey(size, view, format), SIZE_BOX[size], format] as const),
  ).filter(([key]) => keys.includes(key));
}
