import { afterAll, describe, expect, it } from 'vitest';
import { SIZE_BOX } from '../../data/field/image.ts';
import { MAX_TARGET_BYTES } from '../../data/query/parameter.ts';
import { UNLIMITED_MARKER } from '../../data/record/amount.ts';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { expectProblem } from './expect-problem.ts';
import { SCENARIOS } from './problem-scenarios.ts';
import { dealIds, serve, withServer, type TextResponse } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const PRODUCTS = '/deals/v1/products/';

/** For every code, the request that gets it. */
const REQUESTS = {
  'unknown-path': () => server.ask('/deals/v1/phones/'),
  'unknown-product': () => server.ask(`${PRODUCTS}424242/`),
  'method-not-allowed': () => server.ask(PRODUCTS, { method: 'POST' }),
  'missing-key': () => server.askWithoutKey(PRODUCTS),
  'invalid-key': () => server.ask(PRODUCTS, { headers: { 'x-api-key': 'nobody' } }),
  'operator-only': () => server.ask('/status/data.json'),
  'invalid-request': () => server.ask(`${PRODUCTS}?expand=nothing&limit=0`),
  'unknown-parameter': () => server.ask(`${PRODUCTS}?page=2`),
  'repeated-parameter': () => server.ask(`${PRODUCTS}?limit=2&limit=3`),
  'malformed-value': () => server.ask(`${PRODUCTS}?limit=abc`),
  'unknown-value': () => server.ask(`${PRODUCTS}?expand=everything`),
  'out-of-range': () => server.ask(`${PRODUCTS}?limit=0`),
  'incomplete-image-selection': () => server.ask(`${PRODUCTS}?fields=front,png`),
  'invalid-cursor': () => server.ask(`${PRODUCTS}?cursor=made-up`),
  'too-many-deals': () =>
    withServer({ start: { settings: { maxDealsPerAnswer: 3 } } }, (small) => small.ask(`${PRODUCTS}?expand=deals`)),
  'target-too-long': () => server.ask(`${PRODUCTS}?${'&'.repeat(8192)}`),
} as const satisfies Record<Exclude<ProblemCode, keyof typeof SCENARIOS>, () => Promise<TextResponse>>;

const CASES = [
  ...Object.entries(REQUESTS),
  ...Object.entries(SCENARIOS).map(([code, run]) => [code, () => run(PRODUCTS)] as const),
] as readonly (readonly [ProblemCode, () => Promise<TextResponse>])[];

