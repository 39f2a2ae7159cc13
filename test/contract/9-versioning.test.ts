import { afterAll, describe, it } from 'vitest';
import { expectProblem } from './expect-problem.ts';
import { serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

describe('versioning (§9)', () => {
  it.each([
    '/deals/v2/products/',
    '/deals/v0/products/',
    '/deals/v11/products/',
    '/deals/V1/products/',
    '/deals/products/',
  ])('%s is not a version there is (D20)', async (path) => {
    expectProblem(await server.ask(path), 'unknown-path');
  });
});
