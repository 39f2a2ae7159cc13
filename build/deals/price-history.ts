import { recordKey } from '../../data/record/product.ts';
import type { Manifest, ProductLine } from '../../data/snapshot/format.ts';
import { addPricePoint, dayOf, formatPriceHistory, parsePriceHistory } from '../../data/snapshot/price-history.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { readRecords } from '../../data/store/lines.ts';
import { isRolledBack, listSnapshots, readCurrent, readManifest } from '../../data/store/snapshots.ts';
import type { Catalogue } from './catalogue-deals.ts';

/** The price histories of a snapshot, by variant (`101/new`). */
export type PriceHistories = ReadonlyMap<string, string>;

interface EarlierHistories {
  readonly histories: PriceHistories;
  /** Where they are not those of the snapshot being served. */
  readonly warnings: readonly string[];
}

/**
 * The price histories that a build continues: those of the snapshot being served. Where that one is damaged, or was made
 * under a clock that was ahead, those of the newest other snapshot: a history that is lost once stays lost.
 */
export function readPriceHistories(store: string, now: Date): EarlierHistories {
  const current = readCurrent(store);
  if (current === undefined) return { histories: new Map(), warnings: [] };
  const isAhead = ({ createdAt }: Manifest): boolean => Date.parse(createdAt) > now.getTime();
  const served = findHistories(store, current);
  if (served !== undefined && !isAhead(served.manifest)) return { histories: served.histories, warnings: [] };
  for (const { id, manifest } of listSnapshots(store).toReversed()) {
    if (id === current || manifest === undefined || isAhead(manifest) || isRolledBack(store, id)) continue;
    const other = findHistories(store, id);
    if (other === undefined) continue;
    const reason = served === undefined ? 'cannot be read' : 'was made under a clock that is ahead of this one';
    const warning = `price histories continue those of ${id}: the products of ${current}, the current snapshot, ${reason}`;
    return { histories: other.histories, warnings: [warning] };
  }
  const warning = `price histories begin today: those of ${current}, the current snapshot, cannot be read`;
  return { histories: served?.histories ?? new Map(), warnings: served === undefined ? [warning] : [] };
}

/** Undefined when the manifest or the products are damaged; the other files do not matter here. */
function findHistories(
  store: string,
  id: string,
): { readonly manifest: Manifest; readonly histories: PriceHistories } | undefined {
  try {
    const manifest = readManifest(store, id);
    const histories = new Map<string, string>();
    for (const line of readRecords<ProductLine>(store, manifest, 'products.ndjson')) {
      if (line.priceHistory !== undefined) histories.set(recordKey(line), line.priceHistory);
    }
    return { manifest, histories };
  } catch (error) {
    if (error instanceof SnapshotError) return undefined;
    throw error;
  }
}

/** The price history of each product, by row, with the state of this build for today. */
export function continuePriceHistories(
  { records, deals }: Catalogue,
  histories: PriceHistories,
  now: Date,
): readonly string[] {
  const day = dayOf(now);
  return records.products.map(({ record }, row) => {
    const text = histories.get(recordKey(record));
    const points = text === undefined ? [] : parsePriceHistory(text);
    // The deals of a product are in order of rank, so the first is the cheapest.
    const first = deals.rangeStart[row] as number;
    const dealCount = (deals.rangeStart[row + 1] as number) - first;
    const prices = {
      totalPence: deals.totalPence[first] as number,
      monthlyPence: deals.monthlyPence[first] as number,
      upfrontPence: deals.upfrontPence[first] as number,
    };
    return formatPriceHistory(addPricePoint(points, { day, dealCount, ...(dealCount === 0 ? {} : { prices }) }));
  });
}
