import { compareCodeUnits, compareIds } from '../../data/record/id.ts';
import {
  type GiftCategoryRecord,
  type GiftRecord,
  type ManufacturerRecord,
  type NetworkRecord,
  CONDITIONS,
  recordKey,
  type Condition,
  type ProductRecord,
  type RetailerRecord,
} from '../../data/record/product.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { Manufacturer } from '../../data/snapshot/format.ts';
import type { Ledger, NoticeDetails } from '../ledger/ledger.ts';
import { noticeAt } from '../source/errors.ts';
import { groupBy, type CmsReading, type ExcludedProduct, type Sourced } from '../source/record.ts';
import type { ExcludeRules } from './exclude.ts';

/**
 * The published records of the CMS: checked against each other, without duplicates, each list in order of numeric id.
 */
export interface CatalogueRecords {
  /** By numeric id, new before refurbished: the position is the product's row. */
  readonly products: readonly Sourced<ProductRecord>[];
  readonly gifts: readonly Sourced<GiftRecord>[];
  /** `gifts` of each hold only published gifts. */
  readonly giftCategories: readonly Sourced<GiftCategoryRecord>[];
  readonly networks: readonly Sourced<NetworkRecord>[];
  readonly retailers: readonly Sourced<RetailerRecord>[];
  /** Every manufacturer that a product names or the CMS lists, by slug. */
  readonly manufacturers: readonly Manufacturer[];
}

/** A product of the CMS that is not served. Matching still knows it, so that its deals go to no other product. */
interface SuppressedProduct {
  readonly product: Sourced<ProductRecord>;
  /** Why its deals are not served. */
  readonly details: NoticeDetails;
}

export interface JoinedRecords {
  readonly records: CatalogueRecords;
  readonly suppressed: readonly SuppressedProduct[];
  readonly excluded: readonly ExcludedProduct[];
}

/** Checks the records of the CMS against each other and enters in the ledger what becomes of each. */
export function joinRecords(
  { records: cms, excludedProducts }: Omit<CmsReading, 'states'>,
  exclusions: ExcludeRules,
  ledger: Ledger,
): JoinedRecords {
  const check = <Record extends AnyRecord>(list: readonly Sourced<Record>[], rules: readonly SharingRule[]) =>
    checkShared(sortRecords(list), rules, ledger);
  const note = ({ record, origin }: Sourced<AnyRecord>, details: NoticeDetails) =>
    ledger.note(noticeAt({ ...origin, record: labelOf(record) }, details));

  const unique = new Set(check(cms.products, [SAME_ID]));
  const served: Sourced<ProductRecord>[] = [];
  const suppressed: SuppressedProduct[] = cms.products
    .filter((product) => !unique.has(product))
    .map((product) => ({
      product,
      details: {
        code: 'unknown-product',
        field: 'product',
        found: recordKey(product.record),
        expected: 'a product that is served; two records of the CMS claim this id, so neither is',
        remedy: 'give each record of the CMS its own id',
      },
    }));
  for (const product of unique) {
    const { record, origin } = product;
    const details = exclusions.findForProduct(record);
    if (details !== undefined) {
      ledger.exclude({ ...noticeAt({ ...origin, record: recordKey(record) }, details), ...recordNames(record) });
      suppressed.push({ product, details: { ...details, field: 'product', found: recordKey(record) } });
      continue;
    }
    served.push(product);
    if (record.condition === 'refurbished' && !/^refurbished\b/i.test(record.name)) {
      note(product, { code: 'name-without-refurbished', field: 'name', found: record.name });
    }
  }
  const products = check(served, [SAME_NAME, SAME_SLUG]);
  const gifts = check(cms.gifts, [SAME_ID, SAME_SLUG]);
  const giftIds = new Set(gifts.map(({ record }) => record.id));
  const giftCategories = check(cms.giftCategories, [SAME_ID, SAME_SLUG]);
  for (const category of giftCategories) {
    const expected = 'the id of a published gift';
    for (const id of category.record.gifts.filter((each) => !giftIds.has(each))) {
      note(category, { code: 'dead-reference', field: 'gifts', found: id, expected });
    }
  }
  const networks = check(cms.networks, [SAME_ID, ONE_SLUG]);
  const retailers = check(cms.retailers, [SAME_ID, ONE_SLUG]);
  const makers = check(cms.manufacturers, [ONE_SLUG]);
  for (const { origin } of [products, gifts, giftCategories, networks, retailers, makers].flat()) {
    ledger.keep(origin.source);
  }
  return {
    records: {
      products,
      gifts,
      giftCategories: giftCategories.map(({ record, origin }) => ({
        record: { ...record, gifts: record.gifts.filter((id) => giftIds.has(id)) },
        origin,
      })),
      networks,
      retailers,
      manufacturers: joinManufacturers(makers, products, note),
    },
    suppressed,
    excluded: excludedProducts,
  };
}

