import { recordKey } from '../../data/record/product.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import { addPricePoint, dayOf, formatPriceHistory, parsePriceHistory } from '../../data/snapshot/price-history.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { readRecords } from '../../data/store/lines.ts';
import { isRolledBack, listSnapshots, readCurrent, readManifest } from '../../data/store/snapshots.ts';
import type { Catalogue } from './catalogue-deals.ts';

/** The price histories of a snapshot, by variant (`101/new`). */
type PriceHistories = ReadonlyMap<string, string>;

/**
 * The price histories that a build continues: those of the snapshot being served. Where that one is damaged, or was made
 * under a clock that was ahead, those of the newest other snapshot: a history that is lost once stays lost.
 */
export function readPriceHistories(
  store: string,
  now: Date,
): { readonly histories: PriceHistories; readonly warnings: readonly string[] } {
  const current = readCurrent(store);
  if (current === undefined) return { histories: new Map(), warnings: [] };
  const others = listSnapshots(store).filter(({ id }) => id !== current && !isRolledBack(store, id));
  for (const id of [current, ...others.map(({ id: other }) => other).toReversed()]) {
    const histories = findHistories(store, id, now);
    if (histories === undefined) continue;
    const warning = `price histories continue those of ${id}: those of ${current}, the current snapshot, cannot be read, or are of a clock that was ahead`;
    return { histories, warnings: id === current ? [] : [warning] };
  }
  return { histories: new Map(), warnings: [`price histories begin today: no snapshot of the store has any`] };
}

/** Undefined when the manifest or the products are damaged, or from the future; the other files do not matter here. */
function findHistories(store: string, id: string, now: Date): PriceHistories | undefined {
  try {
    const manifest = readManifest(store, id);
    if (Date.parse(manifest.createdAt) > now.getTime()) return undefined;
    const histories = new Map<string, string>();
    for (const line of readRecords<ProductLine>(store, manifest, 'products.ndjson')) {
      if (line.priceHistory !== undefined) histories.set(recordKey(line), line.priceHistory);
    }
    return histories;
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