describe('errors (§7)', () => {
  it.each(CASES)('%s is a problem of the one shape (D17)', async (code, request) => {
    const answer = await request();
    expectProblem(answer, code);
    const isLater = [429, 503].includes(PROBLEMS[code].status);
    expect(answer.headers.get('retry-after') ?? '').toMatch(isLater ? /^[1-9][0-9]*$/ : /^$/);
  });

  it.each(Object.keys(PROBLEMS))('the type %s has a page (D17, D19)', async (code) => {
    const { status, text } = await server.askWithoutKey(`/problems/${code}`);
    expect([status, text]).toEqual([200, expect.stringContaining(code)]);
  });

  it('the list of problems links to the page of each (D17)', async () => {
    const { status, text } = await server.askWithoutKey('/problems/');
    expect(status).toBe(200);
    const links = [...text.matchAll(/href="\/problems\/([a-z-]+)"/g)].map(([, code = '']) => code);
    expect(links.sort()).toEqual(Object.keys(PROBLEMS).sort());
  });

  it('the cause of an internal error is in the log under the id of the request, and not in the answer (D17)', async () => {
    const log: unknown[] = [];
    const answer = await SCENARIOS['internal-error'](PRODUCTS, { log: (entry) => log.push(entry) });
    const { errors, detail } = expectProblem(answer, 'internal-error');
    expect([errors, detail]).toEqual([[], expect.not.stringContaining('clock')]);
    const entries = log.map((entry) => JSON.stringify(entry));
    const id = answer.headers.get('x-request-id') ?? '';
    expect(entries.filter((entry) => entry.includes(id) && entry.includes('the clock stands still'))).not.toEqual([]);
  });

  it('every fault of a request is in the one answer, named as sent (D4, D17)', async () => {
    const answer = await server.ask(
      `${PRODUCTS}?expand=contents,spec&filter[networks]=eq{nobody,o2,nowhere}&limit=0&page=2&sort=deals(total-cost)` +
        '&fields=os,battery-capcity',
    );
    const { errors } = expectProblem(answer, 'invalid-request');
    expect(errors.map(({ parameter, code }) => `${parameter} ${code}`).sort()).toEqual([
      'expand unknown-value',
      'expand unknown-value',
      'fields unknown-value',
      'filter[networks] unknown-value',
      'filter[networks] unknown-value',
      'limit out-of-range',
      'page unknown-parameter',
      'sort malformed-value',
    ]);
    const words = errors.filter(({ code }) => code === 'unknown-value').map(({ value }) => value);
    expect(words.sort()).toEqual(['battery-capcity', 'contents', 'nobody', 'nowhere', 'spec']);
    expect(errors.find(({ value }) => value === 'contents')?.suggestion).toBe('content');
    expect(errors.find(({ value }) => value === 'spec')?.suggestion).toBe('specs');
  });

  it('each request has an id of its own (D17)', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await server.ask('/deals/v1/x')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it.each([
    [`${PRODUCTS}?limit=${'9'.repeat(3000)}`, 'out-of-range'],
    [`${PRODUCTS}?expand=${'x'.repeat(3000)}`, 'unknown-value'],
    [`${PRODUCTS}?${'y'.repeat(3000)}=1`, 'unknown-parameter'],
  ] as const)('no sentence grows with a long text of the request: %.40s (D17)', async (target, code) => {
    const { detail, errors } = expectProblem(await server.ask(target), code);
    for (const sentence of [detail, ...errors.map((fault) => fault.detail)]) {
      expect(sentence.length).toBeLessThan(600);
    }
  });
});

describe('limits (§8)', () => {
  it('999999 marks unlimited in every allowance', async () => {
    const { deals } = await server.read('/deals/v1/products/101/?expand=deals&filter[dataAllowance]=eq{unlimited}');
    expect(deals).toMatchObject([{ dataAllowance: '999999', callAllowance: '999999', textAllowance: '999999' }]);
    expect(UNLIMITED_MARKER).toBe(999_999);
  });

  it('pictures are 200 x 400, 100 x 200 and 60 x 120', () => {
    expect(SIZE_BOX).toEqual({
      large: { width: 200, height: 400 },
      medium: { width: 100, height: 200 },
      small: { width: 60, height: 120 },
    });
  });

  it('a request target may be 8 KiB long and no longer (D4)', async () => {
    const target = '/deals/v1/products/9/?expand=deals';
    const longest = target + '&'.repeat(MAX_TARGET_BYTES - target.length);
    expect((await server.ask(longest)).status).toBe(200);
    expectProblem(await server.ask(`${longest}&`), 'target-too-long');
  });

  it('a ceiling on the deals of one answer may be set, and limit=deals(n) keeps below it (D15)', async () => {
    await withServer({ start: { settings: { maxDealsPerAnswer: 4 } } }, async (small) => {
      expect(dealIds((await small.read('/deals/v1/products/10/?expand=deals&limit=1')).deals)).toHaveLength(4);
      const problem = expectProblem(await small.ask('/deals/v1/products/10/?expand=deals'), 'too-many-deals');
      expect(JSON.stringify(problem)).toContain('limit=deals(');
      expect(dealIds((await small.read('/deals/v1/products/10/?expand=deals&limit=deals(2)')).deals)).toHaveLength(3);
      expect((await small.ask('/deals/v1/products/10/?expand=cheapestDeal')).status).toBe(200);
    });
  });
});
