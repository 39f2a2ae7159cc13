import { OFFERS, QUANTITY_OPERATORS } from '../../../../data/query/filter.ts';
import type { CatalogueIndex } from '../../../../data/snapshot/catalogue-index.ts';
import { rowAt } from '../../../../data/snapshot/column.ts';
import type { Plan } from '../../../../data/snapshot/format.ts';
import type { Filter } from '../../../../server/query/query.ts';
import type { Random } from '../../../support/random.ts';
import {
  MEGABYTES,
  MONTHS,
  NETWORK_COUNT,
  PENCE,
  RETAILER_COUNT,
  type PlainDeal,
} from '../../data/snapshot/random-deals.ts';

/** Up to six deal filters, as a parser makes them. */
export function randomFilters(random: Random, networkCount = NETWORK_COUNT): Filter[] {
  const money = ['upfrontCost', 'monthlyCost', 'totalCost'] as const;
  const makers: readonly (() => Filter)[] = [
    ...money.flatMap((name) => {
      const operators = random.some(QUANTITY_OPERATORS, 0.3);
      return operators.map((operator) => () => quantityFilter(random, name, operator, [...PENCE, 2, 50_000, 1e11]));
    }),
    () => quantityFilter(random, 'contractLength', random.pick(QUANTITY_OPERATORS), [...MONTHS, 0, 999]),
    () =>
      quantityFilter(
        random,
        'dataAllowance',
        random.pick(QUANTITY_OPERATORS),
        MEGABYTES.map((data) => (data === 'unlimited' ? Infinity : data)),
      ),
    () => ({ name: 'networks', operator: random.pick(['eq', 'ne']), rows: randomRows(random, networkCount) }),
    () => ({ name: 'retailers', operator: random.pick(['eq', 'ne']), rows: randomRows(random, RETAILER_COUNT) }),
    () => ({ name: 'offers', operator: random.pick(['eq', 'ne']), texts: random.pick([[...OFFERS], ['gift']]) }),
    () => ({ name: 'offers', operator: random.pick(['eq', 'ne']), texts: ['cashback'] }),
  ];
  return random
    .shuffled(makers)
    .slice(0, random.below(7))
    .map((make) => make());
}

function quantityFilter(
  random: Random,
  name: Extract<Filter, { quantities: unknown }>['name'],
  operator: (typeof QUANTITY_OPERATORS)[number],
  values: readonly number[],
): Filter {
  const isList = operator === 'eq' || operator === 'ne';
  const chosen = isList ? random.some(values, 0.4) : [];
  const quantities = [...new Set(chosen.length > 0 ? chosen : [random.pick(values)])];
  return { name, operator, quantities: quantities.sort((a, b) => (a === b ? 0 : a - b)) };
}

function randomRows<Name extends string>(random: Random, count: number) {
  return Array.from({ length: 1 + random.below(random.pick([1, 8])) }, () => rowAt<Name>(random.below(count)));
}

/** Whether a deal satisfies filters, one plain comparison after the other. */
export function satisfies(deal: PlainDeal, filters: readonly Filter[], { plans }: CatalogueIndex): boolean {
  const plan = plans[deal.plan] as Plan;
  return filters.every((filter) => {
    if (filter.name === 'offers') {
      const offers = [...(deal.cashback === 0 ? [] : ['cashback']), ...(deal.gift === 0 ? [] : ['gift'])];
      return filter.texts.some((offer) => offers.includes(offer)) === (filter.operator === 'eq');
    }
    if ('texts' in filter || 'words' in filter) return true;
    switch (filter.name) {
      case 'upfrontCost':
        return compares(deal.upfrontPence, filter);
      case 'monthlyCost':
        return compares(deal.monthlyPence, filter);
      case 'totalCost':
        return compares(deal.totalPence, filter);
      case 'contractLength':
        return compares(plan.contractMonths, filter);
      case 'dataAllowance':
        return compares(plan.dataMegabytes === 'unlimited' ? Infinity : plan.dataMegabytes, filter);
      case 'networks':
        return filter.rows.some((row) => row === plan.network) === (filter.operator === 'eq');
      case 'retailers':
        return filter.rows.some((row) => row === deal.retailer) === (filter.operator === 'eq');
    }
  });
}

function compares(value: number, { operator, quantities }: Extract<Filter, { quantities: unknown }>): boolean {
  const [bound = Number.NaN] = quantities;
  return {
    eq: quantities.includes(value),
    ne: !quantities.includes(value),
    lt: value < bound,
    lte: value <= bound,
    gt: value > bound,
    gte: value >= bound,
  }[operator];
}
