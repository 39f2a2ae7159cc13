import type { FilterOperator, Offer } from '../../data/query/filter.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { offersOf } from '../../data/snapshot/deal-blocks.ts';
import type { Filter, SetOperator } from './filter.ts';
import { createPenceSet, type PenceSet } from './pence-set.ts';

/** What the filters of a query ask of an amount. */
interface MoneyCondition {
  /** False when every amount is within the bounds. */
  readonly isBounded: boolean;
  readonly min: number;
  readonly max: number;
  /** Where bounds do not say it all. */
  readonly list?: { readonly kind: 'listed' | 'others'; readonly amounts: readonly number[] };
}

/** Dictionary numbers that satisfy the filters: 1 in the table, and a bit in a set of 32 as `DealBlocks` has them. */
interface TableCondition {
  readonly table: Uint8Array;
  readonly set: number;
}

/**
 * The deal filters of a query against a snapshot: what depends on plan or retailer is a table with one answer for each,
 * what depends on money bounds and a list. A part without a filter holds of every deal.
 */
export interface DealConditions {
  /** False when there is no deal filter. */
  readonly isSelective: boolean;
  readonly upfront: MoneyCondition;
  readonly monthly: MoneyCondition;
  readonly total: MoneyCondition;
  /** When there is a list of any of the three. */
  readonly amounts: Readonly<Record<'upfront' | 'monthly' | 'total', PenceSet>> | undefined;
  readonly plans: PlanCondition | undefined;
  readonly retailers: TableCondition | undefined;
  /** A set of `offersOf`. */
  readonly offers: number;
}

/** A table of plans, and the sets of what their parts may be. */
interface PlanCondition {
  /** Absent when the marks say it all. */
  readonly table: Uint8Array | undefined;
  readonly networks: number;
  /** The marks of the network when only one will do. */
  readonly marks: Uint32Array | undefined;
  readonly months: number;
  readonly data: number;
}

/** All four kinds of offer. */
export const ANY_OFFERS = 0b1111;

/** Compiles the deal filters among `filters`. */
export function compileDealFilters(filters: readonly Filter[], index: CatalogueIndex): DealConditions {
  const upfront = compileMoney(filters, 'upfrontCost');
  const monthly = compileMoney(filters, 'monthlyCost');
  const total = compileMoney(filters, 'totalCost');
  const hasList = [upfront, monthly, total].some(({ list }) => list !== undefined);
  const { maxPence } = index.dealBlocks;
  const setOfAmounts = ({ list = { kind: 'others', amounts: [] } }: MoneyCondition): PenceSet =>
    createPenceSet(list.kind, list.amounts, maxPence);
  return {
    isSelective: filters.some(isDealFilter),
    upfront,
    monthly,
    total,
    amounts: hasList
      ? { upfront: setOfAmounts(upfront), monthly: setOfAmounts(monthly), total: setOfAmounts(total) }
      : undefined,
    plans: compilePlans(filters, index),
    retailers: compileRetailers(filters, index),
    offers: compileOffers(filters),
  };
}

function isDealFilter({ name }: Filter): boolean {
  switch (name) {
    case 'upfrontCost':
    case 'monthlyCost':
    case 'totalCost':
    case 'networks':
    case 'contractLength':
    case 'dataAllowance':
    case 'retailers':
    case 'offers':
      return true;
    case 'manufacturers':
    case 'condition':
    case 'id':
    case 'slug':
      return false;
  }
}

function compileMoney(filters: readonly Filter[], wanted: 'upfrontCost' | 'monthlyCost' | 'totalCost'): MoneyCondition {
  let min = 0;
  let max = Infinity;
  let listed: readonly number[] | undefined;
  let others: readonly number[] | undefined;
  for (const filter of filters) {
    if (filter.name !== wanted) continue;
    // Ascending and never empty; a range operator has exactly one value. The parser saw to it.
    const lowest = filter.quantities[0] as number;
    const highest = filter.quantities.at(-1) as number;
    switch (filter.operator) {
      case 'eq':
        min = Math.max(min, lowest);
        max = Math.min(max, highest);
        // Bounds are all there is to say of a single amount.
        if (filter.quantities.length > 1) listed = filter.quantities;
        break;
      case 'ne':
        others = filter.quantities;
        break;
      case 'lt':
        max = Math.min(max, lowest - 1);
        break;
      case 'lte':
        max = Math.min(max, lowest);
        break;
      case 'gt':
        min = Math.max(min, lowest + 1);
        break;
      case 'gte':
        min = Math.max(min, lowest);
        break;
    }
  }
  const isBounded = min > 0 || max < Infinity;
  if (listed !== undefined) {
    const without = new Set(others);
    return { isBounded, min, max, list: { kind: 'listed', amounts: listed.filter((pence) => !without.has(pence)) } };
  }
  return others === undefined
    ? { isBounded, min, max }
    : { isBounded, min, max, list: { kind: 'others', amounts: others } };
}

