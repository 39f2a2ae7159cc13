import type { CatalogueRecords } from './catalogue.ts';

/** What people and requests call a record. */
interface RecordTitle {
  readonly name: string;
  readonly slug: string;
}

const KINDS = ['products', 'networks', 'retailers'] as const;

/** The names and slugs of a snapshot: of products by `101/new`, of networks and retailers by id. */
export type ServedTitles = Readonly<Record<(typeof KINDS)[number], ReadonlyMap<string, RecordTitle>>>;

export const NO_TITLES: ServedTitles = { products: new Map(), networks: new Map(), retailers: new Map() };

/** The records of one kind that a CMS source has under ids that are served. */
export interface KeptRecords {
  readonly source: string;
  readonly kind: (typeof KINDS)[number];
  readonly count: number;
  /** How many have another name or another slug. */
  readonly renamed: number;
  /** How many have the name or the slug that was another record's. */
  readonly swapped: number;
}

/** Compares the records of the CMS with those that are served under their ids. */
export function compareRecords(records: CatalogueRecords, served: ServedTitles): readonly KeptRecords[] {
  return KINDS.flatMap((kind) => {
    const owners = { name: listOwners(served[kind], 'name'), slug: listOwners(served[kind], 'slug') };
    const counts = new Map<string, { count: number; renamed: number; swapped: number }>();
    for (const { record, origin } of records[kind]) {
      const key = 'condition' in record ? `${record.id}/${record.condition}` : record.id;
      const before = served[kind].get(key);
      if (before === undefined) continue;
      const count = counts.get(origin.source) ?? { count: 0, renamed: 0, swapped: 0 };
      counts.set(origin.source, count);
      const changed = (['name', 'slug'] as const).filter((title) => record[title] !== before[title]);
      count.count++;
      if (changed.length > 0) count.renamed++;
      if (changed.some((title) => owners[title].has(record[title]))) count.swapped++;
    }
    return [...counts].map(([source, count]) => ({ source, kind, ...count }));
  });
}

function listOwners(titles: ReadonlyMap<string, RecordTitle>, title: keyof RecordTitle): ReadonlySet<string> {
  return new Set([...titles.values()].map((record) => record[title]));
}
