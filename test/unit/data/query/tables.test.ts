import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../../data/query/endpoint.ts';
import {
  DEFAULT_PAGE_LIMIT,
  MAX_DEALS_PER_PRODUCT,
  MAX_PAGE_LIMIT,
  MAX_TARGET_BYTES,
} from '../../../../data/query/parameter.ts';
import { PROBLEMS } from '../../../../data/query/problem.ts';

describe('the interface', () => {
  it('has the endpoints of spec §4 and D21 with their parameters', () => {
    expect(ENDPOINTS.map(({ path, parameters }) => `${path} ${parameters.join(' ')}`.trim())).toEqual([
      '/deals/v1/products/ filter expand fields limit sort cursor',
      '/deals/v1/products/<id>/ filter expand fields limit sort cursor',
      '/deals/v1/gifts/categories/ expand fields',
      '/deals/v1/gifts/ fields',
      '/deals/v1/networks/',
      '/deals/v1/retailers/',
      '/deals/v1/manufacturers/',
    ]);
  });

  it('has the bounds of D4 and D15', () => {
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
    '503 snapshot-not-yet',
  ]);
});
