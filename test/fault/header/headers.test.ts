import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../../data/query/problem.ts';
import { withServer, type TestServer } from '../../harness.ts';
import { exchangeOnce, type RawResponse } from '../../support/raw-socket.ts';
import { PROGRAM_ROOT } from '../program.ts';

const PRODUCTS = '/deals/v1/products/?expand=products(cheapestDeal)';
const PICTURE = '/images/aaaaaaaaaaaaaaaa/o2-small.webp';
const PAGES = [
  '/',
  ...Object.keys(PROBLEMS).map((code) => `/problems/${code}`),
  ...readdirSync(join(PROGRAM_ROOT, 'server/page'), { withFileTypes: true })
    .filter((entry) => existsSync(join(entry.parentPath, entry.name, 'index.html')))
    .map(({ name }) => `/${name}/`),
];

let server: TestServer;
beforeAll(async () => {
  server = await withServer();
});
afterAll(() => server.close());

const send = (bytes: string, { url, key } = server): Promise<RawResponse> =>
  exchangeOnce(Number(new URL(url).port), bytes.replaceAll('KEY', key));

const request = (method: string, target: string, ...headers: readonly string[]): string =>
  `${method} ${target} HTTP/1.1\r\nHost: a\r\n${headers.map((line) => `${line}\r\n`).join('')}Connection: close\r\n\r\n`;

const valuesOf = ({ headers }: RawResponse, name: string): readonly string[] =>
  headers.filter(([candidate]) => candidate === name).map(([, value]) => value);

/** What every answer must say, and what none may. */
function expectGoodManners(what: string, answer: RawResponse): void {
  const shown = `${what}: ${JSON.stringify(answer.headers)}`;
  expect([shown, ...valuesOf(answer, 'x-content-type-options')]).toEqual([shown, 'nosniff']);
  for (const name of ['server', 'x-powered-by', 'via', 'x-aspnet-version', 'set-cookie']) {
    expect([shown, ...valuesOf(answer, name)]).toEqual([shown]);
  }
  const { version, dependencies } = JSON.parse(readFileSync(join(PROGRAM_ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const text = JSON.stringify(answer.headers.filter(([name]) => name !== 'etag'));
  for (const told of [`"${version}"`, process.version, 'Node', 'node.js', 'polka', dependencies['polka'] ?? '']) {
    expect([shown, told, text.includes(told)]).toEqual([shown, told, false]);
  }
}

describe('every answer', () => {
  const KEY = 'x-api-key: KEY';
  it.each<[string, number, string]>([
    ['a list', 200, request('GET', PRODUCTS, KEY)],
    ['the same, from memory', 200, request('GET', PRODUCTS, KEY)],
    ['the same without its body', 200, request('HEAD', PRODUCTS, KEY)],
    ['a list that is encoded', 200, request('GET', PRODUCTS, KEY, 'Accept-Encoding: br')],
    ['what has not changed', 304, request('GET', '/deals/v1/networks/', KEY, 'If-None-Match: *')],
    ['the same, from memory', 304, request('GET', '/deals/v1/networks/', KEY, 'If-None-Match: *')],
    ['a fault', 400, request('GET', '/deals/v1/products/?x=1', KEY)],
    ['a header twice', 400, request('GET', PRODUCTS, KEY, KEY)],
    ['no key', 401, request('GET', PRODUCTS)],
    ['a wrong key', 401, request('GET', PRODUCTS, 'x-api-key: x')],
    ['no such product', 404, request('GET', '/deals/v1/products/987654/', KEY)],
    ['no such path', 404, request('GET', '/deals/v9/')],
    ['a path that is not there', 404, request('GET', '/nothing')],
    ['another method', 405, request('DELETE', PRODUCTS, KEY)],
    ['OPTIONS', 204, request('OPTIONS', PRODUCTS)],
    ['a target that is too long', 414, request('GET', `/${'x'.repeat(9_000)}`)],
    ['a picture', 200, request('GET', PICTURE)],
    ['a picture that has not changed', 304, request('GET', PICTURE, 'If-None-Match: *')],
    ['no such picture', 404, request('GET', '/images/none.webp')],
    ['the first page', 200, request('GET', '/')],
    ['its style', 200, request('GET', '/page.css')],
    ['an explanation', 200, request('GET', '/problems/unknown-path')],
    ['no such explanation', 404, request('GET', '/problems/none')],
    ['whether it lives', 200, request('GET', '/health/live')],
    ['whether it is ready', 200, request('GET', '/health/ready')],
  ])('is taken for what it says it is, and tells nothing of the program: %s, %d', async (what, status, bytes) => {
    const answer = await send(bytes);
    expect(answer.status).toBe(status);
    expectGoodManners(what, answer);
  });

  it('also when there is nothing to answer from, when the share is used, and when the fault is ours', async () => {
    const empty = await withServer({
      catalogue: null,
      settings: { rateLimit: { requests: 1, seconds: 3_600 } },
    });
    for (const status of [503, 429]) {
      const answer = await send(request('GET', PRODUCTS, 'x-api-key: KEY'), empty);
      expect(answer.status).toBe(status);
      expectGoodManners(String(status), answer);
    }
    await empty.close();
    let isBroken = false;
    const broken = await withServer({
      now: () => {
        if (isBroken) throw new Error('the clock stands still');
        return new Date();
      },
    });
    isBroken = true;
    const answer = await send(request('GET', PRODUCTS, 'x-api-key: KEY'), broken);
    isBroken = false;
    expect(answer.status).toBe(500);
    expectGoodManners('500', answer);
    await broken.close();
  });
});

describe('a page', () => {
  it.each(PAGES)(
    '%s runs modules of this server alone, which parse no HTML and ask this server alone',
    async (path) => {
      const answer = await send(request('GET', path));
      const body = String(answer.body);
      const pictures = path === '/explore/' ? "'self' https:" : "'self'";
      expect(valuesOf(answer, 'content-security-policy')).toEqual([
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
          `img-src ${pictures}; require-trusted-types-for 'script'; trusted-types 'none'; ` +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      ]);
      expect(valuesOf(answer, 'referrer-policy')).toEqual(['no-referrer']);
      expect(valuesOf(answer, 'cross-origin-resource-policy')).toEqual(['same-origin']);
      expect(body).not.toMatch(/<(?:style|iframe|object|embed|base)\b|\s(?:on[a-z]+|style)=|javascript:/i);
      const sources = [...body.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)];
      expect(sources.length).toBeGreaterThan(0);
      for (const [, attributes, inside] of sources) {
        expect(attributes).toMatch(/^ type="module" src="\/?\w[^":]*"$/);
        expect(inside).toBe('');
      }
    },
  );
});

describe('a picture', () => {
  it('may be shown by the pages of other sites', async () => {
    for (const bytes of [request('GET', PICTURE), request('GET', PICTURE, 'If-None-Match: *')]) {
      expect(valuesOf(await send(bytes), 'cross-origin-resource-policy')).toEqual(['cross-origin']);
    }
  });
});
