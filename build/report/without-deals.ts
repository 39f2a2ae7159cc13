import { compareCodeUnits } from '../../data/record/id.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Notice, NoticeCode } from '../../data/report/notice.ts';
import type { ProductWithoutDeals } from '../../data/report/report.ts';
import type { ServedSnapshot } from '../gate/served-snapshot.ts';
import type { Catalogue } from '../records/catalogue.ts';

/**
 * The products without a deal, with what the feeds have for each. The time of the last deal is known for products of
 * the snapshot being served: they have a deal, or their entry has that time.
 */
export function listProductsWithoutDeals(
  { records, deals }: Pick<Catalogue, 'records' | 'deals'>,
  notices: readonly Notice[],
  served: ServedSnapshot,
): readonly ProductWithoutDeals[] {
  const products = records.products
    .map(({ record }) => recordKey(record))
    .filter((_, row) => deals.rangeStart[row] === deals.rangeStart[row + 1]);
  if (products.length === 0) return [];
  const counts = countExcluded(new Set(products), notices);
  const findLastDeal = createFindLastDeal(served);
  return products.map((product) => {
    const leftOut = Array.from(counts.get(product) ?? [], ([code, count]) => ({ code, count }));
    return {
      product,
      leftOut: leftOut.sort((a, b) => b.count - a.count || compareCodeUnits(a.code, b.code)),
      lastDeal: findLastDeal(product),
    };
  });
}

function countExcluded(
  products: ReadonlySet<string>,
  notices: readonly Notice[],
): ReadonlyMap<string, ReadonlyMap<NoticeCode, number>> {
  const counts = new Map<string, Map<NoticeCode, number>>();
  for (const { product, code } of notices) {
    if (product === undefined || !products.has(product)) continue;
    const codes = counts.get(product) ?? new Map<NoticeCode, number>();
    counts.set(product, codes.set(code, (codes.get(code) ?? 0) + 1));
  }
  return counts;
}

function createFindLastDeal(served: ServedSnapshot): (product: string) => ProductWithoutDeals['lastDeal'] {
  // Older snapshots do not say which of their products had no deal.
  if (served.kind !== 'known' || served.report.withoutDeals === undefined) return () => undefined;
  const known = new Map(served.report.withoutDeals.map(({ product, lastDeal }) => [product, lastDeal]));
  const lastDeal = { snapshot: served.id, at: served.confirmedAt };
  return (product) => {
    if (known.has(product)) return known.get(product);
    return served.records.products.has(product) ? lastDeal : undefined;
  };
}
