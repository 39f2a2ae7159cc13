import { afterAll, describe, expect, it } from 'vitest';
import { FILTER_OPERATORS, FILTERS, OFFERS, type FilterName, type FilterOperator } from '../../data/query/filter.ts';
import { CONDITIONS } from '../../data/record/product.ts';
import { answerOf, compareTexts } from '../oracle.ts';
import { expectProblem } from './expect-problem.ts';
import { FIXTURE } from './fixture-catalogue.ts';
import { readTable } from '../support/table.ts';
import { dealIds, serve, variants } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const PRODUCTS = '/deals/v1/products/';

/** A value of every filter that some records have, some are below and some are above. */
const EXAMPLES = {
  upfrontCost: '29.99',
  condition: 'refurbished',
  networks: 'o2',
  offers: 'cashback',
  monthlyCost: '19.99',
  totalCost: '719.76',
  contractLength: '12',
  dataAllowance: '1.5',
  retailers: 'o2-mobiles',
  manufacturers: 'google',
  id: '101',
  slug: 'nokia-105',
  name: 'pixel 9',
} as const satisfies Record<FilterName, string>;

const QUANTITIES: readonly string[] = ['money', 'months', 'gigabytes'];
const CASES = FILTERS.flatMap(({ name, kind }) =>
  FILTER_OPERATORS.map((operator) => ({
    name,
    filter: `filter[${name}]=${operator}{${EXAMPLES[name]}}`,
    operator,
    isTaken:
      (operator === 'has') === (kind === 'name') &&
      (QUANTITIES.includes(kind) || ['eq', 'ne', 'has'].includes(operator)),
  })),
);

const dealsWith = async (query: string): Promise<string[]> =>
  dealIds((await server.read(`${PRODUCTS}?expand=deals&limit=100&${query}`)).deals).sort(compareTexts);
const productsWith = async (query: string): Promise<string[]> =>
  variants((await server.read(`${PRODUCTS}?limit=100&${query}`)).products);

