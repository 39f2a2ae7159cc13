import type { DealHit } from '../../data/report/snapshot-search.ts';
import { retailerOf } from '../../data/report/snapshot-search.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow } from '../../data/snapshot/row.ts';
import { readValues, type RecordLines } from './record-lines.ts';

/** Where a deal that is served came from. */
export type DealOrigin = Pick<DealHit, 'key' | 'origin'> & { readonly retailer: string };

/** The deals of some rows. */
export function readDealOrigins(
  lines: RecordLines,
  index: CatalogueIndex,
  rows: ReadonlySet<DealRow>,
): ReadonlyMap<DealRow, DealOrigin> {
  const found = new Map<DealRow, DealOrigin>();
  if (rows.size === 0) return found;
  let position = 0;
  for (const { source, file, line, key } of readValues(lines, 'provenance.ndjson')) {
    for (let i = 0; i < key.length; i++) {
      const row = rowAt<'deal'>(position++);
      if (!rows.has(row)) continue;
      // The arrays of a line were found to be as long as each other before it was published.
      const origin = { source: source[i] as string, file: file[i] as string, line: line[i] as number };
      found.set(row, { key: key[i] as string, origin, retailer: retailerOf(index, row) });
    }
  }
  return found;
}
