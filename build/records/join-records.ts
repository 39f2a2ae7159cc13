import { compareCodeUnits, compareIds } from '../../data/record/id.ts';
import type { ManufacturerRecord } from '../../data/record/network-retailer.ts';
import {
  compareVariants,
  CONDITIONS,
  recordKey,
  type Condition,
  type GiftCategoryRecord,
  type GiftRecord,
  type ProductRecord,
} from '../../data/record/product.ts';
import { findNearestWord } from '../../data/query/edit-distance.ts';
import { NOTICES, type Notice, type NoticeCode } from '../../data/report/notice.ts';
import type { FormatLocation } from '../../data/report/source-location.ts';
import type { Manufacturer } from '../../data/snapshot/format.ts';
import { createNotice, type Ledger } from '../ledger/ledger.ts';
import { truncateText } from '../source/quote.ts';
import { groupBy, type CmsRecords, type Sourced } from '../source/record.ts';
import type { CatalogueRecords } from './catalogue.ts';
import type { ExcludeRules } from './exclude.ts';

/** A product of the CMS that is not served. Matching still knows it, so that its deals go to no other product. */
export interface SuppressedProduct {
  readonly product: Sourced<ProductRecord>;
  readonly code: 'excluded' | 'duplicate-id';
}

export interface JoinedRecords {
  readonly records: CatalogueRecords;
  readonly suppressed: readonly SuppressedProduct[];
  /** Products of the CMS that never became records. */
  readonly excluded: readonly ExcludedProduct[];
}

/**
 * Checks the records of the CMS against each other and enters in the ledger what becomes of each. Of two records with
 * one id neither is served: it is unknown which is right. The same holds for a slug that two networks, retailers or
 * manufacturers claim, since requests name them by it. Products, gifts and gift categories are known by id, so a slug
 * that two of them share is a notice.
 *
 * @param writePlace writes the location of a record for people
 */
export function joinRecords(
  cms: CmsRecords,
  exclusions: ExcludeRules,
  ledger: Ledger,
  writePlace: FormatLocation,
): JoinedRecords {
  const excluded = listExcludedProducts(ledger);
  const products = sortProducts(cms.products);
  const unique = dropDuplicates(products, 'duplicate-id', 'id', recordKey, ledger, writePlace);
  const served = dropExcluded(unique.kept, exclusions, ledger);
  noteProductNames(served.kept, ledger);

  const gifts = dropDuplicateIds(cms.gifts, ledger, writePlace);
  const giftCategories = dropDuplicateIds(cms.giftCategories, ledger, writePlace);
  for (const list of [served.kept, gifts, giftCategories]) noteSameSlugs(list, ledger);
  const giftIds = new Set(gifts.map(({ record }) => record.id));

  const records: CatalogueRecords = {
    products: served.kept,
    gifts,
    giftCategories: giftCategories.map((category) => dropUnknownGifts(category, giftIds, ledger)),
    networks: dropDuplicateSlugs(dropDuplicateIds(cms.networks, ledger, writePlace), ledger, writePlace),
    retailers: dropDuplicateSlugs(dropDuplicateIds(cms.retailers, ledger, writePlace), ledger, writePlace),
    manufacturers: joinManufacturers(cms.manufacturers, served.kept, ledger, writePlace),
  };
  for (const list of [served.kept, gifts, giftCategories, records.networks, records.retailers]) keepAll(list, ledger);
  return {
    records,
    suppressed: [
      ...unique.dropped.map((product) => ({ product, code: 'duplicate-id' }) as const),
      ...served.dropped.map((product) => ({ product, code: 'excluded' }) as const),
    ],
    excluded,
  };
}

function sortProducts(products: readonly Sourced<ProductRecord>[]): readonly Sourced<ProductRecord>[] {
  return products.toSorted((a, b) => compareVariants(a.record, b.record) || compareOrigins(a, b));
}

interface NamedRecord {
  readonly slug: string;
  readonly name?: string | undefined;
}

/** The names by which people search for a record that is not served. */
function recordNames({ slug, name }: NamedRecord): Pick<Notice, 'names'> {
  return { names: name === undefined ? [slug] : [slug, name] };
}

interface Partition<Record> {
  readonly kept: readonly Sourced<Record>[];
  readonly dropped: readonly Sourced<Record>[];
}

