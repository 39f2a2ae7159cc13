import { MAX_DEALS_PER_LINE, type DealsLine, type ProvenanceLine } from '../../data/snapshot/format.ts';
import type { CatalogueDeals } from '../records/catalogue.ts';

/** Some of the deals of one product. */
interface DealRange {
  readonly product: number;
  readonly start: number;
  readonly end: number;
}

/** The lines of `deals.ndjson`: parallel arrays, without those that are all 0. */
export function* encodeDeals(deals: CatalogueDeals): Generator<string> {
  for (const run of listRanges(deals)) {
    const cells = (column: Uint32Array) => collect(run, (row) => column[row] as number);
    const usedCells = (column: Uint32Array) => {
      const numbers = cells(column);
      return numbers.some((number) => number !== 0) ? numbers : undefined;
    };
    const line: DealsLine = {
      product: run.product,
      rank: cells(deals.rank),
      plan: cells(deals.plan),
      retailer: cells(deals.retailer),
      totalPence: cells(deals.totalPence),
      upfrontPence: cells(deals.upfrontPence),
      monthlyPence: cells(deals.monthlyPence),
      gift: usedCells(deals.gift),
      cashback: usedCells(deals.cashback),
      picture: usedCells(deals.picture),
      linkTemplate: cells(deals.linkTemplate),
      linkPart: collect(run, (row) => deals.linkPartAt(row)),
    };
    yield JSON.stringify(line);
  }
}

/** The lines of `provenance.ndjson`, parallel to those of `deals.ndjson`. */
export function* encodeProvenance(deals: CatalogueDeals): Generator<string> {
  for (const run of listRanges(deals)) {
    const origins = collect(run, (row) => deals.originAt(row));
    const evidence = collect(run, (row) => deals.matchAt(row));
    // Each evidence once, in the order of first use in the line.
    const matches = [...new Set(evidence)];
    const codes = new Map(matches.map((each, code) => [each, code]));
    const line: ProvenanceLine = {
      product: run.product,
      source: origins.map(({ source }) => source),
      file: origins.map(({ file }) => file),
      line: origins.map(({ line }) => line),
      key: collect(run, (row) => deals.keyAt(row)),
      matches: matches.map(({ rule, found }) => ({ rule, found })),
      match: evidence.map((each) => codes.get(each) as number),
    };
    yield JSON.stringify(line);
  }
}

function* listRanges({ rangeStart }: CatalogueDeals): Generator<DealRange> {
  for (let product = 0; product + 1 < rangeStart.length; product++) {
    const last = rangeStart[product + 1] ?? 0;
    for (let start = rangeStart[product] ?? 0; start < last; start += MAX_DEALS_PER_LINE) {
      yield { product, start, end: Math.min(last, start + MAX_DEALS_PER_LINE) };
    }
  }
}

function collect<Value>({ start, end }: DealRange, valueAt: (row: number) => Value): Value[] {
  const values: Value[] = [];
  for (let row = start; row < end; row++) values.push(valueAt(row));
  return values;
}
