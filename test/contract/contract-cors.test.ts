import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve, type TestServer, type TextResponse } from './serve.ts';

const LISTED = 'https://shop.example';
const OTHERS = [
  'https://evil.example',
  'null',
  'file://',
  'http://shop.example',
  'https://shop.example.evil.example',
  'https://evil.example/https://shop.example',
  'https://shop.example:8443',
  'https://sub.shop.example',
  'HTTPS://SHOP.EXAMPLE',
  'https://shop.example, https://evil.example',
  '*',
];
const TARGETS = [
  '/deals/v1/products/',
  '/deals/v1/products/?x=1',
  '/deals/v9/',
  '/health/ready',
  '/',
  '/problems/unknown-path',
  '/page.css',
  '/images/aaaaaaaaaaaaaaaa/o2-small.webp',
];
const PREFLIGHT = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' };
const PREFLIGHT_GRANTED = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'x-api-key, if-none-match',
  'access-control-max-age': '86400',
};

const corsOf = ({ headers }: TextResponse): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

describe.each([
  { mode: 'off, the default', corsOrigins: [], allowed: undefined },
  { mode: 'for one origin', corsOrigins: [LISTED], allowed: LISTED },
  { mode: 'for several origins', corsOrigins: ['https://other.example', LISTED], allowed: LISTED },
  { mode: 'for any origin', corsOrigins: ['*'], allowed: '*' },
])('CORS $mode (D21)', ({ corsOrigins, allowed }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await serve({ start: { settings: { corsOrigins } } });
  });
  afterAll(() => server.close());

  /** Each target twice, so that the second response is from the cache, then a preflight. */
  async function askAll(origin: string) {
    const answers: { what: string; isPreflight: boolean; cors: Record<string, string> }[] = [];
    for (const target of TARGETS) {
      for (const [method, more] of [
        ['GET', {}],
        ['GET', {}],
        ['OPTIONS', PREFLIGHT],
      ] as const) {
        const answer = await server.ask(target, { method, headers: { Origin: origin, ...more } });
        answers.push({ what: `${method} ${target}`, isPreflight: method === 'OPTIONS', cors: corsOf(answer) });
      }
    }
    return answers;
  }

  it('lets a page of a listed origin read every response, and no page any response when it is off (D21)', async () => {
    const granted = {
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': 'Link, X-Total-Count, ETag, X-Snapshot, X-Request-Id, Retry-After',
    };
    for (const { what, isPreflight, cors } of await askAll(LISTED)) {
      const expected = { ...granted, ...(isPreflight ? PREFLIGHT_GRANTED : {}) };
      expect([what, cors]).toEqual([what, allowed === undefined ? {} : expected]);
    }
  });

  it('grants a preflight of any path, so that the page can read the 404 of the request (D2)', async () => {
    for (const target of TARGETS) {
      const answer = await server.ask(target, { method: 'OPTIONS', headers: { Origin: LISTED, ...PREFLIGHT } });
      expect([target, answer.status, answer.headers.get('allow')]).toEqual([target, 204, 'GET, HEAD, OPTIONS']);
    }
  });

  it.each(OTHERS)('does not repeat the origin %s, and never allows cookies (D21)', async (origin) => {
    for (const { what, cors } of await askAll(origin)) {
      const seen = [what, cors['access-control-allow-origin'], cors['access-control-allow-credentials']];
      expect(seen).toEqual([what, allowed === '*' ? '*' : undefined, undefined]);
    }
  });

  it('varies by Origin where responses differ by it, also without an Origin (D21)', async () => {
    for (const target of TARGETS) {
      for (const headers of [{}, { Origin: LISTED }, { Origin: 'https://evil.example' }]) {
        const varies = (await server.ask(target, { headers })).headers.get('vary')?.split(', ').includes('Origin');
        expect([target, headers, varies ?? false]).toEqual([target, headers, allowed === LISTED]);
      }
    }
  });
});