/** Quarantines every record whose label another record has, too; each notice says where the others are. */
function dropDuplicates<Record extends NamedRecord>(
  list: readonly Sourced<Record>[],
  code: 'duplicate-id' | 'duplicate-slug',
  field: 'id' | 'slug',
  labelOf: (record: Record) => string,
  ledger: Ledger,
  writePlace: FormatLocation,
): Partition<Record> {
  const groups = groupBy(list, ({ record }) => [labelOf(record)]);
  const isDuplicate = ({ record }: Sourced<Record>): boolean => (groups.get(labelOf(record))?.length ?? 0) > 1;
  for (const item of list.filter(isDuplicate)) {
    const label = labelOf(item.record);
    const found = truncateText(label);
    const expected = `one record with this ${field}; ${describeOthers(groups.get(label), item, writePlace)} has it too`;
    ledger.exclude({
      ...createNotice({ code, field, found, expected }, label, item.origin),
      ...recordNames(item.record),
    });
  }
  return { kept: list.filter((item) => !isDuplicate(item)), dropped: list.filter(isDuplicate) };
}

function dropDuplicateIds<Record extends NamedRecord & { readonly id: string }>(
  list: readonly Sourced<Record>[],
  ledger: Ledger,
  writePlace: FormatLocation,
): readonly Sourced<Record>[] {
  const sorted = list.toSorted((a, b) => compareIds(a.record.id, b.record.id) || compareOrigins(a, b));
  return dropDuplicates(sorted, 'duplicate-id', 'id', ({ id }) => id, ledger, writePlace).kept;
}

function dropDuplicateSlugs<Record extends NamedRecord>(
  list: readonly Sourced<Record>[],
  ledger: Ledger,
  writePlace: FormatLocation,
): readonly Sourced<Record>[] {
  return dropDuplicates(list, 'duplicate-slug', 'slug', ({ slug }) => slug, ledger, writePlace).kept;
}

function dropExcluded(
  products: readonly Sourced<ProductRecord>[],
  exclusions: ExcludeRules,
  ledger: Ledger,
): Partition<ProductRecord> {
  const kept: Sourced<ProductRecord>[] = [];
  const dropped: Sourced<ProductRecord>[] = [];
  for (const product of products) {
    const details = exclusions.findForProduct(product.record);
    if (details === undefined) {
      kept.push(product);
    } else {
      dropped.push(product);
      const { record, origin } = product;
      ledger.exclude({ ...createNotice(details, recordKey(record), origin), ...recordNames(record) });
    }
  }
  return { kept, dropped };
}

function noteProductNames(products: readonly Sourced<ProductRecord>[], ledger: Ledger): void {
  const groups = groupBy(products, ({ record: { name, condition } }) => [`${condition}/${name}`]);
  for (const { record, origin } of products) {
    if (record.condition !== 'refurbished' || /^refurbished\b/i.test(record.name)) continue;
    const details = { code: 'name-without-refurbished', field: 'name', found: truncateText(record.name) } as const;
    ledger.note(createNotice(details, recordKey(record), origin));
  }
  noteShared(groups, 'same-name', 'name', ({ name }) => name, recordKey, ledger);
}

/** Variants of one product may share its slug. */
function noteSameSlugs(
  list: readonly Sourced<ProductRecord | GiftRecord | GiftCategoryRecord>[],
  ledger: Ledger,
): void {
  const groups = new Map(
    [...groupBy(list, ({ record }) => [record.slug])].filter(
      ([, group]) => new Set(group.map(({ record }) => record.id)).size > 1,
    ),
  );
  noteShared(groups, 'same-slug', 'slug', ({ slug }) => slug, recordKey, ledger);
}

function noteShared<Record>(
  groups: ReadonlyMap<string, readonly Sourced<Record>[]>,
  code: NoticeCode,
  field: string,
  valueOf: (record: Record) => string,
  labelOf: (record: Record) => string,
  ledger: Ledger,
): void {
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    for (const item of group) {
      const others = group.filter((other) => other !== item).map(({ record }) => labelOf(record));
      const expected = `a ${field} of its own; ${others.join(', ')} has it too`;
      const details = { code, field, found: truncateText(valueOf(item.record)), expected };
      ledger.note(createNotice(details, labelOf(item.record), item.origin));
    }
  }
}

function dropUnknownGifts(
  category: Sourced<GiftCategoryRecord>,
  giftIds: ReadonlySet<string>,
  ledger: Ledger,
): Sourced<GiftCategoryRecord> {
  const { record, origin } = category;
  for (const id of record.gifts) {
    if (giftIds.has(id)) continue;
    const details = {
      code: 'dead-reference',
      field: 'gifts',
      found: id,
      expected: 'the id of a published gift',
    } as const;
    ledger.note(createNotice(details, record.id, origin));
  }
  return { record: { ...record, gifts: record.gifts.filter((id) => giftIds.has(id)) }, origin };
}

/** Where more makers than these have no entry, they are not slips, and comparing all of them would take long. */
const MAX_SLIPS = 100;

