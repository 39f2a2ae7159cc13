import { NOTICES, type Notice } from '../../data/report/notice.ts';
import { isPlace, namesDeal, namesLeftOut, namesProduct, type Subject } from '../../data/report/subject.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import { rowAt, type ProductRow } from '../../data/snapshot/row.ts';
import type { Origin } from '../source/origin.ts';
import { findDealOrigins, type DealOrigin } from './deal-origin.ts';
import { findEditorial, type EditorialRecord, type NotedRecord } from './find-editorial.ts';
import type { RecordLines } from './record-lines.ts';

/** What a snapshot knows of a record that a person may mean. */
export type FoundRecord =
  | { readonly kind: 'product'; readonly row: ProductRow; readonly origin: Origin; readonly notices: readonly Notice[] }
  | { readonly kind: 'deal'; readonly deal: DealOrigin; readonly notices: readonly Notice[] }
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

/** Everything in a snapshot that a subject may mean: what is served first, then what is left out, each in file order. */
export function findRecords(records: SnapshotRecords, subject: Subject): readonly FoundRecord[] {
  const served = [...findProducts(records, subject), ...findDeals(records, subject)];
  const leftOut = findLeftOut(records, subject);
  return [...served, ...findEditorial(records, subject, served.length + leftOut.length > 0), ...leftOut];
}

function findProducts({ lines, index }: SnapshotRecords, subject: Subject): FoundRecord[] {
  const found = [...lines('product-origins.ndjson')].flatMap(({ source, file, line }, row) => {
    const product = index.products[row];
    const isMeant = product !== undefined && (namesProduct(subject, product) || isPlace(subject, { file, line }));
    return isMeant ? [{ row: rowAt<'product'>(row), origin: { source, file, line } }] : [];
  });
  const notices = findNotices(
    lines,
    found.map(({ origin }) => origin),
  );
  return found.map(({ row, origin }) => {
    const product = index.products[row];
    // A file of a CMS has several lists, and a line is a position in one of them.
    const own = notices.filter(
      (notice) => isAt(notice, origin) && notice.record === `${product?.id}/${product?.condition}`,
    );
    return { kind: 'product', row, origin, notices: own };
  });
}

function findDeals({ lines, index }: SnapshotRecords, subject: Subject): FoundRecord[] {
  const found = [
    ...findDealOrigins(
      lines,
      index,
      (line, i, retailer) =>
        namesDeal(subject, line.key[i] ?? '', retailer) || isPlace(subject, { file: line.file[i], line: line.line[i] }),
    ),
  ];
  return withNotices(lines, found);
}

function withNotices(lines: RecordLines, deals: readonly DealOrigin[]): FoundRecord[] {
  const notices = findNotices(
    lines,
    deals.map(({ origin }) => origin),
  );
  return deals.map((deal) => ({
    kind: 'deal',
    deal,
    notices: notices.filter((notice) => isAt(notice, deal.origin)),
  }));
}

function findLeftOut(records: SnapshotRecords, subject: Subject): FoundRecord[] {
  const kinds = new Map(records.sources.map(({ name, kind }) => [name, kind]));
  const meant = [...records.lines('quarantine.ndjson')].filter((notice) =>
    namesLeftOut(subject, notice, kinds.get(notice.source)),
  );
  return meant.map((notice) => describeLeftOut(records, notice, kinds.get(notice.source) ?? 'feed'));
}

function describeLeftOut(records: SnapshotRecords, notice: Notice, of: 'cms' | 'feed'): FoundRecord {
  const { other } = notice;
  if (other === undefined) return { kind: 'left-out', of, notice };
  const standing = findByOrigin(records, other);
  return { kind: 'left-out', of, notice, ...(standing === undefined ? {} : { other: standing }) };
}

/** The deal that a record of a feed became, or why it became none; such a chain ends at a deal that is served. */
function findByOrigin(records: SnapshotRecords, origin: Origin): FoundRecord | undefined {
  const { lines, index } = records;
  const [deal] = findDealOrigins(
    lines,
    index,
    (line, i) => line.line[i] === origin.line && line.file[i] === origin.file && line.source[i] === origin.source,
  );
  if (deal !== undefined) return withNotices(lines, [deal])[0];
  const notice = [...lines('quarantine.ndjson')].find((each) => isAt(each, origin));
  return notice === undefined ? undefined : describeLeftOut(records, notice, 'feed');
}

/** The findings about records that are served, of some places. */
function findNotices(lines: RecordLines, places: readonly Origin[]): readonly Notice[] {
  if (places.length === 0) return [];
  return [...lines('notices.ndjson')].filter(
    (notice) => NOTICES[notice.code].outcome === 'notice' && places.some((place) => isAt(notice, place)),
  );
}

function isAt(notice: Notice, { source, file, line }: Origin): boolean {
  return notice.source === source && notice.file === file && notice.line === line;
}