describe('filter (§4.3)', () => {
  it.each(CASES.filter(({ isTaken }) => isTaken))('$filter narrows the answer', async ({ filter }) => {
    const target = `${PRODUCTS}?expand=deals&limit=100&${filter}`;
    const body = await server.read(target);
    expect(body).toEqual((answerOf(FIXTURE, target) as { body: unknown }).body);
    expect(body.deals?.length).toBeGreaterThan(0);
    expect(body).not.toEqual(await server.read(`${PRODUCTS}?expand=deals&limit=100`));
  });

  it.each(FILTERS.map(({ name }) => name))('each operator of filter[%s] has a meaning of its own', async (name) => {
    const taken = CASES.filter((row) => row.isTaken && row.name === name);
    const bodies = await Promise.all(
      taken.map(async ({ filter }) => (await server.ask(`${PRODUCTS}?expand=deals&limit=100&${filter}`)).text),
    );
    expect(new Set(bodies).size).toBe(taken.length);
  });

  it.each(CASES.filter(({ isTaken }) => !isTaken))('$filter has no such operator (D13)', async ({ name, filter }) => {
    expectProblem(await server.ask(`${PRODUCTS}?${filter}`), 'unknown-value', [[`filter[${name}]`, 'unknown-value']]);
  });

  it.each(readTable<[query: string, deals: string[]]>(import.meta.url, 'fixture/deals-of-filter.ndjson'))(
    '%s leaves the deals %j (D13)',
    async (query, expected) => {
      expect(await dealsWith(query)).toEqual(expected);
    },
  );

  it.each(readTable<[query: string, products: string[]]>(import.meta.url, 'fixture/products-of-filter.ndjson'))(
    '%s leaves the products %j (D13, D23)',
    async (query, expected) => {
      expect(await productsWith(query)).toEqual(expected);
    },
  );

  it('a product stays when any of its deals qualifies (D13)', async () => {
    const withDeals =
      '9, 10, 10 refurbished, 12, 101, 101 refurbished, 102, 200 refurbished, 300, 10000000000000000001';
    expect((await productsWith('filter[upfrontCost]=gte{0}')).join(', ')).toBe(withDeals);
  });

  it('deal filters must hold on the same deal (D13)', async () => {
    expect(await productsWith('filter[offers]=eq{cashback}&filter[networks]=eq{o2}')).toEqual(['101']);
    expect(await productsWith('filter[offers]=eq{cashback}&filter[contractLength]=eq{36}')).toEqual([]);
  });

  it.each([
    ['filter[networks]=eq{o2}', 'filter[networks]=eq{21}'],
    ['filter[upfrontCost]=eq{0}', 'filter[upfrontCost]=eq{0.0}'],
    ['filter[upfrontCost]=eq{0}', 'filter[upfrontCost]=eq{0.00}'],
    ['filter[monthlyCost]=eq{5}', 'filter[monthlyCost]=eq{5.00}'],
    ['filter[dataAllowance]=eq{4}', 'filter[dataAllowance]=eq{4.0}'],
    ['filter[dataAllowance]=eq{unlimited}', 'filter[dataAllowance]=eq{999999}'],
    ['filter[networks]=eq{o2,ee}', 'filter%5Bnetworks%5D=eq%7Bee%2C+o2%2Co2%7D'],
    ['filter[name]=has{pixel 9}', 'filter%5Bname%5D=has%7B+9++P%C3%8DXEL%7D'],
  ])('%s and %s are one (D4, D13)', async (one, other) => {
    const first = await server.ask(`${PRODUCTS}?expand=deals&${one}`);
    const second = await server.ask(`${PRODUCTS}?expand=deals&${other}`);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
  });

  it('a search counts, sorts and pages like every filter, however it is spelled (D23)', async () => {
    const query = 'sort=products(name-desc)&limit=1&expand=products(grouped)';
    const first = await server.ask(`${PRODUCTS}?filter[name]=has{goog}&${query}`);
    const next = /<[^>]*(cursor=[^&>]*)[^>]*>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
    expect([first.headers.get('x-total-count'), variants(JSON.parse(first.text).products)]).toEqual(['2', ['101']]);
    const second = await server.ask(`${PRODUCTS}?filter[name]=has{GO%C3%96G}&${query}&${next}`);
    expect([second.headers.get('x-total-count'), variants(JSON.parse(second.text).products)]).toEqual(['2', ['12']]);
    const other = await server.ask(`${PRODUCTS}?filter[name]=has{goo}&${query}&${next}`);
    expectProblem(other, 'invalid-cursor', [['cursor', 'invalid-cursor']]);
  });

  it('on a single product a search that no variant satisfies gives an empty array (D23)', async () => {
    expect(await server.read(`${PRODUCTS}9/?filter[name]=has{pixel}`)).toEqual({ products: [] });
    expect(variants((await server.read(`${PRODUCTS}101/?filter[name]=has{refurbished}`)).products)).toEqual([
      '101 refurbished',
    ]);
  });

  it('on a single product the product stays, with the deals that qualify, perhaps none (D13)', async () => {
    const body = await server.read(`${PRODUCTS}101/?expand=deals,cheapestDeal&filter[offers]=eq{cashback}`);
    expect(variants(body.products)).toEqual(['101', '101 refurbished']);
    expect(body.products.map((product) => 'cheapestDeal' in product)).toEqual([true, false]);
    expect(dealIds(body.deals)).toEqual(['P9-C']);
    expect(await server.read(`${PRODUCTS}1000/?expand=deals&filter[upfrontCost]=eq{0}`)).toMatchObject({
      products: [{ id: '1000' }],
      deals: [],
    });
  });

  it('on a single product a product filter that no variant satisfies gives an empty array (D13)', async () => {
    expect(await server.read(`${PRODUCTS}9/?filter[condition]=eq{refurbished}`)).toEqual({ products: [] });
  });

  it.each(['filter[networks]=eq{three}', 'filter[retailers]=eq{empty-shelf}', 'filter[manufacturers]=eq{fairphone}'])(
    '%s is known and has nothing today (D13)',
    async (query) => {
      const { status, headers, text } = await server.ask(`${PRODUCTS}?${query}`);
      expect([status, headers.get('x-total-count'), text]).toEqual([200, '0', '{"products":[]}']);
    },
  );

  it.each([
    ['networks', 'vodafone', ['ee', 'o2', 'three', 'zeta-mobile']],
    ['retailers', 'amazon', ['buy-and-go', 'corner-shop', 'empty-shelf', 'o2-mobiles']],
    ['manufacturers', 'siemens', ['apple', 'fairphone', 'google', 'nokia']],
    ['condition', 'used', [...CONDITIONS]],
    ['offers', 'discount', [...OFFERS]],
  ])('filter[%s]=eq{%s} is not known, and the answer lists those that are (D13)', async (name, value, known) => {
    const parameter = `filter[${name}]`;
    const problem = expectProblem(await server.ask(`${PRODUCTS}?${parameter}=eq{${value}}`), 'unknown-value', [
      [parameter, 'unknown-value'],
    ]);
    expect([...(problem.errors[0]?.allowed ?? [])].sort()).toEqual(known);
    expect(problem.errors[0]?.value).toBe(value);
  });

  it.each([
    ['filter[condition]', 'eq{New}', 'unknown-value', 'new'],
    ['filter[condition]', 'eq{refurbishd}', 'unknown-value', 'refurbished'],
    ['filter[networks]', 'eq{O2}', 'unknown-value', 'o2'],
    ['filter[offers]', 'eq{cash-back}', 'unknown-value', 'cashback'],
    ['filter[condition]', 'is{new}', 'unknown-value', undefined],
    ['filter[condition]', 'eq(new)', 'malformed-value', undefined],
    ['filter[condition]', '', 'malformed-value', undefined],
    ['filter[price]', 'eq{5}', 'unknown-parameter', undefined],
    ['filter[network]', 'eq{o2}', 'unknown-parameter', 'networks'],
    ['filter[name]', 'eq{pixel}', 'unknown-value', 'has'],
    ['filter[name]', 'has{pixel,nokia}', 'malformed-value', undefined],
    ['filter[name]', 'has{ }', 'malformed-value', undefined],
    ['filter[name]', `has{${'x'.repeat(101)}}`, 'out-of-range', undefined],
    ['filter[name]', 'has{1 2 3 4 5 6 7 8 9 10 11}', 'out-of-range', undefined],
  ] as const)('%s=%s is refused as %s', async (parameter, value, code, suggestion) => {
    const answer = await server.ask(`${PRODUCTS}?${parameter}=${encodeURIComponent(value)}`);
    const problem = expectProblem(answer, code, [[parameter, code]]);
    expect(problem.errors[0]?.suggestion ?? '').toContain(suggestion ?? '');
  });

  it('one filter name may come with different operators and not twice with one (D4)', async () => {
    const twice = await server.ask(`${PRODUCTS}?filter[totalCost]=lt{500}&filter[totalCost]=lt{600}`);
    expectProblem(twice, 'repeated-parameter', [['filter[totalCost]', 'repeated-parameter']]);
    const operators: FilterOperator[] = ['gte', 'lte'];
    const range = operators.map((operator) => `filter[totalCost]=${operator}{719.76}`).join('&');
    expect(await dealsWith(range)).toEqual(['I-1', 'I-1-alpha', 'I-10', 'I-2', 'P9-A', 'P9-B']);
  });
});
