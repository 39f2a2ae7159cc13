import { compareCodeUnits } from '../../../data/record/id.ts';
import type { Notice } from '../../../data/report/notice.ts';
import type { JsonObject } from '../../source/json.ts';
import { findNearestName } from '../../source/nearest-name.ts';
import { quote, showFound } from '../../source/quote.ts';
import type { Sourced, SourceLocation } from '../../source/record.ts';
import { dropUnknownKeys, toFieldError, type FieldError, type UnknownKey } from '../../source/schema-errors.ts';
import { FieldCounts, fieldErrorNotice, noticeAt, type RecordLocation } from '../../feed/adapter.ts';
import { ENTITY_SCHEMAS, ENTITY_TYPES, type EntityType } from '../mapping/cms-fields.ts';
import type { CmsMapping, EntityMapping } from '../mapping/cms-mapping.ts';
import type { CmsEntry } from '../mapping/cms-value.ts';
import { applyFieldRule } from '../mapping/field-rule.ts';
import { mapEntry, type FindImage, type MappedEntry } from '../mapping/map-entry.ts';
import { assignSlugs } from '../mapping/slug.ts';
import type { CmsExport } from './adapter.ts';
import type { z } from 'zod';

export type CmsItem =
  | {
      readonly kind: 'entry';
      readonly entry: CmsEntry;
      readonly origin: SourceLocation;
      readonly unpublished?: Pick<Notice, 'field' | 'found' | 'expected'> | undefined;
      /** The entry has been edited since it was published, and the export holds the edits. */
      readonly isChanged?: boolean | undefined;
    }
  /** An entry that cannot be read. Its type is undefined when that cannot be read either. */
  | { readonly kind: 'broken'; readonly type: string | undefined; readonly notice: Notice };

interface CollectedEntry {
  readonly item: Extract<CmsItem, { kind: 'entry' }>;
  readonly listMapping: EntityMapping;
  readonly mapped: MappedEntry;
}

const MAX_LISTED_TYPES = 20;

export interface CollectOptions {
  readonly source: string;
  /** The file in notices about the whole export; undefined when the export has several files. */
  readonly path: string | undefined;
  readonly mapping: CmsMapping;
  readonly findImage: FindImage;
  readonly notices?: readonly Notice[];
}

/**
 * Makes records of the entries whose type is mapped. One notice counts the entries of other types: a mapping may have
 * been forgotten.
 */
export function collectRecords(items: Iterable<CmsItem>, options: CollectOptions): CmsExport {
  const { source, path, mapping } = options;
  const collector = new RecordCollector();
  for (const note of options.notices ?? []) collector.note(note);
  const counts = new Map<string, number>();
  const entries: CollectedEntry[] = [];
  for (const item of items) {
    const type = item.kind === 'entry' ? item.entry.type : item.type;
    if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + 1);
    const listMappings = mapping.lists.filter((list) => list.type === type);
    if (item.kind === 'entry') {
      for (const listMapping of listMappings) {
        entries.push({ item, listMapping, mapped: mapEntry(item.entry, listMapping, mapping, options.findImage) });
      }
    } else if (type === undefined || listMappings.length > 0) {
      collector.exclude(item.notice);
    }
  }
  const slugs = findSlugs(entries, mapping);
  for (const entry of entries) collectEntry(entry, slugs.get(entry), collector);
  for (const note of typeNotices(counts, mapping))
    collector.note({ ...note, source, ...(path !== undefined && { file: path }) });
  return collector.finish();
}

/** The slugs made of texts. Unpublished entries get one too, so that publishing them changes no other slug. */
function findSlugs(entries: readonly CollectedEntry[], { createdAt }: CmsMapping): ReadonlyMap<CollectedEntry, string> {
  const slugs = new Map<CollectedEntry, string>();
  // The slug identifies a manufacturer: two with one name are a duplicate.
  for (const list of ENTITY_TYPES.filter((each) => each !== 'manufacturers')) {
    const sources = entries.flatMap((entry) => {
      const { item, mapped } = entry;
      if (entry.listMapping.list !== list || mapped.slugText === undefined) return [];
      const { id } = mapped.record;
      const created = createdAt === undefined ? undefined : applyFieldRule(createdAt, item.entry).value;
      return [
        {
          entry,
          text: mapped.slugText,
          id: typeof id === 'string' ? id : undefined,
          createdAt: typeof created === 'string' ? created : '',
        },
      ];
    });
    const assigned = assignSlugs(list, sources);
    for (const source of sources) slugs.set(source.entry, assigned.get(source) ?? '');
  }
  return slugs;
}

