import { compareCodeUnits } from '../../data/record/id.ts';
import type {
  Condition,
  GiftCategoryRecord,
  GiftRecord,
  ManufacturerRecord,
  NetworkRecord,
  ProductRecord,
  RetailerRecord,
} from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { FieldCount, SourceReport } from '../../data/report/report.ts';
import type { SourceLocation } from '../../data/report/source-location.ts';

export type { SourceLocation };

/** A record that is out of scope or quarantined, as its notice says. */
export interface Excluded {
  readonly notice: Notice;
  /** What was read of the product reference: people search for a record by the name of its phone. */
  readonly product?: object | undefined;
}

export interface Sourced<Record> {
  readonly record: Record;
  readonly origin: SourceLocation;
}

/** The items under each of their keys, in their order. */
export function groupBy<Key, Item>(
  items: readonly Item[],
  keysOf: (item: Item) => readonly Key[],
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  }
  return groups;
}

/** `from` with these keys alone, in this order: JSON leaves out those that are undefined. */
export function pick<From, Key extends keyof From>(from: From, keys: readonly Key[]): Pick<From, Key> {
  // The keys are `keys`.
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<From, Key>;
}

export interface CmsRecords {
  readonly products: readonly Sourced<ProductRecord>[];
  readonly giftCategories: readonly Sourced<GiftCategoryRecord>[];
  readonly gifts: readonly Sourced<GiftRecord>[];
  readonly networks: readonly Sourced<NetworkRecord>[];
  readonly retailers: readonly Sourced<RetailerRecord>[];
  readonly manufacturers: readonly Sourced<ManufacturerRecord>[];
}

/**
 * A product of an export that never became a record, because it is not published or has an error. No deal is matched with
 * it, but notices about its deals name it. It has no line: that moves whenever an editor adds a record before it, and the
 * notices would change with it.
 */
export interface ExcludedProduct {
  /** The key in reports: `101/new`, or the readable part of it. */
  readonly key: string;
  readonly id: string;
  /** Undefined when it could not be read. */
  readonly condition: Condition | undefined;
  readonly name: string | undefined;
  readonly matches: ProductRecord['matches'];
  readonly file: string | undefined;
  readonly code: Notice['code'];
}

/** A source in the report, without its counts, which the ledger has. */
export interface SourceState extends Pick<
  SourceReport,
  'name' | 'kind' | 'adapter' | 'state' | 'freshAt' | 'held' | 'files'
> {
  /** Without this source the build publishes nothing. */
  readonly required: boolean;
  /** How many of its records fill each field, if they were read. */
  readonly fields?: readonly FieldCount[];
}

/** What is read of the CMS sources. */
export interface CmsReading {
  readonly records: CmsRecords;
  readonly excludedProducts: readonly ExcludedProduct[];
  /** One for each CMS source, in the order of the configuration. */
  readonly states: readonly SourceState[];
}

/** Counts the records of a source that fill a field (INPUTS "A field that is gone"), excluded ones too. */
export class FieldCounts {
  readonly #counts = new Map<string, { name: string; filled: number; records: number }>();

  /** @param name what the file calls a field that is filled */
  count(field: string, isFilled: boolean, name = field): void {
    let count = this.#counts.get(field);
    if (count === undefined) {
      count = { name: field, filled: 0, records: 0 };
      this.#counts.set(field, count);
    }
    count.records++;
    if (!isFilled) return;
    count.filled++;
    count.name = name;
  }

  /** Every counted field, filled or not, sorted by name. */
  list(): readonly FieldCount[] {
    return [...this.#counts]
      .map(([field, { name, ...count }]) => (name === field ? { field, ...count } : { field, name, ...count }))
      .sort((a, b) => compareCodeUnits(a.field, b.field));
  }
}
