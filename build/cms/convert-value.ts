import {
  GIFT_IMAGE_KEYS,
  IMAGE_FIELDS,
  IMAGE_KEYS,
  LOGO_BOX,
  SIZE_BOX,
  VIEWS,
  type ImageKey,
  type View,
} from '../../data/field/image.ts';
import { compareCodeUnits, compareIds } from '../../data/record/id.ts';
import { isWebUrl } from '../../data/record/product.ts';
import { parseCondition } from '../feed/kinds.ts';
import { isJsonObject } from '../source/json.ts';
import { CmsEntry, CmsImage } from './adapter.ts';
import { ENTITY_NOUNS, type CmsFieldKind, type EntityType } from './fields.ts';
import { applyFieldRule, hashToDigits, type CmsMapping, type FieldRule } from './mapping.ts';

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
    const boxes = Object.entries(list === 'networks' ? LOGO_BOX.network : LOGO_BOX.retailer);
    const urls = Object.fromEntries(boxes.map(([size, box]) => [size, logo.urlOf(box, 'webp')]));
    record['logos'] = { ...urls, ...(record['logos'] as object | undefined) };
  }
  const imageOf = (view: View): CmsImage | undefined => images.get(`images.${view}`);
  const standIn = VIEWS.find((view) => imageOf(view) !== undefined);
  if (standIn === undefined) return undefined;
  // The image stage fills the gaps between source images.
  const isFilled = VIEWS.some((view) => imageOf(view)?.file !== undefined);
  const keys = list === 'products' ? IMAGE_KEYS : GIFT_IMAGE_KEYS;
  const missing: View[] = [];
  const urls: Partial<Record<ImageKey, string>> = {};
  for (const view of list === 'products' ? VIEWS : (['front'] as const)) {
    const image = imageOf(view) ?? (isFilled ? undefined : imageOf(standIn));
    if (image === undefined || image.file !== undefined) continue;
    if (imageOf(view) === undefined) missing.push(view);
    for (const { key, size, format } of IMAGE_FIELDS.filter(
      (field) => field.view === view && keys.includes(field.key),
    )) {
      urls[key] = image.urlOf(SIZE_BOX[size], format);
    }
  }
  if (Object.keys(urls).length > 0) record['imageUrls'] = { ...urls, ...(record['imageUrls'] as object | undefined) };
  return missing.length === 0 ? undefined : `a picture of ${missing.join(', ')}; ${standIn} stands in`;
}

/** Leaves room for two ids of twenty digits within the limit of a slug. */
const MAX_LENGTH = 150;

/** No name is longer. */
const MAX_TEXT_LENGTH = 1_000;

/** Letters that Unicode normalisation does not reduce to a to z. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

export interface SlugSource {
  readonly text: string;
  readonly id: string | undefined;
  /** The time of creation in the CMS, which never changes. */
  readonly createdAt: string;
}

/** A slug that records share, such as that of a model: one text always gives the same slug. */
export function sharedSlug(list: EntityType, text: string): string {
  return baseSlug(list, text, hashToDigits(text));
}

/**
 * Unique slugs for the records of a list, independent of their order. Of records with one name the oldest gets the bare
 * slug; the others get their id as a suffix, so that a new record changes no slug. The variants of a product share id and
 * slug.
 */
export function assignSlugs(list: EntityType, sources: readonly SlugSource[]): ReadonlyMap<SlugSource, string> {
  const slugs = new Map<SlugSource, string>();
  const owners = new Map<string, string>();
  for (const source of sources.toSorted(compareSources)) {
    const id = source.id ?? hashToDigits(source.text);
    let slug = baseSlug(list, source.text, id);
    while ((owners.get(slug) ?? id) !== id) slug = `${slug}-${id}`;
    owners.set(slug, id);
    slugs.set(source, slug);
  }
  return slugs;
}

function compareSources(a: SlugSource, b: SlugSource): number {
  return (
    compareCodeUnits(a.createdAt, b.createdAt) || compareIds(a.id ?? '', b.id ?? '') || compareCodeUnits(a.text, b.text)
  );
}

/** The text in letters, digits and dashes; with `id` as a suffix when letters of the text are lost. */
function baseSlug(list: EntityType, text: string, id: string): string {
  const latin = text
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/[™®©'’`´\p{Cf}]/gu, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, (sign) => LETTERS[sign] ?? sign)
    .replaceAll('&', ' and ')
    // `S10+` is another phone than `S10`.
    .replaceAll(/(?<=[a-z0-9])\+(?![a-z0-9])/g, ' plus ');
  const isWhole = !/(?![a-z0-9])[\p{L}\p{N}]/u.test(latin);
  const words =
    latin
      .match(/[a-z0-9]+/g)
      ?.join('-')
      .slice(0, MAX_LENGTH)
      .replace(/-$/, '') ?? '';
  const named = /[a-z]/.test(words) ? words : [ENTITY_NOUNS[list], words].filter((part) => part !== '').join('-');
  return isWhole && words !== '' ? named : `${named}-${id.slice(0, 20)}`;
}
