import { IMAGE_FIELDS, LOGO_BOX, SIZE_BOX } from '../../data/field/image.ts';
import { compareCodeUnits, compareIds } from '../../data/record/id.ts';
import type { Notice } from '../../data/report/notice.ts';
import { parseCondition } from '../feed/kinds.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { looksLikeMarkup, markdownToText } from '../source/clean-text.ts';
import { isJsonObject } from '../source/json.ts';
import type { SourceLocation } from '../source/record.ts';
import { CmsEntry, CmsImage, findImageByUrl, toAbsoluteUrl } from './adapter.ts';
import type { RawRecord, RecordCollector } from './catalogue.ts';
import { ENTITY_NOUNS, type CmsFieldKind, type EntityType } from './fields.ts';
import { hashToDigits, type CmsMapping, type CmsTexts, type EntityMapping, type FieldRule } from './mapping.ts';

/** What is known of an entry besides its values. */
export type EntryState = Pick<RawRecord, 'unpublished' | 'notices'>;

/** An entry that becomes a record of a list. */
interface MappedEntry {
  readonly entry: CmsEntry;
  readonly origin: SourceLocation;
  readonly state: EntryState;
  readonly own: EntityMapping;
}

const MAX_LISTED_TYPES = 20;

/** Makes records of the entries of one export whose type is mapped. Their values are read when all entries are known. */
export class EntryMapper {
  readonly #mapping: CmsMapping;
  readonly #collector: RecordCollector;
  readonly #findImage: typeof findImageByUrl;
  readonly #counts = new Map<string, number>();
  readonly #entries: MappedEntry[] = [];

  /** @param findImage finds a picture by its id or URL in this CMS */
  constructor(mapping: CmsMapping, collector: RecordCollector, findImage = findImageByUrl) {
    this.#mapping = mapping;
    this.#collector = collector;
    this.#findImage = findImage;
  }