/** The manufacturers that the CMS lists or a product names, by slug; one without a name has its slug for one (D21). */
function joinManufacturers(
  listed: readonly Sourced<ManufacturerRecord>[],
  products: readonly Sourced<ProductRecord>[],
  ledger: Ledger,
  writePlace: FormatLocation,
): readonly Manufacturer[] {
  const sorted = listed.toSorted((a, b) => compareCodeUnits(a.record.slug, b.record.slug) || compareOrigins(a, b));
  const kept = dropDuplicateSlugs(sorted, ledger, writePlace);
  keepAll(kept, ledger);
  const names = new Map(kept.flatMap(({ record }) => (record.name === undefined ? [] : [[record.slug, record.name]])));
  const firstProduct = new Map<string, Sourced<ProductRecord>>();
  for (const product of products) {
    const slug = product.record.manufacturer;
    if (slug !== undefined && !firstProduct.has(slug)) firstProduct.set(slug, product);
  }
  const unlisted = [...firstProduct].filter(([slug]) => !names.has(slug));
  for (const [slug, { record, origin }] of unlisted) {
    const nearest = unlisted.length > MAX_SLIPS ? undefined : findNearestWord(slug, names.keys());
    const details = {
      code: 'unknown-manufacturer',
      field: 'manufacturer',
      found: truncateText(slug),
      ...(nearest === undefined ? {} : { remedy: describeNearestMaker(nearest) }),
    } as const;
    ledger.note(createNotice(details, recordKey(record), origin));
  }
  const slugs = new Set([...kept.map(({ record }) => record.slug), ...firstProduct.keys()]);
  return [...slugs].toSorted(compareCodeUnits).map((slug) => ({ slug, name: names.get(slug) ?? slug }));
}

/** Adding an entry for a slip would make two makers of one. */
function describeNearestMaker(slug: string): string {
  const effect = 'until then no deal under the name of that maker finds the phone';
  return `write ${JSON.stringify(slug)}, if that is the maker: ${effect}; or add {slug, name} to \`manufacturers\``;
}

function describeOthers<Record>(
  group: readonly Sourced<Record>[] | undefined,
  item: Sourced<Record>,
  writePlace: FormatLocation,
): string {
  return (group ?? [])
    .filter((other) => other !== item)
    .map(({ origin }) => writePlace(origin))
    .join(', ');
}

function keepAll(list: readonly Sourced<unknown>[], ledger: Ledger): void {
  for (const { origin } of list) ledger.keep(origin.source);
}

function compareOrigins(a: Sourced<unknown>, b: Sourced<unknown>): number {
  return compareCodeUnits(a.origin.file, b.origin.file) || a.origin.line - b.origin.line;
}

/**
 * A product of an export that never became a record, because it is not published or has an error. No deal is matched with
 * it, but notices about its deals name it. It has no line: the line moves whenever an editor adds a record before it, and
 * the cached notices of every feed would change.
 */
export interface ExcludedProduct {
  /** The key in reports: `101/new`, or the readable part of it. */
  readonly key: string;
  readonly id: string;
  /** Undefined when it could not be read. */
  readonly condition: Condition | undefined;
  readonly name: string | undefined;
  readonly matches: Notice['matches'];
  readonly file: string | undefined;
  readonly details: Pick<Notice, 'code' | 'field' | 'expected'>;
}

/** The products that the CMS adapters excluded, in order of source, file and line. */
function listExcludedProducts(ledger: Ledger): readonly ExcludedProduct[] {
  return ledger.notices.flatMap((notice) => {
    const { record, names, matches, file, code, field, expected } = notice;
    if (record === undefined || !isAboutExcludedProduct(notice)) return [];
    const [id = '', ...rest] = record.split('/');
    return {
      key: record,
      id,
      condition: CONDITIONS.find((condition) => condition === rest.join('/')),
      name: names?.at(-1),
      matches,
      file,
      details: {
        code,
        ...(field !== undefined && { field }),
        ...(expected !== undefined && { expected }),
      },
    };
  });
}

/** `101/new` is a product; so is `101` that lacks a condition, which no other record has. */
function isAboutExcludedProduct({ code, record = '', field }: Notice): boolean {
  const { outcome } = NOTICES[code];
  if (outcome !== 'quarantined' && outcome !== 'out-of-scope') return false;
  return (
    field === 'condition' ||
    /^[0-9]+\/./.test(record) ||
    CONDITIONS.some((condition) => record.endsWith(`/${condition}`))
  );
}

/** `is not published`, or the field that is wrong. */
export function describeExclusion({ details, file }: ExcludedProduct): string {
  const { code, field, expected } = details;
  const place = file === undefined ? '' : ` (${file})`;
  if (code === 'unpublished') return `is not published${place}`;
  return field === undefined || expected === undefined
    ? `is left out${place}: ${NOTICES[code].meaning}`
    : `is left out${place}, since its ${field} should be ${expected}`;
}
