import { describe, expect, it } from 'vitest';
import { withServer } from '../harness.ts';
import { expectProblem } from './expect-problem.ts';

const PRODUCTS = '/deals/v1/products/';

// The exchanges have the problems of a request, `keys` and `pages` those of a key and a cursor.
describe('errors (§7)', () => {
  it('too much at once is a problem, too (D17)', async () => {
    const server = await withServer({ shedder: { isLate: () => true } });
    expectProblem(await server.ask(PRODUCTS), 'overloaded');
  });

  it('the cause of an internal error is in the log under the id of the request, and not in the answer (D17)', async () => {
    const log: unknown[] = [];
    let isBroken = false;
    const now = (): Date => {
      if (isBroken) throw new Error('the clock stands still');
      return new Date();
    };
    const server = await withServer({ now, log: (entry) => log.push(entry) });
    isBroken = true;
    const answer = await server.ask(PRODUCTS).finally(() => (isBroken = false));
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
