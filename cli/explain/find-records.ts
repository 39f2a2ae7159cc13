import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import { createLocationFormatter, type SourceLocation } from '../../data/report/source-location.ts';
import type { Published } from '../../data/schema/published-schema.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { parseLines } from '../../data/store/lines.ts';
import type { Counted, FoundName } from '../../data/store/name-search.ts';
import {
  createLocationQuery,
  findClosestNames,
  matchesLocation,
  normaliseName,
  type RecordQuery,
} from '../../data/store/record-query.ts';
import {
  SEARCHED_FILES,
  SnapshotSearch,
  type DealHit,
  type ProductHit,
  type SearchedFile,
} from '../../data/store/snapshot-search.ts';

/** The lines of a file, from its beginning each time it is called. */
type RecordLines = (file: SearchedFile) => Iterable<Buffer>;

/** The values of a file, one a line. */
export function readValues<File extends SearchedFile>(
  { lines }: Pick<SnapshotRecords, 'lines'>,
  file: File,
): Generator<Published<File>> {
  return parseLines(lines(file), file);
}

/** A record that a query may mean, as the snapshot has it. */
export type FoundRecord =
  | ({ readonly kind: 'product' } & ProductHit)
  | ({ readonly kind: 'deal' } & DealHit)
  | EditorialRecord
  | NotedRecord
  /** It is not served. `other` is the deal that stands for it, or has its id, too. */
  | {
      readonly kind: 'left-out';
      readonly of: 'cms' | 'feed';
      readonly notice: Notice;
      readonly other?: FoundRecord;
    };

/** The part of a snapshot that has the outcome of each record. */
export interface SnapshotRecords {
  readonly lines: RecordLines;
  readonly index: CatalogueIndex;
  readonly sources: readonly ManifestSource[];
}

/** The records of a snapshot that a query may mean. */
export interface FoundRecords {
  /** Served records first, then excluded ones, each in file order. */
  readonly records: readonly FoundRecord[];
  /** The number of further records of these kinds. */
  readonly more: number;
  /** The names of a phone in feeds. */
  readonly names: Counted<FoundName>;
}

/** Finds everything in a snapshot that a query may mean. */
export function findRecords(records: SnapshotRecords, subject: RecordQuery): FoundRecords {
  const { products, deals, leftOut, names } = searchSnapshot(records, subject);
  const served = [
    ...products.items.map((hit) => ({ kind: 'product', ...hit }) as const),
    ...deals.items.map((hit) => ({ kind: 'deal', ...hit }) as const),
  ];
  const others = leftOut.items.map((notice) => toExcludedRecord(records, notice));
  return {
    records: [...served, ...findEditorial(records, subject, served.length + others.length > 0), ...others],
    more: [products, deals, leftOut].reduce((sum, { count, items }) => sum + count - items.length, 0),
    names,
  };
}

function searchSnapshot(records: SnapshotRecords, subject: RecordQuery): ReturnType<SnapshotSearch['finish']> {
  const search = new SnapshotSearch(records, subject);
  for (const file of SEARCHED_FILES) for (const line of records.lines(file)) search.take(file, line);
  return search.finish();
}

function toExcludedRecord(records: SnapshotRecords, notice: Notice): FoundRecord {
  const of = records.sources.find(({ name }) => name === notice.source)?.kind ?? 'feed';
  const { other } = notice;
  const standing = other === undefined ? undefined : findByLocation(records, other);
  return { kind: 'left-out', of, notice, ...(standing === undefined ? {} : { other: standing }) };
}

/** The deal of a line of a feed, or why it has none. A chain of duplicates ends at a deal that is served. */
function findByLocation(records: SnapshotRecords, origin: SourceLocation): FoundRecord | undefined {
  const { deals, leftOut } = searchSnapshot(records, createLocationQuery(origin));
  const deal = deals.items.find((hit) => hit.origin.source === origin.source);
  if (deal !== undefined) return { kind: 'deal', ...deal };
  const notice = leftOut.items.find(({ source }) => source === origin.source);
  return notice === undefined ? undefined : toExcludedRecord(records, notice);
}

/** Records that are neither products nor deals. */
export type EditorialKind = 'gift' | 'gift category' | 'network' | 'retailer' | 'manufacturer';

/** An editorial record. A snapshot does not have its location, but the notices about it do. */
interface EditorialRecord {
  readonly kind: 'editorial';
  readonly of: EditorialKind;
  /** Undefined for a manufacturer, which has none. */
  readonly id?: string;
  readonly slug: string;
  readonly name: string;
  readonly notices: readonly Notice[];
}

/**
 * A notice at the location of the query about a served record, when the id alone does not tell which record that is.
 */
interface NotedRecord {
  readonly kind: 'noted';
  readonly notice: Notice;
}

type EditorialEntry = Omit<EditorialRecord, 'notices'>;

/**
 * The editorial records that a query may mean: by slug or name, or by the location of a notice about the record. The id
 * counts only when no other record that was found has it (`isIdTaken`).
 */
