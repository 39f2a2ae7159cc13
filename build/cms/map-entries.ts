import { compareCodeUnits } from '../../data/record/id.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { showFound } from '../source/quote.ts';
import { CONVERTERS, listOf, placeImages, setField } from './convert-value.ts';
import { applyFieldRule } from './field-rule.ts';
import { ENTITY_TYPES } from './fields.ts';
import type { CmsMapping, EntityMapping } from './mapping.ts';
import type { RawRecord, RecordCollector } from './record-collector.ts';
import { assignSlugs, sharedSlug, type SlugSource } from './slug.ts';
import { CmsImage, type CmsEntry } from './value.ts';

interface ReadEntry extends Pick<RawRecord, 'origin' | 'unpublished'> {
  readonly kind: 'entry';
  readonly entry: CmsEntry;
  /** The entry has been edited since it was published, and the export holds the edits. */
  readonly isChanged?: boolean | undefined;
}

/** An entry of an export, or one that cannot be read: its type is undefined when that cannot be read either. */
export type CmsItem =
  | ReadEntry
  | { readonly kind: 'broken'; readonly type: string | undefined; readonly notice: Notice };

/** Finds a picture by its id or URL in this CMS. */
export type FindImage = (text: string) => CmsImage | undefined;

/** One export, with its links resolved on demand. */
export interface CmsContent {
  readonly source: string;
  /** The file in notices about the whole export; undefined when the export has several files. */
  readonly path: string | undefined;
  readonly items: Iterable<CmsItem>;
  readonly findImage: FindImage;
}

const MAX_LISTED_TYPES = 20;

/**
 * Makes records of the entries whose type is mapped. One notice counts the entries of other types: a mapping may have
 * been forgotten.
 */
export function mapEntries(content: CmsContent, mapping: CmsMapping, collector: RecordCollector): void {
  const counts = new Map<string, number>();
  const records: MappedRecord[] = [];
  for (const item of content.items) {
    const type = item.kind === 'entry' ? item.entry.type : item.type;
    if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + 1);
    const listMappings = mapping.lists.filter((list) => list.type === type);
    if (item.kind === 'entry') {
      for (const listMapping of listMappings) records.push(mapEntry(item, listMapping, mapping, content.findImage));
    } else if (type === undefined || listMappings.length > 0) {
      collector.exclude(item.notice);
    }
  }
  // Unpublished entries get a slug too, so that publishing them changes no other slug.
  const slugs = new Map(
    ENTITY_TYPES.flatMap((list) => {
      const sources = records.flatMap((each) => (each.list === list ? (each.slugSource ?? []) : []));
      return [...assignSlugs(list, sources)];
    }),
  );
  for (const { slugSource, ...raw } of records) {
    const slug = slugSource && slugs.get(slugSource);
    collector.add(slug === undefined ? raw : { ...raw, values: { ...raw.values, slug } });
  }
  noteTypes(content, counts, mapping, collector);
}

interface MappedRecord extends RawRecord {
  /** What to make the slug from, where the mapping says so. */
  readonly slugSource: SlugSource | undefined;
}

/** Fills the fields of a record with what their rules find in an entry. */
function mapEntry(
  { entry, origin, unpublished, isChanged }: ReadEntry,
  listMapping: EntityMapping,
  mapping: CmsMapping,
  findImage: FindImage,
): MappedRecord {
  const { list, fields } = listMapping;
  const values: Record<string, unknown> = {};
  const notices: NoticeDetails[] = [];
  const images = new Map<string, CmsImage>();
  const noteBroken = (field: string, target: string): number =>
    notices.push({ code: 'unresolved-link', field, found: showFound(target) });
  let slugText: string | undefined;
  for (const { name, kind, rule } of fields) {
    const { value, brokenReferences } = applyFieldRule(rule, entry, kind === 'prose');
    for (const target of brokenReferences) noteBroken(name, target);
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
  const createdAt = mapping.createdAt && applyFieldRule(mapping.createdAt, entry).value;
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

function noteTypes(
  { source, path }: CmsContent,
  counts: ReadonlyMap<string, number>,
  { lists }: CmsMapping,
  collector: RecordCollector,
): void {
  const mapped = new Set(lists.map(({ type }) => type));
  const others = [...counts].filter(([type]) => !mapped.has(type)).sort(([a], [b]) => compareCodeUnits(a, b));
  const listed = others.slice(0, MAX_LISTED_TYPES).map(([type, count]) => `${type.slice(0, 200)} (${count})`);
  if (others.length > MAX_LISTED_TYPES) listed.push(`${others.length - MAX_LISTED_TYPES} more`);
  const found = listed.length === 0 ? {} : { found: listed.join(', ') };
  const place = { source, ...(path !== undefined && { file: path }) };
  for (const { list, type } of lists) {
    const expected = `records of type ${type} for ${list}`;
    if (!counts.has(type)) collector.note({ code: 'missing-type', expected, ...found, ...place });
  }
  if (listed.length > 0) collector.note({ code: 'unmapped-type', ...found, ...place });
}
