import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { hideKeys } from '../key/hide-keys.ts';
import { describeQueryIssue, type QueryIssue } from '../query/query-issue.ts';
import type { Answer } from './answer.ts';

/** What a problem says beyond its code. */
export interface ProblemFacts {
  /** What is wrong with this request, in one sentence. */
  readonly detail: string;
  readonly requestId: string;
  readonly issues?: readonly QueryIssue[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Seconds after which a client may try again when there is no snapshot. */
const RETRY_AFTER_SECONDS = 30;

/** The answer to a request that failed: problem details of RFC 9457 (D17). */
export function createProblem(code: ProblemCode, facts: ProblemFacts): Answer {
  const { status, title } = PROBLEMS[code];
  const body = {
    type: `/problems/${code}`,
    title,
    status,
    detail: hideKeys(facts.detail),
    instance: facts.requestId,
    code,
    // It repeats what was sent, and answers are kept in logs of clients. Here where that is short: to search the whole
    // body took longer than to write it.
    errors: (facts.issues ?? []).map(hideKeysOf).map((issue) => ({
      parameter: issue.parameter,
      code: issue.code,
      detail: describeQueryIssue(issue),
      value: issue.value,
      ...(issue.allowed === undefined ? {} : { allowed: issue.allowed }),
      ...(issue.suggestion === undefined ? {} : { suggestion: issue.suggestion }),
    })),
  };
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...(status === 503 ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {}),
      ...facts.headers,
    },
    body: [JSON.stringify(body)],
  };
}

/** The problem of a request with faulty parameters: the code of the fault, or `invalid-request` for several (D17). */
export function createQueryProblem(
  issues: readonly QueryIssue[],
  requestId: string,
  headers: Readonly<Record<string, string>>,
): Answer {
  const first = issues[0] === undefined ? undefined : hideKeysOf(issues[0]);
  const code = issues.length === 1 && first !== undefined ? first.code : 'invalid-request';
  const detail =
    issues.length === 1 && first !== undefined
      ? describeQueryIssue(first)
      : `The request has ${issues.length} faults; errors lists each.`;
  return createProblem(code, { detail, requestId, issues, headers });
}

/** Before anything is cut to its beginning, by which a key can no longer be told. */
function hideKeysOf(issue: QueryIssue): QueryIssue {
  const { parameter, value, advice } = issue;
  return {
    ...issue,
    parameter: hideKeys(parameter),
    value: hideKeys(value),
    ...(advice === undefined ? {} : { advice: hideKeys(advice) }),
  };
}
