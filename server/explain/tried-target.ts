import { recordKey } from '../../data/record/product.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { DealRow, ProductRow } from '../../data/snapshot/column.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import { DealFilter, ProductFilter } from '../query/apply-filters.ts';
import { orderProducts, type OrderedProducts } from '../query/execute-products.ts';
import { MergedDeals } from '../query/merged-deals.ts';
import type { Filter, ProductsQuery } from '../query/query.ts';
import type { ExplainedAnswer, TriedFilter } from './explanation.ts';

/** A request for products, resolved against a snapshot. */
export interface ResolvedTarget {
  readonly target: string;
  readonly query: ProductsQuery;
  /** How many products come before the page. */
  readonly offset: number;
  /** Each filter as it was sent, and what it means alone. */
  readonly filters: readonly { readonly text: string; readonly alone: readonly Filter[] }[];
}

interface AloneFilter {
  /** As sent. */
  readonly text: string;
  readonly products: ProductFilter;
  readonly deals: DealFilter;
}

/** The answer to a request for products, and each of its filters alone. */
export class TriedTarget {
  readonly text: string;
  readonly #query: ProductsQuery;
  readonly #index: CatalogueIndex;
  readonly #offset: number;
  readonly #ordered: OrderedProducts;
  readonly #filters: readonly AloneFilter[];

  constructor({ target, query, offset, filters }: ResolvedTarget, index: CatalogueIndex) {
    this.text = target;
    this.#query = query;
    this.#offset = offset;
    this.#index = index;
    this.#ordered = orderProducts(query, index);
    this.#filters = filters.map(({ text, alone }) => ({
      text,
      products: new ProductFilter(alone, index),
      deals: new DealFilter(alone, index),
    }));
  }

  tryProduct(row: ProductRow): ExplainedAnswer {
    const filters = this.#filters.map(({ text, products, deals }): TriedFilter => {
      if (!deals.hasPredicate) return { filter: text, holds: products.accepts(row) };
      const dealCount = deals.countOf(row);
      return { filter: text, holds: dealCount > 0, dealCount };
    });
    return { ...this.#place(row, filters), filters };
  }

  tryDeal(row: DealRow, product: ProductRow): ExplainedAnswer {
    const filters = this.#filters.map(
      ({ text, products, deals }): TriedFilter => ({
        filter: text,
        holds: deals.hasPredicate ? deals.accepts(row) : products.accepts(product),
      }),
    );
    return { ...this.#placeDeal(row, product, filters), filters };
  }

  #place(row: ProductRow, filters: readonly TriedFilter[]): Omit<ExplainedAnswer, 'filters'> {
    const { pageLimit } = this.#query;
    const before = this.#ordered.products.indexOf(row);
    if (before === -1) return { isAnswered: false, why: this.#explainAbsence(row, filters) };
    const isAnswered = before >= this.#offset && before < this.#offset + pageLimit;
    const totalCount = this.#ordered.products.length;
    const [from, to] = [this.#offset + 1, Math.min(this.#offset + pageLimit, totalCount)];
    return { isAnswered, why: `it is number ${before + 1} of ${totalCount}, and this answer shows ${from} to ${to}` };
  }

  /** The first condition of the request that leaves the product out. */
  #explainAbsence(row: ProductRow, filters: readonly TriedFilter[]): string {
    const { id } = this.#query;
    const product = this.#index.products[row] as ProductLine;
    if (id !== undefined && product.id !== id) return `the path asks for product ${id}`;
    const isNeeded = ({ dealCount }: TriedFilter): boolean => id === undefined || dealCount === undefined;
    const failed = filters.filter((filter) => !filter.holds && isNeeded(filter));
    if (failed.length > 0) return `left out by ${failed.map(({ filter }) => filter).join(' and by ')}`;
    const standIn = this.#findRepresentative(product);
    if (standIn !== undefined) return `grouped: ${recordKey(standIn)} stands for the model ${product.model}`;
    return 'left out by its filters together: none of its deals satisfies all of them';
  }

  #findRepresentative({ model }: ProductLine): ProductLine | undefined {
    if (!this.#query.isGrouped || model === undefined) return undefined;
    const row = this.#ordered.products.find((other) => this.#index.products[other]?.model === model);
    return row === undefined ? undefined : this.#index.products[row];
  }

  #placeDeal(row: DealRow, product: ProductRow, filters: readonly TriedFilter[]): Omit<ExplainedAnswer, 'filters'> {
    const { dealSort, dealsPerProduct = Infinity, hasCheapestDeal } = this.#query;
    const { dealFilter } = this.#ordered;
    const failed = filters.filter(({ holds }) => !holds).map(({ filter }) => filter);
    if (!dealFilter.accepts(row)) return { isAnswered: false, why: `left out by ${failed.join(' and by ')}` };
    const ofProduct = this.#place(product, this.tryProduct(product).filters);
    if (!ofProduct.isAnswered) return { isAnswered: false, why: `its product is not there: ${ofProduct.why}` };
    const isCheapest = hasCheapestDeal && dealFilter.findCheapest(product) === row;
    if (dealSort === undefined) {
      return isCheapest
        ? { isAnswered: true, why: 'it is the cheapest deal of its product' }
        : { isAnswered: false, why: 'the request does not ask for deals; expand=products(deals) does' };
    }
    const own = [...new MergedDeals({ dealSort }, [product], this.#index, dealFilter)];
    const place = own.indexOf(row) + 1;
    const limit =
      place > dealsPerProduct ? `, and limit=deals(${dealsPerProduct}) keeps the first ${dealsPerProduct}` : '';
    const why = `it is number ${place} of the ${own.length} deals of its product that qualify${limit}`;
    return { isAnswered: isCheapest || limit === '', why };
  }
}
