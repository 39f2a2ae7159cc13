import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { redactKeys } from '../log.ts';
import { describeQueryIssue, type QueryIssue } from '../query/query-issue.ts';
import type { Encoding } from './compression.ts';

/** An answer before it is sent: the body in pieces, produced only as fast as they are taken. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or bytes, which are valid only until the next piece is asked for. */
  readonly body: Iterable<string | Uint8Array>;
  /** What the client takes; a body worth encoding is sent so. Absent: as it is. */
  readonly encoding?: Encoding;
}

/** The bytes of a piece of a body, to keep. */
export function copyChunk(piece: string | Uint8Array): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece);
}

/** The whole body as text. */
export function readBody({ body }: Pick<ApiResponse, 'body'>): string {
  return Buffer.concat(Array.from(body, copyChunk)).toString();
}

/** What a problem says beyond its code. */
export interface ProblemDetails {
  /** What is wrong with this request, in one sentence. */
  readonly detail: string;
  readonly requestId: string;
  readonly issues?: readonly QueryIssue[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Seconds after which a client may try again when there is no snapshot. */
const RETRY_AFTER_SECONDS = 30;

/** The answer to a request that failed: problem details of RFC 9457 (D17). */
export function errorResponse(code: ProblemCode, facts: ProblemDetails): ApiResponse {
  const { status, title } = PROBLEMS[code];
  const body = {
    type: `/problems/${code}`,
    title,
    status,
    detail: redactKeys(facts.detail),
    instance: facts.requestId,
    code,
    // It repeats what was sent, and answers are kept in logs of clients. Here where that is short: to search the whole
    // body took longer than to write it.
    errors: (facts.issues ?? []).map(redactIssue).map((issue) => ({
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
export function queryErrorResponse(
  issues: readonly QueryIssue[],
  requestId: string,
  headers: Readonly<Record<string, string>>,
): ApiResponse {
  const [only, second] = issues;
  if (only === undefined || second !== undefined) {
    const detail = `The request has ${issues.length} faults; errors lists each.`;
    return errorResponse('invalid-request', { detail, requestId, issues, headers });
  }
  const detail = describeQueryIssue(redactIssue(only));
  return errorResponse(only.code, { detail, requestId, issues, headers });
}

/** Before anything is cut to its beginning, by which a key can no longer be told. */
function redactIssue(issue: QueryIssue): QueryIssue {
  const { parameter, value, advice } = issue;
  return {
    ...issue,
    parameter: redactKeys(parameter),
    value: redactKeys(value),
    ...(advice === undefined ? {} : { advice: redactKeys(advice) }),
  };
}
