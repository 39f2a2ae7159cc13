import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow } from '../../data/snapshot/column.ts';
import { executeProducts, orderProducts } from '../query/execute-products.ts';
import { MergedDeals } from '../query/merged-deals.ts';
import type { ProductsQuery } from '../query/query.ts';
import { explainProduct, type ProductExplanation } from './explain-product.ts';
import { createDealEvaluator, type FilterResult } from './evaluate-filters.ts';

/** The place of a deal in the `deals` array of a response, or why it is not there (D10). */
export type DealListing =
  /** Deals are not expanded. */
  | { readonly kind: 'not-expanded' }
  /** Its product is not in the answer. */
  | { readonly kind: 'product-not-answered' }
  /** A deal filter refuses it. */
  | { readonly kind: 'filtered' }
  /** `limit=deals(n)` keeps the first n of each product, and it is not among them (D15). */
  | ({ readonly kind: 'cut'; readonly perProduct: number } & PlaceInProduct)
  | ({ readonly kind: 'listed'; readonly position: number; readonly count: number } & PlaceInProduct);

/** The place of a deal among the qualifying deals of its product, in the order of the answer. */
interface PlaceInProduct {
  readonly placeInProduct: number;
  readonly qualifyingCount: number;
}

/** Why a deal is, or is not, in the response to a query. */
export interface DealExplanation {
  readonly deal: DealRow;
  readonly filters: readonly FilterResult[];
  readonly isCheapest: boolean;
  readonly listing: DealListing;
  readonly product: ProductExplanation;
}

/** Checks one deal against every condition of a query, with the code that answers queries. */
export function explainDeal(
  deal: DealRow,
  query: ProductsQuery,
  index: CatalogueIndex,
  offset: number,
): DealExplanation {
  const row = rowAt<'product'>(index.deals.product.at(deal));
  const product = explainProduct(row, query, index, offset);
  const filters = createDealEvaluator(query.filters, index)(deal);
  return {
    deal,
    filters,
    isCheapest: product.cheapest?.deal === deal,
    listing: findListing(deal, query, index, offset, product, filters),
    product,
  };
}

function findListing(
  deal: DealRow,
  query: ProductsQuery,
  index: CatalogueIndex,
  offset: number,
  { product, isAnswered }: ProductExplanation,
  filters: readonly FilterResult[],
): DealListing {
  const { dealSort, dealsPerProduct: perProduct } = query;
  if (dealSort === undefined) return { kind: 'not-expanded' };
  if (!isAnswered) return { kind: 'product-not-answered' };
  if (filters.some(({ holds }) => !holds)) return { kind: 'filtered' };
  const { dealFilter } = orderProducts(query, index);
  const own = [...new MergedDeals({ dealSort }, [product], index, dealFilter)];
  const place = { placeInProduct: own.indexOf(deal) + 1, qualifyingCount: own.length };
  if (perProduct !== undefined && place.placeInProduct > perProduct) return { kind: 'cut', perProduct, ...place };
  const listed = [...(executeProducts(query, index, offset).deals ?? [])];
  return { kind: 'listed', position: listed.indexOf(deal) + 1, count: listed.length, ...place };
}
