import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow } from '../../data/snapshot/column.ts';
import type { Random } from '../support/random.ts';

/** A filtered list as it is asked for, and the plainest reading of its filters. */
export interface ListQuestion {
  readonly target: string;
  /** Whether a deal, of a product of this condition, passes every filter. */
  readonly accepts: (row: DealRow) => boolean;
  readonly sort: ListSort;
}

interface ListSort {
  readonly key: 'total-cost' | 'upfront-cost' | 'contract-price';
  readonly isDescending: boolean;
}

/** A filter as a parameter and as a test of one deal. */
interface DealTest {
  readonly text: string;
  readonly accepts: (row: DealRow) => boolean;
}

/** The question of the figures: deals of one network with nothing to pay upfront, cheapest products first. */
export function typicalQuestion(index: CatalogueIndex, network = 'northway'): ListQuestion {
  const filters = createFilters(index);
  return createQuestion([filters.network([network], true), filters.money('upfrontCost', 'eq', 0)], {
    key: 'total-cost',
    isDescending: false,
  });
}

const SORTS: readonly ListSort[] = [
  { key: 'total-cost', isDescending: false },
  { key: 'total-cost', isDescending: true },
  { key: 'upfront-cost', isDescending: true },
  { key: 'contract-price', isDescending: false },
  { key: 'contract-price', isDescending: true },
];

/** Combinations made to be slow: what only dear deals have, what hardly any deal has, what none has, then anything. */
export function adversarialQuestions(index: CatalogueIndex, random: Random, count: number): readonly ListQuestion[] {
  const filters = createFilters(index);
  const { network, retailer, money, months, gigabytes, offer } = filters;
  const chosen: DealTest[][] = [
    [money('totalCost', 'gt', 300_000)],
    [money('totalCost', 'gte', 150_000), network(['moorland'], true)],
    [money('monthlyCost', 'gt', 9_000)],
    [money('monthlyCost', 'eq', 12_345)],
    [money('upfrontCost', 'eq', 199_00), network(['moorland', 'larkcall'], true)],
    [money('upfrontCost', 'gt', 0), money('upfrontCost', 'lt', 999)],
    [money('upfrontCost', 'ne', 0), gigabytes('eq', 1), months('eq', 30)],
    [gigabytes('eq', 1), offer('gift', true), months('eq', 36)],
    [gigabytes('lte', 2), offer('cashback', true), network(['emberly'], true)],
    [retailer(['corvane-store'], true), network(['tideline'], true)],
    [retailer(['beckside-store'], true), money('upfrontCost', 'gte', 149_00)],
    [retailer(['secondring'], true), months('eq', 18), money('upfrontCost', 'eq', 79_00)],
    [retailer(['handset-harbour', 'phonewright', 'dialstone'], false), months('eq', 12)],
    [network(['corvane', 'tideline', 'northway', 'quartet'], false), gigabytes('gte', 500)],
    [months('eq', 18), gigabytes('eq', 250), offer('cashback', true)],
    [money('monthlyCost', 'lt', 1_200), money('upfrontCost', 'gt', 100_00)],
    [money('totalCost', 'gt', 100_000), money('totalCost', 'lt', 100_050)],
    [network(['northway'], true), money('upfrontCost', 'eq', 0), money('monthlyCost', 'gt', 7_000)],
    [months('gt', 24), money('upfrontCost', 'eq', 129_99), offer('gift', true), network(['fernlink'], true)],
  ];
  while (chosen.length < count) {
    const tests: DealTest[] = [];
    const pool = [
      () =>
        network(random.isLikely(0.5) ? [randomNetwork()] : [randomNetwork(), randomNetwork()], random.isLikely(0.7)),
      () => retailer([random.pick(index.retailers).slug], random.isLikely(0.7)),
      () => money('upfrontCost', random.pick(OPERATORS), random.pick([0, 999, 1_999, 4_999, 9_900, 14_900, 19_900])),
      () => money('monthlyCost', random.pick(OPERATORS), random.pick([899, 1_999, 3_500, 5_999, 8_000])),
      () => money('totalCost', random.pick(OPERATORS), random.pick([30_000, 60_000, 100_000, 150_000, 200_000])),
      () => months(random.pick(OPERATORS), random.pick([12, 18, 24, 30, 36])),
      () => gigabytes(random.pick(OPERATORS), random.pick([1, 4, 20, 100, 250, 500])),
      () => offer(random.pick(['gift', 'cashback'] as const), random.isLikely(0.6)),
    ];
    for (const make of pool) if (random.isLikely(0.35)) tests.push(make());
    if (tests.length > 0) chosen.push(tests);
  }
  return chosen.map((tests, i) => createQuestion(tests, SORTS[i % SORTS.length] as ListSort));

  function randomNetwork(): string {
    return random.pick(index.networks).slug;
  }
}

