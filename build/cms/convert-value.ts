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
import { isWebUrl } from '../../data/record/product.ts';
import { parseCondition } from '../feed/kinds.ts';
import { PRESETS } from '../image/presets.ts';
import { isJsonObject } from '../source/json.ts';
import { applyFieldRule, type FieldRule } from './field-rule.ts';
import type { CmsFieldKind, EntityType } from './fields.ts';
import type { CmsMapping } from './mapping.ts';
import { sharedSlug } from './slug.ts';
import { CmsEntry, CmsImage } from './value.ts';

/** How a value becomes that of a raw record, which has texts and lists of texts, by the kind of its field. */
export const CONVERTERS: Readonly<
  Record<Exclude<CmsFieldKind, 'picture'>, (value: unknown, mapping: CmsMapping) => unknown>
> = {
  id: (value, { isSpreadsheet }) => toId(toWord(value), isSpreadsheet),
  word: toWord,
  condition: (value) => toCondition(toWord(value)),
  prose: toProse,
  words: (value, { isSpreadsheet }) => toWords(value, isSpreadsheet ? /[\n;|]/ : /\n/),
  ids: (value, { isSpreadsheet }) => toIds(value, isSpreadsheet),
  feedIds: (value, { isSpreadsheet }) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([feed, ids]) => [feed, toIds(ids, isSpreadsheet)]))
      : value,
  url: toUrl,
  gift: (value, mapping) => listOf(value).flatMap((item) => toGiftIds(item, mapping)),
  manufacturer: (value, { slugOfManufacturer }) => toWord(followLink(onlyItem(value), slugOfManufacturer)),
};

/** Numbers and booleans become texts; the schema rejects anything else. */
function toWord(value: unknown): unknown {
  const item = onlyItem(value);
  if (typeof item === 'string') return item.trim();
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  return Array.isArray(item) ? item.map(describeEntry) : describeEntry(item);
}

/** Excel writes `101.0` for an id. */
function toId(word: unknown, isSpreadsheet: boolean): unknown {
  return isSpreadsheet && typeof word === 'string' ? word.replace(/^([0-9]+)[.,]0+$/, '$1') : word;
}

function toIds(value: unknown, isSpreadsheet: boolean): readonly unknown[] {
  // A comma may be the decimal sign of `8,40245E+11`.
  return toWords(value, isSpreadsheet ? /[\n;|]|,(?![0-9]+E\+)/i : /\n/).map((id) => toId(id, isSpreadsheet));
}

function toCondition(word: unknown): unknown {
  return typeof word === 'string' ? (parseCondition(word) ?? word) : word;
}

/** A boolean is `Yes` or `No`, as in the specification of a phone (spec §2.8); a list is joined by commas. */
function toProse(value: unknown): unknown {
  if (!Array.isArray(value)) return toSentence(value);
  const items = value.map(toSentence);
  return items.every((item) => typeof item === 'string') ? items.join(', ') : value.map(describeEntry);
}

function toSentence(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return toWord(value);
}

/** A list, or a text with one item on each line; in a spreadsheet also between `;` or `|`. */
function toWords(value: unknown, separator: RegExp): readonly unknown[] {
  return listOf(value)
    .flatMap((item) => (typeof item === 'string' ? item.split(separator) : [toWord(item)]))
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
function toGiftIds(item: unknown, mapping: CmsMapping): readonly unknown[] {
  const followed = followLink(item, mapping.idOfGift);
  const ids = typeof followed === 'string' ? followed.split(/[\s,;|]+/).filter((id) => id !== '') : [toWord(followed)];
  return ids.map((id) => toId(id, mapping.isSpreadsheet));
}

function followLink(value: unknown, rule: FieldRule | undefined): unknown {
  if (!(value instanceof CmsEntry) || rule === undefined) return value;
  const found = applyFieldRule(rule, value);
  if (rule.slug !== undefined && typeof found === 'string') return sharedSlug('manufacturers', found);
  return found ?? value;
}

/** A picture that has a URL only. */
export function findImageByUrl(text: string): CmsImage | undefined {
  const url = toAbsoluteUrl(text);
  return isWebUrl(url) && url.length <= 2_000 ? new CmsImage(undefined, () => url) : undefined;
}

/** Sets a nested field such as `content.heading`. Names come from the table of fields, so none is `__proto__`. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
  const [group = '', ...rest] = name.split('.');
  if (rest.length === 0) {
    record[group] = value;
    return;
  }
  const inner = { ...(record[group] as Record<string, unknown> | undefined) };
  setField(inner, rest.join('.'), value);
  record[group] = inner;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** An entry as JSON for notices. */
function describeEntry(value: unknown): unknown {
  if (value instanceof CmsEntry) return { entry: value.type };
  return value instanceof CmsImage ? { picture: value.file ?? 'a URL' } : value;
}

/**
 * Source images go to the image stage. A picture with only a URL gets every key of its view (D7), in the size and the
 * format of the key where the CMS can convert it; URLs that the editor has entered win. In both cases the front stands in
 * for a missing view. Returns which view stands in for which, unless the image stage finds them.
 */
export function placeImages(
  record: Record<string, unknown>,
  list: EntityType,
  images: ReadonlyMap<string, CmsImage>,
): string | undefined {
  for (const [name, { file }] of images) {
    if (file !== undefined) setField(record, name, file);
  }
  const logo = images.get('logo');
  if (logo !== undefined && logo.file === undefined) {
    const badges = list === 'networks' ? PRESETS.network : PRESETS.retailer;
    const urls = Object.fromEntries(badges.map(({ name, format, ...box }) => [name, logo.urlOf(box, format)]));
    record['logos'] = { ...urls, ...(record['logos'] as object | undefined) };
  }
  const imageOf = (view: View): CmsImage | undefined => images.get(`images.${view}`);
  const standIn = VIEWS.find((view) => imageOf(view) !== undefined);
  if (standIn === undefined) return undefined;
  // The image stage fills the gaps between source images.
  const isFilled = VIEWS.some((view) => imageOf(view)?.file !== undefined);
  const missing: View[] = [];
  const urls: Partial<Record<ImageKey, string>> = {};
  for (const view of list === 'products' ? VIEWS : (['front'] as const)) {
    const image = imageOf(view) ?? (isFilled ? undefined : imageOf(standIn));
    if (image === undefined || image.file !== undefined) continue;
    if (imageOf(view) === undefined) missing.push(view);
    for (const size of SIZES) {
      for (const format of FORMATS) {
        const key = imageKey(size, view, format);
        const isShown = (list === 'products' ? IMAGE_KEYS : GIFT_IMAGE_KEYS).some((each) => each === key);
        if (isShown) urls[key] = image.urlOf(SIZE_BOX[size], format);
      }
    }
  }
  if (Object.keys(urls).length > 0) record['imageUrls'] = { ...urls, ...(record['imageUrls'] as object | undefined) };
  return missing.length === 0 ? undefined : `a picture of ${missing.join(', ')}; ${standIn} stands in`;
}
