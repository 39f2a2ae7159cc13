import type { RequestHandler } from 'sirv';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { fromUtf8, toUtf8 } from '../json/write-body.ts';
import { redactKeys } from '../keys/api-key.ts';
import { describeQueryIssue, type QueryIssue } from '../query/query-text.ts';
import type { Encoding } from './send.ts';

/** A response before it is sent: the pieces of its body, as `toUtf8` gives them, are made only as fast as they are sent. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The snapshot that it is made from, for `X-Snapshot` (D18). */
  readonly snapshotId?: string | undefined;
  readonly body: Iterable<string>;
  /** The encoding of a body that is worth encoding; absent for none. */
  readonly encoding?: Encoding;
}

/** A file, which sirv sends. */
export interface FileResponse extends Pick<ApiResponse, 'status' | 'headers' | 'snapshotId'> {
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

/** An error of a request, before it is written. */
export interface Refusal extends Pick<ApiResponse, 'snapshotId'> {
  readonly code: ProblemCode;
  /** What is wrong with this request, in one sentence. */
  readonly detail: string;
  readonly issues?: readonly QueryIssue[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Seconds after which a client may try again, unless the error says another time. */
export const USUAL_RETRY_SECONDS = 30;

/** An error response: problem details of RFC 9457 (D17). */
export function errorResponse(refusal: Refusal, requestId: string): ApiResponse {
  const { code, detail, issues = [], headers, snapshotId } = refusal;
  const { status, title } = PROBLEMS[code];
  const body = {
    type: `/problems/${code}`,
    title,
    status,
    detail: redactKeys(detail),
    instance: requestId,
    code,
    errors: issues.map((issue) => ({
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
      ...headers,
    },
    snapshotId,
    body: [toUtf8(JSON.stringify(body))],
  };
}

/**
 * The refusal of wrong parameters: the code of the error, or `invalid-request` for several (D17). Keys are hidden before texts
 * are shortened, because a part of a key is not recognised.
 */
export function refuseQuery(faults: readonly QueryIssue[], snapshotId?: string): Refusal {
  const issues = faults.map((issue) => ({
    ...issue,
    parameter: redactKeys(issue.parameter),
    value: redactKeys(issue.value),
  }));
  const [only, second] = issues;
  if (only === undefined || second !== undefined) {
    const detail = `The request has ${issues.length} faults; errors lists each.`;
    return { code: 'invalid-request', detail, issues, snapshotId };
  }
  return { code: only.code, detail: describeQueryIssue(only), issues, snapshotId };
}
