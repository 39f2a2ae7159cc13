import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { withServer } from '../harness.ts';
import { expectProblem } from './expect-problem.ts';
import { SCENARIOS } from './problem-scenarios.ts';

const PRODUCTS = '/deals/v1/products/';

/** Those of the other problems are in the exchanges. */
const STATUSES: Readonly<Record<keyof typeof SCENARIOS, number>> = {
  'expired-key': 401,
  'rate-limited': 429,
  'snapshot-expired': 410,
  'internal-error': 500,
  'snapshot-not-yet': 503,
  'no-snapshot': 503,
  overloaded: 503,
};

describe('errors (§7)', () => {
  it.each(Object.entries(SCENARIOS))('%s is a problem of the one shape (D17)', async (code, run) => {
    const answer = await run(PRODUCTS);
    expectProblem(answer, code as ProblemCode);
    expect(answer.status).toBe(STATUSES[code as keyof typeof SCENARIOS]);
    expect(answer.headers.get('retry-after') ?? '').toMatch(
      [429, 503].includes(answer.status) ? /^[1-9][0-9]*$/ : /^$/,
    );
  });

  it('each code is that of an exchange or of a scenario (D17)', () => {
    const exchanges = readFileSync(new URL('exchanges.ndjson', import.meta.url), 'utf8');
    const codes = exchanges.matchAll(/"code":"([a-z-]+)"/g);
    const seen = new Set([...Array.from(codes, ([, code]) => code), ...Object.keys(SCENARIOS)]);
    expect(seen).toEqual(new Set(Object.keys(PROBLEMS)));
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

  it('each request has an id of its own (D17)', async () => {
    const server = await withServer();
    const answers = await Promise.all([1, 2, 3].map(() => server.ask('/deals/v1/x')));
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
  });
});
