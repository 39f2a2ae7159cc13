import type { RequestHandler } from 'sirv';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { fromUtf8, toUtf8 } from '../json/fragments.ts';
import { redactKeys } from '../log.ts';
import { describeQueryIssue, type QueryIssue } from '../query/query-issue.ts';
import type { Encoding } from './encoding.ts';

/** A response before it is sent: the pieces of its body, as `toUtf8` gives them, are made only as fast as they are sent. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Iterable<string>;
  /** The encoding of a body that is worth encoding; absent for none. */
  readonly encoding?: Encoding;
}

/** A file, which sirv sends. */
export interface FileResponse extends Pick<ApiResponse, 'status' | 'headers'> {
  readonly file: RequestHandler;
}

/** JSON that is true now, and that no cache may keep. */
export function jsonResponse(status: number, text: string, more: Readonly<Record<string, string>> = {}): ApiResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...more },
    body: [toUtf8(text)],
  };
}

/** The whole body as text. */
export function readBody({ body }: Pick<ApiResponse, 'body'>): string {
  return fromUtf8(Array.from(body).join(''));
}

/** The facts of an error besides its code. */
export interface ProblemDetails {
  /** What is wrong with this request, in one sentence. */
  readonly detail: string;
  readonly requestId: string;
  readonly issues?: readonly QueryIssue[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Seconds after which a client may try again, unless the error says another time. */
const USUAL_RETRY_SECONDS = 30;

/** An error response: problem details of RFC 9457 (D17). */
export function errorResponse(code: ProblemCode, facts: ProblemDetails): ApiResponse {
  const { status, title } = PROBLEMS[code];
  const body = {
    type: `/problems/${code}`,
    title,
    status,
    detail: redactKeys(facts.detail),
    instance: facts.requestId,
    code,
    // They repeat what was sent, and clients log responses. Searching the whole body for keys took longer than writing it.
    errors: (facts.issues ?? []).map(redactIssue).map((issue) => ({
      parameter: issue.parameter,
      code: issue.code,
      detail: describeQueryIssue(issue),
      value: issue.value,
      // Absent unless there is something to say: JSON leaves out what is undefined.
      allowed: issue.allowed,
      suggestion: issue.suggestion,
    })),
  };
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...(status === 503 ? { 'Retry-After': String(USUAL_RETRY_SECONDS) } : {}),
      ...facts.headers,
    },
    body: [toUtf8(JSON.stringify(body))],
  };
}

/** The error response to wrong parameters: the code of the error, or `invalid-request` for several (D17). */
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

/** Runs before texts are shortened, because a part of a key is not recognised. */
function redactIssue(issue: QueryIssue): QueryIssue {
  return { ...issue, parameter: redactKeys(issue.parameter), value: redactKeys(issue.value) };
}
