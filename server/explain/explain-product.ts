import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/column.ts';
import type { DealFilter } from '../query/apply-filters.ts';
import {
  chooseRepresentative,
  orderProducts,
  type OrderedProducts,
  type RepresentativeRule,
} from '../query/execute-products.ts';
import type { ProductsQuery } from '../query/query.ts';
import {
  createDealEvaluator,
  evaluateProduct,
  isProductFilter,
  spellFilter,
  type FilterResult,
  type SpelledFilter,
} from './evaluate-filters.ts';

/** How many deals of a product satisfy one filter alone. */
interface DealFilterCount extends SpelledFilter {
  readonly satisfiedBy: number;
}

/** The deal that fails the fewest filters, and these filters. */
interface NearestDeal {
  readonly deal: DealRow;
  readonly failed: readonly FilterResult[];
}

/**
 * One condition for a product to be in a response. They are checked in order, up to the first that excludes the product.
 */
export type ProductClause =
  | { readonly kind: 'path'; readonly holds: boolean; readonly wanted: string; readonly actual: string }
  | ({ readonly kind: 'filter' } & FilterResult)
  | {
      readonly kind: 'deals';
      /** Some deal of the product satisfies all deal filters; one asked for by its id stays without (D13). */
      readonly holds: boolean;
      readonly dealCount: number;
      readonly qualifyingCount: number;
      readonly filters: readonly DealFilterCount[];
      readonly nearest?: NearestDeal;
    }
  | {
      readonly kind: 'grouped';
      readonly holds: boolean;
      readonly model: string;
      readonly representative: ProductRow;
      /** The rule that decided; absent when this product is the representative. */
      readonly rule?: RepresentativeRule;
    }
  | {
      readonly kind: 'page';
      readonly holds: boolean;
      /** 1-based, over all pages. */
      readonly position: number;
      readonly totalCount: number;
      /** The page, counted from the first, and the place on it. */
      readonly page: number;
      readonly positionOnPage: number;
      /** The positions that the answer shows. */
      readonly shownFrom: number;
      readonly shownTo: number;
    };

/** Why a product is, or is not, in the response to a query. */
export interface ProductExplanation {
  readonly product: ProductRow;
  readonly isAnswered: boolean;
  readonly clauses: readonly ProductClause[];
  /** Among the deals that satisfy the deal filters. */
  readonly cheapest?: CheapestComparison;
}

/** Checks one product against every condition of a query, with the code that answers queries. */
export function explainProduct(
  product: ProductRow,
  query: ProductsQuery,
  index: CatalogueIndex,
  offset: number,
): ProductExplanation {
  const ordered = orderProducts(query, index);
  const clauses: ProductClause[] = [];
  for (const ask of [askPath, askFilters, askDeals, askGrouped, askPage]) {
    clauses.push(...ask(product, query, index, ordered, offset));
    if (clauses.some((clause) => excludes(clause, query))) break;
  }
  const cheapest = compareCheapest(index, ordered.dealFilter, product);
  return {
    product,
    isAnswered: !clauses.some((clause) => excludes(clause, query)),
    clauses,
    ...(cheapest === undefined ? {} : { cheapest }),
  };
}

/** Without a qualifying deal a product is left out of the list, and stays on its own path (D13). */
export function excludes(clause: ProductClause, query: ProductsQuery): boolean {
  return !clause.holds && !(clause.kind === 'deals' && query.id !== undefined);
}

type Ask = (
  product: ProductRow,
  query: ProductsQuery,
  index: CatalogueIndex,
  ordered: OrderedProducts,
  offset: number,
) => readonly ProductClause[];

const askPath: Ask = (product, { id }, index) => {
  if (id === undefined) return [];
  const actual = index.products[product]?.id ?? '';
  return [{ kind: 'path', holds: actual === id, wanted: id, actual }];
};

const askFilters: Ask = (product, { filters }, index) =>
  evaluateProduct(filters, index, product).map((result) => ({ kind: 'filter', ...result }));

const askDeals: Ask = (product, { filters }, index, { dealFilter }) => {
  if (!dealFilter.hasPredicate) return [];
  const evaluate = createDealEvaluator(filters, index);
  const counts = filters
    .filter((filter) => !isProductFilter(filter))
    .map((filter) => ({ ...spellFilter(filter), satisfiedBy: 0 }));
  let nearest: NearestDeal | undefined;
  let qualifyingCount = 0;
  const first = index.firstDeal(product);
  const end = index.endOfDeals(product);
  for (let deal = first; deal < end; deal = rowAt(deal + 1)) {
    const results = evaluate(deal);
    const failed = results.filter(({ holds }) => !holds);
    if (failed.length === 0) qualifyingCount++;
    else if (nearest === undefined || failed.length < nearest.failed.length) nearest = { deal, failed };
    results.forEach(({ holds }, i) => {
      const count = counts[i];
      if (holds && count !== undefined) count.satisfiedBy++;
    });
  }
  const holds = qualifyingCount > 0;
  return [
    {
      kind: 'deals',
      holds,
      dealCount: end - first,
      qualifyingCount,
      filters: counts,
      ...(holds || nearest === undefined ? {} : { nearest }),
    },
  ];
};

const askGrouped: Ask = (product, { isGrouped }, index, { products, dealFilter }) => {
  const model = index.products[product]?.model;
  // A product without a model is its own.
  if (!isGrouped || model === undefined) return [];
  const found = products.find((row) => index.products[row]?.model === model);
  if (found === undefined) throw new Error(`no product of the answer represents model ${model}`);
  const representative = rowAt<'product'>(found);
  if (representative === product) return [{ kind: 'grouped', holds: true, model, representative }];
  const { rule } = chooseRepresentative(representative, product, index, dealFilter);
  return [{ kind: 'grouped', holds: false, model, representative, rule }];
};

const askPage: Ask = (product, { pageLimit }, _index, { products }, offset) => {
  const before = products.indexOf(product);
  if (before === -1) throw new Error(`product row ${product} satisfies every clause and is not in the answer`);
  return [
    {
      kind: 'page',
      holds: before >= offset && before < offset + pageLimit,
      position: before + 1,
      totalCount: products.length,
      page: Math.floor(before / pageLimit) + 1,
      positionOnPage: (before % pageLimit) + 1,
      shownFrom: Math.min(offset + 1, products.length),
      shownTo: Math.min(offset + pageLimit, products.length),
    },
  ];
};

/** The rule that decides between the cheapest deal and the next (D11). */
export type CheapestRule = 'total-cost' | 'upfront-cost' | 'contract-price' | 'retailer-id' | 'key-or-feed';

/** The cheapest qualifying deal of a product, and the runner-up (D11). */
export interface CheapestComparison {
  readonly deal: DealRow;
  readonly runnerUp?: { readonly deal: DealRow; readonly rule: CheapestRule };
}

/** Undefined when no deal of the product qualifies. */
function compareCheapest(
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
