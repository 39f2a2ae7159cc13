import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/row.ts';
import type { DealFilter } from '../query/deal-filter.ts';

/** What tells the cheapest deal from the next, in the order of D11. */
export type CheapestRule = 'total-cost' | 'upfront-cost' | 'contract-price' | 'retailer-id' | 'key-or-feed';

/** The cheapest qualifying deal of a product, and the one that would be it otherwise (D11). */
export interface CheapestComparison {
  readonly deal: DealRow;
  readonly runnerUp?: { readonly deal: DealRow; readonly rule: CheapestRule };
}

/** Undefined when no deal of the product qualifies. */
export function compareCheapest(
  index: CatalogueIndex,
  filter: DealFilter,
  product: ProductRow,
): CheapestComparison | undefined {
  const deal = filter.findCheapest(product);
  if (deal === undefined) return undefined;
  const runnerUp = filter.findFrom(rowAt(deal + 1), product);
  if (runnerUp !== undefined) return { deal, runnerUp: { deal: runnerUp, rule: findRule(index, deal, runnerUp) } };
  return { deal };
}

/** Rows of retailers are in order of their ids; deals that agree in everything else differ in key or feed. */
function findRule({ deals }: CatalogueIndex, a: DealRow, b: DealRow): CheapestRule {
  if (deals.totalPence.at(a) !== deals.totalPence.at(b)) return 'total-cost';
  if (deals.upfrontPence.at(a) !== deals.upfrontPence.at(b)) return 'upfront-cost';
  if (deals.monthlyPence.at(a) !== deals.monthlyPence.at(b)) return 'contract-price';
  return deals.retailer.at(a) === deals.retailer.at(b) ? 'key-or-feed' : 'retailer-id';
}