function collectEntry(
  { item, listMapping, mapped }: CollectedEntry,
  slug: string | undefined,
  collector: RecordCollector,
): void {
  const { origin, unpublished } = item;
  const record = slug === undefined ? mapped.record : { ...mapped.record, slug };
  if (unpublished !== undefined) {
    collector.addUnpublished(listMapping.list, record, origin, unpublished);
    return;
  }
  collector.add(listMapping.list, record, origin, {
    notices: listNotices(item, listMapping, mapped),
    remedyOf: (field, found) => describeRemedy(listMapping, field, found === undefined ? item.entry : undefined),
  });
}

function listNotices(
  { origin, isChanged }: Extract<CmsItem, { kind: 'entry' }>,
  { list }: EntityMapping,
  { record, brokenReferences, standIns }: MappedEntry,
): readonly Notice[] {
  const location = locateRecord(list, record, origin);
  const notes = brokenReferences.map(({ field, target }) =>
    noticeAt(location, 'unresolved-link', { field, found: showFound(target) }),
  );
  if (isChanged === true) notes.push(noticeAt(location, 'changed-since-published'));
  if (standIns !== undefined) {
    const expected = `a picture of ${standIns.of.join(', ')}; ${standIns.view} stands in`;
    notes.push(noticeAt(location, 'picture-stand-in', { field: 'images', expected }));
  }
  return notes;
}

/** The remedy for a field: correct it in the CMS, under its name there, or correct the mapping. */
function describeRemedy({ list, type, fields }: EntityMapping, path: string, entry: CmsEntry | undefined): string {
  const name = fields.find((field) => path === field.name || path.startsWith(`${field.name}[`))?.name ?? path;
  const where = `\`mapping.${list}.fields\``;
  const rule = fields.find((field) => field.name === name)?.rule;
  if (entry !== undefined && name === 'slug') {
    return `say \`"slug": {"slugOf": "name"}\` in ${where}, or where the slugs of ${type} come from`;
  }
  if (rule === undefined) return `say in ${where} where \`${name}\` of ${type} comes from`;
  if (rule.constant !== undefined) return `correct the constant of \`${name}\` in ${where}`;
  const paths = rule.texts.map((text) => `\`${text}\``).join(' or ');
  return `correct ${paths} of ${type} in the CMS, or say in ${where} where \`${name}\` comes from`;
}

function typeNotices(
  counts: ReadonlyMap<string, number>,
  mapping: CmsMapping,
): Pick<Notice, 'code' | 'found' | 'expected'>[] {
  const mapped = new Set(mapping.lists.map(({ type }) => type));
  const others = [...counts].filter(([type]) => !mapped.has(type)).sort(([a], [b]) => compareCodeUnits(a, b));
  const listed = others.slice(0, MAX_LISTED_TYPES).map(([type, count]) => `${type.slice(0, 200)} (${count})`);
  if (others.length > MAX_LISTED_TYPES) listed.push(`${others.length - MAX_LISTED_TYPES} more`);
  const found = listed.join(', ');
  const notes: Pick<Notice, 'code' | 'found' | 'expected'>[] = [];
  for (const { list, type } of mapping.lists) {
    if (counts.has(type)) continue;
    const expected = `records of type ${type} for ${list}`;
    notes.push({ code: 'missing-type', expected, ...(found !== '' && { found }) });
  }
  if (found !== '') notes.push({ code: 'unmapped-type', found });
  return notes;
}

export interface RecordExtras {
  /** Notices to add only if the record is valid. */
  readonly notices?: readonly Notice[];
  /** The remedy for an error of `field`, where the adapter knows a better one than the notice code has. */
  remedyOf?(field: string, found: unknown): string | undefined;
}