function findEditorial(
  records: SnapshotRecords,
  subject: RecordQuery,
  isIdTaken: boolean,
): readonly (EditorialRecord | NotedRecord)[] {
  const all = listEditorial(records.index);
  const noted = listNoted(records);
  const placed = noted.filter((notice) => matchesLocation(subject, notice) && !isNamedAsProduct(notice));
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

/** The slugs and names of all editorial records. */
function listEditorialWords(index: CatalogueIndex): ReadonlySet<string> {
  return new Set(listEditorial(index).flatMap(({ slug, name }) => [slug, normaliseName(name)]));
}

function listEditorial(index: CatalogueIndex): readonly EditorialEntry[] {
  type Entry = { readonly id?: string; readonly slug: string; readonly name: string };
  const lists: readonly (readonly [EditorialKind, readonly Entry[]])[] = [
    ['gift', index.gifts],
    ['gift category', index.giftCategories],
    ['network', index.networks],
    ['retailer', index.retailers],
    ['manufacturer', index.manufacturers],
  ];
  return lists.flatMap(([of, list]) =>
    list.map(({ id, slug, name }) => ({ kind: 'editorial', of, ...(id === undefined ? {} : { id }), slug, name })),
  );
}

/** The notices of the CMS about records that are served. */
function listNoted(records: SnapshotRecords): readonly Notice[] {
  const cms = new Set(records.sources.filter(({ kind }) => kind === 'cms').map(({ name }) => name));
  return [...readValues(records, 'notices.ndjson')].filter(
    ({ code, source }) => NOTICES[code].outcome === 'notice' && cms.has(source),
  );
}

/** The key of a product is `101/new`. */
function isNamedAsProduct({ record }: Notice): boolean {
  return record?.includes('/') === true;
}

/** The record of a notice; undefined when several records have its id, for example a gift and a network. */
function findOwner(all: readonly EditorialEntry[], { code, record }: Notice): EditorialEntry | undefined {
  const owners = all.filter(
    ({ of, id, slug }) => (id ?? slug) === record && (code !== 'dead-reference' || of === 'gift category'),
  );
  return owners.length === 1 ? owners[0] : undefined;
}

/**
 * Suggestions for a word that matches no name: of a file and line, the nearest record of that file; else products whose
 * names have the word, else the nearest words.
 */
export function findClosestRecords(records: SnapshotRecords, subject: RecordQuery): readonly string[] {
  const nearby = findNearbyLocation(records, subject);
  if (nearby !== undefined) return [createLocationFormatter(records.sources)(nearby)];
  const { products, productNameKeys } = records.index;
  const key = subject.deal?.key ?? subject.text;
  const leftOut = listExcludedNames(records);
  const steps = findClosestNames(subject, {
    products,
    productNameKeys,
    unmatchedNames: leftOut.names,
    others: [
      [subject.name, listEditorialWords(records.index)],
      [key, listKeys(records)],
      [key, leftOut.keys],
    ],
  });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The nearest record of a file of that name; the path may lack its first folders, or have others before it. */
function findNearbyLocation(
  records: SnapshotRecords,
  { text, location = { file: text, line: 0 } }: RecordQuery,
): SourceLocation | undefined {
  const isFile = (file: string): boolean =>
    `/${file}`.endsWith(`/${location.file}`) || location.file.endsWith(`/${file}`);
  const distanceOf = ({ line }: SourceLocation): number => Math.abs(line - location.line);
  let nearest: SourceLocation | undefined;
  for (const origin of listLocations(records)) {
    if (!isFile(origin.file) || (nearest !== undefined && distanceOf(nearest) <= distanceOf(origin))) continue;
    nearest = origin;
  }
  return nearest;
}

function* listLocations(records: SnapshotRecords): Generator<SourceLocation> {
  yield* readValues(records, 'product-origins.ndjson');
  for (const { source, file, line } of readValues(records, 'provenance.ndjson')) {
    // The arrays of a line were checked to have equal lengths before it was published.
    for (let i = 0; i < line.length; i++)
      yield { source: source[i] as string, file: file[i] as string, line: line[i] as number };
  }
  for (const { source, file, line, list } of readValues(records, 'quarantine.ndjson')) {
    if (file !== undefined && line !== undefined) yield { source, file, line, ...(list === undefined ? {} : { list }) };
  }
}

function* listKeys(records: SnapshotRecords): Generator<string> {
  for (const { key } of readValues(records, 'provenance.ndjson')) yield* key;
}

function listExcludedNames(records: SnapshotRecords): {
  readonly names: readonly string[];
  readonly keys: ReadonlySet<string>;
} {
  const [all, keys] = [new Set<string>(), new Set<string>()];
  for (const { record, names = [] } of readValues(records, 'quarantine.ndjson')) {
    if (record !== undefined) keys.add(record);
    for (const name of names) all.add(name);
  }
  return { names: [...all], keys };
}
