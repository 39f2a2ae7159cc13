import { describe, expect, it } from 'vitest';
import { describeUnknownPath } from '../../../../server/http/checks.ts';

const NOTHING = 'There is nothing at this path; paths are compared as sent.';

describe('a path that leads nowhere', () => {
  it.each([
    ['/deals/v1/product/', '/deals/v1/products/'],
    ['/deals/v1/product', '/deals/v1/products/'],
    ['/deals/v1/Products/', '/deals/v1/products/'],
    ['/deals/v1//products/', '/deals/v1/products/'],
    ['/deals/products/', '/deals/v1/products/'],
    ['/deals/v2/network/', '/deals/v1/networks/'],
    ['/deals/v1/product/101/', '/deals/v1/products/101/'],
    ['/deals/v1/gift/category', '/deals/v1/gifts/categories/'],
    ['/deals/v1/manufacturer', '/deals/v1/manufacturers/'],
    ['/deals/v1/', '/deals/v1/products/'],
    ['/v1/products/', '/deals/v1/products/'],
    ['/products', '/deals/v1/products/'],
    ['/api/v2/products/101', '/deals/v1/products/101/'],
    ['/deals/v1/products/101/deals/', '/deals/v1/products/101/?expand=products(deals)'],
    ['/deals/v1/products/101/reviews/', '/deals/v1/products/101/'],
    ['/deals/v1/products.json', '/deals/v1/products/'],
    ['/deals/v1/product/deals_secret/', '/deals/v1/products/?filter[slug]=eq{<product slug>}'],
    ['/deals/v1/gifts/7/', '/deals/v1/gifts/'],
    ['/deals/v1/networks/o2/', '/deals/v1/networks/'],
    ['/explor/', '/explore/'],
  ])('%s is told that %s may be meant', (path, meant) => {
    expect(describeUnknownPath(path)).toBe(`${NOTHING} Did you mean ${meant}?`);
  });

  it.each([
    '/',
    '/foo',
    '/deals/v1/foo/',
    '/deals/v1/phones/',
    '/brands',
    '/deals/v1/foo/products/',
    '/images/a/b.webp',
    `/deals/v1/${'x'.repeat(5_000)}/`,
  ])('%s is not guessed at', (path) => {
    expect(describeUnknownPath(path)).toBe(NOTHING);
  });
});
