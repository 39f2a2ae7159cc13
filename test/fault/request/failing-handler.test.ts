import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import glob from 'fast-glob';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaFaults } from '../../oracle/check-answer.ts';
import type { OracleProduct } from '../../oracle/catalogue.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { fetchText, until, type TextResponse } from '../../harness.ts';
import { startProgram, type RunningProgram } from '../running-program.ts';
import { DEALS, PROGRAM_ROOT } from '../program.ts';

/** How a function fails: at once, by a promise, or, of one that gives a body, when most of that has been sent. */
type Failure = 'throws' | 'rejects' | 'throws late';

/** A copy of the compiled program in which functions fail when they are told to, while it runs. */
interface BreakableProgram {
  /** The installation: compiled files, pages, packages. */
  readonly folder: string;
  readonly deals: string;
  /** Has a function fail from now on. */
  fail(name: string, failure: Failure): void;
  heal(): void;
  remove(): void;
}

/** @param names - of the functions that can be made to fail; each stands in one compiled file */
function createBreakableProgram(names: readonly string[]): BreakableProgram {
  const folder = mkdtempSync(join(tmpdir(), 'deals-fault-broken-'));
  const order = join(folder, 'order');
  writeFileSync(order, '');
  cpSync(join(DEALS, '../..'), join(folder, 'dist/js'), { recursive: true });
  cpSync(join(PROGRAM_ROOT, 'server/page'), join(folder, 'server/page'), { recursive: true });
  cpSync(join(PROGRAM_ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(PROGRAM_ROOT, 'node_modules'), join(folder, 'node_modules'));
  const compiled = glob.sync('dist/js/{server,data}/**/*.js', { cwd: folder, absolute: true });
  const texts = new Map(compiled.map((path) => [path, readFileSync(path, 'utf8')]));
  for (const name of new Set(names)) {
    const found = [...texts].filter(([, text]) => declarationOf(name).test(text));
    if (found.length !== 1) throw new Error(`function ${name}: expected in one file, found in ${found.length}`);
    const [[path, text]] = found as [[string, string]];
    texts.set(path, makeBreakable(text, name));
  }
  for (const [path, text] of texts)
    if (text.includes('breakIfTold('))
      writeFileSync(path, text + BREAK_IF_TOLD.replace('ORDER', JSON.stringify(order)));
  return {
    folder,
    deals: join(folder, 'dist/js/cli/main.js'),
    fail: (name, failure) => writeFileSync(order, `${name} ${failure}`),
    heal: () => writeFileSync(order, ''),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

const declarationOf = (name: string): RegExp => new RegExp(`^(export )?(async )?function(\\*?) (${name})\\(`, 'm');

/** The text of a module in which a function looks at the order before it does its work. */
function makeBreakable(text: string, name: string): string {
  const [whole = '', exported = '', async = '', star = ''] = declarationOf(name).exec(text) ?? [];
  const wrapper = `${exported}function ${name}(...args) { return breakIfTold('${name}', () => ${name}Sound(...args)); }\n`;
  return text.replace(whole, `${wrapper}${async}function${star} ${name}Sound(`);
}

const BREAK_IF_TOLD = `
import { readFileSync as readOrder } from 'node:fs';
function breakIfTold(name, work) {
  const order = readOrder(ORDER, 'utf8');
  if (!order.startsWith(name + ' ')) return work();
  const error = new Error('the cause that stays inside');
  if (order.endsWith(' throws')) throw error;
  if (order.endsWith(' rejects')) return Promise.reject(error);
  return breakLate(work(), error);
}
function* breakLate(pieces, error) {
  let sent = 0;
  for (const piece of pieces) {
    yield piece;
    sent += piece.length;
    if (sent > 150_000) throw error;
  }
}
`;

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