/** The ids of the first page and how many products qualify, by looking at every deal. */
export function answerByBruteForce(
  index: CatalogueIndex,
  { accepts, sort }: ListQuestion,
  pageLimit: number,
): { readonly totalCount: number; readonly ids: readonly string[] } {
  const { deals } = index;
  const column = {
    'total-cost': deals.totalPence,
    'upfront-cost': deals.upfrontPence,
    'contract-price': deals.monthlyPence,
  }[sort.key];
  const found: { readonly product: number; readonly deal: DealRow }[] = [];
  for (let product = 0; product < index.products.length; product++) {
    const row = rowAt<'product'>(product);
    // Deals stand in the order of their total, so the first that passes is the cheapest.
    for (let deal: number = index.firstDeal(row); deal < index.endOfDeals(row); deal++) {
      if (!accepts(rowAt<'deal'>(deal))) continue;
      found.push({ product, deal: rowAt<'deal'>(deal) });
      break;
    }
  }
  const sign = sort.isDescending ? -1 : 1;
  found.sort((a, b) => sign * (column.at(a.deal) - column.at(b.deal)) || a.product - b.product);
  return {
    totalCount: found.length,
    ids: found.slice(0, pageLimit).map(({ product }) => index.products[product]?.id ?? ''),
  };
}

const OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;

type Operator = (typeof OPERATORS)[number];

/** No operator may come twice for one filter, so the first of each is kept. */
function createQuestion(tests: readonly DealTest[], sort: ListSort): ListQuestion {
  const kept = new Map<string, DealTest>();
  for (const test of tests) {
    const parameter = test.text.slice(0, test.text.indexOf('{'));
    if (!kept.has(parameter)) kept.set(parameter, test);
  }
  const filters = [...kept.values()];
  const order = `sort=products(${sort.key}-${sort.isDescending ? 'desc' : 'asc'})`;
  return {
    target: `/deals/v1/products/?${[...filters.map(({ text }) => text), 'expand=products(cheapestDeal)', order].join('&')}`,
    accepts: (row) => filters.every((filter) => filter.accepts(row)),
    sort,
  };
}

function createFilters(index: CatalogueIndex) {
  const { deals, plans } = index;
  const planOf = (row: DealRow) => plans[deals.plan.at(row)] as (typeof plans)[number];
  const rowsOf = (records: readonly { readonly slug: string }[], slugs: readonly string[]): ReadonlySet<number> =>
    new Set(records.flatMap(({ slug }, i) => (slugs.includes(slug) ? [i] : [])));
  const columns = { upfrontCost: deals.upfrontPence, monthlyCost: deals.monthlyPence, totalCost: deals.totalPence };
  return {
    network: (slugs: readonly string[], isWanted: boolean): DealTest => {
      const rows = rowsOf(index.networks, slugs);
      return {
        text: `filter[networks]=${isWanted ? 'eq' : 'ne'}{${[...new Set(slugs)].join(',')}}`,
        accepts: (row) => rows.has(planOf(row).network) === isWanted,
      };
    },
    retailer: (slugs: readonly string[], isWanted: boolean): DealTest => {
      const rows = rowsOf(index.retailers, slugs);
      return {
        text: `filter[retailers]=${isWanted ? 'eq' : 'ne'}{${slugs.join(',')}}`,
        accepts: (row) => rows.has(deals.retailer.at(row)) === isWanted,
      };
    },
    money: (name: keyof typeof columns, operator: Operator, pence: number): DealTest => ({
      text: `filter[${name}]=${operator}{${(pence / 100).toFixed(2)}}`,
      accepts: (row) => compare(columns[name].at(row), operator, pence),
    }),
    months: (operator: Operator, months: number): DealTest => ({
      text: `filter[contractLength]=${operator}{${months}}`,
      accepts: (row) => compare(planOf(row).contractMonths, operator, months),
    }),
    gigabytes: (operator: Operator, gigabytes: number): DealTest => ({
      text: `filter[dataAllowance]=${operator}{${gigabytes}}`,
      accepts: (row) => {
        const { dataMegabytes } = planOf(row);
        return compare(dataMegabytes === 'unlimited' ? Infinity : dataMegabytes, operator, gigabytes * 1_000);
      },
    }),
    offer: (kind: 'gift' | 'cashback', isWanted: boolean): DealTest => ({
      text: `filter[offers]=${isWanted ? 'eq' : 'ne'}{${kind}}`,
      accepts: (row) => deals[kind].at(row) > 0 === isWanted,
    }),
  };
}

function compare(value: number, operator: Operator, wanted: number): boolean {
  switch (operator) {
    case 'eq':
      return value === wanted;
    case 'ne':
      return value !== wanted;
    case 'lt':
      return value < wanted;
    case 'lte':
      return value <= wanted;
    case 'gt':
      return value > wanted;
    case 'gte':
      return value >= wanted;
  }
}
