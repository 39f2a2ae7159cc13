import { recordKey } from '../../data/record/product.ts';
import type { CatalogueIndex, DealRow, ProductRow } from '../../data/snapshot/catalogue-index.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import { toOriginForm } from '../http/request.ts';
import { listDeals, orderProducts } from '../query/execute.ts';
import { compileProductFilter, DealFilter, isFilterParameter, parseFilters } from '../query/filter.ts';
import { QueryIssues, splitTarget } from '../query/query-text.ts';
import type { ProductsQuery } from '../query/query.ts';
import { resolveRequest, singleSnapshot } from '../catalogue.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';

interface TriedFilter {
  /** As sent: `filter[totalCost]=lte{500}`. */
  readonly filter: string;
  readonly holds: boolean;
  /** Of a product and a filter of deals: how many of its deals satisfy it. */
  readonly dealCount?: number;
}

/** Whether a response has a record, and why. */
interface Place {
  readonly isAnswered: boolean;
  readonly why: string;
}

/** A target without products to explain; the message says why. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/** The answer to a request for products, as a server gives it, and each of its filters alone. */
export class TriedTarget {
  readonly text: string;
  readonly #query: ProductsQuery;
  readonly #index: CatalogueIndex;
  readonly #offset: number;
  readonly #ordered: ReturnType<typeof orderProducts>;
  readonly #filters: readonly {
    readonly text: string;
    readonly passes: (product: ProductRow) => boolean;
    readonly deals: DealFilter;
  }[];

  /** @throws {TargetError} for a target that is refused, or that answers with something else */
  constructor(target: string, snapshot: LoadedSnapshot) {
    const resolved = resolveRequest(splitTarget(toOriginForm(target)), singleSnapshot(snapshot));
    if ('code' in resolved) throw new TargetError(`the target is refused: ${resolved.detail}`);
    const { query, offset, pairs } = resolved;
    if (query.kind !== 'products') {
      throw new TargetError(`expected a target that answers with products, got one that answers with ${query.kind}`);
    }
    const { index } = snapshot;
    this.text = target;
    this.#query = query;
    this.#offset = offset;
    this.#index = index;
    this.#ordered = orderProducts(query, index);
    this.#filters = pairs
      .filter(({ name }) => isFilterParameter(name))
      .map((pair) => {
        const alone = parseFilters([pair], index, new QueryIssues());
        const compiled = { passes: compileProductFilter(alone, index), deals: new DealFilter(alone, index) };
        return { text: `${pair.name}=${pair.value}`, ...compiled };
      });
  }

  /** Whether the response has a product, or one of its deals, and what every filter alone says of it. */
  tryRecord(product: ProductRow, deal?: DealRow): Place & { readonly filters: readonly TriedFilter[] } {
    const filters = this.#filters.map(({ text: filter, passes, deals }): TriedFilter => {
      if (!deals.hasPredicate) return { filter, holds: passes(product) };
      if (deal !== undefined) return { filter, holds: deals.accepts(deal) };
      const dealCount = deals.listOf(product).length;
      return { filter, holds: dealCount > 0, dealCount };
    });
    const failed = filters.filter(({ holds }) => !holds);
    const place = deal === undefined ? this.#placeProduct(product, failed) : this.#placeDeal(product, deal, failed);
    return { ...place, filters };
  }

  #placeProduct(row: ProductRow, failed: readonly TriedFilter[]): Place {
    const { products } = this.#ordered;
    const before = products.indexOf(row);
    if (before === -1) return { isAnswered: false, why: this.#explainAbsence(row, failed) };
    const end = Math.min(this.#offset + this.#query.pageLimit, products.length);
    return {
      isAnswered: before >= this.#offset && before < end,
      why: `it is number ${before + 1} of ${products.length}, and this answer shows ${this.#offset + 1} to ${end}`,
    };
  }

  /** The first condition of the request that leaves the product out. */
  #explainAbsence(row: ProductRow, failed: readonly TriedFilter[]): string {
    const { id, isGrouped } = this.#query;
    const { products, firstOfModel } = this.#index;
    const product = products[row] as ProductLine;
    if (id !== undefined && product.id !== id) return `the path asks for product ${id}`;
    // On its own path a product needs no deal (D13).
    const decisive = id === undefined ? failed : failed.filter(({ dealCount }) => dealCount === undefined);
    if (decisive.length > 0) return leftOutBy(decisive);
    const standIn = this.#ordered.products.find((other) => firstOfModel[other] === firstOfModel[row]);
    if (isGrouped && standIn !== undefined) {
      return `grouped: ${recordKey(products[standIn] as ProductLine)} stands for the model ${product.model}`;
    }
    return 'left out by its filters together: none of its deals satisfies all of them';
  }

  #placeDeal(product: ProductRow, row: DealRow, failed: readonly TriedFilter[]): Place {
    const { dealSort, dealsPerProduct = Infinity, hasCheapestDeal } = this.#query;
    const { dealFilter } = this.#ordered;
    if (!dealFilter.accepts(row)) return { isAnswered: false, why: leftOutBy(failed) };
    const ofProduct = this.tryRecord(product);
    if (!ofProduct.isAnswered) return { isAnswered: false, why: `its product is not there: ${ofProduct.why}` };
    const isCheapest = hasCheapestDeal && dealFilter.findCheapest(product) === row;
    if (dealSort === undefined) {
      return isCheapest
        ? { isAnswered: true, why: 'it is the cheapest deal of its product' }
        : { isAnswered: false, why: 'the request does not ask for deals; expand=products(deals) does' };
    }
    const own = listDeals({ dealSort }, [product], this.#index, dealFilter) ?? [];
    const place = own.indexOf(row) + 1;
    const limit =
      place > dealsPerProduct ? `, and limit=deals(${dealsPerProduct}) keeps the first ${dealsPerProduct}` : '';
    const why = `it is number ${place} of the ${own.length} deals of its product that qualify${limit}`;
    return { isAnswered: isCheapest || limit === '', why };
  }
}

function leftOutBy(failed: readonly TriedFilter[]): string {
  return `left out by ${failed.map(({ filter }) => filter).join(' and by ')}`;
}
