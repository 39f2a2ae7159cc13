import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaFaults } from '../../oracle/check-answer.ts';
import type { OracleProduct } from '../../oracle/catalogue.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { fetchText, until, type TextResponse } from '../../harness.ts';
import { startProgram, type RunningProgram } from '../running-program.ts';
import { createBreakableProgram, type BreakableProgram, type Failure } from './breakable-program.ts';

const LIST = '/deals/v1/products/?expand=products(content,deals,cheapestDeal)&limit=2';
const PICTURE = '/images/aaaaaaaaaaaaaaaa/o2-small.webp';
const LONG = '/deals/v1/products/?expand=products(content,page-content,meta-data,specs,images)&limit=100';
const DEADLINE_MS = 10_000;

/** The fixture with so many products more that an answer is sent in pieces. */
const MORE = Array.from({ length: 200 }, (_, at) => ({
  ...(FIXTURE.products[0] as OracleProduct),
  id: String(70_000 + at),
  slug: `another-${at}`,
}));

/** What a request runs through, a target that gets there, and what its client gets. */
const FAILURES: readonly (readonly [name: string, failure: Failure, target: string, outcome: 'problem' | 'closed'])[] =
  [
    ['checkTarget', 'throws', LIST, 'problem'],
    ['parseQuery', 'throws', LIST, 'problem'],
    ['writeProducts', 'throws', LIST, 'problem'],
    ['writeProducts', 'throws late', LONG, 'closed'],
    ['makeBody', 'rejects', LIST, 'closed'],
    ['send', 'rejects', LIST, 'closed'],
    ['describeReadiness', 'throws', '/health/ready', 'problem'],
    ['sendFile', 'throws', PICTURE, 'problem'],
    ['sendFile', 'rejects', PICTURE, 'problem'],
    // What makes problems cannot make one of these.
    ['listCommonHeaders', 'throws', LIST, 'closed'],
    ['errorResponse', 'throws', '/deals/v1/', 'closed'],
  ];

let copy: BreakableProgram;
let program: RunningProgram;
beforeAll(async () => {
  copy = createBreakableProgram(FAILURES.map(([name]) => name));
  program = await startProgram({
    catalogue: { ...FIXTURE, products: [...FIXTURE.products, ...MORE] },
    deals: copy.deals,
  });
});
afterAll(async () => {
  await program.stop();
  copy.remove();
});

let asked = 0;

/** The answer; undefined when the connection was closed before there was a whole one. No answer is a kept one. */
async function ask(target: string): Promise<TextResponse | undefined> {
  // A compressed answer would be held back.
  const headers = { 'x-api-key': program.key, 'accept-encoding': 'identity' };
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const path = `${target}${target.includes('?') ? '&'.repeat(++asked) : ''}`;
  return fetchText(program.url + path, { headers, signal }).catch((error: Error) => {
    if (error instanceof TypeError) return undefined;
    throw error;
  });
}

const listFailed = (): readonly string[] =>
  program
    .output()
    .split('\n')
    .filter((line) => line.includes('"event":"request-failed"'));

/** What a client got, and its operator with it; anything but the two outcomes is wrong. */
function outcomeOf(answer: TextResponse | undefined, [line]: readonly string[]): string {
  if (line === undefined) return `a ${answer?.status} of which no log tells`;
  const { requestId, cause } = JSON.parse(line) as { readonly requestId?: string; readonly cause?: string };
  if (requestId === undefined || cause?.includes('the cause that stays inside') !== true) return `logged ${line}`;
  if (answer === undefined) return 'closed';
  const { text } = answer;
  const problem = JSON.parse(text) as { readonly code?: string; readonly instance?: string };
  const isRight =
    answer.status === 500 &&
    !text.includes('stays inside') &&
    schemaFaults('problem', problem).length === 0 &&
    problem.code === 'internal-error' &&
    problem.instance === requestId &&
    answer.headers.get('x-request-id') === requestId;
  return isRight ? 'problem' : `${answer.status} ${text}`;
}

describe('a handler that fails', () => {
  it.each(FAILURES)('%s %s', async (name, failure, target, outcome) => {
    const before = listFailed().length;
    copy.fail(name, failure);
    const answer = await ask(target);
    copy.heal();
    // The next request is answered, by the same process.
    expect((await ask(LIST))?.status).toBe(200);
    await until(async () => listFailed().length > before, DEADLINE_MS);
    expect(outcomeOf(answer, listFailed().slice(before))).toBe(outcome);
  });
});
