import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaFaults } from '../../oracle/check-answer.ts';
import type { OracleProduct } from '../../oracle/catalogue.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { fetchText, until, type TextResponse } from '../../harness.ts';
import { noCacheArgs } from '../program.ts';
import { startProgram, type RunningProgram } from '../running-program.ts';
import { createBreakableProgram, type BreakableProgram, type Failure } from './breakable-program.ts';

const LIST = '/deals/v1/products/?expand=products(content,deals,cheapestDeal)&limit=2';
const PICTURE = '/images/aaaaaaaaaaaaaaaa/o2-small.webp';
const LONG = '/deals/v1/products/?expand=products(content,page-content,meta-data,specs,images)&limit=100';
const DEADLINE_MS = 10_000;

/** The fixture with so many products more that an answer is sent in pieces. */
const CATALOGUE = {
  ...FIXTURE,
  products: [
    ...FIXTURE.products,
    ...Array.from({ length: 200 }, (_, at) => ({
      ...(FIXTURE.products[0] as OracleProduct),
      id: String(70_000 + at),
      slug: `another-${at}`,
    })),
  ],
};

/** What a request runs through, a target that gets there, and what its client gets. */
const FAILURES: readonly (readonly [
  file: string,
  name: string,
  failure: Failure,
  target: string,
  outcome: 'problem' | 'closed',
])[] = [
  ['server/http/checks.js', 'checkTarget', 'throws', LIST, 'problem'],
  ['server/query/parse-query.js', 'parseQuery', 'throws', LIST, 'problem'],
  ['server/json/write-products.js', 'writeProducts', 'throws', LIST, 'problem'],
  ['server/json/write-products.js', 'writeProducts', 'throws late', LONG, 'closed'],
  ['server/http/send.js', 'makeBody', 'rejects', LIST, 'closed'],
  ['server/http/send.js', 'send', 'rejects', LIST, 'closed'],
  ['server/routes/health.js', 'describeReadiness', 'throws', '/health/ready', 'problem'],
  ['server/http/send.js', 'sendFile', 'throws', PICTURE, 'problem'],
  ['server/http/send.js', 'sendFile', 'rejects', PICTURE, 'problem'],
  // What makes problems cannot make one of these.
  ['server/http/request.js', 'listCommonHeaders', 'throws', LIST, 'closed'],
  ['server/http/response.js', 'errorResponse', 'throws', '/deals/v1/', 'closed'],
];

let copy: BreakableProgram;
let program: RunningProgram;
beforeAll(async () => {
  copy = createBreakableProgram(
    FAILURES.filter(([, name], at) => FAILURES.findIndex(([, other]) => other === name) === at).map(([file, name]) => ({
      file,
      name,
    })),
  );
  // Without kept answers, so that every request goes the long way.
  program = await startProgram({ catalogue: CATALOGUE, deals: copy.deals, nodeArgs: noCacheArgs(copy.deals) });
});
afterAll(async () => {
  await program.stop();
  copy.remove();
});

/** The answer to a GET; undefined when the connection was closed before there was a whole one. */
async function ask(target: string): Promise<TextResponse | undefined> {
  const headers = { 'x-api-key': program.key };
  const signal = AbortSignal.timeout(DEADLINE_MS);
  return fetchText(program.url + target, { headers, signal }).catch((error: Error) => {
    if (error instanceof TypeError) return undefined;
    throw error;
  });
}

const linesOf = (event: string): readonly string[] =>
  program
    .output()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`));

/** What a client got, and its operator with it; anything but the two outcomes is wrong. */
function outcomeOf(answer: TextResponse | undefined, lines: readonly string[]): string {
  const [line] = lines;
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
  it.each(FAILURES)('%s: %s %s', async (_, name, failure, target, outcome) => {
    const before = linesOf('request-failed').length;
    copy.fail(name, failure);
    const answer = await ask(target);
    copy.heal();
    // The next request is answered, by the same process.
    expect((await ask(LIST))?.status).toBe(200);
    await until(async () => linesOf('request-failed').length > before, DEADLINE_MS);
    const lines = linesOf('request-failed').slice(before);
    expect(outcomeOf(answer, lines)).toBe(outcome);
  });
});
