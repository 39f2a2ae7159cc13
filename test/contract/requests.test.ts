import { afterAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../data/query/endpoint.ts';
import type { ProblemCode } from '../../data/query/problem.ts';
import { expectProblem } from './expect-problem.ts';
import { dealIds, serve, variants, type TextResponse } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

/** A raw request with the key; header lines may be added. */
const raw = (
  method: string,
  target: string,
  lines: readonly string[] = [`x-api-key: ${server.key}`],
): Promise<TextResponse> =>
  server.raw([`${method} ${target} HTTP/1.1`, 'Host: deals.test', ...lines, 'Connection: close', '', ''].join('\r\n'));

const PATHS = ENDPOINTS.map(({ path }) => path.replace('<id>', '101'));

describe('paths (D1)', () => {
  it.each(PATHS)('%s answers the same without its last slash (D1)', async (path) => {
    const slashed = await server.ask(path);
    expect([slashed.status, (await server.ask(path.slice(0, -1))).text]).toEqual([200, slashed.text]);
  });

  it.each([
    '/deals/v1/products//',
    '/deals/v1//products/',
    '//deals/v1/products/',
    '/deals/v1/products/101//',
    '/deals/v1/./products/',
    '/deals/v1/products/../products/',
    '/deals/v1/Products/',
    '/DEALS/v1/products/',
    '/deals/v1/%70roducts/',
    '/deals/v1/products%2F101/',
    '/deals/v1/products/101/deals/',
    '/deals/v1/gifts/7/',
    '/deals/v1/gifts/categories/3/',
    '/deals/v1/networks/21/',
    '/deals/v1/',
    '/deals/',
    '/deals/v1/products;v=1/',
    '/deals/v2/products/',
    '/deals/v0/products/',
    '/deals/v11/products/',
    '/deals/V1/products/',
    '/deals/products/',
  ])('%s is unknown: paths are compared as sent, and v1 is the one version (D1, D20)', async (path) => {
    expectProblem(await raw('GET', path), 'unknown-path');
  });

  it.each(['abc', '1a', '-1', '+1', '1.0', '0x10', '%31', '１'.replace(/./u, encodeURIComponent), '1,2'])(
    'the product id %s is not decimal digits (D1)',
    async (id) => {
      const answer = await raw('GET', `/deals/v1/products/${id}/`);
      expectProblem(answer, 'malformed-value', [['id', 'malformed-value']]);
    },
  );

  it.each(['0101', '00', '424242', '99999999999999999999999999'])(
    'the product id %s is compared as text and no product has it (D1)',
    async (id) => {
      expectProblem(await server.ask(`/deals/v1/products/${id}/`), 'unknown-product');
    },
  );
});

describe('methods (D2)', () => {
  const stable = ({ headers }: TextResponse) =>
    [...headers].filter(([name]) => !['date', 'x-request-id', 'transfer-encoding'].includes(name));

  it.each([
    ...PATHS,
    '/deals/v1/products/?expand=deals,images&limit=5',
    '/deals/v1/products/424242/',
    '/deals/v1/products/?limit=0',
    '/deals/v1/nowhere/',
  ])('HEAD %s has the status and headers of GET and no body (D2)', async (target) => {
    const get = await raw('GET', target);
    const head = await raw('HEAD', target);
    expect([head.status, head.text]).toEqual([get.status, '']);
    expect(stable(head)).toEqual(stable(get));
  });

  it.each(PATHS)('OPTIONS %s is 204 with Allow and needs no key (D2)', async (path) => {
    const { status, headers, text } = await raw('OPTIONS', path, []);
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])('%s is 405 with Allow (D2)', async (method) => {
    const answer = await raw(method, '/deals/v1/products/');
    expectProblem(answer, 'method-not-allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('an absolute-form target works (D2)', async () => {
    const { status, text } = await raw('GET', 'http://elsewhere.test/deals/v1/products/9/?fields=os');
    expect([status, variants(JSON.parse(text).products)]).toEqual([200, ['9']]);
  });

  it.each([
    ['Host', ['Host: other.test']],
    ['x-api-key', ['x-api-key: one', 'x-api-key: two']],
    ['x-api-key in another case', ['x-api-key: one', 'X-API-KEY: one']],
  ])('two headers %s are refused (D2)', async (_, lines) => {
    const withKey = lines.some((line) => /^x-api-key/i.test(line)) ? lines : [...lines, `x-api-key: ${server.key}`];
    expectProblem(await raw('GET', '/deals/v1/products/', withKey), 'repeated-header');
  });
});

describe('the order of checks (D3)', () => {
  const long = '&'.repeat(9000);
  it.each<[string, string, string[], ProblemCode]>([
    ['POST', `/nowhere/?${long}`, [], 'target-too-long'],
    ['POST', '/deals/v1/nowhere/?limit=0', [], 'unknown-path'],
    ['POST', '/deals/v1/products/424242/?limit=0', [], 'method-not-allowed'],
    ['GET', '/deals/v1/products/424242/?limit=0', [], 'missing-key'],
    ['GET', '/deals/v1/products/424242/?limit=0', ['x-api-key: wrong'], 'invalid-key'],
    ['GET', '/deals/v1/products/424242/?limit=0', ['key'], 'out-of-range'],
    ['GET', '/deals/v1/products/abc/?limit=0', ['key'], 'invalid-request'],
    ['GET', '/deals/v1/products/424242/', ['key', 'If-None-Match: *'], 'unknown-product'],
  ])('%s %.50s with %j is %s (D3)', async (method, target, lines, code) => {
    const headers = lines.map((line) => (line === 'key' ? `x-api-key: ${server.key}` : line));
    expectProblem(await raw(method, target, headers), code);
  });
});

describe('parameters are never ignored (D4)', () => {
  const PRODUCTS = '/deals/v1/products/';

  it.each([
    ['page=2', 'page'],
    ['Expand=content', 'Expand'],
    ['expand%20=content', 'expand '],
    ['filter=eq{new}', 'filter'],
    ['filter[condition=eq{new}', 'filter[condition'],
    ['filter[constructor]=eq{new}', 'filter[constructor]'],
    ['__proto__=1', '__proto__'],
    ['x', 'x'],
  ])('?%s is an unknown parameter (D4)', async (query, parameter) => {
    expectProblem(await server.ask(`${PRODUCTS}?${query}`), 'unknown-parameter', [[parameter, 'unknown-parameter']]);
  });

  it.each(['expand=content&expand=specs', 'expand=content&expand=content', 'limit=5&limit=deals(3)'])(
    '?%s repeats a parameter (D4)',
    async (query) => {
      const [name = ''] = query.split('=');
      expectProblem(await server.ask(`${PRODUCTS}?${query}`), 'repeated-parameter', [[name, 'repeated-parameter']]);
    },
  );

  it.each(['expand=%zz', 'expand=%ff', 'expand=content%00'])('?%s is broken text (D4)', async (query) => {
    expectProblem(await server.ask(`${PRODUCTS}?${query}`), 'malformed-value', [['expand', 'malformed-value']]);
  });

  it('empty pairs are nothing (D4)', async () => {
    expect((await server.ask(`${PRODUCTS}9/?&&expand=content&&fields=os&`)).status).toBe(200);
  });

  it('brackets, braces, parentheses and commas may be raw or percent-encoded (D4)', async () => {
    const written = 'filter[networks]=eq{o2,ee}&sort=products(name-asc)&limit=2,deals(1)';
    const expected = await server.ask(`${PRODUCTS}?${written}`);
    const encoded = (toHex: (code: string) => string): string =>
      written.replace(/[[\]{}(),]/g, (character) => `%${toHex(character.charCodeAt(0).toString(16))}`);
    const upper = encoded((code) => code.toUpperCase());
    const lower = encoded((code) => code.toLowerCase());
    expect(expected.status).toBe(200);
    expect((await server.ask(`${PRODUCTS}?${upper}`)).text).toBe(expected.text);
    expect((await server.ask(`${PRODUCTS}?${lower}`)).text).toBe(expected.text);
  });
});

/** A valid value of every parameter but the cursor, with the name under which it is sent. */
const EXAMPLES = {
  filter: ['filter[condition]', 'eq{new}'],
  expand: ['expand', 'content'],
  fields: ['fields', 'heading'],
  limit: ['limit', '5'],
  sort: ['sort', 'products(name-asc)'],
} as const;

const CASES = ENDPOINTS.flatMap(({ name, path, parameters }) =>
  Object.entries(EXAMPLES).map(([parameter, [sentName, value]]) => ({
    endpoint: name,
    target: `${path.replace('<id>', '101')}?${sentName}=${value}`,
    sentName,
    isTaken: (parameters as readonly string[]).includes(parameter),
  })),
);

describe('the endpoints (§4)', () => {
  it.each(CASES.filter(({ isTaken }) => isTaken))('$endpoint takes $sentName', async ({ target }) => {
    expect((await server.ask(target)).status).toBe(200);
  });

  it.each(CASES.filter(({ isTaken }) => !isTaken))('$endpoint does not take $sentName (D4)', async (row) => {
    expectProblem(await server.ask(row.target), 'unknown-parameter', [[row.sentName, 'unknown-parameter']]);
  });

  it('a single product is told from its other variant by a condition filter (rule 1)', async () => {
    const of = async (condition: string): Promise<string[]> =>
      variants((await server.read(`/deals/v1/products/101/?filter[condition]=eq{${condition}}`)).products);
    expect(await of('new')).toEqual(['101']);
    expect(await of('refurbished')).toEqual(['101 refurbished']);
    expect(variants((await server.read('/deals/v1/products/101/')).products)).toEqual(['101', '101 refurbished']);
  });

  it('parameters combine: a selection of images with expanded content and deals under four filters (rule 2)', async () => {
    const body = await server.read(
      '/deals/v1/products/101/?expand=products(content,deals)&filter[upfrontCost]=eq{49.99}&filter[condition]=eq{new}' +
        '&filter[networks]=eq{o2}&filter[offers]=eq{cashback}&fields=products(front,large,png)',
    );
    expect(body.products).toEqual([
      {
        id: '101',
        name: 'Google Pixel 9 128GB',
        slug: 'google-pixel-9-128gb',
        content: { heading: 'Pixel 9', introduction: 'A "clever" phone' },
        images: { largeFrontImagePng: 'https://deals.test/images/706978656c2d392d/large-front.png' },
      },
    ]);
    expect(dealIds(body.deals)).toEqual(['P9-C']);
  });

  it('a single product takes limit and sort as well (rule 3)', async () => {
    const { products, deals } = await server.read(
      '/deals/v1/products/101/?limit=1,deals(1)&sort=products(name-desc),deals(total-cost-desc)&expand=deals',
    );
    expect(variants(products)).toEqual(['101 refurbished']);
    expect(dealIds(deals)).toEqual(['R9-B']);
  });
});
