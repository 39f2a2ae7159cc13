import { MATCH_RULE_MEANINGS } from '../../data/record/deal.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import type { SourceLocation } from '../../data/report/source-location.ts';
import type { DealRow } from '../../data/snapshot/column.ts';
import { findClosestNames, matchesPart, parseRecordQuery } from '../../data/store/record-query.ts';
import {
  countDealsOf,
  explainNotice,
  listExcludedDeals,
  pricesOf,
  retailerOf,
  SEARCHED_FILES,
  SnapshotSearch,
  variantAt,
  type DealHit,
  type ProductHit,
  type ShownPrices,
} from '../../data/store/snapshot-search.ts';
import { TimeSlice } from '../http/scheduler.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import type { FoundDeal, FoundNotice, FoundProduct, RecordSearch } from './record-search.ts';
import { listFile, scanLines } from './snapshot-files.ts';
import type { ReportStatus } from './snapshot-report.ts';

/**
 * Searches a word as `deals explain` does (`SnapshotSearch`). Served records are in memory; the others are read from the
 * files in chunks.
 * @throws {SnapshotError} `unknown-snapshot` when the snapshot is no longer in the store, else what is wrong with a file
 */
export async function searchRecords(
  store: string,
  snapshot: LoadedSnapshot,
  report: ReportStatus,
  text: string,
  now: Date,
  signal: AbortSignal,
): Promise<RecordSearch> {
  const { index, manifest } = snapshot;
  const wanted = parseRecordQuery(text, index);
  const search = new SnapshotSearch({ index, sources: manifest.sources }, wanted);
  for (const name of SEARCHED_FILES) {
    await scanLines(listFile(store, manifest, name), { signal }, (line) => {
      search.take(name, line);
      return true;
    });
  }
  const { products, deals, leftOut, names } = search.finish();
  const gone = (report.changes?.productsGone.items ?? []).filter(
    ({ product, name }) => product === text || product.startsWith(`${text}/`) || matchesPart(wanted, name),
  );
  const renamed = (report.changes?.productsChanged.items ?? []).filter(
    ({ renamed: { name, slug } = {} }) =>
      (name !== undefined && matchesPart(wanted, name.from)) || (slug !== undefined && matchesPart(wanted, slug.from)),
  );
  const isNothing = [products.count, deals.count, leftOut.count, names.count, renamed.length, gone.length].every(
    (n) => n === 0,
  );
  const { products: all, productNameKeys } = index;
  const known = { products: all, productNameKeys, unmatchedNames: report.unmatchedNames.map(({ name }) => name) };
  return {
    asked: text,
    snapshot: manifest.id,
    now: now.toISOString(),
    currencyLabel: index.currency.label,
    products: {
      count: products.count,
      items: products.items.map((hit) => describeFoundProduct(snapshot, report, hit)),
    },
    deals: { count: deals.count, items: deals.items.map((hit) => describeFoundDeal(snapshot, hit)) },
    leftOut: { count: leftOut.count, items: leftOut.items.map(describeFoundNotice) },
    names,
    renamed: renamed.map(({ product, name, renamed: names }) => ({
      product,
      name,
      ...(names === undefined ? {} : { renamed: names }),
    })),
    gone,
    nearest: isNothing ? await new TimeSlice().run(findClosestNames(wanted, known)) : [],
  };
}

function describeFoundProduct(
  snapshot: LoadedSnapshot,
  { withoutDeals }: Pick<ReportStatus, 'withoutDeals'>,
  { row, origin, leftOut, notices }: ProductHit,
): FoundProduct {
  const { index } = snapshot;
  const { id, condition, name, slug } = index.products[row] as (typeof index.products)[number];
  const product = variantAt(index, row);
  const dealCount = countDealsOf(index, row);
  const lastDeal = withoutDeals?.get(product)?.lastDeal;
  return {
    product,
    id,
    condition,
    name,
    slug,
    dealCount,
    // Deals of a product are in order of total cost.
    ...(dealCount === 0 ? {} : { cheapest: describeCheapest(snapshot, index.firstDeal(row)) }),
    dealsLeftOut: listExcludedDeals({ leftOut }),
    ...(lastDeal === undefined ? {} : { lastDeal }),
    origin,
    ...stateOf(snapshot, origin),
    notices: notices.map(describeFoundNotice),
  };
}

function describeFoundDeal(snapshot: LoadedSnapshot, hit: DealHit): FoundDeal {
  const { row, key, retailer, origin, match, notices } = hit;
  return {
    key,
    product: variantAt(snapshot.index, hit.product),
    name: snapshot.index.products[hit.product]?.name ?? '',
    origin,
    match: { ...match, meaning: MATCH_RULE_MEANINGS[match.rule] },
    ...(row === undefined ? {} : { prices: pricesOf(snapshot.index, row) }),
    ...(retailer === undefined ? {} : { retailer }),
    ...stateOf(snapshot, origin),
    notices: notices.map(describeFoundNotice),
  };
}

function describeFoundNotice(notice: Notice): FoundNotice {
  return { ...notice, ...explainNotice(notice) };
}

function describeCheapest(
  snapshot: LoadedSnapshot,
  row: DealRow,
): ShownPrices & { readonly retailer: string; readonly network: string } {
  const { deals, plans, networks } = snapshot.index;
  const network = networks[plans[deals.plan.at(row)]?.network ?? -1]?.name ?? '';
  return { ...pricesOf(snapshot.index, row), retailer: retailerOf(snapshot.index, row), network };
}

function stateOf(
  { manifest }: LoadedSnapshot,
  { source }: SourceLocation,
): { readonly sourceState?: ManifestSource['state'] } {
  const state = manifest.sources.find(({ name }) => name === source)?.state;
  return state === undefined || state === 'fresh' ? {} : { sourceState: state };
}
