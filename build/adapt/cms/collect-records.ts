import { compareCodeUnits } from '../../../data/record/id.ts';
import type { Notice } from '../../../data/report/notice.ts';
import { listSynonyms } from '../../source/nearest-name.ts';
import { showFound } from '../../source/quote.ts';
import type { SourceLocation } from '../../source/record.ts';
import { noticeAt } from '../deal/adapter.ts';
import { ENTITY_TYPES } from '../mapping/cms-fields.ts';
import type { CmsMapping, EntityMapping } from '../mapping/cms-mapping.ts';
import type { CmsEntry } from '../mapping/cms-value.ts';
import { applyFieldRule } from '../mapping/field-rule.ts';
import { mapEntry, type FindImage, type MappedEntry } from '../mapping/map-entry.ts';
import { assignSlugs } from '../mapping/slug.ts';
import type { CmsExport } from './adapter.ts';
import { locateRecord, RecordCollector } from './record-collector.ts';

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
  const other = entry && listSynonyms(name).find((each) => typeof entry.get(each) === 'string');
  if (other !== undefined) return `say \`"${name}": "${other}"\` in ${where}`;
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
