import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../../data/query/endpoint.ts';
import { FILTER_OPERATORS, FILTERS, OFFERS } from '../../../../data/query/filter.ts';
import {
  DEFAULT_PAGE_LIMIT,
  MAX_DEALS_PER_PRODUCT,
  MAX_PAGE_LIMIT,
  MAX_TARGET_BYTES,
} from '../../../../data/query/parameter.ts';
import { PROBLEMS } from '../../../../data/query/problem.ts';
import {
  DEAL_SORT_KEYS,
  GIFT_CATEGORY_EXPANSIONS,
  PREFIXED_EXPANSIONS,
  PRODUCT_EXPANSIONS,
  PRODUCT_SORT_KEYS,
  SORT_DIRECTIONS,
} from '../../../../data/query/vocabulary.ts';

describe('the words of the query language', () => {
  it('are those of spec §4, and what the contract adds', () => {
    expect(ENDPOINTS.map(({ path, parameters }) => `${path} ${parameters.join(' ')}`.trim())).toEqual([
      '/deals/v1/products/ filter expand fields limit sort cursor',
      '/deals/v1/products/<id>/ filter expand fields limit sort cursor',
      '/deals/v1/gifts/categories/ expand fields',
      '/deals/v1/gifts/ fields',
      '/deals/v1/networks/',
      '/deals/v1/retailers/',
      '/deals/v1/manufacturers/',
    ]);
    expect(PRODUCT_EXPANSIONS.map(({ word }) => word)).toEqual([
      'content',
      'page-content',
      'meta-data',
      'specs',
      'images',
      'deals',
      'grouped',
      'cheapestDeal',
    ]);
    expect(GIFT_CATEGORY_EXPANSIONS.map(({ word }) => word)).toEqual([
      'content',
      'page-content',
      'meta-data',
      'images',
      'gifts',
    ]);
    expect(FILTERS.map(({ name, on }) => `${name} ${on}`)).toEqual([
      'upfrontCost deal',
      'condition product',
      'networks deal',
      'offers deal',
      'monthlyCost deal',
      'totalCost deal',
      'contractLength deal',
      'dataAllowance deal',
      'retailers deal',
      'manufacturers product',
      'id product',
      'slug product',
    ]);
    expect([...FILTER_OPERATORS, ...OFFERS]).toEqual(['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'cashback', 'gift']);
    expect(DEAL_SORT_KEYS).toEqual(['data-allowance', 'total-cost', 'upfront-cost', 'contract-price']);
    expect(PRODUCT_SORT_KEYS).toEqual(['name', 'upfront-cost', 'contract-price', 'total-cost']);
    expect(SORT_DIRECTIONS).toEqual(['asc', 'desc']);
  });

  it('mean by a prefixed name the one without its prefix (D5)', () => {
    for (const { word, means } of PREFIXED_EXPANSIONS) expect(word).toBe(`product-${means}`);
    expect(PREFIXED_EXPANSIONS).toHaveLength(6);
  });

  it('have the bounds of D4 and D15', () => {
    expect([DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT, MAX_DEALS_PER_PRODUCT, MAX_TARGET_BYTES]).toEqual([
      20, 100, 1_000, 8_192,
    ]);
  });
});

it('the error codes have the statuses of D17', () => {
  const statuses = Object.entries(PROBLEMS).map(([code, { status }]) => `${status} ${code}`);
  expect(statuses.toSorted()).toEqual([
    '400 incomplete-image-selection',
    '400 invalid-cursor',
    '400 invalid-request',
    '400 malformed-value',
    '400 out-of-range',
    '400 repeated-header',
    '400 repeated-parameter',
    '400 too-many-deals',
    '400 unknown-parameter',
    '400 unknown-value',
    '401 expired-key',
    '401 invalid-key',
    '401 missing-key',
    '403 operator-only',
    '404 unknown-path',
    '404 unknown-product',
    '405 method-not-allowed',
    '410 snapshot-expired',
    '414 target-too-long',
    '429 rate-limited',
    '500 internal-error',
    '503 no-snapshot',
    '503 overloaded',
  ]);
});
