import { describe, expect, it } from 'vitest';
import { withServer } from '../harness.ts';
import { expectProblem } from './expect-problem.ts';
import { SCENARIOS } from './problem-scenarios.ts';

const PRODUCTS = '/deals/v1/products/';

describe('errors (§7)', () => {
  // The exchanges have the others.
  it.each([
    ['expired-key', 401],
    ['rate-limited', 429],
    ['snapshot-expired', 410],
    ['internal-error', 500],
    ['snapshot-not-yet', 503],
    ['no-snapshot', 503],
    ['overloaded', 503],
  ] as const)('%s is a problem of the one shape, %d (D17)', async (code, status) => {
    const answer = await SCENARIOS[code](PRODUCTS);
    expectProblem(answer, code);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('retry-after') ?? '').toMatch(
      [429, 503].includes(answer.status) ? /^[1-9][0-9]*$/ : /^$/,
    );
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
