import { NOTICES, type Notice } from '../../data/report/notice.ts';
import { isPlace, normaliseName, type Subject } from '../../data/report/subject.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { SnapshotRecords } from './find-records.ts';
import { readValues } from './record-lines.ts';

/** What is served beside products and deals. */
export type EditorialKind = 'gift' | 'gift category' | 'network' | 'retailer' | 'manufacturer';

/** Such a record. A snapshot does not keep where it was read; the findings about it do. */
export interface EditorialRecord {
  readonly kind: 'editorial';
  readonly of: EditorialKind;
  /** Undefined for a manufacturer, which has none. */
  readonly id?: string;
  readonly slug: string;
  readonly name: string;
  readonly notices: readonly Notice[];
}

/** A finding at the place that is meant, about a record that is served; which record that is, the id alone does not say. */
export interface NotedRecord {
  readonly kind: 'noted';
  readonly notice: Notice;
}

type Nameless = Omit<EditorialRecord, 'notices'>;

/**
 * What a subject may mean beside products and deals: by slug or name, or by the place of a finding about it; by id only
 * where that is the id of nothing else that was found (`isIdTaken`).
 */
export function findEditorial(
  records: SnapshotRecords,
  subject: Subject,
  isIdTaken: boolean,
): readonly (EditorialRecord | NotedRecord)[] {
  const all = listEditorial(records.index);
  const noted = listNoted(records);
  const placed = noted.filter((notice) => isPlace(subject, notice) && !isOfProduct(notice));
  const owners = new Map(placed.map((notice) => [notice, findOwner(all, notice)]));
  const owned = new Set([...owners.values()].filter((owner) => owner !== undefined));
  const named = all.filter(
    (record) =>
      owned.has(record) ||
      record.slug === subject.text ||
      normaliseName(record.name) === subject.name ||
      (!isIdTaken && record.id === subject.text),
  );
  return [
    ...named.map((record) => ({ ...record, notices: noted.filter((notice) => findOwner(all, notice) === record) })),
    ...placed
      .filter((notice) => owners.get(notice) === undefined)
      .map((notice) => ({ kind: 'noted', notice }) as const),
  ];
}

/** The slugs and names of what is served beside products and deals. */
export function listEditorialWords(index: CatalogueIndex): ReadonlySet<string> {
  return new Set(listEditorial(index).flatMap(({ slug, name }) => [slug, normaliseName(name)]));
}

function listEditorial(index: CatalogueIndex): readonly Nameless[] {
  const of = (kind: EditorialKind, list: readonly { readonly id?: string; slug: string; name: string }[]): Nameless[] =>
    list.map(({ id, slug, name }) => ({
      kind: 'editorial',
      of: kind,
      ...(id === undefined ? {} : { id }),
      slug,
      name,
    }));
  return [
    ...of('gift', index.gifts),
    ...of('gift category', index.giftCategories),
    ...of('network', index.networks),
    ...of('retailer', index.retailers),
    ...of('manufacturer', index.manufacturers),
  ];
}

/** The findings of the CMS about records that are served. */
function listNoted({ lines, sources }: SnapshotRecords): readonly Notice[] {
  const cms = new Set(sources.filter(({ kind }) => kind === 'cms').map(({ name }) => name));
  return [...readValues(lines, 'notices.ndjson')].filter(
    ({ code, source }) => NOTICES[code].outcome === 'notice' && cms.has(source),
  );
}

/** A product is called `101/new`. */
function isOfProduct({ record }: Notice): boolean {
  return record?.includes('/') === true;
}

/** The record that a finding is about: gifts and networks may have one id, and then nobody can tell. */
function findOwner(all: readonly Nameless[], { code, record }: Notice): Nameless | undefined {
  const owners = all.filter(
    ({ of, id, slug }) => (id ?? slug) === record && (code !== 'dead-reference' || of === 'gift category'),
  );
  return owners.length === 1 ? owners[0] : undefined;
}
