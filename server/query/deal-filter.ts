import type { CatalogueIndex, DealColumns } from '../../data/snapshot/catalogue-index.ts';
import type { NumberColumn } from '../../data/snapshot/column.ts';
import type { DealRow, ProductRow } from '../../data/snapshot/row.ts';
import type { FilterOperator, Offer } from '../../data/query/filter.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { Filter, SetOperator } from './filter.ts';

/** A test of one column of money: bounds first, then the lists of `eq` and `ne`. */
interface MoneyTest {
  readonly column: NumberColumn<'deal'>;
  readonly min: number;
  readonly max: number;
  readonly among: ReadonlySet<number> | undefined;
  readonly except: ReadonlySet<number> | undefined;
}

/**
 * The deal filters of a query, compiled against a snapshot: what depends on plan or retailer is a table with one
 * answer for each, what depends on money a test of a column. All must hold on the same deal (D13).
 */
export class DealFilter {
  /** False when the query has no deal filter, so that every deal qualifies. */
  readonly isSelective: boolean;
  readonly #index: CatalogueIndex;
  readonly #deals: DealColumns;
  readonly #plans: Uint8Array | undefined;
  readonly #retailers: Uint8Array | undefined;
  readonly #money: readonly MoneyTest[];
  readonly #offers: ((hasCashback: boolean, hasGift: boolean) => boolean) | undefined;

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#index = index;
    this.#deals = index.deals;
    this.#plans = compilePlans(filters, index);
    this.#retailers = compileRetailers(filters, index);
    this.#money = compileMoney(filters, index.deals);
    this.#offers = compileOffers(filters);
    this.isSelective =
      this.#plans !== undefined ||
      this.#retailers !== undefined ||
      this.#money.length > 0 ||
      this.#offers !== undefined;
  }

  accepts(row: DealRow): boolean {
    const deals = this.#deals;
    if (this.#plans !== undefined && this.#plans[deals.plan.at(row)] === 0) return false;
    if (this.#retailers !== undefined && this.#retailers[deals.retailer.at(row)] === 0) return false;
    for (const test of this.#money) {
      const pence = test.column.at(row);
      if (pence < test.min || pence > test.max) return false;
      if (test.among !== undefined && !test.among.has(pence)) return false;
      if (test.except !== undefined && test.except.has(pence)) return false;
    }
    return this.#offers === undefined || this.#offers(deals.cashback.at(row) !== 0, deals.gift.at(row) !== 0);
  }

  /** The cheapest qualifying deal of a product: its deals are in order of cost, so the first that qualifies (D11). */
  findCheapest(product: ProductRow): DealRow | undefined {
    const end = this.#index.endOfDeals(product);
    for (let row = this.#index.firstDeal(product); row < end; row++) {
      if (this.accepts(row)) return row;
    }
    return undefined;
  }
}

function compilePlans(filters: readonly Filter[], index: CatalogueIndex): Uint8Array | undefined {
  const tests = filters.flatMap((filter): readonly ((plan: Plan) => boolean)[] => {
    switch (filter.name) {
      case 'networks': {
        const rows: ReadonlySet<number> = new Set(filter.rows);
        return [(plan) => isSelected(filter.operator, rows.has(plan.network))];
      }
      case 'contractLength':
        return [(plan) => compares(filter.operator, plan.contractMonths, filter.quantities)];
      case 'dataAllowance':
        return [
          ({ dataMegabytes }) =>
            compares(filter.operator, dataMegabytes === 'unlimited' ? Infinity : dataMegabytes, filter.quantities),
        ];
      case 'upfrontCost':
      case 'monthlyCost':
      case 'totalCost':
      case 'retailers':
      case 'manufacturers':
      case 'condition':
      case 'offers':
      case 'id':
      case 'slug':
        return [];
    }
  });
  if (tests.length === 0) return undefined;
  return Uint8Array.from(index.plans, (plan) => Number(tests.every((test) => test(plan))));
}

function compileRetailers(filters: readonly Filter[], index: CatalogueIndex): Uint8Array | undefined {
  const given = filters.flatMap((filter) => (filter.name === 'retailers' ? [filter] : []));
  if (given.length === 0) return undefined;
  return Uint8Array.from(index.retailers, (_retailer, position) =>
    Number(given.every(({ operator, rows }) => isSelected(operator, (rows as readonly number[]).includes(position)))),
  );
}

function compileMoney(filters: readonly Filter[], deals: DealColumns): readonly MoneyTest[] {
  const columns = [
    ['upfrontCost', deals.upfrontPence],
    ['monthlyCost', deals.monthlyPence],
    ['totalCost', deals.totalPence],
  ] as const;
  return columns.flatMap(([name, column]) => {
    const given = filters.flatMap((filter) => (filter.name === name ? [filter] : []));
    if (given.length === 0) return [];
    let min = 0;
    let max = Infinity;
    let among: ReadonlySet<number> | undefined;
    let except: ReadonlySet<number> | undefined;
    for (const { operator, quantities } of given) {
      // A range operator has exactly one value; the parser saw to it.
      const [bound = 0] = quantities;
      switch (operator) {
        case 'eq':
          among = new Set(quantities);
          break;
        case 'ne':
          except = new Set(quantities);
          break;
        case 'lt':
          max = Math.min(max, bound - 1);
          break;
        case 'lte':
          max = Math.min(max, bound);
          break;
        case 'gt':
          min = Math.max(min, bound + 1);
          break;
        case 'gte':
          min = Math.max(min, bound);
          break;
      }
    }
    return [{ column, min, max, among, except }];
  });
}

function compileOffers(filters: readonly Filter[]): ((hasCashback: boolean, hasGift: boolean) => boolean) | undefined {
  const given = filters.flatMap((filter) => (filter.name === 'offers' ? [filter] : []));
  if (given.length === 0) return undefined;
  return (hasCashback, hasGift) =>
    given.every(({ operator, offers }) => isSelected(operator, offersHold(offers, hasCashback, hasGift)));
}

/** `eq` of a list is any of them, `ne` none of them (D13). */
export function isSelected(operator: SetOperator, isListed: boolean): boolean {
  return operator === 'eq' ? isListed : !isListed;
}

function compares(operator: FilterOperator, value: number, quantities: readonly number[]): boolean {
  const [bound = 0] = quantities;
  switch (operator) {
    case 'eq':
      return quantities.includes(value);
    case 'ne':
      return !quantities.includes(value);
    case 'lt':
      return value < bound;
    case 'lte':
      return value <= bound;
    case 'gt':
      return value > bound;
    case 'gte':
      return value >= bound;
  }
}

function offersHold(offers: readonly Offer[], hasCashback: boolean, hasGift: boolean): boolean {
  return (hasCashback && offers.includes('cashback')) || (hasGift && offers.includes('gift'));
}
