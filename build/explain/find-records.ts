import type { Counted, FoundName } from '../../data/report/found-name.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import { SEARCHED_FILES, SnapshotSearch, type DealHit, type ProductHit } from '../../data/report/snapshot-search.ts';
import { createPlaceSubject, type Subject } from '../../data/report/subject.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { Origin } from '../source/origin.ts';
import { findEditorial, type EditorialRecord, type NotedRecord } from './find-editorial.ts';
import type { RecordLines } from './record-lines.ts';

/** What a snapshot knows of a record that a person may mean. */
export type FoundRecord =
  | ({ readonly kind: 'product' } & ProductHit)
  | ({ readonly kind: 'deal' } & DealHit)
  | EditorialRecord
  | NotedRecord
  /** It is not served. `other` is the deal that stands for it, or has its id too. */
  | {
      readonly kind: 'left-out';
      readonly of: 'cms' | 'feed';
      readonly notice: Notice;
      readonly other?: FoundRecord;
    };

/** The part of a snapshot that says what became of each record. */
export interface SnapshotRecords {
  readonly lines: RecordLines;
  readonly index: CatalogueIndex;
  readonly sources: readonly ManifestSource[];
}

/** What a subject may mean in a snapshot. */
export interface FoundRecords {
  /** What is served first, then what is left out, each in file order. */
  readonly records: readonly FoundRecord[];
  /** How many more records of these kinds there are. */
  readonly more: number;
  /** What feeds call a phone. */
  readonly names: Counted<FoundName>;
}

/** Everything in a snapshot that a subject may mean. */
export function findRecords(records: SnapshotRecords, subject: Subject): FoundRecords {
  const { products, deals, leftOut, names } = search(records, subject);
  const served = [
    ...products.items.map((hit) => ({ kind: 'product', ...hit }) as const),
    ...deals.items.map((hit) => ({ kind: 'deal', ...hit }) as const),
  ];
  const others = leftOut.items.map((notice) => describeLeftOut(records, notice));
  return {
    records: [...served, ...findEditorial(records, subject, served.length + others.length > 0), ...others],
    more: [products, deals, leftOut].reduce((sum, { count, items }) => sum + count - items.length, 0),
    names,
  };
}

function search(records: SnapshotRecords, subject: Subject): ReturnType<SnapshotSearch['finish']> {
  const search = new SnapshotSearch(records, subject);
  for (const file of SEARCHED_FILES) for (const line of records.lines(file)) search.take(file, line);
  return search.finish();
}

function describeLeftOut(records: SnapshotRecords, notice: Notice): FoundRecord {
  const of = records.sources.find(({ name }) => name === notice.source)?.kind ?? 'feed';
  const { other } = notice;
  const standing = other === undefined ? undefined : findByOrigin(records, other);
  return { kind: 'left-out', of, notice, ...(standing === undefined ? {} : { other: standing }) };
}

/** The deal that a record of a feed became, or why it became none; such a chain ends at a deal that is served. */
function findByOrigin(records: SnapshotRecords, origin: Origin): FoundRecord | undefined {
  const { deals, leftOut } = search(records, createPlaceSubject(origin));
  const deal = deals.items.find((hit) => hit.origin.source === origin.source);
  if (deal !== undefined) return { kind: 'deal', ...deal };
  const notice = leftOut.items.find(({ source }) => source === origin.source);
  return notice === undefined ? undefined : describeLeftOut(records, notice);
}
