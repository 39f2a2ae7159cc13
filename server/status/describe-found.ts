import { formatPence } from '../../data/record/money.ts';
import { MATCH_RULE_MEANINGS } from '../../data/report/match-rule.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import { MAX_DEALS_PER_LINE, type ProvenanceLine } from '../../data/snapshot/format.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/row.ts';
import type { OpenSnapshot } from '../snapshot/open-snapshot.ts';
import type { FoundDeal, FoundNotice, FoundPrices, FoundProduct, Place } from './record-search.ts';

/** Something that was found, to which notices may be added. */
export type Noticed<Item extends { readonly notices: readonly FoundNotice[] }> = Item & {
  readonly notices: FoundNotice[];
};

/** @param row of a product of the snapshot */
export function describeProduct(snapshot: OpenSnapshot, row: ProductRow, origin: Place): Noticed<FoundProduct> {
  const { index } = snapshot;
  const { id, condition, name, slug } = index.products[row] as (typeof index.products)[number];
  const first = index.firstDeal(row);
  const dealCount = index.endOfDeals(row) - first;
  return {
    product: `${id}/${condition}`,
    id,
    condition,
    name,
    slug,
    dealCount,
    // Deals of a product are in order of total cost.
    ...(dealCount === 0 ? {} : { cheapest: describeCheapest(snapshot, first) }),
    origin,
    ...stateOf(snapshot, origin),
    notices: [],
  };
}

/** @param row absent when it cannot be told, and with it the retailer and the prices */
export function describeDeal(
  snapshot: OpenSnapshot,
  line: ProvenanceLine,
  position: number,
  row: DealRow | undefined,
): Noticed<FoundDeal> {
  const product = snapshot.index.products[line.product];
  // The arrays of a line were found to be as long as each other before it was published.
  const origin = {
    source: line.source[position] as string,
    file: line.file[position] as string,
    line: line.line[position] as number,
  };
  const match = line.matches[line.match[position] as number] as ProvenanceLine['matches'][number];
  return {
    key: line.key[position] as string,
    product: `${product?.id}/${product?.condition}`,
    name: product?.name ?? '',
    origin,
    match: { ...match, meaning: MATCH_RULE_MEANINGS[match.rule] },
    ...(row === undefined ? {} : { retailer: retailerOf(snapshot, row), prices: pricesOf(snapshot, row) }),
    ...stateOf(snapshot, origin),
    notices: [],
  };
}

export function describeNotice(notice: Notice): FoundNotice {
  const { outcome, meaning, remedy } = NOTICES[notice.code];
  return { ...notice, outcome, meaning, remedy: notice.remedy ?? remedy };
}

/** The slug of the retailer of a deal. */
export function retailerOf({ index }: OpenSnapshot, row: DealRow): string {
  return index.retailers[index.deals.retailer.at(row)]?.slug ?? '';
}

/**
 * The row of the first deal of a line; undefined when the lines of the product before it were not full, so that it cannot
 * be told.
 */
export function findFirstRow(
  { index }: OpenSnapshot,
  { product, key }: ProvenanceLine,
  linesBefore: number,
): number | undefined {
  const row = rowAt<'product'>(product);
  const start = index.firstDeal(row) + linesBefore * MAX_DEALS_PER_LINE;
  const end = start + key.length;
  const isFull = key.length === MAX_DEALS_PER_LINE;
  return end === index.endOfDeals(row) || (isFull && end < index.endOfDeals(row)) ? start : undefined;
}

function describeCheapest(
  snapshot: OpenSnapshot,
  row: DealRow,
): FoundPrices & { readonly retailer: string; readonly network: string } {
  const { deals, plans, networks } = snapshot.index;
  const network = networks[plans[deals.plan.at(row)]?.network ?? -1]?.name ?? '';
  return { ...pricesOf(snapshot, row), retailer: retailerOf(snapshot, row), network };
}

function pricesOf({ index }: OpenSnapshot, row: DealRow): FoundPrices {
  const { deals } = index;
  return {
    upfrontCost: formatPence(deals.upfrontPence.at(row)),
    monthlyCost: formatPence(deals.monthlyPence.at(row)),
    totalCost: formatPence(deals.totalPence.at(row)),
  };
}

function stateOf({ manifest }: OpenSnapshot, { source }: Place): { readonly sourceState?: ManifestSource['state'] } {
  const state = manifest.sources.find(({ name }) => name === source)?.state;
  return state === undefined || state === 'fresh' ? {} : { sourceState: state };
}
