import { compareCodeUnits } from '../../data/record/id.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import type { SourceLocation } from '../source/record.ts';
import { CmsImage, type CmsEntry } from './adapter.ts';
import type { RawRecord, RecordCollector } from './catalogue.ts';
import {
  assignSlugs,
  CONVERTERS,
  findImageByUrl,
  listOf,
  placeImages,
  setField,
  sharedSlug,
  type SlugSource,
} from './convert-value.ts';
import { ENTITY_TYPES } from './fields.ts';
import { applyFieldRule, type CmsMapping, type EntityMapping } from './mapping.ts';

/** What is known of an entry besides its values. */
export interface EntryState extends Pick<RawRecord, 'unpublished'> {
  /** The entry has been edited since it was published, and the export holds the edits. */
  readonly isChanged?: boolean;
}

/** Finds a picture by its id or URL in this CMS. */
type FindImage = (text: string) => CmsImage | undefined;

const MAX_LISTED_TYPES = 20;

/** Makes records of the entries of one export whose type is mapped. Their links are resolved on demand. */
export class EntryMapper {
  readonly #mapping: CmsMapping;
  readonly #collector: RecordCollector;
  readonly #findImage: FindImage;
  readonly #counts = new Map<string, number>();
  readonly #records: MappedRecord[] = [];

  constructor(mapping: CmsMapping, collector: RecordCollector, findImage: FindImage = findImageByUrl) {
    this.#mapping = mapping;
    this.#collector = collector;
    this.#findImage = findImage;
  }

  add(entry: CmsEntry, origin: SourceLocation, state: EntryState = {}): void {
    for (const list of this.#listsOf(entry.type)) {
      this.#records.push(mapEntry(entry, origin, state, list, this.#mapping, this.#findImage));
    }
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
    // Unpublished entries get a slug too, so that publishing them changes no other slug.
    const slugs = new Map(
      ENTITY_TYPES.flatMap((list) => {
        const sources = this.#records.flatMap((each) => (each.list === list ? (each.slugSource ?? []) : []));
        return [...assignSlugs(list, sources)];
      }),
    );
    for (const { slugSource, ...raw } of this.#records) {
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
}

interface MappedRecord extends RawRecord {
  /** What to make the slug from, where the mapping says so. */
  readonly slugSource: SlugSource | undefined;
}

/** Fills the fields of a record with what their rules find in an entry. */
function mapEntry(
  entry: CmsEntry,
  origin: SourceLocation,
  { unpublished, isChanged }: EntryState,
  listMapping: EntityMapping,
  mapping: CmsMapping,
  findImage: FindImage,
): MappedRecord {
  const { list, fields } = listMapping;
  const values: Record<string, unknown> = {};
  const notices: NoticeDetails[] = [];
  const images = new Map<string, CmsImage>();
  const noteBroken = (field: string, target: string): number =>
    notices.push({ code: 'unresolved-link', field, found: target });
  let slugText: string | undefined;
  for (const { name, kind, rule } of fields) {
    const value = applyFieldRule(rule, entry, kind === 'prose', (target) => noteBroken(name, target));
    if (value === undefined) continue;
    if (rule.slug !== undefined && typeof value === 'string') {
      setField(values, name, sharedSlug(name === 'slug' ? list : 'manufacturers', value));
      // The slug identifies a manufacturer: two with one name are a duplicate.
      if (name === 'slug' && list !== 'manufacturers') slugText = value;
    } else if (kind === 'picture') {
      const [item] = listOf(value);
      const text = typeof item === 'string' || typeof item === 'number' ? String(item).trim() : undefined;
      const image = item instanceof CmsImage ? item : text === undefined ? undefined : findImage(text);
      if (image !== undefined) images.set(name, image);
      else noteBroken(name, text ?? 'no picture');
    } else {
      setField(values, name, CONVERTERS[kind](value, mapping));
    }
  }
  if (isChanged === true) notices.push({ code: 'changed-since-published' });
  const standIn = placeImages(values, list, images);
  if (standIn !== undefined) notices.push({ code: 'picture-stand-in', field: 'images', expected: standIn });
  const createdAt = mapping.createdAt && applyFieldRule(mapping.createdAt, entry);
  const slugSource =
    slugText === undefined
      ? undefined
      : {
          text: slugText,
          id: typeof values['id'] === 'string' ? values['id'] : undefined,
          createdAt: typeof createdAt === 'string' ? createdAt : '',
        };
  const remedyOf = (field: string, found: unknown): string => describeRemedy(listMapping, mapping, field, found);
  return { list, values, origin, unpublished, notices, remedyOf, slugSource };
}

/** Excel shows a long number as `8.40245E+11`, and saves what it shows. */
const ROUNDED_NUMBER = /^[0-9][.,][0-9]+E\+[0-9]+$/i;

/** The remedy for a field: correct it in the CMS, under its name there, or correct the mapping. */
function describeRemedy(
  { list, type, fields }: EntityMapping,
  { isSpreadsheet }: CmsMapping,
  path: string,
  found: unknown,
): string {
  const { name, rule } = fields.find(
    (field) => path === field.name || path.startsWith(`${field.name}[`) || path.startsWith(`${field.name}.`),
  ) ?? { name: path };
  const where = `\`mapping.${list}.fields\``;
  if (isSpreadsheet && typeof found === 'string' && ROUNDED_NUMBER.test(found)) {
    return `format the column of \`${name}\` as text in the spreadsheet, and type the number again`;
  }
  if (found === undefined && name === 'slug') {
    return `say \`"slug": {"slugOf": "name"}\` in ${where}, or where the slugs of ${type} come from`;
  }
  if (rule === undefined) return `say in ${where} where \`${name}\` of ${type} comes from`;
  if (rule.constant !== undefined) return `correct the constant of \`${name}\` in ${where}`;
  const paths = rule.texts.map((text) => `\`${text}\``).join(' or ');
  const place = isSpreadsheet ? 'the spreadsheet' : 'the CMS';
  return `correct ${paths} of ${type} in ${place}, or say in ${where} where \`${name}\` comes from`;
}