  add(entry: CmsEntry, origin: SourceLocation, state: EntryState = {}): void {
    for (const own of this.#listsOf(entry.type)) this.#entries.push({ entry, origin, state, own });
  }

  /** Excludes an entry that cannot be read. Its type is undefined when that cannot be read either. */
  exclude(type: string | undefined, notice: Notice): void {
    if (type === undefined || this.#listsOf(type).length > 0) this.#collector.exclude(notice);
  }

  /**
   * Ends the export. One notice counts the entries of other types: a mapping may have been forgotten.
   *
   * @param path the file in notices about the whole export; undefined when the export has several files
   */
  finish(source: string, path: string | undefined): void {
    const records = this.#entries.map((each) => this.#mapEntry(each));
    // Unpublished entries get a slug too, so that publishing them changes no other slug.
    const slugs = assignSlugs(records.flatMap(({ slugSource }) => slugSource ?? []));
    for (const { raw, slugSource } of records) {
      const slug = slugSource && slugs.get(slugSource);
      this.#collector.add(slug === undefined ? raw : { ...raw, values: { ...raw.values, slug } });
    }
    this.#noteTypes({ source, ...(path !== undefined && { file: path }) });
  }

  #listsOf(type: string): readonly EntityMapping[] {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    return this.#mapping.lists.filter((list) => list.type === type);
  }

  #noteTypes(place: Pick<Notice, 'source' | 'file'>): void {
    const { lists } = this.#mapping;
    const mapped = new Set(lists.map(({ type }) => type));
    const others = [...this.#counts].filter(([type]) => !mapped.has(type)).sort(([a], [b]) => compareCodeUnits(a, b));
    const listed = others.slice(0, MAX_LISTED_TYPES).map(([type, count]) => `${type.slice(0, 200)} (${count})`);
    if (others.length > MAX_LISTED_TYPES) listed.push(`${others.length - MAX_LISTED_TYPES} more`);
    const found = listed.length === 0 ? {} : { found: listed.join(', ') };
    for (const { list, type } of lists.filter((each) => !this.#counts.has(each.type))) {
      const expected = `records of type ${type} for ${list}`;
      this.#collector.note({ code: 'missing-type', expected, ...found, ...place });
    }
    if (listed.length > 0) this.#collector.note({ code: 'unmapped-type', ...found, ...place });
  }

  /** Fills the fields of a record with what their rules find in an entry. */
  #mapEntry({ entry, origin, state, own }: MappedEntry) {
    const { list } = own;
    const values: Record<string, unknown> = {};
    const notices: NoticeDetails[] = [];
    let slugText: string | undefined;
    for (const { name, kind, rule } of own.fields) {
      const noteBroken = (found: string): number => notices.push({ code: 'unresolved-link', field: name, found });
      const value = rule.read(entry, noteBroken);
      if (value === undefined) continue;
      if (rule.isForSlug && typeof value === 'string') {
        setField(values, name, sharedSlug(name === 'slug' ? list : 'manufacturers', value));
        // The slug identifies a manufacturer: two with one name are a duplicate.
        if (name === 'slug' && list !== 'manufacturers') slugText = value;
      } else if (kind === 'picture') {
        const [item] = listOf(value);
        const text = typeof item === 'string' || typeof item === 'number' ? String(item).trim() : undefined;
        const image = item instanceof CmsImage ? item : text === undefined ? undefined : this.#findImage(text);
        if (image !== undefined) placeImage(values, list, name, image);
        else noteBroken(text ?? 'no picture');
      } else {
        setField(values, name, CONVERTERS[kind](value, this.#mapping));
      }
    }
    notices.push(...(state.notices ?? []));
    const createdAt = this.#mapping.createdAt?.read(entry);
    const slugSource =
      slugText === undefined
        ? undefined
        : {
            list,
            text: slugText,
            id: typeof values['id'] === 'string' ? values['id'] : undefined,
            createdAt: typeof createdAt === 'string' ? createdAt : '',
          };
    const remedyOf = (field: string): string => describeRemedy(own, field);
    return { raw: { list, values, origin, unpublished: state.unpublished, notices, remedyOf }, slugSource };
  }
}

/** The remedy for a field: correct it in the CMS, under its name there, or correct the mapping. */
function describeRemedy({ list, type, fields }: EntityMapping, path: string): string {
  const { name, rule } = fields.find(
    (each) => path.startsWith(each.name) && /^$|^[.[]/.test(path.slice(each.name.length)),
  ) ?? { name: path };
  const paths = (rule?.paths ?? []).map(({ text }) => `\`${text}\``).join(' or ');
  const correct = paths === '' ? '' : `correct ${paths} of ${type} in the CMS, or `;
  return `${correct}say in \`mapping.${list}.fields\` where \`${name}\` comes from`;
}

/** How a value becomes that of a raw record, which has texts and lists of texts, by the kind of its field. */
const CONVERTERS: Readonly<Record<Exclude<CmsFieldKind, 'picture'>, (value: unknown, mapping: CmsMapping) => unknown>> =
  {
    id: (value, { texts }) => toId(toWord(value), texts),
    word: toWord,
    condition: (value) => {
      const word = toWord(value);
      return typeof word === 'string' ? (parseCondition(word) ?? word) : word;
    },
    prose: toProse,
    words: (value, { texts }) => toWords(value, texts === 'cells' ? /[\n;|]/ : /\n/),
    ids: (value, { texts }) => toIds(value, texts),
    feedIds: (value, { texts }) =>
      isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).map(([feed, ids]) => [feed, toIds(ids, texts)]))
        : value,
    url: (value) => {
      const word = toWord(value);
      return typeof word === 'string' ? toAbsoluteUrl(word) : word;
    },
    // The ids of linked gifts, or ids as text: `7`, `7, 9`.
    gift: (value, { idOfGift, texts }) =>
      listOf(value).flatMap((item) => {
        const followed = followLink(item, idOfGift);
        const ids = typeof followed === 'string' ? followed.split(/[\s,;|]+/).filter((id) => id !== '') : [followed];
        return ids.map((id) => toId(toWord(id), texts));
      }),
    manufacturer: (value, { slugOfManufacturer }) => toWord(followLink(onlyItem(value), slugOfManufacturer)),
  };

/** Numbers and booleans become texts; the schema rejects anything else. */
function toWord(value: unknown): unknown {
  const item = onlyItem(value);
  if (typeof item === 'string') return item.trim();
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  return item;
}

/** Excel writes `101.0` for an id. */
function toId(word: unknown, texts: CmsTexts): unknown {
  return texts === 'cells' && typeof word === 'string' ? word.replace(/^([0-9]+)[.,]0+$/, '$1') : word;
}

function toIds(value: unknown, texts: CmsTexts): readonly unknown[] {
  // A comma may be the decimal sign of a bar code that Excel has rounded, `8,40245E+11`.
  return toWords(value, texts === 'cells' ? /[\n;|]|,(?![0-9]+E\+)/i : /\n/).map((id) => toId(id, texts));
}

/** A boolean is `Yes` or `No`, as in the specification of a phone (spec §2.8); a list is joined by commas. */
function toProse(value: unknown, { texts }: CmsMapping): unknown {
  const toSentence = (item: unknown): unknown => {
    if (typeof item === 'boolean') return item ? 'Yes' : 'No';
    return texts === 'markup' && typeof item === 'string' && looksLikeMarkup(item)
      ? markdownToText(item)
      : toWord(item);
  };
  if (!Array.isArray(value)) return toSentence(value);
  const items = value.map(toSentence);
  return items.every((item) => typeof item === 'string') ? items.join(', ') : value;
}

/** A list, or a text with one item on each line; in a spreadsheet also between `;` or `|`. */
function toWords(value: unknown, separator: RegExp): readonly unknown[] {
  return listOf(value)
    .flatMap((item) => (typeof item === 'string' ? item.split(separator).map((part) => part.trim()) : [toWord(item)]))
    .filter((item) => item !== '');
}

function followLink(value: unknown, rule: FieldRule | undefined): unknown {
  if (!(value instanceof CmsEntry) || rule === undefined) return value;
  const found = rule.read(value);
  if (rule.isForSlug && typeof found === 'string') return sharedSlug('manufacturers', found);
  return found ?? value;
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

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/**
 * A source image goes to the image stage. A picture with only a URL gets every key of its view or logo (D7), in the size
 * and the format of the key where the CMS can convert it; URLs that the editor has entered win.
 */
function placeImage(record: Record<string, unknown>, list: EntityType, name: string, image: CmsImage): void {
  if (image.file !== undefined) return setField(record, name, image.file);
  const boxes = Object.entries(list === 'networks' ? LOGO_BOX.network : LOGO_BOX.retailer);
  const own = IMAGE_FIELDS.filter(({ view }) => name === `images.${view}`);
  const urls =
    name === 'logo'
      ? boxes.map(([size, box]) => [size, image.urlOf(box, 'webp')])
      : own.map(({ key, size, format }) => [key, image.urlOf(SIZE_BOX[size], format)]);
  const group = name === 'logo' ? 'logos' : 'imageUrls';
  record[group] = { ...Object.fromEntries(urls), ...(record[group] as object | undefined) };
}

/** Leaves room for two ids of twenty digits within the limit of a slug. */
const MAX_SLUG_LENGTH = 150;

/** No name is longer. */
const MAX_TEXT_LENGTH = 1_000;

/** Letters that Unicode normalisation does not reduce to a to z. */
const LETTERS = new Map(Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }));

export interface SlugSource {
  readonly list: EntityType;
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
 * Slugs that are unique in their list, independent of the order of the records. Of records with one name the oldest gets
 * the bare slug; the others get their id as a suffix, so that a new record changes no slug. The variants of a product share
 * id and slug.
 */
export function assignSlugs(sources: readonly SlugSource[]): ReadonlyMap<SlugSource, string> {
  const slugs = new Map<SlugSource, string>();
  const owners = new Map<string, string>();
  const inOrder = sources.toSorted(
    (a, b) =>
      compareCodeUnits(a.createdAt, b.createdAt) ||
      compareIds(a.id ?? '', b.id ?? '') ||
      compareCodeUnits(a.text, b.text),
  );
  for (const source of inOrder) {
    const { list, text, id = hashToDigits(text) } = source;
    let slug = baseSlug(list, text, id);
    while ((owners.get(`${list} ${slug}`) ?? id) !== id) slug = `${slug}-${id}`;
    owners.set(`${list} ${slug}`, id);
    slugs.set(source, slug);
  }
  return slugs;
}

/** The text in letters, digits and dashes; with `id` as a suffix when letters of the text are lost. */
function baseSlug(list: EntityType, text: string, id: string): string {
  const latin = text
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/[™®©'’`´\p{Cf}]/gu, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, (sign) => LETTERS.get(sign) ?? sign)
    .replaceAll('&', ' and ')
    // `S10+` is another phone than `S10`.
    .replaceAll(/(?<=[a-z0-9])\+(?![a-z0-9])/g, ' plus ');
  const isWhole = !/(?![a-z0-9])[\p{L}\p{N}]/u.test(latin);
  const joined = latin.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '');
  const words = joined.slice(0, MAX_SLUG_LENGTH).replace(/-$/, '');
  const named = /[a-z]/.test(words) ? words : [ENTITY_NOUNS[list], words].filter((part) => part !== '').join('-');
  return isWhole && words !== '' ? named : `${named}-${id.slice(0, 20)}`;
}
