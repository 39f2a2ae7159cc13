import { describe, expect, it, vi } from 'vitest';
import type { LogEntry } from '../../../server/log.ts';
import { expectProblem } from '../../contract/expect-problem.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { fetchText, until, withServer, type TextResponse } from '../../harness.ts';
import type { OracleProduct } from '../../oracle/catalogue.ts';

/** How a function fails: at once, by a promise, or, of one that gives a body, when most of that has been sent. */
type Failure = 'throws' | 'rejects' | 'throws late';

/** What a request runs through, how it fails, a target that gets there, and what its client gets. */
const FAILURES: readonly (readonly [name: string, failure: Failure, target: string, outcome: 'problem' | 'closed'])[] =
  vi.hoisted(() => {
    const list = '/deals/v1/products/?expand=products(content,deals,cheapestDeal)&limit=2';
    const long = '/deals/v1/products/?expand=products(content,page-content,meta-data,specs,images)&limit=100';
    return [
      ['checkTarget', 'throws', list, 'problem'],
      ['parseQuery', 'throws', list, 'problem'],
      ['writePage', 'throws', list, 'problem'],
      ['writePage', 'throws late', long, 'closed'],
      ['describeAge', 'throws', '/health/ready', 'problem'],
      // sirv has this name within its module.
      ['serve', 'throws', '/images/aaaaaaaaaaaaaaaa/o2-small.webp', 'problem'],
      // What makes problems cannot make one of these.
      ['makeBody', 'rejects', list, 'closed'],
      ['send', 'rejects', list, 'closed'],
      ['listCommonHeaders', 'throws', list, 'closed'],
      ['errorResponse', 'throws', '/deals/v1/', 'closed'],
    ];
  });

const { told, breakable, fails, CAUSE } = vi.hoisted(() => {
  const CAUSE = 'the cause that stays inside';
  /** The function that fails now. */
  const told: { name: string; failure: Failure } = { name: '', failure: 'throws' };
  type Work = (...args: readonly unknown[]) => unknown;
  function* breakLate(pieces: Iterable<string>, error: Error): Generator<string> {
    let sent = 0;
    for (const piece of pieces) {
      yield piece;
      sent += piece.length;
      if (sent > 150_000) throw error;
    }
  }
  const fails =
    (name: string, work: Work): Work =>
    (...args) => {
      if (told.name !== name) return work(...args);
      const error = new Error(CAUSE);
      if (told.failure === 'throws') throw error;
      if (told.failure === 'rejects') return Promise.reject(error);
      return breakLate(work(...args) as Iterable<string>, error);
    };
  const names = new Set(FAILURES.map(([name]) => name));
  /** A module of which the functions of the table fail when they are told to. */
  const breakable = async (importModule: () => Promise<object>) =>
    Object.fromEntries(
      Object.entries(await importModule()).map(([name, value]) => [name, names.has(name) ? fails(name, value) : value]),
    );
  return { told, breakable, fails, CAUSE };
});

vi.mock(import('../../../server/http/request.ts'), breakable as never);
vi.mock(import('../../../server/http/response.ts'), breakable as never);
vi.mock(import('../../../server/http/send.ts'), breakable as never);
vi.mock(import('../../../server/json/write-body.ts'), breakable as never);
vi.mock(import('../../../server/query/parse-query.ts'), breakable as never);
vi.mock(import('../../../data/store/snapshots.ts'), breakable as never);
vi.mock(import('sirv'), (async (importSirv: () => Promise<{ default: (...args: unknown[]) => never }>) => {
  const { default: sirv } = await importSirv();
  return { default: (...args: unknown[]) => fails('serve', sirv(...args)) };
}) as never);

/** So many products that an answer is sent in pieces. */
const MORE = Array.from({ length: 200 }, (_, at) => ({
  ...(FIXTURE.products[0] as OracleProduct),
  id: String(70_000 + at),
  slug: `another-${at}`,
}));

const failed: LogEntry[] = [];
const server = await withServer({
  catalogue: { ...FIXTURE, products: [...FIXTURE.products, ...MORE] },
  log: (entry) => entry.event === 'request-failed' && failed.push(entry),
});

let asked = 0;

/** The answer; undefined when the connection was closed before there was a whole one. No answer is a kept one. */
async function ask(target: string): Promise<TextResponse | undefined> {
  // A compressed answer would be held back.
  const headers = { 'x-api-key': server.key, 'accept-encoding': 'identity' };
  const path = `${target}${target.includes('?') ? '&'.repeat(++asked) : ''}`;
  return fetchText(server.url + path, { headers, signal: AbortSignal.timeout(10_000) }).catch((error: Error) => {
    if (error instanceof TypeError) return undefined;
    throw error;
  });
}

/** Asks while a function fails: the answer, what the log says of it, and that the next request is answered. */
async function askFailing(name: string, failure: Failure, target: string) {
  failed.length = 0;
  Object.assign(told, { name, failure });
  const answer = await ask(target);
  told.name = '';
  expect((await ask('/deals/v1/networks/'))?.status).toBe(200);
  await until(async () => failed.length > 0);
  expect(failed).toMatchObject([{ requestId: expect.any(String), cause: expect.stringContaining(CAUSE) }]);
  return { answer, requestId: failed[0]?.['requestId'] };
}

describe('a handler that fails', () => {
  it.each(FAILURES.filter(([, , , outcome]) => outcome === 'problem'))(
    '%s %s: its client gets a problem, without the cause',
    async (...[name, failure, target]) => {
      const { answer, requestId } = await askFailing(name, failure, target);
      expectProblem(answer as TextResponse, 'internal-error');
      expect(answer?.headers.get('x-request-id')).toBe(requestId);
      expect(answer?.text).not.toContain(CAUSE);
    },
  );

  it.each(FAILURES.filter(([, , , outcome]) => outcome === 'closed'))(
    '%s %s: the connection is closed',
    async (...[name, failure, target]) => {
      expect((await askFailing(name, failure, target)).answer).toBeUndefined();
    },
  );
});
