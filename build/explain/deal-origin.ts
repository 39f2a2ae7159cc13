import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { ProvenanceLine } from '../../data/snapshot/format.ts';
import { rowAt, type DealRow } from '../../data/snapshot/row.ts';
import type { MatchWay } from '../catalogue/match-product.ts';
import type { Origin } from '../source/origin.ts';
import type { RecordLines } from './record-lines.ts';

/** A deal that is served: where it came from, whose it is, and how it found its product. */
export interface DealOrigin {
  readonly row: DealRow;
  readonly key: string;
  readonly retailer: string;
  readonly origin: Origin;
  readonly match: MatchWay;
}

/** Goes through the deals of a snapshot in order of their rows, and yields those that are wanted. */
export function* findDealOrigins(
  lines: RecordLines,
  index: CatalogueIndex,
  isWanted: (line: ProvenanceLine, position: number, retailer: string, row: DealRow) => boolean,
): Generator<DealOrigin> {
  let row = 0;
  for (const line of lines('provenance.ndjson')) {
    for (let i = 0; i < line.key.length; i++, row++) {
      const dealRow = rowAt<'deal'>(row);
      const retailer = index.retailers[index.deals.retailer.at(dealRow)]?.slug ?? '';
      if (isWanted(line, i, retailer, dealRow)) yield describeDeal(line, i, retailer, dealRow);
    }
  }
}

/** The deals of some rows. */
export function readDealOrigins(
  lines: RecordLines,
  index: CatalogueIndex,
  rows: ReadonlySet<DealRow>,
): ReadonlyMap<DealRow, DealOrigin> {
  if (rows.size === 0) return new Map();
  const origins = findDealOrigins(lines, index, (_line, _position, _retailer, row) => rows.has(row));
  return new Map([...origins].map((deal) => [deal.row, deal]));
}

function describeDeal(line: ProvenanceLine, i: number, retailer: string, row: DealRow): DealOrigin {
  // The arrays of a line were found to be as long as each other before it was published.
  return {
    row,
    key: line.key[i] as string,
    retailer,
    origin: { source: line.source[i] as string, file: line.file[i] as string, line: line.line[i] as number },
    match: line.matches[line.match[i] as number] as MatchWay,
  };
}