/** Checks the records of a CMS export. Each one becomes exactly one record or one notice that excludes it. */
export class RecordCollector {
  readonly #records: { readonly [List in EntityType]: Sourced<z.infer<(typeof ENTITY_SCHEMAS)[List]>>[] } = {
    products: [],
    giftCategories: [],
    gifts: [],
    networks: [],
    retailers: [],
    manufacturers: [],
  };
  readonly #excluded: Notice[] = [];
  readonly #notices: Notice[] = [];
  readonly #fields = new FieldCounts();
  #readCount = 0;

  add(list: EntityType, value: JsonObject, origin: SourceLocation, extras: RecordExtras = {}): void {
    const schema: z.ZodType = ENTITY_SCHEMAS[list];
    const records: Sourced<unknown>[] = this.#records[list];
    const location = locateRecord(list, value, origin);
    const { value: known, unknown } = dropUnknownKeys(schema, value);
    for (const key of Object.keys(ENTITY_SCHEMAS[list].shape)) {
      this.#fields.count(`${list}.${key}`, isFilled((known as JsonObject)[key]));
    }
    const parsed = schema.safeParse(known, { reportInput: true });
    if (!parsed.success) {
      const otherNames = unknown.map(({ path }) => path);
      this.exclude(
        describeErrors({ ...location, ...searchTermsOf(list, value) }, parsed.error.issues, extras, otherNames),
      );
      return;
    }
    this.#readCount++;
    records.push({ record: parsed.data, origin });
    for (const key of unknown) this.note(noticeAt(location, 'unknown-key', describeUnknownKey(key)));
    for (const note of extras.notices ?? []) this.note(note);
  }

  /** Excludes an unpublished record without checking it, since it may be unfinished. */
  addUnpublished(
    list: EntityType,
    value: JsonObject,
    origin: SourceLocation,
    facts: Pick<Notice, 'field' | 'found' | 'expected' | 'remedy'>,
  ): void {
    this.exclude(
      noticeAt({ ...locateRecord(list, value, origin), ...searchTermsOf(list, value) }, 'unpublished', facts),
    );
  }

  exclude(notice: Notice): void {
    this.#readCount++;
    this.#excluded.push(notice);
  }

  note(notice: Notice): void {
    this.#notices.push(notice);
  }

  finish(): CmsExport {
    return {
      records: this.#records,
      readCount: this.#readCount,
      excluded: this.#excluded,
      notices: this.#notices,
      fields: this.#fields.list(),
    };
  }
}

export function describeUnknownKey({ path, suggestion }: UnknownKey): Pick<Notice, 'field' | 'expected' | 'remedy'> {
  return {
    field: path.slice(0, 200),
    ...(suggestion !== undefined && {
      expected: `perhaps ${suggestion}`,
      remedy: `if it should be read, ${describeName(suggestion)}`,
    }),
  };
}

/** `call it "name"`, `put it in "images" as "front"` */
function describeName(field: string): string {
  const [outer = '', inner] = field.split('.', 2);
  return inner === undefined ? `call it ${quote(outer)}` : `put it in ${quote(outer)} as ${quote(inner)}`;
}

/** The location of a record, with its label: the id, or id and condition of a product. */
function locateRecord(list: EntityType, { id, condition, slug }: JsonObject, origin: SourceLocation): RecordLocation {
  if (list !== 'products') return { ...origin, record: showName(id ?? slug) };
  const isVariant = id !== undefined && typeof condition === 'string';
  return { ...origin, record: isVariant ? `${showFound(id)}/${showFound(condition)}` : showName(id) };
}

/** An empty text, list or object counts as absent. */
function isFilled(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '';
}

function showName(name: unknown): string | undefined {
  return name === undefined ? undefined : showFound(name);
}

function describeErrors(
  location: RecordLocation,
  issues: readonly z.core.$ZodIssue[],
  extras: RecordExtras,
  otherNames: readonly string[],
): Notice {
  const [first, ...others] = issues.map(toFieldError);
  if (first === undefined) throw new Error(`${location.file}:${location.line} was refused without a reason`);
  const remedy = extras.remedyOf?.(first.path, first.found) ?? remedyForName(first, otherNames) ?? remedyForType(first);
  return fieldErrorNotice(location, { ...first, remedy }, others);
}

/** A missing field may be present under another name. */
function remedyForName({ path, found }: FieldError, names: readonly string[]): string | undefined {
  const other = found === undefined ? findNearestName(path, names) : undefined;
  return other === undefined ? undefined : `the record has ${quote(other)}; ${describeName(path)}`;
}

/** Hand-written exports often lack the quotes. A number beyond the safe integers is no longer what was written. */
function remedyForType({ expected, found }: FieldError): string | undefined {
  return expected === 'a text' && Number.isSafeInteger(found) ? `put it in quotes: "${String(found)}"` : undefined;
}

/** The names of an excluded record, for searches and for deals that refer to it. */
function searchTermsOf(
  list: EntityType,
  { slug, name, matches }: JsonObject,
): Pick<RecordLocation, 'names' | 'matches'> {
  const names = [slug, name].filter((text) => typeof text === 'string' && text !== '') as string[];
  const parsed = list === 'products' ? ENTITY_SCHEMAS.products.shape.matches.safeParse(matches) : undefined;
  return { names, matches: parsed?.data };
}
