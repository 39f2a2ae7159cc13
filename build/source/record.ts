import type { DealRecord } from '../../data/record/deal.ts';
import type { ManufacturerRecord, NetworkRecord, RetailerRecord } from '../../data/record/network-retailer.ts';
import type { GiftCategoryRecord, GiftRecord, ProductRecord } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';

/** A record and where it came from. */
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

/**
 * What an adapter makes of one record of a feed. Every record of the file yields exactly one item, so that counts add
 * up: `deal` goes on to the catalogue, `left-out` ends here with a notice whose outcome is out-of-scope or quarantined.
 */
export type ReadResult =
  | {
      readonly kind: 'deal';
      readonly deal: DealRecord;
      readonly origin: SourceLocation;
      /** Findings about a record that is kept so far (`half-cashback`). */
      readonly notices: readonly Notice[];
    }
  | {
      readonly kind: 'left-out';
      readonly notice: Notice;
      /** What was read of the reference to a product: people look for a record by the name of its phone. */
      readonly product?: object | undefined;
    };

/** Everything that the CMS exports hold, over all files of all CMS sources. */
export interface CmsRecords {
  readonly products: readonly Sourced<ProductRecord>[];
  readonly giftCategories: readonly Sourced<GiftCategoryRecord>[];
  readonly gifts: readonly Sourced<GiftRecord>[];
  readonly networks: readonly Sourced<NetworkRecord>[];
  readonly retailers: readonly Sourced<RetailerRecord>[];
  readonly manufacturers: readonly Sourced<ManufacturerRecord>[];
}

/** Where a record came from. */
export interface SourceLocation {
  /** The name of the source in the configuration. */
  readonly source: string;
  /** The file, relative to the configuration, with forward slashes. */
  readonly file: string;
  /** 1-based line on which the record begins; in a JSON file the 1-based position of the record in its array. */
  readonly line: number;
  /** The list of a JSON file in which `line` is a position. */
  readonly list?: string;
}
