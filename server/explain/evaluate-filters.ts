import { PRODUCT_FILTERS } from '../../data/query/filter.ts';
import { formatGigabytes, formatPence, type Allowance } from '../../data/record/amount.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { DealRow, ProductRow } from '../../data/snapshot/column.ts';
import type { Plan, ProductLine } from '../../data/snapshot/format.ts';
import { DealFilter, ProductFilter } from '../query/apply-filters.ts';
import type { Filter } from '../query/query.ts';

/** A filter as a request spells it: `filter[totalCost]`, `lte{500.00}`. */
export interface SpelledFilter {
  readonly parameter: string;
  readonly clause: string;
}

/** The result of a filter for one product or deal. `actual` is in the words of the filter. */
export interface FilterResult extends SpelledFilter {
  readonly actual: string;
  readonly holds: boolean;
}

export function isProductFilter({ name }: Filter): boolean {
  return PRODUCT_FILTERS.has(name);
}

/** The result of each product filter for a product, with the code that answers queries. */
export function evaluateProduct(filters: readonly Filter[], index: CatalogueIndex, row: ProductRow): FilterResult[] {
  return filters.filter(isProductFilter).map((filter) => ({
    ...spellFilter(filter, index),
    // Rows come from the same snapshot.
    actual: PRODUCT_FILTERS.get(filter.name)?.(index.products[row] as ProductLine) ?? 'none',
    holds: new ProductFilter([filter], index).accepts(row),
  }));
}

/** Makes a function for the result of each deal filter for a deal, with the code that answers queries. */
export function createDealEvaluator(
  filters: readonly Filter[],
  index: CatalogueIndex,
): (row: DealRow) => readonly FilterResult[] {
  const tests = filters
    .filter((filter) => !isProductFilter(filter))
    .map((filter) => ({ filter, spelled: spellFilter(filter, index), alone: new DealFilter([filter], index) }));
  return (row) =>
    tests.map(({ filter, spelled, alone }) => ({
      ...spelled,
      actual: actualOfDeal(filter, index, row),
      holds: alone.accepts(row),
    }));
}

export function spellFilter(filter: Filter, index: CatalogueIndex): SpelledFilter {
  return {
    parameter: `filter[${filter.name}]`,
    clause: `${filter.operator}{${listValues(filter, index).join(',')}}`,
  };
}

function listValues(filter: Filter, index: CatalogueIndex): readonly string[] {
  if ('texts' in filter) return filter.texts;
  if ('words' in filter) return [filter.words.join(' ').toLowerCase()];
  switch (filter.name) {
    case 'upfrontCost':
    case 'monthlyCost':
    case 'totalCost':
      return filter.quantities.map(formatPence);
    case 'contractLength':
      return filter.quantities.map(String);
    case 'dataAllowance':
      return filter.quantities.map((megabytes) => showData(megabytes === Infinity ? 'unlimited' : megabytes));
    case 'networks':
      return filter.rows.map((row) => slugAt(index.networks, row));
    case 'retailers':
      return filter.rows.map((row) => slugAt(index.retailers, row));
  }
}

function actualOfDeal(filter: Filter, index: CatalogueIndex, row: DealRow): string {
  const { deals } = index;
  // Plans, networks and retailers were checked when the snapshot was opened.
  const plan = index.plans[deals.plan.at(row)] as Plan;
  if (filter.name === 'offers') return listOffers(deals.cashback.at(row) !== 0, deals.gift.at(row) !== 0);
  if ('texts' in filter || 'words' in filter) return '';
  switch (filter.name) {
    case 'upfrontCost':
      return formatPence(deals.upfrontPence.at(row));
    case 'monthlyCost':
      return formatPence(deals.monthlyPence.at(row));
    case 'totalCost':
      return formatPence(deals.totalPence.at(row));
    case 'contractLength':
      return String(plan.contractMonths);
    case 'dataAllowance':
      return showData(plan.dataMegabytes);
    case 'networks':
      return slugAt(index.networks, plan.network);
    case 'retailers':
      return slugAt(index.retailers, deals.retailer.at(row));
  }
}

function showData(megabytes: Allowance): string {
  return megabytes === 'unlimited' ? megabytes : formatGigabytes(megabytes);
}

function listOffers(hasCashback: boolean, hasGift: boolean): string {
  const offers = [...(hasCashback ? ['cashback'] : []), ...(hasGift ? ['gift'] : [])];
  return offers.length === 0 ? 'none' : offers.join(',');
}

function slugAt(records: readonly { readonly slug: string }[], row: number): string {
  return records[row]?.slug ?? '';
}
