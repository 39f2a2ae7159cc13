import { formatPence } from '../../data/record/money.ts';
import { MATCH_RULE_MEANINGS } from '../../data/report/match-rule.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import { listLeftOutDeals, retailerOf, type DealHit, type ProductHit } from '../../data/report/snapshot-search.ts';
import type { DealRow } from '../../data/snapshot/row.ts';
import type { OpenSnapshot } from '../snapshot/open-snapshot.ts';
import type { FoundDeal, FoundNotice, FoundPrices, FoundProduct, Place } from './record-search.ts';
import type { ReportStatus } from './snapshot-report.ts';

export function describeProduct(
  snapshot: OpenSnapshot,
  { withoutDeals }: Pick<ReportStatus, 'withoutDeals'>,
  { row, origin, leftOut, notices }: ProductHit,
): FoundProduct {
  const { index } = snapshot;
  const { id, condition, name, slug } = index.products[row] as (typeof index.products)[number];
  const product = `${id}/${condition}`;
  const first = index.firstDeal(row);
  const dealCount = index.endOfDeals(row) - first;
  const lastDeal = withoutDeals?.get(product)?.lastDeal;
  return {
    product,
    id,
    condition,
    name,
    slug,
    dealCount,
    // Deals of a product are in order of total cost.
    ...(dealCount === 0 ? {} : { cheapest: describeCheapest(snapshot, first) }),
    dealsLeftOut: listLeftOutDeals({ leftOut }),
    ...(lastDeal === undefined ? {} : { lastDeal }),
    origin,
    ...stateOf(snapshot, origin),
    notices: notices.map(describeNotice),
  };
}

export function describeDeal(snapshot: OpenSnapshot, hit: DealHit): FoundDeal {
  const { row, key, retailer, origin, match, notices } = hit;
  const product = snapshot.index.products[hit.product];
  return {
    key,
    product: `${product?.id}/${product?.condition}`,
    name: product?.name ?? '',
    origin,
    match: { ...match, meaning: MATCH_RULE_MEANINGS[match.rule] },
    ...(row === undefined ? {} : { prices: pricesOf(snapshot, row) }),
    ...(retailer === undefined ? {} : { retailer }),
    ...stateOf(snapshot, origin),
    notices: notices.map(describeNotice),
  };
}

export function describeNotice(notice: Notice): FoundNotice {
  const { outcome, meaning, remedy } = NOTICES[notice.code];
  return { ...notice, outcome, meaning, remedy: notice.remedy ?? remedy };
}

function describeCheapest(
  snapshot: OpenSnapshot,
  row: DealRow,
): FoundPrices & { readonly retailer: string; readonly network: string } {
  const { deals, plans, networks } = snapshot.index;
  const network = networks[plans[deals.plan.at(row)]?.network ?? -1]?.name ?? '';
  return { ...pricesOf(snapshot, row), retailer: retailerOf(snapshot.index, row), network };
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
