import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../../data/query/endpoint.ts';
import { toOriginForm } from '../../../../server/http/request.ts';
import { findEndpoint } from '../../../../server/catalogue.ts';

describe('the paths of the interface (spec §4, D1)', () => {
  it.each(ENDPOINTS.filter(({ name }) => name !== 'product'))('$path, with its last slash and without', (endpoint) => {
    expect(findEndpoint(endpoint.path)).toEqual({ endpoint: endpoint.name });
    expect(findEndpoint(endpoint.path.slice(0, -1))).toEqual({ endpoint: endpoint.name });
  });

  it.each([
    ['/deals/v1/products/101/', '101'],
    ['/deals/v1/products/101', '101'],
    ['/deals/v1/products/012/', '012'],
    ['/deals/v1/products/abc/', 'abc'],
    ['/deals/v1/products/%31/', '%31'],
  ])('%s has the id %s, as sent', (path, id) => {
    expect(findEndpoint(path)).toEqual({ endpoint: 'product', id });
  });

  it.each([
    '',
    '/',
    '/deals',
    '/deals/',
    '/deals/v1',
    '/deals/v1/',
    '/deals/v2/products/',
    '/products/',
    'deals/v1/products/',
    '/deals/v1/products//',
    '//deals/v1/products/',
    '/deals/v1//products/',
    '/deals/v1/products/1/deals/',
    '/deals/v1/products/1//',
    '/deals/v1/Products/',
    '/DEALS/v1/products/',
    '/deals/v1/%70roducts/',
    '/deals/v1/products/../gifts/',
    '/deals/v1/gifts/1/',
    '/deals/v1/gifts/categories/1/',
    '/deals/v1/products/<id>/x',
    '/deals/v1/__proto__/',
  ])('%j is unknown', (path) => {
    expect(findEndpoint(path)).toBeUndefined();
  });
});

describe('a request target', () => {
  it.each([
    ['/deals/?a=1', '/deals/?a=1'],
    ['http://host/deals/?a=1', '/deals/?a=1'],
    ['HTTPS://host:8080/deals/', '/deals/'],
    ['http://host', '/'],
    ['http://host?a=1', '/?a=1'],
    ['http://user@host/x', '/x'],
    ['ftp://host/x', 'ftp://host/x'],
    ['*', '*'],
  ])('%s is %s (RFC 9112 §3.2.2)', (target, origin) => {
    expect(toOriginForm(target)).toBe(origin);
  });
});