/** What every list has; a manufacturer has no id, and only products have a condition. */
interface AnyRecord {
  readonly id?: string;
  readonly slug: string;
  readonly name?: string | undefined;
  readonly condition?: Condition;
}

/** What two records may not share, or had better not. */
interface SharingRule {
  readonly code: 'duplicate-id' | 'duplicate-slug' | 'same-name' | 'same-slug';
  readonly field: 'id' | 'slug' | 'name';
  /** What is shared. */
  readonly keyOf: (record: AnyRecord) => string;
}

const labelOf = ({ id, slug, condition }: AnyRecord): string =>
  id === undefined ? slug : recordKey({ id, condition });

const SAME_ID: SharingRule = { code: 'duplicate-id', field: 'id', keyOf: labelOf };
/** Requests name networks, retailers and manufacturers by their slug. */
const ONE_SLUG: SharingRule = { code: 'duplicate-slug', field: 'slug', keyOf: ({ slug }) => slug };
/** Products, gifts and gift categories are known by id; variants of one product may share its slug. */
const SAME_SLUG: SharingRule = { code: 'same-slug', field: 'slug', keyOf: ({ slug }) => slug };
const SAME_NAME: SharingRule = {
  code: 'same-name',
  field: 'name',
  keyOf: ({ condition, name }) => `${condition}/${name}`,
};

/** The records that are kept by the rules in turn. Each notice says which the other records are, and in which file. */
function checkShared<Record extends AnyRecord>(
  list: readonly Sourced<Record>[],
  rules: readonly SharingRule[],
  ledger: Ledger,
): readonly Sourced<Record>[] {
  let kept = list;
  for (const { code, field, keyOf } of rules) {
    // It is unknown which record is right, so none is served.
    const areDropped = NOTICES[code].outcome === 'quarantined';
    const groups = groupBy(kept, ({ record }) => [keyOf(record)]);
    const othersOf = (item: Sourced<Record>): readonly Sourced<Record>[] => {
      const group = groups.get(keyOf(item.record)) ?? [];
      const isOfOneProduct = code === 'same-slug' && group.every(({ record }) => record.id === item.record.id);
      return isOfOneProduct ? [] : group.filter((other) => other !== item);
    };
    const shared = new Map(
      kept.map((item) => [item, othersOf(item)] as const).filter(([, others]) => others.length > 0),
    );
    for (const [{ record, origin }, others] of shared) {
      const places = others.map((other) => `${labelOf(other.record)} in ${other.origin.file}`);
      const expected = `no other record with this ${field}; ${places.join(', ')} has it too`;
      const location = { ...origin, record: labelOf(record) };
      const notice = noticeAt(location, { code, field, found: String(record[field]), expected });
      if (areDropped) ledger.exclude({ ...notice, ...recordNames(record) });
      else ledger.note(notice);
    }
    if (areDropped) kept = kept.filter((item) => !shared.has(item));
  }
  return kept;
}

/** By id, new before refurbished; manufacturers by slug. */
function sortRecords<Record extends AnyRecord>(list: readonly Sourced<Record>[]): readonly Sourced<Record>[] {
  const order = ({ condition = 'new' }: AnyRecord): number => CONDITIONS.indexOf(condition);
  return list.toSorted(
    ({ record: a }, { record: b }) =>
      compareIds(a.id ?? '', b.id ?? '') || order(a) - order(b) || compareCodeUnits(a.slug, b.slug),
  );
}

/** The names by which people search for a record that is not served. */
function recordNames({ slug, name }: AnyRecord): Pick<Notice, 'names'> {
  return { names: name === undefined ? [slug] : [slug, name] };
}

/** The manufacturers that the CMS lists or a product names, by slug; one without a name has its slug for one (D21). */
function joinManufacturers(
  listed: readonly Sourced<ManufacturerRecord>[],
  products: readonly Sourced<ProductRecord>[],
  note: (product: Sourced<ProductRecord>, details: NoticeDetails) => void,
): readonly Manufacturer[] {
  const names = new Map(listed.map(({ record: { slug, name } }) => [slug, name]));
  for (const product of products) {
    const slug = product.record.manufacturer;
    if (slug === undefined || names.get(slug) !== undefined) continue;
    note(product, { code: 'unknown-manufacturer', field: 'manufacturer', found: slug });
    names.set(slug, slug);
  }
  const makers = Array.from(names, ([slug, name = slug]) => ({ slug, name }));
  return makers.sort((a, b) => compareCodeUnits(a.slug, b.slug));
}