/** The table of plans is made from tables of what plans have: those are few, plans may be thousands. */
function compilePlans(filters: readonly Filter[], index: CatalogueIndex): PlanCondition | undefined {
  const { network, months, data, contractMonths, dataMegabytes } = index.planColumns;
  const networkTable = new Uint8Array(index.networks.length).fill(1);
  const monthsTable = new Uint8Array(contractMonths.length).fill(1);
  const dataTable = new Uint8Array(dataMegabytes.length).fill(1);
  let areNetworksGiven = false;
  let isMoreGiven = false;
  for (const filter of filters) {
    if (filter.name === 'networks') {
      const rows: ReadonlySet<number> = new Set(filter.rows);
      narrow(networkTable, (row) => isSelected(filter.operator, rows.has(row)));
      areNetworksGiven = true;
    } else if (filter.name === 'contractLength') {
      const isWanted = createComparison(filter.operator, filter.quantities);
      narrow(monthsTable, (position) => isWanted(contractMonths[position] as number));
      isMoreGiven = true;
    } else if (filter.name === 'dataAllowance') {
      const isWanted = createComparison(filter.operator, filter.quantities);
      narrow(dataTable, (position) => isWanted(dataMegabytes[position] as number));
      isMoreGiven = true;
    }
  }
  if (!areNetworksGiven && !isMoreGiven) return undefined;
  const marks = areNetworksGiven && isOne(networkTable) ? index.networkMarks?.[networkTable.indexOf(1)] : undefined;
  const sets = { marks, networks: setOf(networkTable), months: setOf(monthsTable), data: setOf(dataTable) };
  if (marks !== undefined && !isMoreGiven) return { table: undefined, ...sets };
  const table = new Uint8Array(index.plans.length);
  for (let plan = 0; plan < table.length; plan++) {
    table[plan] =
      (networkTable[network[plan] as number] as number) &
      (monthsTable[months[plan] as number] as number) &
      (dataTable[data[plan] as number] as number);
  }
  return { table, ...sets };
}

function compileRetailers(filters: readonly Filter[], index: CatalogueIndex): TableCondition | undefined {
  const given = filters.flatMap((filter) => (filter.name === 'retailers' ? [filter] : []));
  if (given.length === 0) return undefined;
  const table = new Uint8Array(index.retailers.length).fill(1);
  for (const { operator, rows } of given) {
    const listed: ReadonlySet<number> = new Set(rows);
    narrow(table, (row) => isSelected(operator, listed.has(row)));
  }
  return { table, set: setOf(table) };
}

/** Clears the entries of a table that do not hold. */
function narrow(table: Uint8Array, holds: (entry: number) => boolean): void {
  for (let entry = 0; entry < table.length; entry++) {
    if (table[entry] === 1 && !holds(entry)) table[entry] = 0;
  }
}

/** Whether a table has 1 for one number. */
function isOne(table: Uint8Array): boolean {
  const first = table.indexOf(1);
  return first !== -1 && table.indexOf(1, first + 1) === -1;
}

/** The numbers that a table has 1 for, as a set of 32 bits. */
function setOf(table: Uint8Array): number {
  return table.reduce((set, isWanted, entry) => (isWanted === 1 ? set | (1 << entry) : set), 0);
}

function compileOffers(filters: readonly Filter[]): number {
  let set = 0;
  for (const hasCashback of [false, true]) {
    for (const hasGift of [false, true]) {
      const holds = filters.every(
        (filter) =>
          filter.name !== 'offers' || isSelected(filter.operator, offersHold(filter.offers, hasCashback, hasGift)),
      );
      if (holds) set |= 1 << offersOf(Number(hasCashback), Number(hasGift));
    }
  }
  return set;
}

/** `eq` of a list is any of them, `ne` none of them (D13). */
export function isSelected(operator: SetOperator, isListed: boolean): boolean {
  return operator === 'eq' ? isListed : !isListed;
}

function createComparison(operator: FilterOperator, quantities: readonly number[]): (value: number) => boolean {
  const [bound = 0] = quantities;
  const listed = new Set(quantities);
  switch (operator) {
    case 'eq':
      return (value) => listed.has(value);
    case 'ne':
      return (value) => !listed.has(value);
    case 'lt':
      return (value) => value < bound;
    case 'lte':
      return (value) => value <= bound;
    case 'gt':
      return (value) => value > bound;
    case 'gte':
      return (value) => value >= bound;
  }
}

function offersHold(offers: readonly Offer[], hasCashback: boolean, hasGift: boolean): boolean {
  return (hasCashback && offers.includes('cashback')) || (hasGift && offers.includes('gift'));
}
