import { beforeAll, describe, expect, it } from 'vitest';
import type { EndpointName } from '../../../../data/query/endpoint.ts';
import type { CatalogueIndex } from '../../../../data/snapshot/catalogue-index.ts';
import { createCursors } from '../../../../server/query/pagination.ts';
import { parseQuery } from '../../../../server/query/parse-query.ts';
import { describeQueryIssue } from '../../../../server/query/query-issue.ts';
import { parseQueryString } from '../../../../server/query/query-string.ts';
import { openCatalogue } from '../open-catalogue.ts';

let index: CatalogueIndex;
beforeAll(async () => ({ index } = await openCatalogue()));

const LIMITS = { defaultProducts: 20, maxProducts: 100 };
const parse = (endpoint: EndpointName, query: string, id?: string) =>
  parseQuery({ endpoint, query: parseQueryString(query), ...(id === undefined ? {} : { id }) }, index, LIMITS);
const refusals = (endpoint: EndpointName, query: string, id?: string) =>
  parse(endpoint, query, id).issues.map(({ code, parameter, value }) => `${parameter}: ${code} ${value}`);

const CURSOR = createCursors('0123456789ab', 'walk')(20);

const PLAIN = {
  kind: 'products',
  filters: [],
  projection: {},
  hasCheapestDeal: false,
  hasPriceHistory: false,
  isGrouped: false,
  pageLimit: 20,
};

describe('a request as a whole (spec §4)', () => {
  it.each<[EndpointName, string, object]>([
    ['products', '', PLAIN],
    ['products', '&&', PLAIN],
    ['products', 'limit=5', { ...PLAIN, pageLimit: 5 }],
    ['products', 'expand=products(priceHistory)', { ...PLAIN, hasPriceHistory: true }],
    ['products', 'expand=products(cheapestDeal,grouped)', { ...PLAIN, hasCheapestDeal: true, isGrouped: true }],
    ['products', 'expand=deals', { ...PLAIN, deals: { sort: { key: 'total-cost', direction: 'asc' } } }],
    [
      'products',
      'limit=deals(3)&expand=deals&sort=deals(data-allowance-desc),products(name-asc)',
      {
        ...PLAIN,
        deals: { sort: { key: 'data-allowance', direction: 'desc' }, perProduct: 3 },
        productSort: { key: 'name', direction: 'asc' },
      },
    ],
    // Where no deals are expanded, their sort and limit change nothing (D14).
    ['products', 'limit=deals(3)&sort=deals(data-allowance-desc)', PLAIN],
    ['products', `cursor=${CURSOR}`, { ...PLAIN, cursor: CURSOR }],
    [
      'products',
      'fields=products(front,large,png)&expand=products(content,deals)',
      {
        ...PLAIN,
        projection: { content: 'whole', images: ['largeFrontImagePng'] },
        deals: { sort: { key: 'total-cost', direction: 'asc' } },
      },
    ],
    [
      'products',
      'filter[totalCost]=gte{100}&filter[condition]=eq{new}&filter[totalCost]=lt{500}',
      {
        ...PLAIN,
        filters: [
          { name: 'condition', operator: 'eq', texts: ['new'] },
          { name: 'totalCost', operator: 'lt', quantities: [50_000] },
          { name: 'totalCost', operator: 'gte', quantities: [10_000] },
        ],
      },
    ],
    [
      'giftCategories',
      'expand=gifts,content',
      { kind: 'giftCategories', projection: { content: 'whole' }, hasGifts: true },
    ],
    ['gifts', 'fields=gifts(heading)', { kind: 'gifts', projection: { content: ['heading'] } }],
    ['networks', '?'.slice(1), { kind: 'networks' }],
  ])('%s?%s', (endpoint, query, expected) => {
    expect(parse(endpoint, query)).toEqual({ query: expected, issues: [] });
  });

  it('takes the id of the path', () => {
    expect(parse('product', '', '101')).toEqual({ query: { ...PLAIN, id: '101' }, issues: [] });
    expect(refusals('product', '', 'x1')).toEqual(['id: malformed-value x1']);
  });

  it.each<[EndpointName, string, string[]]>([
    ['products', 'page=2', ['page: unknown-parameter page']],
    ['products', 'page=2&page=3&page', ['page: unknown-parameter page']],
    ['products', '=2', [': unknown-parameter ']],
    ['products', 'Expand=content', ['Expand: unknown-parameter Expand']],
    ['products', 'limit=', ['limit: malformed-value ']],
    ['products', 'sort', ['sort: malformed-value ']],
    ['products', 'cursor=+', ['cursor: malformed-value  ']],
    ['products', 'cursor=2', ['cursor: invalid-cursor 2']],
    ['products', 'cursor=2&limit=0', ['limit: out-of-range 0', 'cursor: invalid-cursor 2']],
    ['products', `cursor=${CURSOR}&limit=0`, ['limit: out-of-range 0']],
    ['products', `cursor=${CURSOR.toUpperCase()}`, [`cursor: invalid-cursor ${CURSOR.toUpperCase()}`]],
    ['gifts', 'cursor=2', ['cursor: unknown-parameter cursor']],
    ['products', 'limit=5&limit=5', ['limit: repeated-parameter limit']],
    ['products', 'limit=5&limit=6&limit=7', ['limit: repeated-parameter limit']],
    ['products', 'expand=content&expand=specs', ['expand: repeated-parameter expand']],
    [
      'products',
      'filter[condition]=eq{new}&filter[condition]=eq{new}',
      ['filter[condition]: repeated-parameter filter[condition]'],
    ],
    [
      'products',
      'filter[totalCost]=lt{5}&filter[totalCost]=gt{1}&filter[totalCost]=lt{6}',
      ['filter[totalCost]: repeated-parameter filter[totalCost]'],
    ],
    ['gifts', 'limit=5', ['limit: unknown-parameter limit']],
    ['gifts', 'filter[condition]=eq{new}', ['filter[condition]: unknown-parameter filter[condition]']],
    ['networks', 'fields=heading', ['fields: unknown-parameter fields']],
    [
      'products',
      'limit=0&sort=x&a=%zz&page=1&expand=foo',
      [
        'a: malformed-value %zz',
        'page: unknown-parameter page',
        'expand: unknown-value foo',
        'sort: malformed-value x',
        'limit: out-of-range 0',
      ],
    ],
  ])('refuses %s?%s, naming every fault (D4)', (endpoint, query, expected) => {
    expect(refusals(endpoint, query)).toEqual(expected);
  });

  it('one filter with different operators is a range, not a repetition (D4)', () => {
    expect(refusals('products', 'filter[totalCost]=lt{5}&filter[totalCost]=gt{1}')).toEqual([]);
  });

  it('says what was expected of a name, and offers the nearest', () => {
    const sentence = (endpoint: EndpointName, query: string) => parse(endpoint, query).issues.map(describeQueryIssue);
    expect(sentence('products', 'limits=5')).toEqual([
      'limits: not a parameter of this endpoint; expected one of filter[<name>], expand, fields, limit, sort, cursor; did you mean "limit"?',
    ]);
    expect(sentence('networks', 'limit=5')).toEqual([
      'limit: not a parameter of this endpoint; expected no parameters',
    ]);
    expect(sentence('products', 'sort=&sort=')).toEqual([
      'sort: given more than once; expected it once',
      'sort: expected a value, got ""',
    ]);
  });
});
